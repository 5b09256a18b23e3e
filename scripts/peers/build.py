"""The programs under test."""

import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def build(package, bench):
    """The benchmark `bench` of a package, built; cargo names the file."""
    command = ["cargo", "bench", "-p", package, "--bench", bench, "--no-run", "--message-format=json"]
    output = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    messages = (json.loads(line) for line in output.splitlines())
    return next(m["executable"] for m in messages if m.get("executable") and m["target"]["name"] == bench)
