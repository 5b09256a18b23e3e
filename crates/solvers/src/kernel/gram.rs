//! The support vector machine on a given kernel matrix.
//!
//! ```text
//! max Σα_i − (1/2λ) ΣΣ α_iα_jy_iy_jK_ij   over   0 ≤ α ≤ 1, Σα_iy_i = 0
//! ```
//!
//! the dual of `min λ/2 βᵀKβ + Σ max{0, 1 − y_i((Kβ)_i + b)}` with a free b [Couellan & Jan (8)], `β = α∘y/λ`, by
//! sequential minimal optimisation and, where that takes long, Newton steps over all multipliers between their bounds. Both values are computed
//! afresh from α; the gap between them is within the tolerance or the status says why it is not.

use super::input::check_positive;
use super::smo::{Smo, Stop};
use crate::certificate::{hinge_sum, intercept_of_margins, make_feasible};
use crate::problem::{check_length, check_training_set};
use crate::{Intercept, RelativeGap, SolverError, Status};
use ndarray::{Array1, ArrayView1, ArrayView2, s};

/// Pairs of a round, of the number of inputs: where so many do not bring the violation to its next level, multipliers between their bounds take steps
/// together.
const ROUND: usize = 3;

/// Settings of the support vector machine on a kernel matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GramSettings {
    /// The certified relative gap to reach, positive and finite. Default 1e−6.
    pub tolerance: f64,
    /// The largest number of pairs to optimise, at least 1. Default 100,000,000.
    pub max_iterations: usize,
}

impl Default for GramSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-6,
            max_iterations: 100_000_000,
        }
    }
}

/// A classifier on a kernel matrix, `f_i = (Kβ)_i + b`, with its certificate.
#[derive(Debug, Clone, PartialEq)]
pub struct GramSolution {
    /// The coefficients `β = α∘y/λ` (L): at a new input f is `Σβ_jk(x_j, ·) + b`.
    pub beta: Array1<f64>,
    /// The intercept b, exactly optimal for β.
    pub intercept: f64,
    /// The multipliers α (L), feasible for the dual: in [0, 1] with `Σα_iy_i = 0`.
    pub alpha: Array1<f64>,
    /// `P = λ/2 βᵀKβ + Σ max{0, 1 − y_if_i}`.
    pub objective: f64,
    /// `D(α)`, a lower bound on the optimal value for a positive semi-definite K.
    pub dual_objective: f64,
    /// `(P − D)/P`.
    pub relative_gap: RelativeGap,
    /// Pairs optimised, those after the best values too.
    pub iterations: usize,
    /// How the solve ended.
    pub status: Status,
}

/// Trains a support vector machine on the kernel matrix `gram` (L × L) of the training inputs, symmetric and positive semi-definite, with labels
/// `y` (L) in {−1, +1}, λ > 0 and a free intercept. That `gram` has no negative eigenvalue is not looked at; with one P has
/// no dual, and the gap no meaning.
///
/// Takes O(L) a pair optimised, and O(L) memory beside the matrix, which is copied unless it is in standard layout.
///
/// # Errors
/// [`SolverError`] for λ ≤ 0 or so small that 1/λ or sums of a row over λ are not finite, shapes that disagree, values that are not finite, labels that are not ±1,
/// one class only, a matrix that is not symmetric to 1e−10 of its diagonal or has a negative diagonal entry, and settings out of range.
pub fn fit_gram_svm(
    gram: ArrayView2<'_, f64>,
    y: ArrayView1<'_, f64>,
    lambda: f64,
    settings: &GramSettings,
) -> Result<GramSolution, SolverError> {
    check(gram, y, lambda, *settings)?;
    let gram = gram.as_standard_layout();
    let labels = y.to_vec();
    let rows = gram.as_slice().expect("standard layout");
    let mut smo = Smo::new(rows, &labels, lambda);
    // Most of the gap is closed by a rough solve; each next one starts where the former ended, from a gradient computed
    // afresh.
    let mut violation = 0.1;
    let mut best: Option<GramSolution> = None;
    loop {
        let round = smo.iterations.saturating_add(ROUND * y.len());
        let stop = smo.run(violation, settings.max_iterations.min(round));
        let (products, solution) = certified(gram.view(), y, lambda, smo.alpha().collect());
        let gap = solution.relative_gap.value();
        if best
            .as_ref()
            .is_none_or(|best| gap < best.relative_gap.value())
        {
            best = Some(solution);
        }
        let status = match stop {
            _ if gap <= settings.tolerance => Status::Solved,
            Stop::Iterations if smo.iterations >= settings.max_iterations => Status::IterationLimit,
            Stop::Iterations => {
                smo.refresh(products.view());
                smo.newton_steps();
                continue;
            }
            // Beyond this F is rounding.
            Stop::Stuck | Stop::Violation if violation < 1e-13 => Status::Stalled,
            Stop::Stuck | Stop::Violation => {
                smo.refresh(products.view());
                violation *= 0.2;
                continue;
            }
        };
        let best = best.expect("one at least");
        return Ok(GramSolution {
            status,
            iterations: smo.iterations,
            ..best
        });
    }
}

/// Ks/λ of `alpha` made feasible, and the classifier of it with its values; of no iterations.
fn certified(
    gram: ArrayView2<'_, f64>,
    y: ArrayView1<'_, f64>,
    lambda: f64,
    mut alpha: Array1<f64>,
) -> (Array1<f64>, GramSolution) {
    make_feasible(&mut alpha, y, Intercept::Free);
    let beta = &alpha * &y / lambda;
    let products = symmetric_product(gram, beta.view());
    let regularisation = 0.5 * lambda * beta.dot(&products);
    let margins = || products.iter().zip(y).map(|(f, y)| y * f);
    let rule = (Intercept::Free, lambda);
    let intercept = intercept_of_margins(margins(), y, rule, &mut vec![0.0; y.len()]);
    let objective = regularisation + hinge_sum(margins(), y, intercept);
    let dual_objective = alpha.sum() - regularisation;
    let solution = GramSolution {
        beta,
        intercept,
        alpha,
        objective,
        dual_objective,
        relative_gap: RelativeGap::new(objective, dual_objective),
        iterations: 0,
        status: Status::Solved,
    };
    (products, solution)
}

/// Kβ, by the rows where β is not 0.
fn symmetric_product(gram: ArrayView2<'_, f64>, beta: ArrayView1<'_, f64>) -> Array1<f64> {
    let mut product = Array1::zeros(beta.len());
    for (row, β) in gram.outer_iter().zip(beta) {
        if *β != 0.0 {
            product.scaled_add(*β, &row);
        }
    }
    product
}

fn check(
    gram: ArrayView2<'_, f64>,
    y: ArrayView1<'_, f64>,
    lambda: f64,
    settings: GramSettings,
) -> Result<(), SolverError> {
    check_training_set("kernel matrix", gram.into(), y, lambda)?;
    check_length("columns of the kernel matrix", y.len(), gram.ncols())?;
    let largest = gram.iter().fold(1.0_f64, |largest, k| largest.max(k.abs()));
    let finite = "such that the kernel matrix over lambda is finite, and 1/lambda";
    let sum = largest * y.len() as f64 / lambda;
    check_positive("lambda", finite, sum, lambda)?;
    let tolerance = settings.tolerance;
    check_positive("tolerance", "positive and finite", tolerance, tolerance)?;
    let iterations = settings.max_iterations as f64;
    check_positive("max_iterations", "at least 1", iterations, iterations)?;
    let refuse = |expected, found: f64| SolverError::Setting {
        name: "kernel matrix",
        expected,
        found: format!("{found:e}"),
    };
    if let Some(negative) = gram.diag().iter().find(|k| **k < 0.0) {
        return Err(refuse(
            "positive semi-definite, its diagonal ≥ 0",
            *negative,
        ));
    }
    for (i, row) in gram.outer_iter().enumerate() {
        let pairs = row.slice(s![..i]);
        for (j, (below, above)) in pairs.iter().zip(gram.column(i)).enumerate() {
            if (below - above).abs() > 1e-10 * (gram[(i, i)] + gram[(j, j)]) {
                return Err(refuse("symmetric, differences 0", below - above));
            }
        }
    }
    Ok(())
}
