"""The peers: each returns the seconds of its own solve and the (w, b) it found."""

import time
import warnings

import numpy as np
import scipy.sparse as sp


def timed(solve):
    start = time.perf_counter()
    result = solve()
    return time.perf_counter() - start, result


def liblinear(problem, tolerance=1e-4):
    """LIBLINEAR's dual coordinate descent for the hinge loss: a penalised intercept."""
    from sklearn.svm import LinearSVC

    model = LinearSVC(
        loss="hinge", dual=True, C=1.0 / problem.lam, tol=tolerance, intercept_scaling=1.0,
        fit_intercept=problem.intercept == "penalised", max_iter=100_000, random_state=0,
    )
    return fitted(model, problem)


def libsvm(problem, tolerance=1e-3):
    """LIBSVM with the linear kernel: a free intercept."""
    from sklearn.svm import SVC

    model = SVC(kernel="linear", C=1.0 / problem.lam, tol=tolerance, cache_size=1000)
    return fitted(model, problem)


def sgd(problem, epochs=100):
    """SGDClassifier with its own step rule, averaged; its intercept is free, and its loss a mean."""
    from sklearn.linear_model import SGDClassifier

    model = SGDClassifier(
        loss="hinge", alpha=problem.lam / problem.rows, average=True, max_iter=epochs, tol=None, random_state=0,
        fit_intercept=problem.intercept != "none",
    )
    return fitted(model, problem)


def fitted(model, problem):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seconds, model = timed(lambda: model.fit(problem.x, problem.y))
    coefficients = model.coef_.toarray() if sp.issparse(model.coef_) else model.coef_
    return seconds, coefficients.ravel(), float(np.ravel(model.intercept_)[0])


def cone_program(problem, per_sample):
    """min x'Px/2 + q'x, s = h - Gx in (R+^2L, cones), x = (w, b, losses, t).

    With `per_sample` every sample has a cone of its own, as the robust SVM is printed; else one cone serves all.
    """
    rows, columns = problem.x.shape
    y, s = problem.y, problem.s()
    with_cone = problem.gamma > 0.0 or problem.budget > 0.0
    cones = 0 if not with_cone else (rows if per_sample else 1)
    width = columns + 1 + rows + cones
    p = sp.diags(np.r_[np.full(columns, problem.lam), np.zeros(width - columns)], format="csc")
    if problem.intercept == "penalised":
        p = sp.diags(p.diagonal() + problem.lam * (np.arange(width) == columns), format="csc")
    q = np.r_[np.zeros(columns + 1), np.ones(rows), np.zeros(cones)]
    if cones == 1:
        q[-1] = problem.budget
    yx = sp.diags(y) @ sp.csr_matrix(problem.x)
    t = sp.csr_matrix((rows, 0))
    if cones == 1:
        t = sp.csr_matrix(np.full((rows, 1), problem.gamma))
    elif cones > 1:
        t = problem.gamma * sp.identity(rows)
    margins = sp.hstack([-yx, -y[:, None], -sp.identity(rows), t])
    losses = sp.hstack([sp.csr_matrix((rows, columns + 1)), -sp.identity(rows), sp.csr_matrix((rows, cones))])
    blocks, h = [margins, losses], [np.full(rows, -1.0), np.zeros(rows)]
    norm = sp.hstack([-sp.diags(s), sp.csr_matrix((columns, width - columns))])
    for k in range(cones):
        head = sp.csr_matrix(([-1.0], ([0], [columns + 1 + rows + k])), shape=(1, width))
        blocks += [head, norm]
        h += [np.zeros(columns + 1)]
    return p, q, sp.vstack(blocks, format="csc"), np.concatenate(h), 2 * rows, [columns + 1] * cones


def clarabel(problem, per_sample=False, limit=120.0):
    import clarabel as library

    p, q, g, h, nonnegative, cones = cone_program(problem, per_sample)
    settings = library.DefaultSettings()
    settings.verbose = False
    settings.time_limit = limit
    settings.max_threads = 1
    kinds = [library.NonnegativeConeT(nonnegative)] + [library.SecondOrderConeT(n) for n in cones]
    seconds, solution = timed(lambda: library.DefaultSolver(p, q, g, h, kinds, settings).solve())
    x = np.array(solution.x)
    return seconds, x[: problem.columns], x[problem.columns]


def scs(problem, limit=120.0, tolerance=1e-6):
    import scs as library

    p, q, g, h, nonnegative, cones = cone_program(problem, False)
    data = {"P": p, "A": g, "b": h, "c": q}
    solver = lambda: library.SCS(
        data, {"l": nonnegative, "q": cones}, eps_abs=tolerance, eps_rel=tolerance, verbose=False, time_limit_secs=limit,
        max_iters=1_000_000,
    ).solve()
    seconds, solution = timed(solver)
    x = solution["x"]
    return seconds, x[: problem.columns], x[problem.columns]


def osqp(problem, limit=120.0, tolerance=1e-6):
    """OSQP takes no cones: nominal problems only."""
    import osqp as library

    p, q, g, h, _, _ = cone_program(problem, False)
    solver = library.OSQP()

    def solve():
        solver.setup(
            p, q, g, np.full(len(h), -np.inf), h, verbose=False, eps_abs=tolerance, eps_rel=tolerance,
            max_iter=1_000_000, time_limit=limit, polishing=True,
        )
        return solver.solve(raise_error=False)

    seconds, solution = timed(solve)
    return seconds, solution.x[: problem.columns], solution.x[problem.columns]


def dro(problem):
    """The Wasserstein SVM of the package dro (through cvxpy and Clarabel): mean loss, no lambda."""
    import importlib
    import pathlib
    import sys
    import types

    # Its top-level module imports deep-learning packages that this model does not use.
    if "dro" not in sys.modules:
        import importlib.metadata

        root = next(pathlib.Path(entry) / "dro" for entry in sys.path if (pathlib.Path(entry) / "dro").is_dir())
        for name, folder in [("dro", root), ("dro.linear_model", root / "linear_model")]:
            module = types.ModuleType(name)
            module.__path__ = [str(folder)]
            sys.modules[name] = module
    library = importlib.import_module("dro.linear_model.wasserstein_dro")
    model = library.WassersteinDRO(problem.columns, model_type="svm")
    # Its cost is ||C^(1/2) dx||, so C is the inverse of our covariance; its loss is a mean.
    cost = np.diag(problem.s() ** -2.0)
    model.update({"p": 2, "eps": problem.budget / problem.rows, "cost_matrix": cost})
    seconds, _ = timed(lambda: model.fit(problem.x, problem.y))
    return seconds, np.asarray(model.theta).ravel(), float(np.ravel(model.b)[0])
