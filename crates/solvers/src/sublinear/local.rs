//! The local bound: the model linearised at each sample, and the largest second derivative (derived).

use super::SublinearPenalty;
use super::curvature::Curvature;
use crate::SolverError;
use crate::problem::check_length;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use robust_svm_core::features::{FeatureMap, Features};
use robust_svm_core::uncertainty::UncertaintySets;

/// `h_i(ζ) = γ_i ‖Σ_i^{⊤/2} J_iᵀ ζ‖_q + ½ γ_i² R_i(ζ)`, `J_i = ∂φ/∂x` at x_i (D × n), `γ_i = γ g_i`: by Taylor's
/// theorem at least the worst loss of margin over the set of x_i, `max_{δ∈U_i} |⟨ζ, φ(x_i) − φ(x_i+δ)⟩|`.
///
/// `R_i` bounds the second derivative along the set of size 1: random Fourier features, `H = Σ_j a_jω̃_jω̃_jᵀ` with the
/// amplitudes a_j(ζ) of the waves and `ω̃ = Σ_i^{⊤/2}ω`: p = 2 `λ_max(H)`, p = 1 `max_k H_kk`, p = ∞ `n λ_max(H)`;
/// Nyström `√3 ‖ζ‖ ρ_i²/σ²`, ρ_i the longest vector of the set; 0 for linear models, where h is the support function
/// [Couellan & Jan (4)].
#[derive(Debug, Clone)]
pub struct LocalPenalty {
    features: Features,
    sets: UncertaintySets,
    x: Array2<f64>,
    /// γ_i (L).
    radii: Array1<f64>,
    /// 0..L, which the questions to the sets take.
    points: Vec<usize>,
}

impl LocalPenalty {
    /// The penalty of `features` at the samples `x` (L × n) with the sets `sets` at level `gamma` ≥ 0.
    ///
    /// # Errors
    /// [`SolverError::Setting`] for a `gamma` that is negative or not finite; [`SolverError::Shape`] if the samples are
    /// not as wide as the map's inputs, or the sets are for other samples; [`SolverError::NotFinite`] for a
    /// value of `x`.
    pub fn new(
        features: &Features,
        sets: &UncertaintySets,
        x: ArrayView2<'_, f64>,
        gamma: f64,
    ) -> Result<Self, SolverError> {
        if !(gamma >= 0.0 && gamma.is_finite()) {
            return Err(SolverError::Setting {
                name: "gamma",
                expected: "finite and ≥ 0",
                found: gamma.to_string(),
            });
        }
        let (samples, n) = x.dim();
        check_length("columns of the samples", features.input_dim(), n)?;
        sets.check(samples, n)?;
        if let Some(((row, column), _)) = x.indexed_iter().find(|(_, v)| !v.is_finite()) {
            return Err(SolverError::NotFinite {
                what: "samples",
                row,
                column,
            });
        }
        Ok(Self {
            features: features.clone(),
            sets: sets.clone(),
            x: x.to_owned(),
            radii: (0..samples).map(|i| gamma * sets.size(i)).collect(),
            points: (0..samples).collect(),
        })
    }

    /// The feature map.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The sets at level 1.
    pub fn sets(&self) -> &UncertaintySets {
        &self.sets
    }

    /// The samples (L × n).
    pub fn samples(&self) -> ArrayView2<'_, f64> {
        self.x.view()
    }

    /// `γ_i = γ g_i` (L).
    pub fn radii(&self) -> ArrayView1<'_, f64> {
        self.radii.view()
    }

    /// `γ_i J_i Σ_i^{1/2} u_i` for each row of `u` (L × n), ‖u_i‖_p ≤ 1: L × D.
    pub(crate) fn first_order_subgradients(&self, u: ArrayView2<'_, f64>) -> Array2<f64> {
        let mut moves = Array2::zeros(u.dim());
        self.sets.scale_rows(&self.points, u, moves.view_mut());
        moves *= &self.radii.view().insert_axis(Axis(1));
        self.features.push_forward(self.x.view(), moves.view())
    }

    /// `Σ_i^{⊤/2} J_iᵀ ζ` (L × n).
    fn gradients(&self, zeta: ArrayView1<'_, f64>) -> Array2<f64> {
        let (_, gradients) = self.features.value_and_gradient(self.x.view(), zeta);
        let mut pulled = Array2::zeros(gradients.dim());
        let rows = gradients.view();
        self.sets
            .pull_back_rows(&self.points, rows, pulled.view_mut());
        pulled
    }
}

impl SublinearPenalty for LocalPenalty {
    fn check(&self, samples: usize, dim: usize) -> Result<(), SolverError> {
        check_length("samples of the penalty", samples, self.x.nrows())?;
        check_length("features of the penalty", dim, self.features.dim())
    }

    fn values(&self, zeta: ArrayView1<'_, f64>, _samples: usize) -> Array1<f64> {
        let q = self.sets.norm().dual();
        let curvature = Curvature::new(&self.features, &zeta);
        let of_shapes: Vec<f64> = self
            .sets
            .shapes()
            .iter()
            .map(|set| curvature.value(set))
            .collect();
        let slopes = self.gradients(zeta).map_axis(Axis(1), |row| q.of(row));
        self.points
            .iter()
            .zip(&slopes)
            .zip(&self.radii)
            .map(|((&i, slope), radius)| {
                radius * (slope + 0.5 * radius * of_shapes[self.sets.shape_index(i)])
            })
            .collect()
    }

    fn subgradients(&self, zeta: ArrayView1<'_, f64>, _samples: usize) -> Array2<f64> {
        let mut u = self.gradients(zeta);
        for (&i, mut row) in self.points.iter().zip(u.outer_iter_mut()) {
            let unit = self.sets.shape(i).maximiser(row.view(), 1.0);
            row.assign(&unit);
        }
        let mut z = self.first_order_subgradients(u.view());
        let curvature = Curvature::new(&self.features, &zeta);
        let mut of_shape = Array1::zeros(zeta.len());
        for (&i, mut z) in self.points.iter().zip(z.outer_iter_mut()) {
            if i == 0 || self.sets.shared().is_none() {
                of_shape = curvature.subgradient(self.sets.shape(i));
            }
            z.scaled_add(0.5 * self.radii[i] * self.radii[i], &of_shape);
        }
        z
    }
}
