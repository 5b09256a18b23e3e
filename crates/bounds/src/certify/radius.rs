//! Certified radii: the largest set that each point is certified for.

use ndarray::Array1;
use robust_svm_core::CoreError;

use super::PointCertificates;
use crate::BoundError;

impl PointCertificates {
    /// Certified radii are sought up to this size: 2²⁰, in units of the scaled inputs.
    pub const LARGEST_RADIUS: f64 = 1_048_576.0;

    /// The largest γ that each point is certified for, found from below to within `tolerance` > 0: no
    /// perturbation of the set of that size makes the point wrong. 0 for points that are wrong or not
    /// certified at γ = 0; [`Self::LARGEST_RADIUS`] for points certified there (a constant model has no
    /// limit).
    ///
    /// By doubling from γ = 1, then bisection. Every certificate grows with γ, and so do their minimum and
    /// the reserve for rounding, so the sizes that are certified are an interval from 0. The result does not
    /// rest on that: it is a size that was certified itself, and smaller sets are subsets of it.
    ///
    /// # Errors
    /// [`BoundError::Core`] if `tolerance` is not positive and finite.
    pub fn certified_radius(&self, tolerance: f64) -> Result<Array1<f64>, BoundError> {
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            let error = CoreError::parameter("tolerance", "positive and finite", tolerance);
            return Err(error.into());
        }
        Ok((0..self.margins.len())
            .map(|point| self.radius_of(point, tolerance))
            .collect())
    }

    fn radius_of(&self, point: usize, tolerance: f64) -> f64 {
        if !self.is_certified(point, 0.0) {
            return 0.0;
        }
        let (mut certified, mut not) = (0.0, 1.0);
        while self.is_certified(point, not) {
            if not >= Self::LARGEST_RADIUS {
                return not;
            }
            certified = not;
            not *= 2.0;
        }
        while not - certified > tolerance {
            let middle = 0.5 * (certified + not);
            if middle <= certified || middle >= not {
                break; // neighbouring floating-point numbers
            }
            if self.is_certified(point, middle) {
                certified = middle;
            } else {
                not = middle;
            }
        }
        certified
    }
}
