"""Reference objectives of nominal SVMs by LIBSVM, through scikit-learn.

Writes one row per dataset, kernel, sigma and lambda with the optimal value of

    lambda/2 ||f||^2 + sum_i max(0, 1 - y_i (f(x_i) + b)),    b free,

which is lambda times LIBSVM's objective at C = 1/lambda. Columns are standardised with the population
standard deviation, constant columns dropped, and the label (last column, 0 or 1) becomes -1 or +1. The
values are computed here from LIBSVM's dual coefficients, with the intercept that is best for them. LIBSVM
keeps kernel values in single precision: its primal value is up to 1e-5 above the optimum, and its dual
value, whose error is of second order, is the one to compare with.

How to run it, from the root of the repository:

    python3 -m venv /tmp/reference-svm
    /tmp/reference-svm/bin/pip install scikit-learn==1.9.1 numpy==2.4.6
    /tmp/reference-svm/bin/python scripts/reference_svm.py datasets \
        > crates/solvers/tests/reference/libsvm.csv
"""

import csv
import itertools
import pathlib
import sys

import numpy as np
from sklearn.svm import SVC

DATASETS = ["breast-cancer-wisconsin-diagnostic", "ionosphere", "heart-statlog"]
LAMBDAS = [0.1, 1.0, 10.0]
SIGMAS = [2.0, 5.0]


def read(path):
    """Standardised inputs and labels -1 or +1 of a CSV file."""
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    x, y = table[:, :-1], 2.0 * table[:, -1] - 1.0
    x = x[:, x.min(axis=0) < x.max(axis=0)]
    return (x - x.mean(axis=0)) / x.std(axis=0), y


def gram(x, sigma):
    """The Gram matrix of the linear kernel (sigma None) or the Gaussian one."""
    if sigma is None:
        return x @ x.T
    squared = ((x[:, None, :] - x[None, :, :]) ** 2).sum(axis=2)
    return np.exp(-squared / (2.0 * sigma**2))


def objectives(x, y, sigma, lam):
    """Primal and dual value, in the objective above, of LIBSVM's solution."""
    kernel = {"kernel": "linear"} if sigma is None else {"kernel": "rbf", "gamma": 1.0 / (2.0 * sigma**2)}
    machine = SVC(C=1.0 / lam, tol=1e-10, shrinking=False, cache_size=500, **kernel).fit(x, y)
    beta = np.zeros(len(y))
    beta[machine.support_] = machine.dual_coef_[0]
    scores = gram(x, sigma) @ beta
    quadratic = 0.5 * lam * beta @ scores
    losses = [np.maximum(0.0, 1.0 - y * (scores + b)).sum() for b in y - scores]
    return quadratic + min(losses), lam * np.abs(beta).sum() - quadratic


def main(folder):
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["dataset", "kernel", "sigma", "lambda", "objective", "dual_objective"])
    for name in DATASETS:
        x, y = read(folder / f"{name}.csv")
        for sigma, lam in itertools.product([None, *SIGMAS], LAMBDAS):
            primal, dual = objectives(x, y, sigma, lam)
            kernel = "linear" if sigma is None else "rbf"
            shown = "" if sigma is None else repr(sigma)
            writer.writerow([name, kernel, shown, repr(lam), f"{primal:.12g}", f"{dual:.12g}"])


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "datasets"))
