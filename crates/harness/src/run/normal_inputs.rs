//! Training rows as normal distributions: the average case of their uncertainty sets.
//!
//! Row i is `N(x_i, Σ_i)` with the covariance of the uniform distribution in its set, `Σ_i = v γ_i² F_iF_iᵀ` where the set is
//! `{F_iu : ‖u‖_p ≤ γ_i}` and v the variance of a coordinate in the unit ball, `1/(n+2)` for p = 2. So a level means the same
//! sets to methods of the worst case and of the average one.

use super::blocks::Block;
use super::failure::Failure;
use super::penalty::Training;
use super::prepare::Prepared;
use crate::plan::Robustness;
use ndarray::{Array1, Array2};
use robust_svm_core::CoreError;
use robust_svm_core::distribution::{Covariances, GaussianInputs, mean_features};
use robust_svm_core::features::Features;
use robust_svm_core::linalg::matmul_transposed;
use robust_svm_core::uncertainty::{Factor, UncertaintySet};
use std::borrow::Cow;

/// The variances v_i of the training rows, of sets whose shape is Σ = I; `None` where they are points.
pub(super) fn isotropic_variances(
    training: &Training<'_>,
    prepared: &Prepared,
) -> Option<Array1<f64>> {
    let uncertain = training.robustness == Robustness::NormalInputs && training.gamma > 0.0;
    uncertain.then(|| scales(training, prepared))
}

/// `block`, or where the training rows are distributions and its map has random Fourier features, their mean features in the
/// place of the features.
pub(super) fn on_mean_features<'a>(
    block: &'a Block,
    training: &Training<'_>,
    prepared: &Prepared,
) -> Result<Cow<'a, Block>, Failure> {
    match block {
        Block::Feature {
            features: Features::Rff(map),
            sigma,
            size,
            ..
        } if training.robustness == Robustness::NormalInputs && training.gamma > 0.0 => {
            let inputs = inputs(training, prepared).map_err(Failure::failed)?;
            let train = mean_features(map, &inputs).map_err(Failure::failed)?;
            Ok(Cow::Owned(Block::Feature {
                features: Features::Rff(map.clone()),
                train,
                sigma: *sigma,
                size: *size,
            }))
        }
        _ => Ok(Cow::Borrowed(block)),
    }
}

/// `v γ_i²`.
fn scales(training: &Training<'_>, prepared: &Prepared) -> Array1<f64> {
    let sets = &prepared.train_sets;
    let unit = sets.norm().uniform_variance(prepared.train.features());
    let scale = |i| unit * (training.gamma * sets.size(i)).powi(2);
    (0..prepared.train.rows()).map(scale).collect()
}

fn inputs(training: &Training<'_>, prepared: &Prepared) -> Result<GaussianInputs, CoreError> {
    let (x, scales, sets) = (
        prepared.train.x(),
        scales(training, prepared),
        &prepared.train_sets,
    );
    let factors = || sets.shapes().iter().map(UncertaintySet::factor);
    let covariances = if factors().all(|factor| *factor == Factor::Identity) {
        Covariances::Isotropic(scales)
    } else if factors().any(|factor| matches!(factor, Factor::Full(_))) {
        let matrix = |(i, scale): (usize, &f64)| match sets.shape(i).factor() {
            Factor::Identity => Array2::eye(x.ncols()) * *scale,
            Factor::Diagonal(s) => Array2::from_diag(&(s * s)) * *scale,
            Factor::Full(f) => {
                let product = matmul_transposed(f.view(), f.view());
                // Products of blocks are symmetric to rounding only.
                (&product + &product.t()) * (0.5 * scale)
            }
        };
        Covariances::Full(scales.iter().enumerate().map(matrix).collect())
    } else {
        let entry = |(i, k): (usize, usize)| match sets.shape(i).factor() {
            Factor::Diagonal(s) => s[k] * s[k] * scales[i],
            Factor::Identity | Factor::Full(_) => scales[i],
        };
        Covariances::Diagonal(Array2::from_shape_fn(x.dim(), entry))
    };
    GaussianInputs::new(x.clone(), covariances)
}
