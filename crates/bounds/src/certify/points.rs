//! The certificates combined: at each point the smallest.

use ndarray::{Array1, Array2, ArrayView1};
use robust_svm_core::metrics::error_rate;
use robust_svm_core::uncertainty::UncertaintySets;

use super::around::{Around, Cell};
use super::certifier::Reach;
use super::local::{Local, Position};
use super::{quadratic, second_order};
use std::sync::OnceLock;

/// Share of `1 + |f| + B` that a certificate keeps in reserve for rounding.
const ROUNDING: f64 = 1e-12;

/// Certificates at given points, for any level γ of the sets: the set of point i has the size `γ_i = γ g_i`.
///
/// γ is in units of the scaled inputs. A γ that is negative or NaN gives NaN, which certifies nothing.
/// Memory: the inputs, and at each point that was looked at closely a number for each wave of random Fourier
/// features or each landmark or support point.
#[derive(Debug, Clone)]
pub struct PointCertificates {
    pub(super) margins: Array1<f64>,
    pub(super) labels: Array1<f64>,
    pub(super) inputs: Array2<f64>,
    pub(super) sets: UncertaintySets,
    /// `‖Σ_i^{⊤/2} ∇f(x_i)‖_q`.
    pub(super) gradient_norms: Array1<f64>,
    /// One for each shape of set.
    pub(super) reaches: Vec<Reach>,
    pub(super) local: Local,
    /// Where each point stands among the terms of the model; found when first asked for, since most verdicts
    /// need no look at them.
    pub(super) positions: Vec<OnceLock<Position>>,
    /// How far each computed margin may be from the true one.
    pub(super) evaluation_errors: Array1<f64>,
}

impl PointCertificates {
    /// `y f(x)` of each point.
    pub fn margins(&self) -> ArrayView1<'_, f64> {
        self.margins.view()
    }

    /// `B` by the norm certificate, of each point: the smallest `Γ ‖Aζ‖_q̄` of the bounds there are. Random
    /// Fourier features: geodesic and arcs, the latter at every p̄; Nyström: projection and landmark; exact
    /// kernels: `sqrt(βᵀKβ) sqrt(2 − 2κ(ρ))` and landmark.
    pub fn norm_loss(&self, gamma: f64) -> Array1<f64> {
        self.each(gamma, |point, gamma| {
            let shape = self.sets.shape_index(point);
            let (positions, error) = self.positions_of(point);
            let by_terms = match &self.local {
                Local::Linear(_) => f64::INFINITY,
                Local::Arcs(arcs) => arcs.norm_loss(shape, gamma, positions, error),
                Local::Landmarks(f) => f.norm_loss(shape, gamma, positions, error),
            };
            self.reaches[shape].norm.loss(gamma).min(by_terms)
        })
    }

    /// `B` by the local certificate, of each point: arcs for random Fourier features, landmarks for Nyström
    /// features and exact kernels; the support function for linear models.
    pub fn local_loss(&self, gamma: f64) -> Array1<f64> {
        self.each(gamma, |point, gamma| self.local_at(point, gamma))
    }

    /// `B` by the second-order certificate, of each point: `γ ‖Σ^{⊤/2}∇f(x)‖_q + ½ γ² C`.
    pub fn second_order_loss(&self, gamma: f64) -> Array1<f64> {
        self.each(gamma, |point, gamma| self.second_order_at(point, gamma))
    }

    /// `B` by the quadratic certificate, of each point: the worst case of a quadratic below the model with
    /// its own curvature at the point. The support function for linear models.
    pub fn quadratic_loss(&self, gamma: f64) -> Array1<f64> {
        self.each(gamma, |point, gamma| self.quadratic_at(point, gamma))
    }

    /// `B ≥ max_{δ∈U} y (f(x) − f(x+δ))` of each point: the smallest of the certificates. 0 at γ = 0; exact
    /// for linear models.
    pub fn margin_loss(&self, gamma: f64) -> Array1<f64> {
        self.each(gamma, |point, gamma| self.loss_at(point, gamma))
    }

    /// A lower bound on `y f(x+δ)` over the set, of each point: `y f − B` less a reserve of
    /// `1e−12 (1 + |f| + B)` and the error of evaluating f, which is 2⁻⁵² of |b| and: for kernel expansions
    /// (Nyström, exact kernel, on points and on uncertain ones) `1e−14 (1 + max_j ‖z_j‖²/σ²) Σ_j |c_j|`; for random Fourier features that of
    /// the phases, of the order of `2⁻⁵² n ‖ω‖‖x‖` in each wave; for linear models `2⁻⁵² n Σ_k |w_kx_k|`. The point
    /// is certified iff it is positive.
    pub fn worst_margin(&self, gamma: f64) -> Array1<f64> {
        let mut worst = self.margin_loss(gamma);
        for (point, value) in worst.iter_mut().enumerate() {
            *value = self.margin_after(point, *value);
        }
        worst
    }

    /// Whether each point is certified at γ: no perturbation of its set makes it wrong.
    pub fn verdicts(&self, gamma: f64) -> Vec<bool> {
        (0..self.margins.len())
            .map(|point| self.is_certified(point, gamma))
            .collect()
    }

    /// The certified error at γ: the share of points that are not certified, in [0, 1], never below the
    /// robust error; NaN for no points. The certificates that cost more are computed only where the others
    /// leave the verdict open.
    pub fn error(&self, gamma: f64) -> f64 {
        let verdicts: Array1<f64> = self.verdicts(gamma).into_iter().map(f64::from).collect();
        error_rate(verdicts.view(), Array1::ones(verdicts.len()).view())
    }

    /// Whether `worst_margin` is positive at the point.
    pub(super) fn is_certified(&self, point: usize, gamma: f64) -> bool {
        let holds = |loss: f64| self.margin_after(point, loss) > 0.0;
        if !(gamma >= 0.0 && holds(0.0)) {
            return false;
        }
        let gamma = gamma * self.sets.size(point);
        holds(self.quick_at(point, gamma))
            || holds(self.local_at(point, gamma))
            || (!self.is_surely_wrong(point, gamma) && holds(self.quadratic_at(point, gamma)))
    }

    /// The smallest of the certificates.
    pub(super) fn loss_at(&self, point: usize, gamma: f64) -> f64 {
        self.quick_at(point, gamma)
            .min(self.local_at(point, gamma))
            .min(self.quadratic_at(point, gamma))
    }

    /// Whether the step down the gradient makes the point wrong by Taylor's theorem: then no certificate
    /// can hold.
    fn is_surely_wrong(&self, point: usize, gamma: f64) -> bool {
        let curvature = self.reaches[self.sets.shape_index(point)].curvature;
        let gained = gamma * self.gradient_norms[point] - 0.5 * gamma * gamma * curvature;
        self.margins[point] < gained
    }

    /// `y f − B` less the reserve, for `loss` = B.
    pub(super) fn margin_after(&self, point: usize, loss: f64) -> f64 {
        let margin = self.margins[point];
        margin - loss - ROUNDING * (1.0 + margin.abs() + loss) - self.evaluation_errors[point]
    }

    /// The smaller of the certificates that cost a few operations a point: second order and the norm
    /// certificate by the geodesic or projection bound. That by the arcs or landmark bound is never below
    /// the local certificate.
    fn quick_at(&self, point: usize, gamma: f64) -> f64 {
        let reach = &self.reaches[self.sets.shape_index(point)];
        self.second_order_at(point, gamma)
            .min(reach.norm.loss(gamma))
    }

    fn second_order_at(&self, point: usize, gamma: f64) -> f64 {
        let curvature = self.reaches[self.sets.shape_index(point)].curvature;
        second_order::loss(gamma, self.gradient_norms[point], curvature)
    }

    fn local_at(&self, point: usize, gamma: f64) -> f64 {
        let shape = self.sets.shape_index(point);
        let (positions, error) = self.positions_of(point);
        match &self.local {
            Local::Linear(_) => self.reaches[shape].norm.loss(gamma),
            Local::Arcs(arcs) => arcs.loss(shape, gamma, positions, error),
            Local::Landmarks(f) => f.loss(shape, gamma, self.labels[point], positions, error),
        }
    }

    /// No better than nothing, ∞, where the arithmetic fails.
    fn quadratic_at(&self, point: usize, gamma: f64) -> f64 {
        let Some(around) = self.around(point) else {
            return self.local_at(point, gamma);
        };
        if gamma == 0.0 {
            return 0.0;
        }
        let set = self.sets.shape(point);
        let cell = Cell::whole(set.norm(), gamma, self.inputs.ncols());
        let below = around.minorant(&cell);
        let (g, m) = (below.gradient.view(), below.curvature.view());
        quadratic::loss(set.norm(), gamma, g, m).map_or(f64::INFINITY, |loss| loss + below.slack)
    }

    /// The model around the point, in the coordinates of its set; `None` for linear models.
    pub(super) fn around(&self, point: usize) -> Option<Around> {
        let (set, y) = (self.sets.shape(point), self.labels[point]);
        let (positions, error) = self.positions_of(point);
        match &self.local {
            Local::Linear(_) => None,
            Local::Arcs(arcs) => Some(Around::Waves(arcs.around(set, y, positions, error))),
            Local::Landmarks(f) => {
                let shape = (self.sets.shape_index(point), set);
                let x = self.inputs.row(point);
                Some(Around::Kernels(f.around(shape, x, y, positions)))
            }
        }
    }

    fn positions_of(&self, point: usize) -> (ArrayView1<'_, f64>, f64) {
        let position = self.positions[point].get_or_init(|| {
            let x = self.inputs.row(point);
            self.local.position(x, self.labels[point])
        });
        (position.values.view(), position.error)
    }

    /// `loss` of each point and its γ_i; NaN unless γ ≥ 0.
    fn each(&self, gamma: f64, loss: impl Fn(usize, f64) -> f64) -> Array1<f64> {
        (0..self.margins.len())
            .map(|point| {
                if gamma >= 0.0 {
                    loss(point, gamma * self.sets.size(point))
                } else {
                    f64::NAN
                }
            })
            .collect()
    }
}
