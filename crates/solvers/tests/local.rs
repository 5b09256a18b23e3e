//! Training on the local bound.

mod common;

use common::local::{Setting, setting};
use proptest::prelude::*;
use robust_svm_core::features::FeatureMap;
use robust_svm_core::uncertainty::Norm;
use robust_svm_solvers::{
    BundleSettings, InteriorPointSettings, LocalPenalty, LocalSolution, SublinearProblem,
    solve_bundle, solve_local,
};

fn penalty(case: &Setting) -> LocalPenalty {
    LocalPenalty::new(&case.features, &case.sets, case.x.view(), case.gamma).unwrap()
}

fn solved(case: &Setting, lambda: f64) -> LocalSolution {
    let phi = case.features.transform(case.x.view());
    solve_local(
        phi.view(),
        case.y.view(),
        &penalty(case),
        lambda,
        &InteriorPointSettings::default(),
    )
    .unwrap()
}

#[test]
fn probe() {
    for kind in 0..5 {
        for gamma in [0.0, 1e-3, 0.1, 0.5, 1.5] {
            for lambda in [1e-2, 1.0, 1e2] {
                let case = setting(kind as u64 + 10, (60, 3), kind, Norm::Two, true, gamma);
                let s = solved(&case, lambda);
                println!(
                    "{kind} γ={gamma} λ={lambda}: {:?} it {} gap {} P {} D {}",
                    s.status, s.iterations, s.relative_gap, s.objective, s.dual_objective
                );
            }
        }
    }
}
