//! How fast perturbations move a model: never faster than said, and as fast where the constant is exact.

mod support;

use approx::assert_relative_eq;
use ndarray::{Array1, Axis, array};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_bounds::BoundError;
use robust_svm_bounds::lipschitz::lipschitz;
use robust_svm_core::features::{FeatureMap, Features, Identity, Nystrom, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::{DecisionFunction, FeatureModel};
use robust_svm_core::penalty::PenaltyMatrix;
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
use std::sync::Arc;
use support::{normal_matrix, normal_vector, sets};

fn maps(n: usize, sigma: f64, rng: &mut ChaCha20Rng) -> [Features; 4] {
    let kernel = GaussianKernel::new(sigma).unwrap();
    [
        Features::Identity(Identity::new(n)),
        Features::Rff(Arc::new(Rff::draw(kernel, n, 12, rng).unwrap())),
        Features::Rff(Arc::new(Rff::draw_phased(kernel, n, 9, rng).unwrap())),
        Features::Nystrom(Arc::new(
            Nystrom::new(kernel, normal_matrix(7, n, rng)).unwrap(),
        )),
    ]
}

proptest! {
    /// ζ is along the movement of the features, the worst for a given δ; perturbations of every length.
    #[test]
    fn no_model_moves_faster(
        seed in any::<u64>(), n in 1..6_usize, sigma in 0.3..4.0_f64, log_size in -4.0..2.0_f64,
    ) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        for features in maps(n, sigma, &mut rng) {
            let norms = [Norm::One, Norm::Two, Norm::Infinity];
            for set in norms.into_iter().flat_map(|p| sets(p, n, &mut rng)).collect::<Vec<_>>() {
                let linear = matches!(features, Features::Identity(_));
                if linear && set.norm() != Norm::Two {
                    let refused = lipschitz(&features, &set);
                    let is_refused = matches!(refused, Err(BoundError::NotValid { .. }));
                    prop_assert!(is_refused);
                    continue;
                }
                let bound = lipschitz(&features, &set).unwrap();
                let mut u = set.sample_coordinates(10.0_f64.powf(log_size), n, &mut rng);
                let length = set.norm().of(u.view());
                let x = normal_vector(n, &mut rng);
                set.scale(u.view_mut());
                let image = |x: &Array1<f64>| features.transform(x.view().insert_axis(Axis(0))).row(0).to_owned();
                let movement = image(&(&x + &u)) - image(&x);
                for zeta in [movement.clone(), normal_vector(movement.len(), &mut rng)] {
                    let norm = bound.matrix.common_norm(zeta.view()).unwrap();
                    let reach = bound.constant * length * norm;
                    prop_assert!(zeta.dot(&movement) <= reach * (1.0 + 1e-9) + 1e-13, "{set:?}");
                }
            }
        }
    }

    /// Linear: the worst perturbation of the set. Paired Fourier features have the same speed everywhere, so that the fastest
    /// direction reaches the constant with small steps.
    #[test]
    fn exact_constants_are_reached(seed in any::<u64>(), n in 1..6_usize) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let [linear, paired, ..] = maps(n, 1.0, &mut rng);
        for set in sets(Norm::Two, n, &mut rng) {
            let w = normal_vector(n, &mut rng);
            let bound = lipschitz(&linear, &set).unwrap();
            let reached = set.support(w.view().insert_axis(Axis(0)))[0];
            let norm = bound.matrix.common_norm(w.view()).unwrap();
            assert_relative_eq!(bound.constant * norm, reached, max_relative = 1e-12);

            let Features::Rff(map) = &paired else { unreachable!() };
            let rows = set.pull_back(map.frequencies());
            let mut u = normal_vector(n, &mut rng);
            for _ in 0..3000 {
                u = rows.t().dot(&rows.dot(&u));
                u /= Norm::Two.of(u.view());
            }
            let mut delta = 1e-6 * &u;
            set.scale(delta.view_mut());
            let x = normal_vector(n, &mut rng);
            let image = |x: &Array1<f64>| paired.transform(x.view().insert_axis(Axis(0))).row(0).to_owned();
            let movement = image(&(&x + &delta)) - image(&x);
            let speed = Norm::Two.of(movement.view()) / 1e-6;
            assert_relative_eq!(lipschitz(&paired, &set).unwrap().constant, speed, max_relative = 1e-4);
        }
    }
}

#[test]
fn constants_worked_by_hand() {
    let kernel = GaussianKernel::new(0.5).unwrap();
    let landmarks = array![[0.0, 0.0], [1.0, 1.0]];
    let nystrom = Features::Nystrom(Arc::new(Nystrom::new(kernel, landmarks).unwrap()));
    let diagonal = |norm| UncertaintySet::new(norm, Factor::Diagonal(array![3.0, 4.0])).unwrap();
    let constant = |norm| lipschitz(&nystrom, &diagonal(norm)).unwrap().constant;
    assert_relative_eq!(constant(Norm::Two), 8.0, max_relative = 1e-11);
    assert_relative_eq!(constant(Norm::One), 8.0, max_relative = 1e-11);
    assert_relative_eq!(constant(Norm::Infinity), 10.0, max_relative = 1e-11);
    let linear = Features::Identity(Identity::new(2));
    let bound = lipschitz(&linear, &diagonal(Norm::Two)).unwrap();
    assert_eq!(bound.matrix, PenaltyMatrix::Diagonal(array![3.0, 4.0]));
    assert_eq!(bound.constant, 1.0);
    // Of another width.
    let three = Features::Identity(Identity::new(3));
    assert!(matches!(
        lipschitz(&three, &diagonal(Norm::Two)),
        Err(BoundError::Core(_))
    ));
}

/// The sum of hinges over perturbations of all points that share a budget, against the penalty's promise.
#[test]
fn shared_budgets_cost_no_more_than_the_penalty() {
    let mut rng = ChaCha20Rng::seed_from_u64(8);
    for features in maps(3, 1.0, &mut rng) {
        let set = UncertaintySet::new(Norm::Two, Factor::Diagonal(array![0.5, 1.0, 2.0])).unwrap();
        let bound = lipschitz(&features, &set).unwrap();
        let x = normal_matrix(8, 3, &mut rng);
        let y = Array1::from_shape_fn(8, |i| if i % 2 == 0 { 1.0 } else { -1.0 });
        let zeta = normal_vector(features.dim(), &mut rng);
        let norm = bound.matrix.common_norm(zeta.view()).unwrap();
        let model = FeatureModel {
            features,
            zeta,
            intercept: 0.1,
        };
        let hinges = |x: &ndarray::Array2<f64>| -> f64 {
            (model.decision(x.view()) * &y)
                .iter()
                .map(|m| (1.0 - m).max(0.0))
                .sum()
        };
        for budget in [0.01, 0.3, 5.0] {
            let promised = hinges(&x) + budget * bound.constant * norm;
            for _ in 0..300 {
                let shares = normal_vector(8, &mut rng).mapv(f64::exp);
                let shares = &shares * (budget / shares.sum());
                let mut moved = x.clone();
                for (mut row, share) in moved.outer_iter_mut().zip(shares) {
                    row += &set.sample(share, 3, &mut rng);
                }
                assert!(hinges(&moved) <= promised * (1.0 + 1e-12));
            }
        }
    }
}
