//! The conic form of the curvature: `r ≥ R(ζ)`.

use crate::SolverError;
use crate::interior_point::dot;
use ndarray::{Array1, ArrayView2};
use robust_svm_core::features::{FeatureMap, Nystrom, Rff};
use robust_svm_core::linalg::symmetric_eigen;
use robust_svm_core::uncertainty::UncertaintySet;

/// The cones of the curvature, in units that make the largest `½γ_i²R(ζ)` the value of r.
///
/// - Random Fourier features: `Σ_j a_j ω̂_jω̂_jᵀ ⪯ r I` and `‖ζ_j‖ ≤ a_j`, with `ω̂_j = (½γ²_max sqrt(2/D))^{1/2} ω̃_j`.
/// - Nyström: `scale ‖ζ‖ ≤ r`, `scale = ½γ²_max √3 ρ²/σ²`.
pub(super) struct CurvatureCones {
    /// The number of second-order cones: one a wave, or one.
    pub(super) count: usize,
    /// The length of their tails: the features of a wave, or D.
    pub(super) tail: usize,
    /// What the weights are multiplied by in the tails.
    pub(super) scale: f64,
    /// The frequencies ω̂ (J × n) of random Fourier features.
    pub(super) frequencies: Option<Vec<f64>>,
    n: usize,
}

impl CurvatureCones {
    /// Those of random Fourier features; `half_square` = ½γ²_max.
    pub(super) fn rff(map: &Rff, set: &UncertaintySet, half_square: f64) -> Self {
        let frequencies = set.pull_back(map.frequencies());
        let (count, n) = frequencies.dim();
        let unit = (half_square * map.amplitude()).sqrt();
        Self {
            count,
            tail: map.dim() / count,
            scale: 1.0,
            frequencies: Some(frequencies.iter().map(|ω| unit * ω).collect()),
            n,
        }
    }

    /// That of Nyström features.
    pub(super) fn nystrom(map: &Nystrom, set: &UncertaintySet, half_square: f64) -> Self {
        let n = map.input_dim();
        let ratio = set.longest(n) / map.kernel().sigma();
        Self {
            count: 1,
            tail: map.dim(),
            scale: half_square * 3.0_f64.sqrt() * ratio * ratio,
            frequencies: None,
            n,
        }
    }

    /// The number of variables beside (ζ, b): r, and a_j of each wave.
    pub(super) fn variables(&self) -> usize {
        match self.frequencies {
            Some(_) => 1 + self.count,
            None => 1,
        }
    }

    /// The rows of the matrix `rI − Σ a_j ω̂_jω̂_jᵀ`; 0 if there is none.
    pub(super) fn matrix_dim(&self) -> usize {
        if self.frequencies.is_some() {
            self.n
        } else {
            0
        }
    }

    /// Where in (r, a) the head of cone j is.
    pub(super) fn head(&self, j: usize) -> usize {
        if self.frequencies.is_some() { 1 + j } else { 0 }
    }

    /// `ω̂_j` of every wave; none for Nyström features.
    pub(super) fn waves(&self) -> impl Iterator<Item = &[f64]> {
        let frequencies = self.frequencies.as_deref().unwrap_or(&[]);
        frequencies.chunks_exact(self.n)
    }

    /// `(r, a)` that leave the cones of ζ = 0 inside, and multipliers: of the heads into `heads`, of the matrix into
    /// `matrix`, with trace or head `total`. Stationarity in r and a holds: `z_j = ω̂_jᵀZω̂_j`.
    pub(super) fn start(
        &self,
        total: f64,
        variables: &mut [f64],
        heads: &mut [f64],
        matrix: &mut [f64],
    ) -> Result<(), SolverError> {
        if self.frequencies.is_none() {
            variables[0] = 1.0 / total;
            heads[0] = total;
            return Ok(());
        }
        let n = self.n;
        let each = total / n as f64;
        let mut sum = ndarray::Array2::<f64>::zeros((n, n));
        for (j, ω) in self.waves().enumerate() {
            let square = dot(ω, ω);
            heads[j] = each * square;
            for (k, value) in ω.iter().enumerate() {
                sum.row_mut(k)
                    .scaled_add(value / square, &ndarray::ArrayView1::from(ω));
            }
        }
        let (values, _) = symmetric_eigen(sum.view())?;
        // Complementarity within a factor of the root of this in every cone.
        let spread = values.last().map_or(1.0, |v| v.max(1.0)).sqrt();
        variables[0] = 2.0 * spread / each;
        for (a, head) in variables[1..].iter_mut().zip(heads.iter()) {
            *a = 1.0 / (spread * head);
        }
        for k in 0..n {
            matrix[k * (n + 1)] = each;
        }
        Ok(())
    }

    /// The sub-gradient of R at 0 (D) that the multipliers `cones` and `matrix` name: `(ω̂_jᵀVω̂_j) e_j`, with V the
    /// matrix made positive semi-definite with trace 1 and e_j = −tail/head cut to the unit ball, or `scale e` of the
    /// one cone.
    ///
    /// # Errors
    /// [`SolverError::Backend`] if the matrix is not finite.
    pub(super) fn subgradient(
        &self,
        cones: &[f64],
        matrix: ArrayView2<'_, f64>,
    ) -> Result<Array1<f64>, SolverError> {
        let mut z = Array1::zeros(self.count * self.tail);
        let mut factors = vec![self.scale; self.count];
        if self.frequencies.is_some() {
            let (values, vectors) = symmetric_eigen(matrix)?;
            let kept = values.mapv(|v| v.max(0.0));
            let shares = &kept / kept.sum();
            for (factor, ω) in factors.iter_mut().zip(self.waves()) {
                let parts = vectors.t().dot(&ndarray::ArrayView1::from(ω));
                *factor = shares.iter().zip(&parts).map(|(s, p)| s * p * p).sum();
            }
        }
        let cones = cones.chunks_exact(self.tail + 1).zip(&factors);
        for (mut z, (cone, factor)) in z.exact_chunks_mut(self.tail).into_iter().zip(cones) {
            let norm = dot(&cone[1..], &cone[1..]).sqrt().max(cone[0]);
            for (z, tail) in z.iter_mut().zip(&cone[1..]) {
                *z = -factor * tail / norm;
            }
        }
        Ok(z)
    }
}
