//! From phases to random Fourier features, in the memory of the features.

use super::real::Real;
use super::sincos::sincos_chunk;
use pulp::{Arch, Simd, WithSimd};

/// Phases whose sines and cosines are held at a time.
const CHUNK: usize = 128;

/// Rows of `width` features `amplitude · (cos θ_1, sin θ_1, cos θ_2, …)`, in the place of rows that end with the phases θ
/// (radians, width/2 of them) and begin with anything.
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

/// Rows of features `amplitude · cos(θ_j + ν_j)`, in the place of rows of θ (radians), ν = `offsets`.
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
        let pairs = self.width / 2;
        let (mut sin, mut cos) = ([T::zero(); CHUNK], [T::zero(); CHUNK]);
        for row in self.rows.chunks_exact_mut(self.width) {
            for first in (0..pairs).step_by(CHUNK) {
                let count = CHUNK.min(pairs - first);
                let (sin, cos) = (&mut sin[..count], &mut cos[..count]);
                sincos_chunk(simd, &row[pairs + first..][..count], sin, cos);
                // Features end at 2(first + count) ≤ pairs + first + count, where the phases to come begin.
                let features = row[2 * first..][..2 * count].chunks_exact_mut(2);
                for ((pair, &sin), &cos) in features.zip(&*sin).zip(&*cos) {
                    pair[0] = self.amplitude * cos;
                    pair[1] = self.amplitude * sin;
                }
            }
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
        let (mut sin, mut cos) = ([T::zero(); CHUNK], [T::zero(); CHUNK]);
        for row in self.rows.chunks_exact_mut(self.offsets.len()) {
            let offsets = self.offsets.chunks(CHUNK);
            for (angles, offsets) in row.chunks_mut(CHUNK).zip(offsets) {
                for (angle, &offset) in angles.iter_mut().zip(offsets) {
                    *angle = *angle + offset;
                }
                let count = angles.len();
                sincos_chunk(simd, angles, &mut sin[..count], &mut cos[..count]);
                for (feature, &cos) in angles.iter_mut().zip(&cos) {
                    *feature = self.amplitude * cos;
                }
            }
        }
    }
}
