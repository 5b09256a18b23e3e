//! The rows of Φ, as coordinate descent reads them.

use crate::linear_system::LinearSystem;
use pulp::{Simd, WithSimd};
use robust_svm_core::vector_math::dispatch_narrow;

/// Rows φ_i of D values, dense or sparse. The instructions of `simd` are for those that can use them.
pub(super) trait Rows {
    /// L.
    fn len(&self) -> usize;
    /// D.
    fn dim(&self) -> usize;
    /// How many values row `i` stores.
    fn entries(&self, i: usize) -> usize;
    /// `⟨φ_i, x⟩`.
    fn dot<S: Simd>(&self, simd: S, i: usize, x: &[f64]) -> f64;
    /// `x += factor φ_i`.
    fn add<S: Simd>(&self, simd: S, factor: f64, i: usize, x: &mut [f64]);
    /// `‖φ_i‖²`.
    fn square(&self, i: usize) -> f64;
    /// `H ← Σ φ_iφ_iᵀ` over the `chosen` rows in the lower half of the system's matrix, each with one more feature, 1, if
    /// `with_one`.
    fn assign_gram(&self, chosen: &[u32], with_one: bool, system: &mut LinearSystem);
    /// What a row adds to the cost of [`Rows::assign_gram`], in units of one stored value, on average.
    fn gram_cost(&self) -> f64;
}

/// `out_i = ⟨φ_i, x⟩` (L).
pub(super) fn scores<R: Rows>(rows: &R, x: &[f64], out: &mut [f64]) {
    dispatch_narrow(Scores { rows, x, out });
}

/// `out = Σ r_iφ_i` (D); rows of `r_i = 0` are not read.
pub(super) fn weighted_sum<R: Rows>(rows: &R, r: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    dispatch_narrow(WeightedSum { rows, r, out });
}

struct Scores<'a, R> {
    rows: &'a R,
    x: &'a [f64],
    out: &'a mut [f64],
}

impl<R: Rows> WithSimd for Scores<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (i, out) in self.out.iter_mut().enumerate() {
            *out = self.rows.dot(simd, i, self.x);
        }
    }
}

struct WeightedSum<'a, R> {
    rows: &'a R,
    r: &'a [f64],
    out: &'a mut [f64],
}

impl<R: Rows> WithSimd for WeightedSum<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (i, &r) in self.r.iter().enumerate() {
            if r != 0.0 {
                self.rows.add(simd, r, i, self.out);
            }
        }
    }
}
