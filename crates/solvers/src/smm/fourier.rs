//! The support measure machine on random Fourier features.

use crate::{InteriorPointSettings, Problem, Solution, SolverError, solve};
use ndarray::ArrayView1;
use robust_svm_core::distribution::{GaussianInputs, mean_features};
use robust_svm_core::features::Rff;
use robust_svm_core::penalty::FeaturePenalty;

/// Trains a support measure machine on `inputs` (L) with labels `y` (L) in {−1, +1} and λ > 0 as a linear classifier of their mean
/// features `E φ(X_i)`, [`mean_features`]: `E⟨ζ, φ(X)⟩ = ⟨ζ, E φ(X)⟩` is exact, whatever D. At a point the decision is
/// `⟨ζ, φ(x)⟩ + b`, an ordinary model on `map`.
///
/// # Errors
/// As [`Problem::new`] and [`solve`]; [`SolverError::Shape`] if the inputs are not as wide as those of `map`.
pub fn fit_smm_rff(
    map: &Rff,
    inputs: &GaussianInputs,
    y: ArrayView1<'_, f64>,
    lambda: f64,
    settings: &InteriorPointSettings,
) -> Result<Solution, SolverError> {
    let features = mean_features(map, inputs)?;
    let penalty = FeaturePenalty::none(inputs.len());
    let problem = Problem::new(features.view(), y.reborrow(), &penalty, lambda)?;
    solve(&problem, settings)
}
