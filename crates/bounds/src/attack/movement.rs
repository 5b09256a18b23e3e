//! How far features move: the largest movement that a search finds, so counter-evidence to any bound on it.

use ndarray::{Array1, Array2, ArrayView2};
use rand::Rng;
use robust_svm_core::features::{FeatureMap, Features};
use robust_svm_core::penalty::PenaltyMatrix;
use robust_svm_core::uncertainty::UncertaintySets;

use super::objective::Objective;
use super::rotation::{Rotation, norm_and_slope};
use super::{AttackOptions, search};
use crate::{BoundError, check};

/// The largest `‖R_i (φ(x_i+δ) − φ(x_i))‖_p̄`, `R_i = A_i^{−⊤}`, found in the sets of size `gamma · g_i` around
/// the rows of `x` (p × n): a lower bound on every valid `Γ_i` that goes with `matrix`. p̄ is the dual of the
/// matrix's q̄, 2 where it has none.
///
/// Starts are drawn from `rng` for every point in order. Half of the steps go to the worst case of the
/// movement linearised, `u ← argmax ⟨Σ^{⊤/2}J^⊤R^⊤s, u⟩` with s a sub-gradient of the norm (for p = p̄ = 2 and
/// small sets the power method on `Σ^{⊤/2}JᵀJΣ^{1/2}`); then steps of falling length are projected.
///
/// # Errors
/// [`BoundError::Core`] for shapes that disagree, inputs that are not finite and sizes that are negative or
/// not finite.
pub fn movement(
    features: &Features,
    matrix: &PenaltyMatrix,
    sets: &UncertaintySets,
    x: ArrayView2<'_, f64>,
    gamma: f64,
    options: AttackOptions,
    rng: &mut impl Rng,
) -> Result<Array1<f64>, BoundError> {
    check::inputs(x, features.input_dim())?;
    sets.check(x.nrows(), x.ncols())?;
    check::sizes(sets, gamma)?;
    let objective = Movement {
        features,
        rotation: Rotation::new(matrix, x.nrows(), features.dim())?,
        origins: features.transform(x),
    };
    let found = search::perturbations(&objective, sets, gamma, x, options, rng);
    let points: Vec<usize> = (0..x.nrows()).collect();
    let mut moved = objective.moved(&points, (&x + &found).view());
    let norm = objective.rotation.norm();
    Ok(moved
        .outer_iter_mut()
        .map(|row| norm.of(row.view()))
        .collect())
}

/// `−‖R_i (φ(x) − φ(x_i))‖_p̄`.
struct Movement<'a> {
    features: &'a Features,
    rotation: Rotation<'a>,
    /// φ(x_i) (p × D).
    origins: Array2<f64>,
}

impl Movement<'_> {
    /// `R_i (φ(x) − φ(x_i))` for each row of `inputs`.
    fn moved(&self, points: &[usize], inputs: ArrayView2<'_, f64>) -> Array2<f64> {
        let mut images = self.features.transform(inputs);
        for (&point, mut image) in points.iter().zip(images.outer_iter_mut()) {
            image -= &self.origins.row(point);
        }
        self.rotation.apply(points, images.view_mut());
        images
    }
}

impl Objective for Movement<'_> {
    const FLOOR: f64 = f64::NEG_INFINITY;
    /// At the point itself nothing has moved, and the norm has no gradient.
    const GUIDED: bool = false;

    fn linearised_steps(steps: usize) -> usize {
        steps / 2
    }

    fn evaluate(
        &self,
        points: &[usize],
        inputs: ArrayView2<'_, f64>,
    ) -> (Array1<f64>, Array2<f64>) {
        let mut moved = self.moved(points, inputs.view());
        let norm = self.rotation.norm();
        let mut values = Array1::zeros(points.len());
        for (value, mut row) in values.iter_mut().zip(moved.outer_iter_mut()) {
            *value = -norm_and_slope(norm, row.view_mut());
            row *= -1.0;
        }
        self.rotation.apply_transposed(points, moved.view_mut());
        let gradients = self.features.pull_back(inputs, moved.view());
        (values, gradients)
    }
}
