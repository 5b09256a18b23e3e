//! Linear models: the worst perturbation in closed form [Couellan & Jan (4)], with the certificate's margins.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use robust_svm_core::model::Model;
use robust_svm_core::uncertainty::UncertaintySets;

use crate::BoundError;
use crate::certify::Certifier;

/// `δ_i = −y_i Σ_i^{1/2} argmax_{‖u‖_p≤γ_i} ⟨Σ_i^{⊤/2}w, u⟩` as rows (p × n), for weights `w` (n) and labels `y`
/// (p).
pub(super) fn perturbations(
    w: ArrayView1<'_, f64>,
    sets: &UncertaintySets,
    gamma: f64,
    y: ArrayView1<'_, f64>,
) -> Array2<f64> {
    let points: Vec<usize> = (0..y.len()).collect();
    let mut rows = Array2::from_shape_fn((y.len(), w.len()), |(i, k)| -y[i] * w[k]);
    let mut by_u = Array2::zeros(rows.raw_dim());
    sets.pull_back_rows(&points, rows.view(), by_u.view_mut());
    sets.maximise_rows(&points, by_u.view_mut(), gamma);
    sets.scale_rows(&points, by_u.view(), rows.view_mut());
    rows
}

/// The margins that the certificate leaves, which is exact for linear models.
pub(super) fn margins(
    model: &Model,
    sets: &UncertaintySets,
    gamma: f64,
    x: ArrayView2<'_, f64>,
    y: ArrayView1<'_, f64>,
) -> Result<Array1<f64>, BoundError> {
    Ok(Certifier::new(model, sets)?
        .points(x, y)?
        .worst_margin(gamma))
}
