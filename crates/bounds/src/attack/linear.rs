//! Linear models: the worst perturbation in closed form [Couellan & Jan (4)].

use ndarray::{Array2, ArrayView1, Axis};
use robust_svm_core::uncertainty::UncertaintySet;

/// `δ_i = −y_i Σ^{1/2} argmax_{‖u‖_p≤γ} ⟨Σ^{⊤/2}w, u⟩` as rows (p × n), for weights `w` (n) and labels `y` (p).
pub(super) fn perturbations(
    w: ArrayView1<'_, f64>,
    set: &UncertaintySet,
    gamma: f64,
    y: ArrayView1<'_, f64>,
) -> Array2<f64> {
    let pulled = set.pull_back(w.insert_axis(Axis(0)));
    let mut worst = set.maximiser(pulled.row(0), gamma);
    set.scale(worst.view_mut());
    let mut rows = Array2::zeros((y.len(), worst.len()));
    for (mut row, label) in rows.outer_iter_mut().zip(y) {
        row.scaled_add(-label, &worst);
    }
    rows
}
