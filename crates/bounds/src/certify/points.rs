//! The certificates combined: at each point the smallest.

use ndarray::{Array1, ArrayView1};
use robust_svm_core::metrics::error_rate;

use super::local::{Local, Positions};
use super::norm::NormCertificate;
use super::second_order;

/// Share of `1 + |f| + B` that a certificate keeps in reserve for rounding.
const ROUNDING: f64 = 1e-12;

/// Certificates at given points, for any size γ of the set.
///
/// γ is in units of the scaled inputs. A γ that is negative or NaN gives NaN, which certifies nothing.
/// Memory: D/2 numbers a point for random Fourier features, one for each landmark or support point for
/// kernel expansions.
#[derive(Debug, Clone)]
pub struct PointCertificates {
    pub(super) margins: Array1<f64>,
    pub(super) labels: Array1<f64>,
    /// `‖Σ^{⊤/2} ∇f(x_i)‖_q`.
    pub(super) gradient_norms: Array1<f64>,
    pub(super) norm: NormCertificate,
    pub(super) curvature: f64,
    pub(super) local: Local,
    pub(super) positions: Positions,
    pub(super) evaluation_error: f64,
}

impl PointCertificates {
    /// `y f(x)` of each point.
    pub fn margins(&self) -> ArrayView1<'_, f64> {
        self.margins.view()
    }

    /// `B` by the norm certificate, of each point: the smallest `Γ ‖Aζ‖` of the bounds there are. Random
    /// Fourier features: geodesic and arcs, the same at every point; Nyström: projection and landmark; exact
    /// kernels: `sqrt(βᵀKβ) sqrt(2 − 2κ(ρ))` and landmark.
    pub fn norm_loss(&self, gamma: f64) -> Array1<f64> {
        self.each(gamma, |point| {
            let by_terms = match &self.local {
                Local::Linear => f64::INFINITY,
                Local::Arcs(arcs) => arcs.norm_loss(gamma),
                Local::Landmarks(landmarks) => {
                    let positions = self.positions.values.row(point);
                    landmarks.norm_loss(gamma, positions, self.positions.errors[point])
                }
            };
            self.norm.loss(gamma).min(by_terms)
        })
    }

    /// `B` by the local certificate, of each point: arcs for random Fourier features, landmarks for Nyström
    /// features and exact kernels; the support function for linear models.
    pub fn local_loss(&self, gamma: f64) -> Array1<f64> {
        self.each(gamma, |point| self.local_at(point, gamma))
    }

    /// `B` by the second-order certificate, of each point: `γ ‖Σ^{⊤/2}∇f(x)‖_q + ½ γ² C`.
    pub fn second_order_loss(&self, gamma: f64) -> Array1<f64> {
        self.each(gamma, |point| self.second_order_at(point, gamma))
    }

    /// `B ≥ max_{δ∈U} y (f(x) − f(x+δ))` of each point: the smallest of the certificates. 0 at γ = 0; exact
    /// for linear models.
    pub fn margin_loss(&self, gamma: f64) -> Array1<f64> {
        self.each(gamma, |point| {
            self.quick_at(point, gamma).min(self.local_at(point, gamma))
        })
    }

    /// A lower bound on `y f(x+δ)` over the set, of each point: `y f − B` less a reserve of
    /// `1e−12 (1 + |f| + B)` and, for kernel expansions (Nyström and exact kernel), the error of
    /// evaluating them, `1e−14 (1 + max_j ‖z_j‖²/σ²) Σ_j |c_j|`. The point is certified iff it is
    /// positive.
    pub fn worst_margin(&self, gamma: f64) -> Array1<f64> {
        let mut worst = self.margin_loss(gamma);
        for (point, value) in worst.iter_mut().enumerate() {
            *value = self.margin_after(point, *value);
        }
        worst
    }

    /// The certified error at γ: the share of points that are not certified, in [0, 1], never below the
    /// robust error; NaN for no points. The local certificate, the costly one, is computed only where the
    /// others leave the verdict open.
    pub fn error(&self, gamma: f64) -> f64 {
        let verdicts: Array1<f64> = (0..self.margins.len())
            .map(|point| f64::from(self.is_certified(point, gamma)))
            .collect();
        error_rate(verdicts.view(), Array1::ones(verdicts.len()).view())
    }

    /// Whether `worst_margin` is positive at the point.
    pub(super) fn is_certified(&self, point: usize, gamma: f64) -> bool {
        let holds = |loss: f64| self.margin_after(point, loss) > 0.0;
        gamma >= 0.0
            && holds(0.0)
            && (holds(self.quick_at(point, gamma)) || holds(self.local_at(point, gamma)))
    }

    /// `y f − B` less the reserve, for `loss` = B.
    fn margin_after(&self, point: usize, loss: f64) -> f64 {
        let margin = self.margins[point];
        margin - loss - ROUNDING * (1.0 + margin.abs() + loss) - self.evaluation_error
    }

    /// The smaller of the certificates that cost a few operations a point: second order and the norm
    /// certificate by the geodesic or projection bound. That by the arcs or landmark bound is never below
    /// the local certificate.
    fn quick_at(&self, point: usize, gamma: f64) -> f64 {
        self.second_order_at(point, gamma)
            .min(self.norm.loss(gamma))
    }

    fn second_order_at(&self, point: usize, gamma: f64) -> f64 {
        second_order::loss(gamma, self.gradient_norms[point], self.curvature)
    }

    fn local_at(&self, point: usize, gamma: f64) -> f64 {
        let positions = self.positions.values.row(point);
        let error = self.positions.errors[point];
        match &self.local {
            Local::Linear => self.norm.loss(gamma),
            Local::Arcs(arcs) => arcs.loss(gamma, positions, error),
            Local::Landmarks(landmarks) => {
                landmarks.loss(gamma, self.labels[point], positions, error)
            }
        }
    }

    /// `loss` of each point; NaN unless γ ≥ 0.
    fn each(&self, gamma: f64, loss: impl Fn(usize) -> f64) -> Array1<f64> {
        (0..self.margins.len())
            .map(|point| if gamma >= 0.0 { loss(point) } else { f64::NAN })
            .collect()
    }
}
