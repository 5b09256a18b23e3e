"""Feature maps side by side with scikit-learn's: the same points, kernel and number of features.

    python3 -m venv target/peers
    target/peers/bin/pip install -r scripts/peers/requirements.txt
    target/peers/bin/python scripts/bench_features.py [--repeats N]

`just bench-features` does all of it. Every repeat runs each task, one after the other, so that what else the machine does
falls on all, and each twice, of which the second time counts: a virtual machine gives memory that was free for some seconds back to its host, and
has to ask for it again, which takes up to a second for 800 MB and would fall on whoever comes first. scikit-learn's products use the threads of its BLAS, one for each processor; its cosines and exponentials one.

'new': a matrix made in the call, as scikit-learn's is. numpy asks the system for large pages for it, this library does not;
'large pages' is a process of ours with GLIBC_TUNABLES=glibc.malloc.hugetlb=1, which does. 'kept': a matrix that was
there and written before. 'consumed': blocks of features are multiplied by weights and forgotten.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

for name in [name for name in os.environ if name.startswith("OPENBLAS")]:
    os.environ.pop(name)
sys.path.insert(0, str(pathlib.Path(__file__).parent))

try:
    import numpy as np
    from sklearn.kernel_approximation import Nystroem, RBFSampler

    from peers.build import build
except ModuleNotFoundError as missing:
    sys.exit(f"{missing}: run `just bench-features`, which installs what is compared with, or see the head of this file")

INPUTS, SIGMA = 50, 7.0
ROWS, FEATURES = 100_000, 1_024
NYSTROM_ROWS, LANDMARKS = 40_000, 512
GAMMA = 1 / (2 * SIGMA**2)


class Ours:
    """A process that holds the points and answers tasks."""

    def __init__(self, program, points, environment):
        command, pipe = [program, points, str(INPUTS)], subprocess.PIPE
        environment = {**os.environ, **environment}
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment)

    def seconds(self, task, threads):
        rows, components = (NYSTROM_ROWS, LANDMARKS) if task.startswith("nystrom") else (ROWS, FEATURES)
        self.process.stdin.write(f"{task} {threads} {rows} {components} {SIGMA}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def timed(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def tasks(x, ours, large):
    """(problem, who, what is timed); the first of a problem is what the others are compared with."""
    sampler = RBFSampler(gamma=GAMMA, n_components=FEATURES, random_state=0).fit(x)
    single = x.astype(np.float32)
    sampler32 = RBFSampler(gamma=GAMMA, n_components=FEATURES, random_state=0).fit(single)
    yield "RFF, f64", "RBFSampler", lambda: timed(lambda: sampler.transform(x))
    for threads in [1, 2]:
        yield "RFF, f64", f"new, {threads}", lambda t=threads: ours.seconds("new", t)
        yield "RFF, f64", f"new, large pages, {threads}", lambda t=threads: large.seconds("new", t)
        yield "RFF, f64", f"kept, {threads}", lambda t=threads: ours.seconds("stored", t)
        yield "RFF, f64", f"consumed, {threads}", lambda t=threads: ours.seconds("consumed", t)
    yield "RFF, f32", "RBFSampler", lambda: timed(lambda: sampler32.transform(single))
    for threads in [1, 2]:
        yield "RFF, f32", f"new, large pages, {threads}", lambda t=threads: large.seconds("new-f32", t)
        yield "RFF, f32", f"kept, {threads}", lambda t=threads: ours.seconds("stored-f32", t)
        yield "RFF, f32", f"consumed, {threads}", lambda t=threads: ours.seconds("consumed-f32", t)
    some = x[:NYSTROM_ROWS]
    nystroem = Nystroem(gamma=GAMMA, n_components=LANDMARKS, random_state=0)
    yield "Nyström, fit and transform", "Nystroem", lambda: timed(lambda: nystroem.fit_transform(some))
    for threads in [1, 2]:
        for form, task in [("eigenvectors", "nystrom"), ("triangular", "nystrom-triangular")]:
            yield "Nyström, fit and transform", f"{form}, new, {threads}", lambda t=threads, k=task: ours.seconds(k, t)
            yield "Nyström, fit and transform", f"{form}, large pages, {threads}", lambda t=threads, k=task: large.seconds(k, t)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=7, help="how often each task runs")
    options = parser.parse_args()
    program = build("robust-svm-core", "feature_times")
    x = np.random.default_rng(0).standard_normal((ROWS, INPUTS))
    with tempfile.TemporaryDirectory() as folder:
        points = pathlib.Path(folder) / "points"
        x.astype("<f8").tofile(points)
        ours = Ours(program, points, {})
        large = Ours(program, points, {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"})
        all_tasks = list(tasks(x, ours, large))
        seconds = [[] for _ in all_tasks]
        # The first round warms up.
        for repeat in range(options.repeats + 1):
            for (_, _, run), taken in zip(all_tasks, seconds):
                run()
                taken.append(run())
        ours.close()
        large.close()
    print("| problem | | least seconds | median | times as fast |\n|---|---|---:|---:|---:|")
    for (problem, who, _), taken in zip(all_tasks, seconds):
        taken = taken[1:]
        if who in ["RBFSampler", "Nystroem"]:
            reference = min(taken)
        least, median = min(taken), statistics.median(taken)
        print(f"| {problem} | {who} | {least:.3f} | {median:.3f} | {reference / least:.1f} |", flush=True)


if __name__ == "__main__":
    main()
