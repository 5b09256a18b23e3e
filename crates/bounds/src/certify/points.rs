//! The certificates combined: at each point the smaller one.

use ndarray::{Array1, ArrayView1, Zip};
use robust_svm_core::metrics::error_rate;

use super::norm::NormCertificate;
use super::second_order;

/// Share of `1 + |f| + B` that a certificate keeps in reserve for rounding.
const ROUNDING: f64 = 1e-12;

/// Certificates at given points, for any size γ of the set.
///
/// γ is in units of the scaled inputs. A γ that is negative or NaN gives NaN, which certifies nothing.
#[derive(Debug, Clone)]
pub struct PointCertificates {
    pub(super) margins: Array1<f64>,
    /// `‖Σ^{⊤/2} ∇f(x_i)‖_q`.
    pub(super) gradient_norms: Array1<f64>,
    pub(super) norm: NormCertificate,
    pub(super) curvature: f64,
    pub(super) evaluation_error: f64,
}

impl PointCertificates {
    /// `y f(x)` of each point.
    pub fn margins(&self) -> ArrayView1<'_, f64> {
        self.margins.view()
    }

    /// `B` by the norm certificate, of each point: `Γ ‖ζ‖` with the geodesic bound for random Fourier
    /// features and the projection bound for Nyström, `sqrt(βᵀKβ) sqrt(2 − 2κ(ρ))` for exact kernels.
    pub fn norm_loss(&self, gamma: f64) -> Array1<f64> {
        let loss = if gamma >= 0.0 {
            self.norm.loss(gamma)
        } else {
            f64::NAN
        };
        Array1::from_elem(self.margins.len(), loss)
    }

    /// `B` by the second-order certificate, of each point: `γ ‖Σ^{⊤/2}∇f(x)‖_q + ½ γ² C`.
    pub fn second_order_loss(&self, gamma: f64) -> Array1<f64> {
        self.gradient_norms.mapv(|gradient_norm| {
            if gamma >= 0.0 {
                second_order::loss(gamma, gradient_norm, self.curvature)
            } else {
                f64::NAN
            }
        })
    }

    /// `B ≥ max_{δ∈U} y (f(x) − f(x+δ))` of each point: the smaller of the certificates. 0 at γ = 0; exact
    /// for linear models.
    pub fn margin_loss(&self, gamma: f64) -> Array1<f64> {
        let mut loss = self.second_order_loss(gamma);
        loss.zip_mut_with(&self.norm_loss(gamma), |b, &by_norm| *b = b.min(by_norm));
        loss
    }

    /// A lower bound on `y f(x+δ)` over the set, of each point: `y f − B` less a reserve of
    /// `1e−12 (1 + |f| + B)` and, for kernel expansions (Nyström and exact kernel), the error of
    /// evaluating them, `1e−14 (1 + max_j ‖z_j‖²/σ²) Σ_j |c_j|`. The point is certified iff it is
    /// positive.
    pub fn worst_margin(&self, gamma: f64) -> Array1<f64> {
        let loss = self.margin_loss(gamma);
        Zip::from(&self.margins)
            .and(&loss)
            .map_collect(|&m, &b| m - b - ROUNDING * (1.0 + m.abs() + b) - self.evaluation_error)
    }

    /// The certified error at γ: the share of points that are not certified, in [0, 1], never below the
    /// robust error; NaN for no points.
    pub fn error(&self, gamma: f64) -> f64 {
        let worst = self.worst_margin(gamma);
        error_rate(worst.view(), Array1::ones(worst.len()).view())
    }
}
