//! The mean random Fourier features of normally distributed inputs.

use super::GaussianInputs;
use super::forms::quadratic_forms;
use crate::CoreError;
use crate::check::check_length;
use crate::features::{FeatureMap, Rff};
use ndarray::{Array2, Zip};

/// `E φ(X_i)` (L × D), each feature of frequency ω that at m_i times `exp(−½ ω_jᵀΣ_iω_j)` (derived).
///
/// *Proof.* `E exp(i(ωᵀX + ν)) = exp(i(ωᵀm + ν)) exp(−½ ωᵀΣω)`, the characteristic function of N(m, Σ); a paired feature is
/// its real or imaginary part at ν = 0, a phased one its real part at its ν. How the frequencies were drawn does not enter. ∎
///
/// Over the frequencies, inner products of two different inputs' mean features have the Gaussian [`super::InputKernel`] as
/// their mean, for `E⟨φ(X), φ(Z)⟩` has at every X and Z.
///
/// # Errors
/// [`CoreError::Shape`] if the inputs are not as wide as those of `map`.
pub fn mean_features(map: &Rff, inputs: &GaussianInputs) -> Result<Array2<f64>, CoreError> {
    check_length(
        "width of the inputs",
        map.input_dim(),
        inputs.means().ncols(),
    )?;
    let mut features = map.transform(inputs.means());
    let exponents = quadratic_forms(inputs, map.frequencies());
    let each = features.ncols() / exponents.ncols();
    for (mut row, exponents) in features.outer_iter_mut().zip(exponents.outer_iter()) {
        Zip::from(row.exact_chunks_mut(each))
            .and(&exponents)
            .for_each(|mut features, form| features *= (-0.5 * form).exp());
    }
    Ok(features)
}
