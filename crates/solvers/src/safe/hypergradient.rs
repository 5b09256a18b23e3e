//! The hypergradient by one solve with the matrix of the differentiated optimality conditions; equations as numbered in
//! the module's docs.

use super::SafeProblem;
use super::upper::Upper;
use crate::{Solution, SolverError};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, s};
use robust_svm_core::linalg::symmetric_eigen;

/// Eigenvalues of the equilibrated matrix that are smaller than this share of the largest are cut.
const CUT: f64 = 1e-11;

/// `∂F/∂s` (n), and whether K is singular.
pub(super) struct Hypergradient {
    pub(super) gradient: Array1<f64>,
    pub(super) singular: bool,
}

/// (5) and (6) at the lower `solution` of `s` with w ≠ 0, `norm` = N > 0 and the samples `edge` = E; (7) without an edge.
pub(super) fn hypergradient(
    problem: &SafeProblem<'_>,
    s: ArrayView1<'_, f64>,
    solution: &Solution,
    norm: f64,
    edge: &[usize],
    upper: &Upper,
) -> Result<Hypergradient, SolverError> {
    let w = &solution.zeta;
    let n = w.len();
    let a = solution.alpha.sum();
    let s2w = &s * &s * w;
    let (mut by_weights, mut by_intercept) = (upper.by_weights.clone(), upper.by_intercept);
    let mut by_norm = 0.0;
    if edge.is_empty() {
        // (7): b is a function of w and N.
        let (x, y) = problem.train();
        for k in ends_of_intercepts(problem, w.view(), norm) {
            let share = 0.5 * by_intercept;
            by_weights.scaled_add(-share, &x.row(k));
            by_weights.scaled_add(share * y[k] / norm, &s2w);
            by_norm += share * y[k];
        }
        by_intercept = 0.0;
    }
    let k = matrix(problem, s, s2w.view(), (a, norm), edge);
    let mut right = Array1::zeros(k.nrows());
    right.slice_mut(s![..n]).assign(&by_weights);
    if !edge.is_empty() {
        right[n] = by_intercept;
    }
    let (solved, singular) = least_norm_solve(k, right)?;
    let p = solved.slice(s![..n]);
    by_norm -= solved.iter().skip(n + 1).sum::<f64>();
    let p_s2w = p.dot(&s2w);
    let gradient = Array1::from_shape_fn(n, |t| {
        // ∂N/∂s_t and ⟨p, ∂n/∂s_t⟩.
        let norm_by_s = s[t] * w[t] * w[t] / norm;
        let slope_by_s = 2.0 * s[t] * w[t] * p[t] / norm - p_s2w * norm_by_s / (norm * norm);
        by_norm * norm_by_s - a * slope_by_s
    });
    Ok(Hypergradient { gradient, singular })
}

/// The samples at whose kinks the optimal intercepts of weights `w` begin and end, as
/// [`crate::certificate::optimal_intercept`] has them: the n₊-th and the next of the kinks `y_k(1 + N) − ⟨w, x_k⟩`.
fn ends_of_intercepts(problem: &SafeProblem<'_>, w: ArrayView1<'_, f64>, norm: f64) -> [usize; 2] {
    let (x, y) = problem.train();
    let kinks: Array1<f64> = &y * (1.0 + norm) - x.dot(&w);
    let mut order: Vec<usize> = (0..y.len()).collect();
    order.sort_by(|i, j| kinks[*i].total_cmp(&kinks[*j]));
    let positive = y.iter().filter(|y| **y > 0.0).count();
    [order[positive - 1], order[positive]]
}

/// K of (4), of n + 1 + |E| rows; Ḣ alone, of n rows, without an edge.
fn matrix(
    problem: &SafeProblem<'_>,
    s: ArrayView1<'_, f64>,
    s2w: ArrayView1<'_, f64>,
    (a, norm): (f64, f64),
    edge: &[usize],
) -> Array2<f64> {
    let (x, y) = problem.train();
    let n = s.len();
    let size = if edge.is_empty() {
        n
    } else {
        n + 1 + edge.len()
    };
    let mut k = Array2::zeros((size, size));
    for t in 0..n {
        for u in 0..n {
            k[(t, u)] = -a * s2w[t] * s2w[u] / (norm * norm * norm);
        }
        k[(t, t)] += problem.lambda() + a * s[t] * s[t] / norm;
    }
    for (row, &i) in edge.iter().enumerate() {
        let row = n + 1 + row;
        for t in 0..n {
            let value = s2w[t] / norm - y[i] * x[(i, t)];
            k[(row, t)] = value;
            k[(t, row)] = value;
        }
        k[(row, n)] = -y[i];
        k[(n, row)] = -y[i];
    }
    k
}

/// The solution of least norm of `k x = right`, in the equilibrated unknowns, and whether an eigenvalue was cut.
fn least_norm_solve(
    mut k: Array2<f64>,
    mut right: Array1<f64>,
) -> Result<(Array1<f64>, bool), SolverError> {
    let scales = equilibrate(&mut k);
    right *= &scales;
    let (values, vectors) =
        symmetric_eigen(k.view()).map_err(|error| SolverError::Backend(error.to_string()))?;
    let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let mut coordinates = vectors.t().dot(&right);
    let mut singular = false;
    for (coordinate, value) in coordinates.iter_mut().zip(&values) {
        if value.abs() <= CUT * largest {
            singular = true;
            *coordinate = 0.0;
        } else {
            *coordinate /= value;
        }
    }
    Ok((vectors.dot(&coordinates) * scales, singular))
}

/// Scales rows and columns alike so that the largest entry of each is about 1; the scales. No row is all zeros: Ḣ has
/// λ on its diagonal, and the entries of b are ±1.
fn equilibrate(k: &mut Array2<f64>) -> Array1<f64> {
    /// Rounds of R. D. Ruiz's scaling; three bring the entries of any of these matrices near 1.
    const ROUNDS: usize = 3;
    let mut scales = Array1::ones(k.nrows());
    for _ in 0..ROUNDS {
        let round: Array1<f64> = largest_of_rows(k.view()).mapv(|m| 1.0 / m.sqrt());
        for ((t, u), value) in k.indexed_iter_mut() {
            *value *= round[t] * round[u];
        }
        scales *= &round;
    }
    scales
}

fn largest_of_rows(k: ArrayView2<'_, f64>) -> Array1<f64> {
    k.outer_iter()
        .map(|row| row.iter().fold(0.0_f64, |m, v| m.max(v.abs())))
        .collect()
}
