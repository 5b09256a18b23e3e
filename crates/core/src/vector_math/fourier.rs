//! From phases to random Fourier features, in the memory of the features.

use super::real::Real;
use pulp::{Arch, Simd, WithSimd};

/// Rows of `width` features `amplitude · (cos θ_1, sin θ_1, cos θ_2, …)`, in the place of rows that end with the phases θ
/// (width/2 of them, [`Vectors::PER_RADIAN`](super::real::Vectors::PER_RADIAN) a radian) and begin with anything.
///
/// # Panics
/// If `width` is odd or 0, or `rows` is not whole rows.
pub(crate) fn paired_features<T: Real>(rows: &mut [T], width: usize, amplitude: T) {
    assert!(width > 0 && width.is_multiple_of(2), "features in pairs");
    assert!(rows.len().is_multiple_of(width), "whole rows");
    Arch::new().dispatch(Paired {
        rows,
        width,
        amplitude,
    });
}

/// Rows of features `amplitude · cos(θ_j + ν_j)`, in the place of rows of θ, ν = `offsets`, in that unit too.
///
/// # Panics
/// If there is no offset, or `rows` is not whole rows of as many numbers as there are offsets.
pub(crate) fn phased_features<T: Real>(rows: &mut [T], offsets: &[T], amplitude: T) {
    assert!(!offsets.is_empty(), "at least one feature");
    assert!(rows.len().is_multiple_of(offsets.len()), "whole rows");
    Arch::new().dispatch(Phased {
        rows,
        offsets,
        amplitude,
    });
}

struct Paired<'a, T> {
    rows: &'a mut [T],
    width: usize,
    amplitude: T,
}

impl<T: Real> WithSimd for Paired<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for row in self.rows.chunks_exact_mut(self.width) {
            T::paired_row(simd, row, self.amplitude);
        }
    }
}

struct Phased<'a, T> {
    rows: &'a mut [T],
    offsets: &'a [T],
    amplitude: T,
}

impl<T: Real> WithSimd for Phased<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for row in self.rows.chunks_exact_mut(self.offsets.len()) {
            T::phased_row(simd, row, self.offsets, self.amplitude);
        }
    }
}
