//! The products of B with an iterate, which its residuals and its certificate share.

use super::data::ConicData;
use super::variables::Variables;

/// Products of B at an iterate.
pub(super) struct Products {
    /// `Bx` (L).
    pub(super) margins: Vec<f64>,
    /// `Bᵀα` (width).
    pub(super) weighted: Vec<f64>,
}

impl Products {
    pub(super) fn zeros(data: &ConicData<'_>) -> Self {
        Self {
            margins: vec![0.0; data.rows],
            weighted: vec![0.0; data.width],
        }
    }

    pub(super) fn update(&mut self, data: &ConicData<'_>, v: &Variables) {
        self.weighted.fill(0.0);
        let products = (&v.x[..], &mut self.margins[..]);
        let sums = (&v.alpha[..], &mut self.weighted[..]);
        data.b.mul_both(products, sums, data.workers);
    }
}
