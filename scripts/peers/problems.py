"""The problems of the comparison, and how they reach the program under test.

A problem is min lambda/2 ||w||^2 + c ||w|| + sum_i max(0, 1 - y_i (x_i.w + b) + gamma ||S w||), S the square root of
one shared covariance, with the intercept b free, penalised (lambda/2 b^2 more) or absent.
"""

import csv
import dataclasses
import json
import pathlib

import numpy as np
import pyarrow.parquet
import scipy.sparse

SEED = 7
# The rows of census income that are for training.
CENSUS_TRAIN = 199_523


@dataclasses.dataclass
class Problem:
    """Inputs x (dense or CSR) and labels y of -1 and 1, and what is to be solved on them."""

    name: str
    x: object
    y: np.ndarray
    lam: float
    intercept: str = "free"
    gamma: float = 0.0
    budget: float = 0.0
    scales: np.ndarray | None = None  # S = diag(scales); the identity without

    @property
    def rows(self):
        return self.x.shape[0]

    @property
    def columns(self):
        return self.x.shape[1]

    def s(self):
        """The diagonal of S."""
        return np.ones(self.columns) if self.scales is None else self.scales

    def objective(self, w, b):
        """The objective, whoever found w and b."""
        norm = np.linalg.norm(self.s() * w)
        margins = self.y * (self.x @ w + b)
        value = 0.5 * self.lam * (w @ w) + self.budget * norm
        if self.intercept == "penalised":
            value += 0.5 * self.lam * b * b
        return value + np.maximum(0.0, 1.0 - margins + self.gamma * norm).sum()

    def best_intercept(self, w, b):
        """The exact minimiser in b where it is free, or b."""
        if self.intercept != "free":
            return b
        norm = np.linalg.norm(self.s() * w)
        breakpoints = np.sort(self.y * (1.0 + self.gamma * norm) - self.x @ w)
        positive = int((self.y > 0).sum())
        return 0.5 * (breakpoints[positive - 1] + breakpoints[positive])

    def write(self, folder):
        """Little-endian files that the program under test reads."""
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        sparse = scipy.sparse.issparse(self.x)
        facts = {
            "rows": self.rows,
            "columns": self.columns,
            "sparse": sparse,
            "lambda": self.lam,
            "intercept": self.intercept,
            "gamma": self.gamma,
            "budget": self.budget,
            "scaled": self.scales is not None,
        }
        (folder / "problem.json").write_text(json.dumps(facts))
        self.y.astype("<f8").tofile(folder / "y")
        if self.scales is not None:
            self.scales.astype("<f8").tofile(folder / "scales")
        if sparse:
            self.x.indptr.astype("<u8").tofile(folder / "starts")
            self.x.indices.astype("<u8").tofile(folder / "columns")
            self.x.data.astype("<f8").tofile(folder / "values")
        else:
            np.ascontiguousarray(self.x).astype("<f8").tofile(folder / "values")


def synthetic(rows, columns):
    """Two Gaussian classes whose means are 2 apart, so that about one row in six is on the wrong side."""
    rng = np.random.default_rng(SEED)
    y = np.where(rng.random(rows) < 0.5, 1.0, -1.0)
    direction = rng.standard_normal(columns)
    direction /= np.linalg.norm(direction)
    return rng.standard_normal((rows, columns)) + np.outer(y, direction), y


def spambase(datasets):
    with open(datasets / "spambase.csv", newline="") as file:
        table = np.array(list(csv.reader(file))[1:], dtype=float)
    return standardised(table[:, :-1]), labels(table[:, -1])


def adult(datasets):
    """The one-hot columns as they are and the six numeric ones divided by their largest value, as CSR."""
    table = pyarrow.parquet.read_table(datasets / "adult-onehot.parquet").to_pandas()
    y = labels(table.pop("label").to_numpy())
    x = table.to_numpy(dtype=float)
    return scipy.sparse.csr_matrix(x / np.abs(x).max(axis=0)), y


def mnist(datasets, classes=(3, 8)):
    """Two digits, pixels in [0, 1], as CSR."""
    table = pyarrow.parquet.read_table(datasets / "mnist-10k.parquet").to_pandas()
    digit = table.pop("label").to_numpy()
    kept = np.isin(digit, classes)
    x = scipy.sparse.csr_matrix(table.to_numpy(dtype=float)[kept] / 255.0)
    return x, np.where(digit[kept] == classes[1], 1.0, -1.0)


def census(external):
    """Categories one-hot, numbers divided by their largest value, as CSR; the survey's weight is left out."""
    table = pyarrow.parquet.read_table(external / "census-income-kdd.parquet").to_pandas()
    y = labels(table.pop("label").to_numpy())
    table = table.drop(columns=["instance_weight"], errors="ignore")
    blocks = []
    for name in table.columns:
        column = table[name]
        if column.dtype.kind in "if":
            value = column.fillna(0).to_numpy(dtype=float)
            blocks.append(scipy.sparse.csr_matrix((value / max(1.0, np.abs(value).max()))[:, None]))
        else:
            codes, levels = column.astype("category").cat.codes.to_numpy(), column.nunique()
            known = codes >= 0
            entries = (np.ones(known.sum()), (np.flatnonzero(known), codes[known]))
            blocks.append(scipy.sparse.csr_matrix(entries, shape=(len(y), levels)))
    return scipy.sparse.hstack(blocks, format="csr"), y


def random_fourier(x, dim):
    """sqrt(2/dim) cos and sin of x.w, the bandwidth the median distance of 1,000 rows."""
    rng = np.random.default_rng(SEED)
    x = standardised(x.toarray() if scipy.sparse.issparse(x) else x)
    sample = x[rng.choice(len(x), 1000, replace=False)]
    squares = (sample**2).sum(axis=1)
    distances = np.sqrt(np.maximum(0.0, squares[:, None] + squares - 2.0 * sample @ sample.T))
    sigma = np.median(distances[np.triu_indices(1000, 1)])
    phases = x @ (rng.standard_normal((x.shape[1], dim // 2)) / sigma)
    return np.sqrt(2.0 / dim) * np.hstack([np.cos(phases), np.sin(phases)])


def standardised(x):
    spread = x.std(axis=0)
    return (x[:, spread > 0] - x[:, spread > 0].mean(axis=0)) / spread[spread > 0]


def labels(value):
    return np.where(value == value.max(), 1.0, -1.0)
