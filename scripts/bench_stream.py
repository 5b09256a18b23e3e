"""Training from a Parquet file, side by side with scikit-learn: the same rows, λ, bandwidth, number of features and passes.

    python3 -m venv target/peers
    target/peers/bin/pip install -r scripts/peers/requirements.txt
    target/peers/bin/python scripts/bench_stream.py [--rows L] [--passes K] [--gamma G] [--frequencies NAME]

`just bench-stream` does all of it. Both programs begin with the file and end with a model: `robust-svm train --stream always` (survey, a
copy in random order, passes, certificate), and StandardScaler.partial_fit, RBFSampler and SGDClassifier.partial_fit over row groups in single
precision. Both are processes of their own, whose peak memory is told; what a pass takes is told too, ours from twice as many passes. Afterwards the same held-back rows judge both models: accuracy, and the
robust objective λ/(2L) ||w||² + mean max(0, 1 - y f + Γ ||w||) with one Γ for both (nominal hinge losses are what scikit-learn minimises).
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

for name in [name for name in os.environ if name.startswith("OPENBLAS")]:
    os.environ.pop(name)

try:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq
    from sklearn.kernel_approximation import RBFSampler
    from sklearn.linear_model import SGDClassifier
    from sklearn.preprocessing import StandardScaler
except ModuleNotFoundError as missing:
    sys.exit(f"{missing}: run `just bench-stream`, which installs what is compared with, or see the head of this file")

ROOT = pathlib.Path(__file__).resolve().parent.parent
INPUTS, FEATURES, GROUP, JUDGED = 50, 512, 100_000, 100_000
COLUMNS = [f"x{j}" for j in range(INPUTS)]


def points(rng, centres, rows):
    """Two classes, each of four Gaussian clouds, and labels of 0 and 1."""
    y, cloud = rng.integers(0, 2, rows), rng.integers(0, 4, rows)
    return rng.standard_normal((rows, INPUTS), dtype="f4") + centres[y, cloud], y.astype("i1")


def write(path, rng, centres, rows):
    schema = pa.schema([(name, pa.float32()) for name in COLUMNS] + [("label", pa.int8())])
    with pq.ParquetWriter(path, schema, compression="zstd", use_dictionary=False) as file:
        for start in range(0, rows, GROUP):
            x, y = points(rng, centres, min(GROUP, rows - start))
            file.write_table(pa.table([*(pa.array(column) for column in x.T), pa.array(y)], schema=schema))


def groups(path):
    file = pq.ParquetFile(path)
    for k in range(file.num_row_groups):
        table = file.read_row_group(k)
        x = np.column_stack([table.column(name).to_numpy() for name in COLUMNS])
        yield x, table.column("label").to_numpy()


def scikit_learn(path, sigma, alpha, passes, out):
    """The peer's whole way, in a process of its own."""
    start, scaler = time.perf_counter(), StandardScaler()
    for x, _ in groups(path):
        scaler.partial_fit(x)
    read = time.perf_counter() - start
    sampler = RBFSampler(gamma=1 / (2 * sigma**2), n_components=FEATURES, random_state=0)
    model = SGDClassifier(loss="hinge", alpha=alpha, average=True, random_state=0)
    first = True
    for _ in range(passes):
        for x, y in groups(path):
            x = scaler.transform(x)
            if first:
                sampler.fit(x)
            model.partial_fit(sampler.transform(x), y, classes=[0, 1])
            first = False
    seconds = time.perf_counter() - start
    np.savez(
        out, mean=scaler.mean_, scale=scaler.scale_, frequencies=sampler.random_weights_, phases=sampler.random_offset_,
        weights=model.coef_[0], intercept=model.intercept_[0], seconds=seconds, passes_seconds=seconds - read,
    )


def judge(features, y, weights, intercept, alpha, radius):
    decision = features @ weights + intercept
    y, norm = np.where(y == 1, 1.0, -1.0), np.linalg.norm(weights)
    losses = np.maximum(0.0, 1.0 - y * decision + radius * norm)
    return (y * decision > 0).mean(), 0.5 * alpha * norm**2 + losses.mean()


def run(command):
    """Wall seconds, processor seconds and peak memory in MiB of a process."""
    start = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command[0]} ended with exit code {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--gamma", type=float, default=0.1, help="γ, in standard deviations of a feature")
    parser.add_argument("--frequencies", default="gaussian", help="how ours draws them: gaussian, orthogonal or structured")
    parser.add_argument("--folder", type=pathlib.Path, help="where the file and its copy are put [default: a temporary folder]")
    parser.add_argument("--peer", nargs=5, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        path, sigma, alpha, passes, out = options.peer
        return scikit_learn(path, float(sigma), float(alpha), int(passes), out)
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "robust-svm-harness"], cwd=ROOT, check=True)
    rng = np.random.default_rng(7)
    centres = 0.6 * rng.standard_normal((2, 4, INPUTS)).astype("f4")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        folder = pathlib.Path(folder)
        data, model, peer = folder / "rows.parquet", folder / "model.json", folder / "peer.npz"
        write(data, rng, centres, options.rows)
        x, y = points(rng, centres, JUDGED)
        command = [ROOT / "target/release/robust-svm", "train", data, "--label", "label", "--features", "rff", "--dim", str(FEATURES)]
        command += ["--frequencies", options.frequencies]
        command += ["--bound", "geodesic", "--gamma", str(options.gamma)] if options.gamma > 0 else []
        command += ["--tolerance", "1e-6", "--validation", "0", "--stream", "always", "--out", model, "--quiet"]
        twice = run([*command, "--epochs", str(2 * options.passes)])
        ours = run([*command, "--epochs", str(options.passes)])
        found = json.loads(model.read_text())
        training, sigma = found["training"], found["features"]["sigma"]
        alpha = training["lambda"] / training["rows"]
        theirs = run([sys.executable, __file__, "--peer", data, str(sigma), str(alpha), str(options.passes), peer])
        of_peer = np.load(peer)
        offsets, divisors = (np.array(found["scaling"][key]) for key in ["offsets", "divisors"])
        frequencies, weights = np.array(found["features"]["frequencies"]), np.array(found["weights"])
        phases = ((x - offsets) / divisors) @ frequencies.T
        features = np.empty((JUDGED, FEATURES))
        features[:, 0::2], features[:, 1::2] = np.cos(phases), np.sin(phases)
        features *= np.sqrt(2 / FEATURES)
        # ‖φ(x + δ) − φ(x)‖² = (4/D) Σ_j (1 − cos ω_jᵀδ) ≤ (2/D) Σ_j (ω_jᵀδ)² ≤ (2/D) ‖W‖² γ²: a radius that holds for both.
        radius = np.sqrt(2 / FEATURES) * np.linalg.norm(frequencies, 2) * options.gamma
        accuracy, objective = judge(features, y, weights, found["intercept"], alpha, radius)
        scaled = (x - of_peer["mean"]) / of_peer["scale"]
        peer_features = np.sqrt(2 / FEATURES) * np.cos(scaled @ of_peer["frequencies"] + of_peer["phases"])
        peer_accuracy, peer_objective = judge(
            peer_features, y, of_peer["weights"], of_peer["intercept"], alpha, radius
        )
        seen = options.rows * options.passes
        print(f"{options.rows:,} × {INPUTS} rows in {data.stat().st_size / 1e6:.0f} MB of Parquet, D = {FEATURES}, {options.passes} passes, {options.frequencies} frequencies")
        print("| | seconds | processor seconds | rows × passes a second | peak MiB | accuracy | robust objective |")
        print("|---|---:|---:|---:|---:|---:|---:|")
        for name, (wall, processor, peak), quality, value in [
            ("robust-svm train", ours, accuracy, objective),
            ("RBFSampler and SGDClassifier", theirs, peer_accuracy, peer_objective),
        ]:
            print(f"| {name} | {wall:.1f} | {processor:.1f} | {seen / wall:,.0f} | {peak:.0f} | {quality:.4f} | {value:.5f} |")
        print(f"certified gap {training['relative_gap']:.1e}; ratio of rows a second {theirs[0] / ours[0]:.1f}")
        a_pass, of_peer = (twice[0] - ours[0]) / options.passes, float(of_peer["passes_seconds"]) / options.passes
        print(f"a pass: {a_pass:.2f} s and {of_peer:.2f} s, ratio {of_peer / a_pass:.1f}")


if __name__ == "__main__":
    main()
