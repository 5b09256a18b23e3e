//! The primal value, and the intercept that is best for given weights.

use crate::{Intercept, Problem};
use ndarray::{Array1, ArrayView1};

/// `P(ζ, b) = λ/2 ‖ζ‖² + c ‖Aζ‖₂ + Σ_i max{0, 1 − y_i(⟨ζ, φ_i⟩ + b) + Γ_i ‖Aζ‖₂}` [Couellan & Jan (10), corrected], and
/// `λ/2 b²` more where the intercept is penalised.
///
/// # Panics
/// If `zeta` is not D long.
pub fn objective(problem: &Problem<'_>, zeta: ArrayView1<'_, f64>, intercept: f64) -> f64 {
    let margins = margins(problem, zeta);
    regularisation(problem, zeta, intercept)
        + hinge_sum(margins.iter().copied(), problem.y(), intercept)
}

/// What P has beside the losses: `λ/2 ‖ζ‖² + c ‖Aζ‖₂`, and `λ/2 b²` where b is penalised.
pub(crate) fn regularisation(
    problem: &Problem<'_>,
    zeta: ArrayView1<'_, f64>,
    intercept: f64,
) -> f64 {
    let budget = match problem.budget() {
        0.0 => 0.0,
        c => c * problem.penalty_norm(zeta),
    };
    let lambda = problem.lambda();
    0.5 * lambda * zeta.dot(&zeta) + budget + problem.intercept().regularisation(lambda, intercept)
}

/// A minimiser of `P(ζ, ·)` for given ζ, exact; 0 in problems without an intercept.
///
/// `b ↦ P(ζ, b)` is piecewise linear. Its slope starts at −n₊ (n₊ the number of positive labels) and
/// rises by one at each of the L breakpoints, where a loss starts or ends, so the minimisers are the
/// interval between the n₊-th and the next breakpoint in order; its middle is returned. `λ/2 b²` adds λb to the slope, so the
/// minimiser is a breakpoint or `k/λ` between two, k an integer.
///
/// # Panics
/// If `zeta` is not D long.
pub fn optimal_intercept(problem: &Problem<'_>, zeta: ArrayView1<'_, f64>) -> f64 {
    let mut breakpoints = vec![0.0; problem.y().len()];
    intercept_of_margins(
        margins(problem, zeta).iter().copied(),
        problem.y(),
        (problem.intercept(), problem.lambda()),
        &mut breakpoints,
    )
}

/// `y_i⟨ζ, φ_i⟩ − Γ_i‖Aζ‖₂`: the worst-case margins without the intercept.
fn margins(problem: &Problem<'_>, zeta: ArrayView1<'_, f64>) -> Array1<f64> {
    let penalty = problem.penalty();
    let norm = problem.penalty_norm(zeta);
    let mut margins = problem.samples().scores(zeta);
    ndarray::Zip::from(&mut margins)
        .and(problem.y())
        .and(&penalty.radii)
        .for_each(|m, y, radius| *m = y * *m - radius * norm);
    margins
}

/// `Σ_i max{0, 1 − m_i − y_i b}` over margins m without the intercept.
pub(crate) fn hinge_sum(
    margins: impl Iterator<Item = f64>,
    y: ArrayView1<'_, f64>,
    intercept: f64,
) -> f64 {
    margins
        .zip(y)
        .map(|(margin, y)| (1.0 - margin - y * intercept).max(0.0))
        .sum()
}

/// The minimiser of [`hinge_sum`] in the intercept, regularised with λ as the rule says, as [`optimal_intercept`].
/// `breakpoints` (L) is overwritten. Both labels must occur.
pub(crate) fn intercept_of_margins(
    margins: impl Iterator<Item = f64>,
    y: ArrayView1<'_, f64>,
    (rule, lambda): (Intercept, f64),
    breakpoints: &mut [f64],
) -> f64 {
    if rule == Intercept::None {
        return 0.0;
    }
    let mut positive = 0;
    for ((breakpoint, margin), &y) in breakpoints.iter_mut().zip(margins).zip(y) {
        *breakpoint = y * (1.0 - margin);
        positive += usize::from(y > 0.0);
    }
    if rule == Intercept::Penalised {
        breakpoints.sort_unstable_by(f64::total_cmp);
        return penalised_intercept(breakpoints, positive, lambda);
    }
    let (lower, upper, _) = breakpoints.select_nth_unstable_by(positive, f64::total_cmp);
    let below = lower.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    0.5 * below + 0.5 * *upper
}

/// Where the increasing slope `λb − n₊ + #{breakpoints below b}` passes 0; `sorted` holds the breakpoints.
fn penalised_intercept(sorted: &[f64], positive: usize, lambda: f64) -> f64 {
    // Behind k breakpoints the slope is 0 at (n₊ − k)/λ, which falls with k, while breakpoints rise.
    let zero = |k: usize| (positive as f64 - k as f64) / lambda;
    let mut passed = (0, sorted.len());
    while passed.0 < passed.1 {
        let k = usize::midpoint(passed.0, passed.1);
        if sorted[k] < zero(k) {
            passed.0 = k + 1;
        } else {
            passed.1 = k;
        }
    }
    // The minimiser is behind `k` breakpoints, and not before the last of them.
    let k = passed.0;
    let last = k.checked_sub(1).map_or(f64::NEG_INFINITY, |k| sorted[k]);
    zero(k).max(last)
}

#[cfg(test)]
mod tests {
    use super::{objective, optimal_intercept};
    use crate::{Intercept, Problem};
    use approx::assert_relative_eq;
    use ndarray::{Array1, Array2, array};
    use proptest::prelude::*;
    use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};

    #[test]
    fn a_hand_worked_value() {
        let phi = array![[1.0, 0.0], [0.0, 1.0]];
        let y = array![1.0, -1.0];
        let penalty = FeaturePenalty {
            radii: array![0.5, 0.25],
            matrix: PenaltyMatrix::Diagonal(array![1.0, 2.0]),
        };
        let problem = Problem::new(phi.view(), y.view(), &penalty, 2.0).unwrap();
        // ‖Aζ‖ = ‖(3, 4)‖ = 5; losses (1 − 3.5 + 2.5)₊ = 0 and (1 + 2.5 + 1.25)₊ = 4.75; λ/2‖ζ‖² = 13.
        assert_relative_eq!(
            objective(&problem, array![3.0, 2.0].view(), 0.5),
            17.75,
            max_relative = 1e-15
        );
    }

    proptest! {
        /// No intercept on a grid, nor any breakpoint, does better. Rounded scores make ties common.
        #[test]
        fn no_intercept_is_better(
            rows in prop::collection::vec((-4_i8..4, any::<bool>(), 0_u8..3), 2..20),
            weight in -2.0..2.0_f64,
            rule in prop::sample::select(vec![Intercept::Free, Intercept::Penalised]),
            lambda in 0.01..10.0_f64,
        ) {
            let phi = Array2::from_shape_fn((rows.len(), 1), |(i, _)| f64::from(rows[i].0));
            let mut y: Array1<f64> = rows.iter().map(|r| if r.1 { 1.0 } else { -1.0 }).collect();
            (y[0], y[1]) = (1.0, -1.0);
            let penalty = FeaturePenalty {
                radii: rows.iter().map(|r| f64::from(r.2)).collect(),
                matrix: PenaltyMatrix::Orthogonal,
            };
            let problem = Problem::new(phi.view(), y.view(), &penalty, lambda).unwrap();
            let problem = problem.with_intercept(rule);
            let zeta = array![weight];
            let best = objective(&problem, zeta.view(), optimal_intercept(&problem, zeta.view()));
            let zeros = (-20..=20).map(|k| f64::from(k) / lambda);
            let grid = (-200..=200).map(|k| f64::from(k) * 0.1).chain(zeros);
            let breakpoints = (0..rows.len())
                .map(|i| y[i] * (1.0 + penalty.radii[i] * weight.abs()) - phi[(i, 0)] * weight);
            for b in grid.chain(breakpoints) {
                prop_assert!(best <= objective(&problem, zeta.view(), b) * (1.0 + 1e-14));
            }
        }
    }
}
