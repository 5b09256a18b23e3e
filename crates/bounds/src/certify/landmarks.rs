//! The certificate by landmarks (derived) for `f = Σ_j β_j k(·, z_j) + b`: Nyström models at their
//! landmarks, exact-kernel models at their support points.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Zip};
use robust_svm_core::kernel::{GaussianKernel, distance, squared_distances};
use robust_svm_core::uncertainty::{Norm, UncertaintySet};

use super::local::Positions;
use crate::kernel_change::{fall, rise, slope};

/// Squared distances below this share of `‖x‖² + ‖z‖²` are computed by differences.
const NEAR: f64 = 0.1;

/// The kernel functions of one model: with `d_j = ‖x − z_j‖`, `c_j = y β_j` and `ρ = γ ‖Σ^{1/2}‖_{p→2}`,
/// `B = Σ_{c_j>0} c_j (κ(d_j) − κ(d_j+ρ)) + Σ_{c_j<0} |c_j| (κ((d_j−ρ)_+) − κ(d_j))`.
///
/// *Proof.* `y f` falls when the point moves away from centres with c > 0 and towards those with c < 0;
/// distances change by at most ρ and κ falls with distance. Each term grows with ρ, so B with γ. ∎
///
/// Never above `Γ‖β‖` with Γ of the `landmark` bound, by Cauchy–Schwarz; `‖β‖ = ‖Λ^{−1/2}ζ‖` for Nyström.
#[derive(Debug, Clone)]
pub(super) struct Landmarks {
    kernel: GaussianKernel,
    /// z (m × n).
    centres: Array2<f64>,
    /// β (m).
    coefficients: Array1<f64>,
    /// ρ at γ = 1.
    longest: f64,
}

impl Landmarks {
    pub(super) fn new(
        kernel: GaussianKernel,
        centres: Array2<f64>,
        coefficients: Array1<f64>,
        set: &UncertaintySet,
    ) -> Self {
        Self {
            kernel,
            longest: set.longest(centres.ncols()),
            centres,
            coefficients,
        }
    }

    /// `d_j` at each row of `x` (p × m), and a bound on their rounding. Squared distances by products are
    /// exact to `(2n+4) 2^{−53} (‖x‖² + ‖z‖²)`; where d² is below a tenth of that sum of
    /// squares, differences are used, so that d is exact to `10 (n+2) 2^{−53} d` everywhere, near 0 too.
    pub(super) fn positions(&self, x: ArrayView2<'_, f64>) -> Positions {
        let squared_norms = |rows: ArrayView2<'_, f64>| rows.map_axis(Axis(1), |row| row.dot(&row));
        let (of_points, of_centres) = (squared_norms(x), squared_norms(self.centres.view()));
        let mut values = squared_distances(x, self.centres.view());
        for ((mut row, point), norm) in values.outer_iter_mut().zip(x.outer_iter()).zip(&of_points)
        {
            for ((d, z), z_norm) in row
                .iter_mut()
                .zip(self.centres.outer_iter())
                .zip(&of_centres)
            {
                *d = if *d < NEAR * (norm + z_norm) {
                    distance(point, z)
                } else {
                    d.sqrt()
                };
            }
        }
        let relative = 10.0 * (x.ncols() as f64 + 2.0) * f64::EPSILON;
        let errors = values.map_axis(Axis(1), |row| relative * Norm::Infinity.of(row));
        Positions { values, errors }
    }

    /// `B` for sets of size γ ≥ 0 at a point with label `y` and distances `d`, each known to ± `error`. That
    /// times the steepest change of a term with d is added, so that rounding of d keeps B an upper bound.
    pub(super) fn loss(&self, gamma: f64, y: f64, d: ArrayView1<'_, f64>, error: f64) -> f64 {
        let rho = gamma * self.longest;
        let slack = slope(self.kernel, rho) * error;
        Zip::from(&self.coefficients)
            .and(d)
            .fold(0.0, |sum, coefficient, &d| {
                let change = if y * coefficient > 0.0 {
                    fall(self.kernel, d, rho)
                } else {
                    rise(self.kernel, d, rho)
                };
                sum + coefficient.abs() * (change + slack)
            })
    }

    /// `Γ ‖β‖`, Γ the `landmark` bound at a point with distances `d`.
    pub(super) fn norm_loss(&self, gamma: f64, d: ArrayView1<'_, f64>, error: f64) -> f64 {
        let rho = gamma * self.longest;
        let slack = slope(self.kernel, rho) * error;
        let square: f64 = d
            .iter()
            .map(|&d| (rise(self.kernel, d, rho).max(fall(self.kernel, d, rho)) + slack).powi(2))
            .sum();
        Norm::Two.of(self.coefficients.view()) * square.sqrt()
    }
}
