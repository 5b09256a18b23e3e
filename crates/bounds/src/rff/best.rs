//! The smaller of the two derived bounds for random Fourier features. Both have orthogonal `A`, so their
//! radii compare directly.

use ndarray::{Array1, ArrayView1};
use robust_svm_core::features::Rff;
use robust_svm_core::uncertainty::UncertaintySet;

use super::{FeatureNorm, arcs, geodesic};
use crate::BoundError;

/// `min(arcs, geodesic)` at p̄ = 2, for every p; one radius for each entry of `gamma`. Never above the
/// paper's.
///
/// # Errors
/// As [`arcs()`] and [`geodesic::radii`].
pub(crate) fn best(
    map: &Rff,
    set: &UncertaintySet,
    gamma: ArrayView1<'_, f64>,
) -> Result<Array1<f64>, BoundError> {
    let mut radii = arcs(map, set, gamma, FeatureNorm::Two)?;
    radii.zip_mut_with(&geodesic::radii(map, set, gamma)?, |radius, &geodesic| {
        *radius = radius.min(geodesic);
    });
    Ok(radii)
}
