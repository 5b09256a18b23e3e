//! Wide problems, L < D with an orthogonal A or without uncertainty, solved in L dimensions.
//!
//! Only `⟨ζ, φ_i⟩` and ‖ζ‖ enter such a problem, and a part of ζ orthogonal to all φ_i would only add to ‖ζ‖: the optimal
//! ζ is `Φᵀβ`. With the Cholesky factor `ΦΦᵀ = RRᵀ`, `ζ′ = Rᵀβ` has the scores `Rζ′ = Φζ` and the norm ‖ζ‖, so the
//! problem with the rows of R (L × L) as features is the same one (derived), at O(L³) an iteration and O(L²D) once.
//!
//! Where rows depend on each other pivots are replaced, which solves the problem with `ΦΦᵀ + E`, E ≥ 0 of the size of rounding:
//! in the dual value αᵀEα, so its multipliers serve. What is certified is the problem as given. A diagonal or dense A
//! leaves the span of the rows, where ‖Aζ‖ has no shorter form: these problems stay as they are.

use super::settings::InteriorPointSettings;
use super::solution::{Solution, Status};
use super::solve::solve_as_given;
use crate::certificate::{dual_value, objective, optimal_intercept};
use crate::cholesky::Cholesky;
use crate::gram::{gram_of_rows, gram_of_sparse_rows};
use crate::trace::note;
use crate::workers::Workers;
use crate::{Problem, RelativeGap, Samples, SolverError};
use faer::linalg::triangular_solve::solve_upper_triangular_in_place;
use faer::{MatMut, MatRef, Par};
use ndarray::{Array1, Array2};
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};

/// Pivots below L times the first share of the longest row's square are replaced by L times the second: well above the
/// rounding of the factor, which would grow from one to the next.
const SMALLEST_PIVOT: f64 = 4.0 * f64::EPSILON;
const REPLACED_PIVOT: f64 = 40.0 * f64::EPSILON;
/// The share of the tolerance that the reduced problem is solved to; rounding on the way back has the rest.
const OWN_SHARE: f64 = 0.5;

/// Whether [`solve_in_span`] applies and pays; rows that are streamed are many.
pub(super) fn is_wide(problem: &Problem<'_>) -> bool {
    let (rows, dim) = problem.samples().dim();
    let orthogonal = problem.penalty().matrix == PenaltyMatrix::Orthogonal;
    let streamed = matches!(problem.samples(), Samples::Streamed(_));
    rows < dim && !streamed && (orthogonal || problem.is_nominal())
}

/// Solves a wide problem in the span of its rows; `None` where that does not reach the tolerance in the problem as
/// given.
///
/// # Errors
/// As [`super::solve`].
pub(super) fn solve_in_span(
    problem: &Problem<'_>,
    settings: &InteriorPointSettings,
) -> Result<Option<Solution>, SolverError> {
    let rows = problem.y().len();
    let Some(factor) = factor_of_gram(problem.samples(), Workers::parallel(settings.parallel))
    else {
        return Ok(None);
    };
    let features = Array2::from_shape_fn((rows, rows), |(i, k)| {
        if k <= i { factor[k * rows + i] } else { 0.0 }
    });
    let penalty = FeaturePenalty {
        radii: problem.penalty().radii.clone(),
        matrix: PenaltyMatrix::Orthogonal,
    };
    let y = problem.y();
    let reduced = Problem::new(features.view(), y.reborrow(), &penalty, problem.lambda())?
        .with_intercept(problem.intercept())
        .with_budget(problem.budget())?;
    let own = InteriorPointSettings {
        tolerance: OWN_SHARE * settings.tolerance,
        ..*settings
    };
    let solution = solve_as_given(&reduced, &own);
    let solution = bring_back(problem, &factor, solution).judged(settings.tolerance);
    let reached = solution.status == Status::Solved;
    Ok(reached.then_some(solution))
}

/// The solution of `problem` that belongs to that of the reduced one: ζ is `Φᵀβ` with `Rᵀβ = ζ′`, or that of the
/// multipliers, whichever is better.
fn bring_back(problem: &Problem<'_>, factor: &[f64], mut reduced: Solution) -> Solution {
    let rows = reduced.zeta.len();
    let mut beta = reduced.zeta.to_vec();
    let upper = MatRef::from_column_major_slice(factor, rows, rows).transpose();
    let column = MatMut::from_column_major_slice_mut(&mut beta, rows, 1);
    solve_upper_triangular_in_place(upper, column, Par::Seq);
    let dual = dual_value(problem, reduced.alpha.view());
    let of_weights = problem.samples().weighted_sum(Array1::from(beta).view());
    let judged = |zeta: Array1<f64>| {
        // At ζ = 0 the intercept of the reduced problem is the one that puts points into a class.
        let intercept = if zeta.iter().all(|ζ| *ζ == 0.0) {
            reduced.intercept
        } else {
            optimal_intercept(problem, zeta.view())
        };
        let value = objective(problem, zeta.view(), intercept);
        (zeta, intercept, value)
    };
    let (of_weights, of_multipliers) = (judged(of_weights), judged(dual.zeta));
    let better = of_weights.2.is_nan() || of_multipliers.2 < of_weights.2;
    let (zeta, intercept, objective) = if better { of_multipliers } else { of_weights };
    let values = (objective, dual.value);
    note(&mut reduced.trace, reduced.iterations, values);
    Solution {
        zeta,
        intercept,
        objective,
        dual_objective: dual.value,
        relative_gap: RelativeGap::new(objective, dual.value),
        ..reduced
    }
}

/// R with `ΦΦᵀ = RRᵀ`, in the lower half (L², column after column); `None` if values overflow.
fn factor_of_gram(samples: &Samples<'_>, workers: Workers) -> Option<Vec<f64>> {
    let rows = samples.dim().0;
    let mut gram = match samples {
        Samples::Dense(phi) => gram_of_rows(phi.reborrow(), workers),
        Samples::Sparse(phi) => gram_of_sparse_rows(*phi, workers),
        Samples::Streamed(_) => unreachable!("not taken for wide"),
    };
    let diagonal = (0..rows).map(|i| gram[i * (rows + 1)]);
    let longest = diagonal.fold(0.0, f64::max);
    let scale = longest * rows as f64;
    let pivots = (SMALLEST_PIVOT * scale, REPLACED_PIVOT * scale);
    if !(longest.is_normal() && pivots.0.is_normal()) {
        return None;
    }
    Cholesky::new(rows)
        .factorise(&mut gram, rows, pivots, workers)
        .ok()?;
    gram.iter().all(|value| value.is_finite()).then_some(gram)
}

#[cfg(test)]
mod tests {
    use super::{is_wide, solve_in_span};
    use crate::certificate::{dual_value, objective};
    use crate::interior_point::solve::solve_as_given;
    use crate::{Intercept, InteriorPointSettings, Problem, RelativeGap};
    use approx::assert_relative_eq;
    use ndarray::{Array1, Array2};
    use proptest::prelude::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha20Rng;
    use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        /// The direct form in D dimensions has the same value and, where ζ is large enough to be told, the same ζ. Rows
        /// that are repeated make `ΦΦᵀ` singular.
        #[test]
        fn the_span_of_the_rows_has_the_direct_solution(
            seed in any::<u64>(), rows in 3..30_usize, more in 1..40_usize, gamma in prop_oneof![Just(0.0), 0.01..1.0_f64],
            budget in prop_oneof![Just(0.0), 0.01..1.0_f64], log_lambda in -2.0..2.0_f64, repeated in any::<bool>(),
            rule in prop::sample::select(vec![Intercept::Free, Intercept::Penalised, Intercept::None]),
        ) {
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let mut phi = Array2::from_shape_simple_fn((rows, rows + more), || rng.gen_range(-1.0..1.0));
            if repeated {
                let first = phi.row(0).to_owned();
                phi.row_mut(rows - 1).assign(&first);
            }
            let y = Array1::from_shape_fn(rows, |i| if i % 2 == 0 { 1.0 } else { -1.0 });
            let penalty = FeaturePenalty {
                radii: Array1::from_shape_simple_fn(rows, || gamma * rng.r#gen::<f64>()),
                matrix: PenaltyMatrix::Orthogonal,
            };
            let problem = Problem::new(phi.view(), y.view(), &penalty, 10.0_f64.powf(log_lambda)).unwrap();
            let problem = problem.with_intercept(rule).with_budget(budget).unwrap();
            prop_assert!(is_wide(&problem));
            let settings = InteriorPointSettings { tolerance: 1e-8, ..InteriorPointSettings::default() };
            let found = solve_in_span(&problem, &settings).unwrap();
            let direct = solve_as_given(&problem, &settings);
            let found = found.expect("the tolerance is reached");
            prop_assert!(found.relative_gap.value() <= 1e-8);
            // Of the problem as given, not of the reduced one.
            prop_assert_eq!(found.dual_objective, dual_value(&problem, found.alpha.view()).value);
            prop_assert_eq!(found.objective, objective(&problem, found.zeta.view(), found.intercept));
            prop_assert_eq!(found.relative_gap, RelativeGap::new(found.objective, found.dual_objective));
            prop_assert!(found.alpha.iter().all(|a| (0.0..=1.0).contains(a)));
            assert_relative_eq!(found.objective, direct.objective, max_relative = 2e-8);
            // Strong convexity: λ/2‖ζ − ζ*‖² is at most the gap.
            let apart = &found.zeta - &direct.zeta;
            let reach = 2.0 * (2.0 * 2e-8 * direct.objective / problem.lambda()).sqrt();
            prop_assert!(apart.dot(&apart).sqrt() <= reach);
        }
    }
}
