"""Training from a Parquet file, side by side with scikit-learn: the same rows, λ, bandwidth, number of features and passes.

    python3 -m venv target/peers
    target/peers/bin/pip install -r scripts/peers/requirements.txt
    target/peers/bin/python scripts/bench_stream.py [--rows L] [--passes K] [--gamma G] [--frequencies NAME] [--form NAME] [--alpha A] [--draws N]

`just bench-stream` does all of it. Every program begins with the file and ends with a model: `robust-svm train --stream always` (survey, a
copy in random order, passes, certificate), nominal and robust, and StandardScaler.partial_fit, RBFSampler and SGDClassifier.partial_fit over row
groups in single precision, which is told of no uncertainty. All are processes of their own, whose peak memory is told; what a pass takes is told
too, ours from twice as many passes. Afterwards the same held-back rows judge the models:

- accuracy;
- the nominal objective, which scikit-learn minimises: λ/(2L) ||w||² + mean max(0, 1 - y f);
- certified accuracy: y f > Γ ||w||, so that no perturbation of size γ changes the class, with each model's own Γ of the geodesic bound;
- the robust objective λ/(2L) ||w||² + mean max(0, 1 - y f + Γ ||w||) with that Γ.

Results depend on all that is drawn, frequencies first; with several draws (seeds 0, 1, … of each program, on the same rows) the means of the
differences are told with their 95 % intervals (Student's t).
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
    from scipy.stats import sem
    from scipy.stats import t as student_t
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


def scikit_learn(path, sigma, alpha, passes, seed, out):
    """The peer's whole way, in a process of its own."""
    start, scaler = time.perf_counter(), StandardScaler()
    for x, _ in groups(path):
        scaler.partial_fit(x)
    read = time.perf_counter() - start
    sampler = RBFSampler(gamma=1 / (2 * sigma**2), n_components=FEATURES, random_state=seed)
    model = SGDClassifier(loss="hinge", alpha=alpha, average=True, random_state=seed)
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


def run(words):
    """Wall seconds, processor seconds and peak memory in MiB of a process."""
    start = time.perf_counter()
    process = subprocess.Popen(words)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{words[0]} ended with exit code {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def decide(found, x):
    """f of our model."""
    offsets, divisors = (np.array(found["scaling"][key]) for key in ["offsets", "divisors"])
    angles = ((x - offsets) / divisors) @ np.array(found["features"]["frequencies"]).T
    if found["features"]["phases"] is None:
        features = np.empty((len(x), FEATURES))
        features[:, 0::2], features[:, 1::2] = np.cos(angles), np.sin(angles)
    else:
        features = np.cos(angles + np.array(found["features"]["phases"]))
    return np.sqrt(2 / FEATURES) * features @ np.array(found["weights"]) + found["intercept"]


def decide_peer(found, x):
    phases = (x - found["mean"]) / found["scale"] @ found["frequencies"] + found["phases"]
    return np.sqrt(2 / FEATURES) * np.cos(phases) @ found["weights"] + found["intercept"]


def radius(frequencies, gamma, phased):
    """Γ: features run at the speed t/γ = sqrt(2/D) ||W|| at most, paired ones on the unit sphere, phased ones as half of such a curve on that of √2."""
    t, size = np.sqrt(2 / FEATURES) * np.linalg.norm(frequencies, 2) * gamma, np.sqrt(2) if phased else 1
    return 2 * size * np.sin(min(np.pi, t / size) / 2)


def judge(decision, data, weights, alpha, radius):
    """Accuracy, nominal objective, certified accuracy and robust objective of a model whose `decision` takes a few rows at a time: what memory this
    process takes counts as its children's, which begin as it."""
    x, y = data
    margins = np.concatenate([decision(x[k : k + 4096]) for k in range(0, len(x), 4096)]) * np.where(y == 1, 1.0, -1.0)
    norm = np.linalg.norm(weights)
    nominal, robust = (0.5 * alpha * norm**2 + np.maximum(0.0, 1.0 - margins + Γ * norm).mean() for Γ in [0, radius])
    return np.array([(margins > 0).mean(), nominal, (margins > radius * norm).mean(), robust])


def difference(ours, theirs):
    """The mean of the differences and the half width of its 95 % interval."""
    differences = np.array(ours) - np.array(theirs)
    return f"{differences.mean():+.4f} ± {student_t.ppf(0.975, len(differences) - 1) * sem(differences):.4f}"


def train(options, folder, seed, gamma, data):
    """Our model of a seed: what it took, its qualities at the γ of the options, and its file."""
    out = folder / "model.json"
    took = run([*command(options, folder, seed, gamma), "--epochs", str(options.passes)])
    found = json.loads(out.read_text())
    Γ = radius(np.array(found["features"]["frequencies"]), options.gamma, found["features"]["phases"] is not None)
    weights, training = np.array(found["weights"]), found["training"]
    qualities = judge(lambda x: decide(found, x), data, weights, training["lambda"] / training["rows"], Γ)
    return took, qualities, found


def train_peer(options, folder, seed, found, data):
    """The peer's model of a seed at the λ and σ of ours: what it took, its qualities, and seconds of its passes."""
    out, alpha = folder / "peer.npz", found["training"]["lambda"] / found["training"]["rows"]
    took = run([sys.executable, __file__, "--peer", *map(str, [folder / "rows.parquet", found["features"]["sigma"], alpha, options.passes, seed, out])])
    model = dict(np.load(out))
    qualities = judge(lambda x: decide_peer(model, x), data, model["weights"], alpha, radius(model["frequencies"], options.gamma, True))
    return took, qualities, float(model["passes_seconds"])


def command(options, folder, seed, gamma):
    words = [ROOT / "target/release/robust-svm", "train", folder / "rows.parquet", "--label", "label", "--features", "rff", "--dim", str(FEATURES)]
    words += ["--frequencies", options.frequencies, "--form", options.form, "--seed", str(seed)]
    words += ["--lambda", str(options.alpha * options.rows)]
    words += ["--bound", "geodesic", "--gamma", str(gamma)] if gamma > 0 else []
    return [*words, "--tolerance", "1e-6", "--validation", "0", "--stream", "always", "--out", folder / "model.json", "--quiet"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--gamma", type=float, default=0.1, help="γ of the robust model, in standard deviations of a feature")
    parser.add_argument("--frequencies", default="gaussian", choices=["gaussian", "orthogonal"], help="how ours draws them")
    parser.add_argument("--form", default="paired", choices=["paired", "phased"], help="our features of a frequency: a cosine and a sine, or a cosine at a phase, as the peer's")
    parser.add_argument("--alpha", type=float, default=1e-4, help="λ over the number of rows")
    parser.add_argument("--draws", type=int, default=1, help="how often all programs draw frequencies and train")
    parser.add_argument("--folder", type=pathlib.Path, help="where the file and its copy are put [default: a temporary folder]")
    parser.add_argument("--peer", nargs=6, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.draws < 1:
        parser.error("--draws: 1 at least")
    if options.peer:
        path, sigma, alpha, passes, seed, out = options.peer
        return scikit_learn(path, float(sigma), float(alpha), int(passes), int(seed), out)
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "robust-svm-harness"], cwd=ROOT, check=True)
    rng = np.random.default_rng(7)
    centres = 0.6 * rng.standard_normal((2, 4, INPUTS)).astype("f4")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        folder = pathlib.Path(folder)
        rows = folder / "rows.parquet"
        write(rows, rng, centres, options.rows)
        data = points(rng, centres, JUDGED)
        print(f"{options.rows:,} × {INPUTS} rows in {rows.stat().st_size / 1e6:.0f} MB of Parquet, D = {FEATURES}, {options.passes} passes, {options.form} features of {options.frequencies} frequencies, γ = {options.gamma}, λ = {options.alpha:g} × rows")
        print("| seed | | seconds | processor seconds | rows × passes a second | peak MiB | accuracy | objective | certified accuracy | robust objective | certified gap |")
        print("|---:|---|" + 9 * "---:|")
        seen, names = options.rows * options.passes, ["robust-svm train", "the same, robust", "RBFSampler and SGDClassifier"]
        seconds, qualities = [], []
        for seed in range(options.draws):
            nominal = train(options, folder, seed, 0.0, data)
            robust = train(options, folder, seed, options.gamma, data)
            peer = train_peer(options, folder, seed, nominal[2], data)
            gaps = [f"{model['training']['relative_gap']:.1e}" for model in [nominal[2], robust[2]]] + [""]
            for name, ((wall, processor, peak), quality, _), gap in zip(names, [nominal, robust, peer], gaps):
                quality = " | ".join(f"{value:.4f}" for value in quality)
                print(f"| {seed} | {name} | {wall:.1f} | {processor:.1f} | {seen / wall:,.0f} | {peak:.0f} | {quality} | {gap} |", flush=True)
            seconds.append([took[0] for took, _, _ in [nominal, robust, peer]])
            qualities.append([quality for _, quality, _ in [nominal, robust, peer]])
        seconds, qualities = np.array(seconds), np.array(qualities)
        for k, name in enumerate(names[:2]):
            ratios = seconds[:, 2] / seconds[:, k]
            print(f"{name}: {ratios.min():.1f} to {ratios.max():.1f} times as many rows a second, {np.median(ratios):.1f} in the middle")
            if options.draws > 1:
                what = ["accuracy", "objective", "certified accuracy", "robust objective"]
                print("  " + ", ".join(f"{w} {difference(qualities[:, k, j], qualities[:, 2, j])}" for j, w in enumerate(what)))
        twice = run([*command(options, folder, options.draws - 1, options.gamma), "--epochs", str(2 * options.passes)])
        a_pass, of_peer = (twice[0] - seconds[-1, 1]) / options.passes, peer[2] / options.passes
        print(f"a pass of the robust one: {a_pass:.2f} s and {of_peer:.2f} s, ratio {of_peer / a_pass:.1f}")


if __name__ == "__main__":
    main()
