//! Worst margins by branch and bound: ground truth in up to three dimensions, and what it narrows in more.

mod support;

use ndarray::{Array1, Array2, array};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_bounds::attack::{AttackOptions, attack};
use robust_svm_bounds::certify::{BranchAndBound, Certifier, Goal, MarginBracket};
use robust_svm_core::features::{Features, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::{DecisionFunction, FeatureModel, KernelModel, Model};
use robust_svm_core::uncertainty::{Norm, UncertaintySet};
use std::sync::Arc;
use support::{models, normal_matrix, normal_vector, sets};

const NORMS: [Norm; 3] = [Norm::One, Norm::Two, Norm::Infinity];

fn exact(
    model: &Model,
    set: &UncertaintySet,
    gamma: f64,
    x: &Array2<f64>,
    y: &Array1<f64>,
    options: BranchAndBound,
) -> Vec<MarginBracket> {
    let points = Certifier::new(model, set).unwrap();
    let points = points.points(x.view(), y.view()).unwrap();
    let clean = points.margins().to_owned();
    points.worst_margins(gamma, clean.view(), options).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    /// The bracket closes, lies between attack and certificate, and no sample is below it. What it says is
    /// reached is reached by a perturbation of the set.
    #[test]
    fn the_worst_margin_is_found_in_up_to_three_dimensions(
        seed in any::<u64>(), n in 1..4_usize, sigma in 0.8..2.0_f64, gamma in 0.01..0.8_f64,
    ) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let (x, y) = (normal_matrix(2, n, &mut rng), array![1.0, -1.0]);
        let tolerance = 1e-4;
        let options = BranchAndBound::new(50_000, tolerance, Goal::Value).unwrap();
        for model in models(n, sigma, 0.1, &mut rng) {
            for norm in NORMS {
                for set in sets(norm, n, &mut rng) {
                    let points = Certifier::new(&model, &set).unwrap();
                    let points = points.points(x.view(), y.view()).unwrap();
                    let effort = AttackOptions::new(20, 3).unwrap();
                    let found = attack(&model, &(&set).into(), gamma, x.view(), y.view(), effort, &mut rng).unwrap();
                    let certified = points.worst_margin(gamma);
                    let brackets = exact(&model, &set, gamma, &x, &y, options);
                    for (i, bracket) in brackets.iter().enumerate() {
                        let MarginBracket { lower, upper, perturbation, cells } = bracket;
                        prop_assert!(
                            upper - lower <= tolerance,
                            "{lower} {upper} after {cells} cells, {norm:?} {:?} {gamma} ζ {:?} longest {}", set.factor(), match &model { Model::Feature(m) => m.zeta.dot(&m.zeta), Model::Kernel(m) => m.norm(), Model::Radial(m) => m.norm() }, set.longest(n)
                        );
                        prop_assert!(*lower <= *upper + 1e-9);
                        prop_assert!(*lower >= certified[i]);
                        // Attacks stop at 0: they need not find the least margin.
                        prop_assert!(found.margins[i] >= *lower);
                        if found.margins[i] > 0.0 {
                            prop_assert!(*upper <= found.margins[i] + tolerance);
                        }
                        for _ in 0..50 {
                            let moved = &x.row(i) + &set.sample(gamma, n, &mut rng);
                            let margin = y[i] * model.decision(moved.insert_axis(ndarray::Axis(0)).view())[0];
                            prop_assert!(margin >= *lower);
                        }
                        if let Some(delta) = perturbation {
                            let moved = (&x.row(i) + delta).insert_axis(ndarray::Axis(0));
                            let margin = y[i] * model.decision(moved.view())[0];
                            prop_assert!((margin - upper).abs() <= 1e-8 * (1.0 + margin.abs()));
                        }
                    }
                }
            }
        }
    }

    /// In more dimensions and with few cells the bracket is wide, and right.
    #[test]
    fn brackets_hold_however_few_the_cells(
        seed in any::<u64>(), n in 4..9_usize, gamma in 0.01..3.0_f64, cells in 1..60_usize,
    ) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let (x, y) = (normal_matrix(2, n, &mut rng), array![1.0, -1.0]);
        for (model, goal) in models(n, 1.5, 0.1, &mut rng).iter().zip([Goal::Value, Goal::Verdict].iter().cycle()) {
            for norm in NORMS {
                for set in sets(norm, n, &mut rng) {
                    let options = BranchAndBound::new(cells, 1e-6, *goal).unwrap();
                    let effort = AttackOptions::new(10, 2).unwrap();
                    let found = attack(model, &(&set).into(), gamma, x.view(), y.view(), effort, &mut rng).unwrap();
                    let certified = Certifier::new(model, &set).unwrap().points(x.view(), y.view()).unwrap()
                        .worst_margin(gamma);
                    for (i, bracket) in exact(model, &set, gamma, &x, &y, options).iter().enumerate() {
                        prop_assert!(bracket.lower <= found.margins[i] && bracket.lower <= bracket.upper + 1e-9);
                        prop_assert!(bracket.lower >= certified[i]);
                        prop_assert!(bracket.cells <= cells.max(1));
                    }
                }
            }
        }
    }
}

/// A bump of negative weight off to the side: `y f = 1 − 2κ(‖x − e₁‖)`, worst at the nearest point of the ball
/// to the bump.
#[test]
fn a_bump_worked_by_hand() {
    let kernel = GaussianKernel::new(0.7).unwrap();
    let bump = KernelModel::new(kernel, array![[1.0, 0.0]].view(), array![-2.0].view(), 1.0);
    let model = Model::Kernel(bump);
    let (x, y) = (array![[0.0, 0.0]], array![1.0]);
    let options = BranchAndBound::new(100_000, 1e-9, Goal::Value).unwrap();
    let ball =
        |norm| UncertaintySet::new(norm, robust_svm_core::uncertainty::Factor::Identity).unwrap();
    for norm in NORMS {
        for gamma in [0.2, 0.6, 2.0] {
            let bracket = &exact(&model, &ball(norm), gamma, &x, &y, options)[0];
            let least = 1.0 - 2.0 * kernel.at_distance((1.0_f64 - gamma).max(0.0));
            assert!(
                (bracket.upper - least).abs() <= 2e-9,
                "{norm:?} {gamma} {bracket:?} {least}"
            );
            assert!(bracket.lower <= least && bracket.lower >= least - 2e-9);
        }
    }
}

/// Verdicts in ten dimensions that the certificates leave open and a few hundred cells settle.
#[test]
fn cells_settle_verdicts_that_certificates_leave_open() {
    let mut rng = ChaCha20Rng::seed_from_u64(12);
    let (n, gamma) = (10, 0.7);
    let kernel = GaussianKernel::new(3.5).unwrap();
    let x = normal_matrix(1500, n, &mut rng);
    let map = Rff::draw(kernel, n, 128, &mut rng).unwrap();
    let zeta = normal_vector(128, &mut rng);
    let model = Model::Feature(FeatureModel {
        features: Features::Rff(Arc::new(map)),
        zeta,
        intercept: 0.0,
    });
    let y = model.decision(x.view()).mapv(f64::signum);
    let set = UncertaintySet::sphere();
    let points = Certifier::new(&model, &set).unwrap();
    let points = points.points(x.view(), y.view()).unwrap();
    let effort = AttackOptions::new(40, 5).unwrap();
    let found = attack(
        &model,
        &(&set).into(),
        gamma,
        x.view(),
        y.view(),
        effort,
        &mut rng,
    )
    .unwrap();
    let options = BranchAndBound::new(1000, 1e-9, Goal::Verdict).unwrap();
    let brackets = points
        .worst_margins(gamma, found.margins.view(), options)
        .unwrap();
    let certified = points.verdicts(gamma);
    let open = (0..1500)
        .filter(|&i| !certified[i] && found.margins[i] > 0.0)
        .count();
    let left = brackets
        .iter()
        .filter(|b| b.lower <= 0.0 && b.upper > 0.0)
        .count();
    assert!(open >= 5, "{open} are open");
    assert!(2 * left <= open, "{left} of {open} are left open");
}
