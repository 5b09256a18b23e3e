//! Every rule for the intercept, total budgets and sparse features, in the interior-point method.

mod common;

use approx::assert_relative_eq;
use common::{Data, INTERCEPTS, gaussians, nystrom_like};
use ndarray::{Array1, Array2, Axis, concatenate};
use proptest::prelude::*;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_solvers::{Intercept, InteriorPointSettings, Problem, Solution, solve};
use sprs::CsMat;

fn certified(problem: &Problem<'_>) -> Solution {
    let solution = solve(problem, &InteriorPointSettings::default()).unwrap();
    let gap = solution.relative_gap.value();
    assert!(gap <= 1e-8, "gap {gap:e}, {:?}", solution.status);
    solution
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn the_gap_is_certified_for_every_rule(
        seed in any::<u64>(), rows in 4..80_usize, dim in 1..60_usize,
        separation in 0.0..6.0_f64, positive in 0.05..0.95_f64,
        gamma in prop_oneof![Just(0.0), 1e-3..2.0_f64],
        budget in prop_oneof![Just(0.0), 1e-3..50.0_f64],
        log_lambda in -2.0..2.0_f64, diagonal in any::<bool>(),
        rule in prop::sample::select(INTERCEPTS),
    ) {
        let mut data = gaussians(seed, (rows, dim), separation, positive, gamma);
        if diagonal {
            nystrom_like(&mut data);
        }
        let problem = data.problem(10.0_f64.powf(log_lambda)).with_intercept(rule);
        certified(&problem.with_budget(budget).unwrap());
    }

    /// A penalised intercept is one more feature, 1, that A does not see.
    #[test]
    fn a_penalised_intercept_is_a_feature(
        seed in any::<u64>(), gamma in 0.0..1.0_f64, budget in 0.0..2.0_f64, log_lambda in -1.0..2.0_f64,
    ) {
        let data = gaussians(seed, (40, 5), 1.5, 0.3, gamma);
        let lambda = 10.0_f64.powf(log_lambda);
        let problem = data.problem(lambda).with_intercept(Intercept::Penalised).with_budget(budget).unwrap();
        let penalised = certified(&problem);
        let mut seen = Array1::ones(6);
        seen[5] = 0.0;
        let padded = Data {
            phi: concatenate![Axis(1), data.phi, Array2::ones((40, 1))],
            y: data.y.clone(),
            penalty: FeaturePenalty { matrix: PenaltyMatrix::Diagonal(seen), ..data.penalty.clone() },
        };
        let problem = padded.problem(lambda).with_intercept(Intercept::None).with_budget(budget).unwrap();
        let feature = certified(&problem);
        assert_relative_eq!(penalised.objective, feature.objective, max_relative = 2e-8);
        assert_relative_eq!(penalised.intercept, feature.zeta[5], epsilon = 1e-3);
    }
}

/// Without uncertainty a budget of c is the price c‖ζ‖ alone: radii `Γ_i = c/L` cost as much where every loss is active.
#[test]
fn a_budget_costs_what_equal_radii_cost_where_every_loss_is_active() {
    // Mirrored, so that the classes are equal and every α can be 1.
    let mut data = gaussians(3, (30, 4), 0.5, 0.5, 0.0);
    data.phi = concatenate![Axis(0), data.phi, -&data.phi];
    data.y = concatenate![Axis(0), data.y, -&data.y];
    data.penalty.radii = Array1::zeros(60);
    let lambda = 300.0;
    let budget = certified(&data.problem(lambda).with_budget(6.0).unwrap());
    data.penalty.radii.fill(0.1);
    let radii = certified(&data.problem(lambda));
    assert!(radii.alpha.iter().all(|a| *a > 1.0 - 1e-6));
    assert_relative_eq!(budget.objective, radii.objective, max_relative = 1e-8);
}

#[test]
fn sparse_features_give_the_dense_solution() {
    let mut data = gaussians(9, (70, 12), 1.5, 0.4, 0.2);
    data.phi
        .mapv_inplace(|v| if v.abs() < 0.8 { 0.0 } else { v });
    let csr = CsMat::csr_from_dense(data.phi.view(), 0.0);
    let dense = certified(&data.problem(1.0));
    let problem = Problem::new(csr.view(), data.y.view(), &data.penalty, 1.0).unwrap();
    let sparse = certified(&problem);
    assert_relative_eq!(dense.objective, sparse.objective, max_relative = 1e-12);
}
