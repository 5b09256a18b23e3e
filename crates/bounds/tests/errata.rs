//! Printed formulas that do not hold, each by a number. The matrix of Nyström features is in
//! `feature_bounds.rs`.

mod support;

use ndarray::{Axis, array};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_bounds::FeatureBound;
use robust_svm_bounds::rff::{FeatureNorm, Paper};
use robust_svm_core::features::{FeatureMap, Features, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::uncertainty::UncertaintySet;
use std::sync::Arc;
use support::{normal_matrix, normal_vector};

/// Prop. 4.1 at p̄ = 2 with Σ_j outside the root, `sqrt(4/D) Σ_j α_j`: one pair, θ = 0.1, moves by 0.0999583
/// and the formula says 0.0070711.
#[test]
fn the_sum_over_frequencies_stands_inside_the_root() {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let map = Rff::draw(GaussianKernel::new(1.0).unwrap(), 1, 2, &mut rng).unwrap();
    let gamma = 0.1 / map.frequencies()[(0, 0)].abs();
    let image = |x: f64| map.transform(array![x].view().insert_axis(Axis(0)));
    let change = image(0.3 + gamma) - image(0.3);
    let reached = change.iter().map(|c| c * c).sum::<f64>().sqrt();
    let printed = 2.0_f64.sqrt() * (0.5 * 0.1 * 0.1);
    approx::assert_abs_diff_eq!(reached, 0.099_958_3, epsilon = 1e-7);
    approx::assert_abs_diff_eq!(printed, 0.007_071_1, epsilon = 1e-7);
    let sphere = UncertaintySet::sphere().into();
    let features = Features::Rff(Arc::new(map));
    let penalty = Paper(FeatureNorm::Two).penalty(&features, &sphere, array![[0.3]].view(), gamma);
    let inside = penalty.unwrap().radii[0];
    assert!(printed < reached && reached <= inside);
}

/// Chance constraints at ε = 0.05: the printed `γ = sqrt(ε/(1−ε))` = 0.229 leaves a normal margin violated
/// with probability 0.409; `sqrt((1−ε)/ε)` = 4.36 keeps it below 0.05.
#[test]
fn the_size_of_a_chance_constraint_grows_with_the_confidence() {
    let epsilon: f64 = 0.05;
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let noise = normal_vector(200_000, &mut rng);
    let violated =
        |gamma: f64| noise.iter().filter(|z| **z > gamma).count() as f64 / noise.len() as f64;
    let printed = (epsilon / (1.0 - epsilon)).sqrt();
    approx::assert_abs_diff_eq!(printed, 0.229, epsilon = 5e-4);
    approx::assert_abs_diff_eq!(violated(printed), 0.409, epsilon = 0.005);
    assert!(violated((1.0 / printed).abs()) <= epsilon);
}

/// Prop. 5.1 chooses σ so that `|ω_jᵀδ| ≤ θ_max` with probability 0.997 for each frequency; for 256 of them
/// at once, in one dimension, that is `0.9973^256` = 0.50.
#[test]
fn the_bandwidth_rule_holds_for_one_frequency_at_a_time() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    // σ = 3γ/θ_max makes |ω_j γ| ≤ θ_max the same as |z_j| ≤ 3.
    let z = normal_matrix(4000, 256, &mut rng);
    let within = |row: ndarray::ArrayView1<'_, f64>| row.iter().all(|z| z.abs() <= 3.0);
    let jointly = z.outer_iter().filter(|row| within(row.view())).count() as f64 / 4000.0;
    let singly = z.iter().filter(|z| z.abs() <= 3.0).count() as f64 / z.len() as f64;
    approx::assert_abs_diff_eq!(singly, 0.9973, epsilon = 3e-4);
    approx::assert_abs_diff_eq!(jointly, 0.50, epsilon = 0.03);
}
