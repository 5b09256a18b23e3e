"""Solvers side by side: the same problem, the same machine, one thread, and how far each ends from the optimum.

    python3 -m venv target/peers
    target/peers/bin/pip install -r scripts/peers/requirements.txt
    target/peers/bin/pip install --no-deps dro==0.4.3
    target/peers/bin/python scripts/bench_peers.py [--only NAME ...]

`just bench-peers` does all of it. Every program gets the problem in memory and is timed while it solves, not while it
reads. 'above' is (P - D)/P: P the objective of what the program found, computed here in one way for all, D the best
certified lower bound of this library. The ratio is its seconds to ours, ours certified at 1e-6 or better; a peer
whose 'above' is larger than that has not reached the same objective when it stops.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

for name in ["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"]:
    os.environ[name] = "1"
os.environ.pop("OPENBLAS_CORETYPE", None)
sys.path.insert(0, str(pathlib.Path(__file__).parent))

try:
    import numpy as np

    from peers import problems, solvers
    from peers.build import ROOT, build
    from peers.problems import Problem
except ModuleNotFoundError as missing:
    sys.exit(f"{missing}: run `just bench-peers`, which installs what is compared with, or see the head of this file")

# Ours are run this often and the fastest counts; peers too while they take less than a second.
RUNS = 3


def ours(program, problem, solver, tolerance, threads=1):
    """Seconds, w, b, and the program's own certificate."""
    with tempfile.TemporaryDirectory() as folder:
        problem.write(folder)
        command = [program, folder, solver, str(tolerance), str(threads), str(RUNS)]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        found = json.loads(output.splitlines()[-1])
        weights = np.fromfile(pathlib.Path(folder) / "weights", dtype="<f8")
    return found["seconds"], weights[:-1], weights[-1], found


def comparisons(datasets, external):
    """(name, problem, our solvers, peers), one at a time, for they are large."""
    robust = [
        ("Clarabel, one cone", solvers.clarabel),
        ("Clarabel, a cone a sample", lambda p: solvers.clarabel(p, per_sample=True)),
        ("SCS, one cone", solvers.scs),
    ]
    free = [("LIBSVM", solvers.libsvm), ("Clarabel", solvers.clarabel), ("OSQP", solvers.osqp)]
    penalised = [("LIBLINEAR", solvers.liblinear), ("SGDClassifier", solvers.sgd)]
    both = ["interior-point", "dual-coordinate"]
    for rows, columns in [(5_000, 50), (5_000, 200), (50_000, 50), (5_000, 2_000)]:
        x, y = problems.synthetic(rows, columns)
        size = f"{rows:,} x {columns:,}"
        scales = np.linspace(0.5, 1.5, columns)
        small = rows * columns <= 1_000_000
        peers = robust if rows * columns <= 250_000 else robust[:1] + robust[2:]
        if small:
            yield f"robust {size}", Problem("", x, y, 1.0, gamma=0.1, scales=scales), both[:1], peers
            yield f"nominal {size}", Problem("", x, y, 1.0), both[:1], free
        yield f"nominal {size}, penalised b", Problem("", x, y, 1.0, "penalised"), both, penalised
    x, y = problems.synthetic(5_000, 50)
    yield "total budget 5,000 x 50", Problem("", x, y, 1e-6, budget=50.0), both[:1], [("dro", solvers.dro)]
    x, y = problems.spambase(datasets)
    yield "robust spambase", Problem("", x, y, 1.0, gamma=0.1), both[:1], robust[:1] + robust[2:]
    yield "nominal spambase", Problem("", x, y, 1.0), both[:1], free
    yield "nominal spambase, penalised b", Problem("", x, y, 1.0, "penalised"), both, penalised
    x, y = problems.adult(datasets)
    yield "adult one-hot, penalised b", Problem("", x, y, 1.0, "penalised"), both, penalised
    for dim in [512, 2_048]:
        features = problems.random_fourier(x, dim)
        yield f"adult RFF {dim}, penalised b", Problem("", features, y, 1.0, "penalised"), both, penalised[:1]
        del features
    x, y = problems.mnist(datasets)
    yield "MNIST 3 and 8, penalised b", Problem("", x, y, 1.0, "penalised"), both, penalised
    if (external / "census-income-kdd.parquet").exists():
        x, y = problems.census(external)
        yield "census income, penalised b", Problem("", x, y, 1.0, "penalised"), both, penalised
        x, y = x[: problems.CENSUS_TRAIN], y[: problems.CENSUS_TRAIN]
        features = problems.random_fourier(x, 1_024)
        yield "census RFF 1024, penalised b", Problem("", features, y, 1.0, "penalised"), both[1:], penalised[:1]
        # LIBLINEAR has no robust loss: what it takes for the nominal problem is beside ours for the robust one.
        robust_features = Problem("", features, y, 1.0, "penalised", gamma=0.004)
        yield "robust census RFF 1024, penalised b", robust_features, both[1:], penalised[:1]
    else:
        print("census income: skipped, census-income-kdd.parquet is not there", file=sys.stderr)


def compare(program, name, problem, our_solvers, peers):
    """One row a solver: the name, seconds, and the objective."""
    rows, lower = [], -np.inf
    for solver in our_solvers:
        for threads in [1, 2]:
            if threads == 2 and solver != "interior-point":
                continue
            seconds, w, b, found = ours(program, problem, solver, 1e-6, threads)
            lower = max(lower, found["dual_objective"])
            label = f"**{solver}**" + (", 2 threads" if threads == 2 else "")
            rows.append([label, seconds, problem.objective(w, b), threads == 1])
    fastest = min(row[1] for row in rows if row[3])
    for label, solve in peers:
        try:
            seconds, w, b = solve(problem)
            while seconds < 1.0 and (again := solve(problem)[0]) < 0.9 * seconds:
                seconds = again
            rows.append([label, seconds, problem.objective(w, problem.best_intercept(w, b)), False])
        except Exception as error:  # A peer that fails is a result, not the end of the comparison.
            print(f"{name}: {label}: {error}", file=sys.stderr)
            rows.append([label, float("nan"), float("nan"), False])
    size = f"{problem.rows:,} x {problem.columns:,}"
    for label, seconds, objective, _ in rows:
        above = (objective - lower) / objective
        print(f"| {name} ({size}) | {label} | {seconds:.3g} | {above:.1e} | {seconds / fastest:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[], help="parts of names of problems")
    parser.add_argument("--datasets", type=pathlib.Path, default=ROOT / "datasets", help="the shipped datasets")
    external = pathlib.Path(os.environ.get("ROBUST_SVM_DATA", "datasets"))
    parser.add_argument("--external", type=pathlib.Path, default=external, help="where census-income-kdd.parquet is")
    options = parser.parse_args()
    program = build("robust-svm-solvers", "peers")
    print("| problem | solver | seconds | above | ratio |\n|---|---|---|---|---|")
    for name, problem, our_solvers, peers in comparisons(options.datasets, options.external):
        if not options.only or any(part in name for part in options.only):
            compare(program, name, problem, our_solvers, peers)


if __name__ == "__main__":
    main()
