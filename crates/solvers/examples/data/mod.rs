//! Data of the examples, and what they print.
#![allow(dead_code, reason = "not every example needs all of it")]
#![allow(clippy::print_stdout, reason = "examples print")]

use ndarray::{Array1, Array2};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rand_distr::StandardNormal;
use robust_svm_bounds::certify::Certifier;
use robust_svm_core::features::{Features, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::metrics::error_rate;
use robust_svm_core::model::{DecisionFunction, FeatureModel, Model};
use robust_svm_core::uncertainty::UncertaintySets;
use robust_svm_solvers::RelativeGap;
use std::error::Error;
use std::sync::Arc;

/// Inputs (L × n) and labels ±1 (L).
pub(crate) struct Part {
    pub(crate) x: Array2<f64>,
    pub(crate) y: Array1<f64>,
}

/// Two classes of normal points in R^n, 3 apart along the first axis.
pub(crate) fn clouds(seed: u64, (rows, n): (usize, usize)) -> Part {
    let (mut x, y) = normal(seed, (rows, n));
    for (mut row, y) in x.outer_iter_mut().zip(&y) {
        row[0] += 1.5 * y;
    }
    Part { x, y }
}

/// Two rings in the plane with noise, of radii 1 and 3.
pub(crate) fn rings(seed: u64, rows: usize) -> Part {
    let (mut x, y) = normal(seed, (rows, 2));
    let (noise, _) = normal(seed + 100, (rows, 2));
    for (mut row, y) in x.outer_iter_mut().zip(&y) {
        row *= (2.0 - y) / row.dot(&row).sqrt();
    }
    x.scaled_add(0.6, &noise);
    Part { x, y }
}

fn normal(seed: u64, shape: (usize, usize)) -> (Array2<f64>, Array1<f64>) {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let x = Array2::from_shape_simple_fn(shape, || rng.sample(StandardNormal));
    let y = Array1::from_shape_fn(shape.0, |i| if i % 2 == 0 { 1.0 } else { -1.0 });
    (x, y)
}

/// Random Fourier features for inputs of width n, σ = 1.5.
pub(crate) fn fourier(n: usize, dim: usize) -> Result<Features, Box<dyn Error>> {
    let mut rng = ChaCha20Rng::seed_from_u64(7);
    let map = Rff::draw(GaussianKernel::new(1.5)?, n, dim, &mut rng)?;
    Ok(Features::Rff(Arc::new(map)))
}

/// `f(x) = ⟨ζ, φ(x)⟩ + b`.
pub(crate) fn model(features: &Features, zeta: Array1<f64>, intercept: f64) -> Model {
    let features = features.clone();
    Model::Feature(FeatureModel {
        features,
        zeta,
        intercept,
    })
}

/// Prints what the solver reached.
pub(crate) fn print_solution(objective: f64, gap: RelativeGap) {
    println!("objective {objective:.4}, certified relative gap {gap}");
}

/// Prints the share of `test` in the wrong class, and the share that some perturbation in the sets of size `gamma`
/// may put there.
pub(crate) fn print_errors(
    model: &Model,
    sets: impl Into<UncertaintySets>,
    gamma: f64,
    test: &Part,
) -> Result<(), Box<dyn Error>> {
    let clean = error_rate(model.decision(test.x.view()).view(), test.y.view());
    let points = Certifier::new(model, sets)?.points(test.x.view(), test.y.view())?;
    let certified = points.error(gamma);
    println!("test error {clean:.3}, certified at γ = {gamma}: {certified:.3}");
    Ok(())
}
