//! The certificate by landmarks (derived) for `f = Σ_j β_j κ_j(‖· − z_j‖) + b`: Nyström models at their
//! landmarks, exact-kernel models at their support points, models on uncertain points at their means.

use ndarray::{Array1, Array2, ArrayView1, Zip};
use robust_svm_core::kernel::{GaussianKernel, distance};
use robust_svm_core::linalg::matmul_transposed;
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet, UncertaintySets};

use super::around;
use super::expansion::Expansion;
use super::local::Position;
use crate::kernel_change::{fall, rise, slope};

/// The kernel functions of one model: with `d_j = ‖x − z_j‖`, `c_j = y β_j` and `ρ = γ ‖Σ^{1/2}‖_{p→2}`,
/// `B = Σ_{c_j>0} c_j (κ_j(d_j) − κ_j(d_j+ρ)) + Σ_{c_j<0} |c_j| (κ_j((d_j−ρ)_+) − κ_j(d_j))`.
///
/// *Proof.* `y f` falls when the point moves away from centres with c > 0 and towards those with c < 0;
/// distances change by at most ρ and κ_j falls with distance. Each term grows with ρ, so B with γ. ∎
///
/// Never above `Γ‖β‖` with Γ of the `landmark` bound, by Cauchy–Schwarz; `β = Pᵀζ` for Nyström, so `‖β‖ = ‖Aζ‖`.
#[derive(Debug, Clone)]
pub(super) struct Landmarks {
    f: Expansion,
    /// `‖Σ^{1/2}‖_{p→2}` for each shape of set.
    longest: Vec<f64>,
    /// b.
    intercept: f64,
}

impl Landmarks {
    pub(super) fn new(f: Expansion, intercept: f64, sets: &UncertaintySets) -> Self {
        let n = f.centres.ncols();
        let shapes = sets.shapes().iter();
        Self {
            longest: shapes.map(|set| set.longest(n)).collect(),
            f,
            intercept,
        }
    }

    /// `d_j` at `x` (m), and a bound on their rounding: by differences they are exact to `(n+2) 2^{−53} d`.
    pub(super) fn position(&self, x: ArrayView1<'_, f64>) -> Position {
        let centres = self.f.centres.outer_iter();
        let values: Array1<f64> = centres.map(|z| distance(x, z)).collect();
        let error = (x.len() as f64 + 2.0) * f64::EPSILON * Norm::Infinity.of(values.view());
        Position { values, error }
    }

    /// `B` for sets of size γ ≥ 0 and the shape with index `shape`, at a point with label `y` and distances `d`,
    /// each known to ± `error`. That times the steepest change of a term with d is added, so that rounding of
    /// d keeps B an upper bound.
    pub(super) fn loss(
        &self,
        shape: usize,
        gamma: f64,
        y: f64,
        d: ArrayView1<'_, f64>,
        error: f64,
    ) -> f64 {
        let rho = gamma * self.longest[shape];
        Zip::from(&self.f.coefficients)
            .and(&ArrayView1::from(&self.f.kernels))
            .and(d)
            .fold(0.0, |sum, coefficient, &kernel, &d| {
                let slack = slope(kernel, rho) * error;
                let change = if y * coefficient > 0.0 {
                    fall(kernel, d, rho)
                } else {
                    rise(kernel, d, rho)
                };
                sum + coefficient.abs() * (change + slack)
            })
    }

    /// `Γ ‖β‖`, Γ the `landmark` bound at a point with distances `d`.
    pub(super) fn norm_loss(
        &self,
        shape: usize,
        gamma: f64,
        d: ArrayView1<'_, f64>,
        error: f64,
    ) -> f64 {
        let rho = gamma * self.longest[shape];
        let most = |(&d, &kernel): (&f64, &GaussianKernel)| {
            let slack = slope(kernel, rho) * error;
            (rise(kernel, d, rho).max(fall(kernel, d, rho)) + slack).powi(2)
        };
        let square: f64 = d.iter().zip(&self.f.kernels).map(most).sum();
        Norm::Two.of(self.f.coefficients.view()) * square.sqrt()
    }

    /// The model around the point `x` (n) with label `y` and distances `d`, in the coordinates of `set`, the
    /// shape with index `shape`.
    pub(super) fn around(
        &self,
        (shape, set): (usize, &UncertaintySet),
        x: ArrayView1<'_, f64>,
        y: f64,
        d: ArrayView1<'_, f64>,
    ) -> around::Kernels {
        let n = x.len();
        let offsets = set.pull_back((&x - &self.f.centres).view());
        let gram = match set.factor() {
            Factor::Identity => Array2::eye(n),
            Factor::Diagonal(scales) => Array2::from_diag(&(scales * scales)),
            Factor::Full(f) => matmul_transposed(f.t(), f.t()),
        };
        around::Kernels {
            kernel: self.f.kernel,
            functions: self.f.kernels.clone(),
            weights: &self.f.coefficients * y,
            squares: d.mapv(|d| d * d),
            offsets,
            gram,
            longest: self.longest[shape],
            norm: self.f.norm,
            constant: y * self.intercept,
            error: self.f.evaluation_error,
        }
    }

    /// How far a computed `f(x)` may be from the true one.
    pub(super) fn evaluation_error(&self) -> f64 {
        self.f.evaluation_error
    }
}
