//! Products with structured orthogonal matrices, by the fast Walsh–Hadamard transform.

use super::real::Real;
use pulp::{Arch, Simd, WithSimd};

/// The first `out.len()` entries of `scale · F S₁ F S₂ F S₃ v`, v being `x` with zeros behind it, S_k diagonal with the entries
/// `signs[k−1]`, and F the Hadamard matrix `F_ij = (−1)^{number of bits set in both i and j}`. `memory` and each row of signs are as
/// long as F is wide, a power of two.
///
/// # Panics
/// If a row of `signs` or `memory` has another length, `x` or `out` is longer, or that length is no power of two.
pub(crate) fn hadamard_product<T: Real>(
    x: &[T],
    signs: [&[T]; 3],
    scale: T,
    memory: &mut [T],
    out: &mut [T],
) {
    let width = memory.len();
    assert!(width.is_power_of_two(), "a power of two");
    assert!(signs.iter().all(|row| row.len() == width), "a sign each");
    assert!(x.len() <= width && out.len() <= width, "no wider");
    Arch::new().dispatch(Product {
        x,
        signs,
        scale,
        memory,
        out,
    });
}

struct Product<'a, T> {
    x: &'a [T],
    signs: [&'a [T]; 3],
    scale: T,
    memory: &'a mut [T],
    out: &'a mut [T],
}

impl<T: Real> WithSimd for Product<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let v = self.memory;
        let (inputs, rest) = v.split_at_mut(self.x.len());
        for ((v, &x), &sign) in inputs.iter_mut().zip(self.x).zip(self.signs[2]) {
            *v = x * sign;
        }
        rest.fill(T::zero());
        transform(v);
        for signs in [self.signs[1], self.signs[0]] {
            for (v, &sign) in v.iter_mut().zip(signs) {
                *v *= sign;
            }
            transform(v);
        }
        for (out, &v) in self.out.iter_mut().zip(&*v) {
            *out = v * self.scale;
        }
    }
}

/// `F v` in the place of v, two steps of the recursion at a time.
#[inline(always)]
fn transform<T: Real>(v: &mut [T]) {
    let mut half = 1;
    if v.len() >= 4 {
        for four in v.chunks_exact_mut(4) {
            let (sum, difference) = (four[0] + four[1], four[0] - four[1]);
            let (other_sum, other_difference) = (four[2] + four[3], four[2] - four[3]);
            four[0] = sum + other_sum;
            four[1] = difference + other_difference;
            four[2] = sum - other_sum;
            four[3] = difference - other_difference;
        }
        half = 4;
    }
    while 4 * half <= v.len() {
        for block in v.chunks_exact_mut(4 * half) {
            let (low, high) = block.split_at_mut(2 * half);
            let (a, b) = low.split_at_mut(half);
            let (c, d) = high.split_at_mut(half);
            for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
                let (sum, difference) = (*a + *b, *a - *b);
                let (other_sum, other_difference) = (*c + *d, *c - *d);
                *a = sum + other_sum;
                *b = difference + other_difference;
                *c = sum - other_sum;
                *d = difference - other_difference;
            }
        }
        half *= 4;
    }
    while 2 * half <= v.len() {
        for block in v.chunks_exact_mut(2 * half) {
            let (a, b) = block.split_at_mut(half);
            for (a, b) in a.iter_mut().zip(b) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::hadamard_product;
    use proptest::prelude::*;

    /// `F v` by the definition.
    fn by_definition(v: &[f64]) -> Vec<f64> {
        let entry = |i: usize, j: usize| {
            if (i & j).count_ones().is_multiple_of(2) {
                1.0
            } else {
                -1.0
            }
        };
        let sum = |i| v.iter().enumerate().map(|(j, v)| entry(i, j) * v).sum();
        (0..v.len()).map(sum).collect()
    }

    proptest! {
        #[test]
        fn is_the_product_of_the_definition(
            log in 0..9_u32,
            inputs in prop::collection::vec(-1.0..1.0_f64, 256),
            turned in prop::collection::vec(any::<bool>(), 3 * 256),
            (shown, given) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        ) {
            let width = 2_usize.pow(log);
            let (shown, given) = (shown.index(width) + 1, given.index(width) + 1);
            let signs: Vec<f64> = turned.iter().map(|t| if *t { -1.0 } else { 1.0 }).collect();
            let rows = [0, 1, 2].map(|k| &signs[256 * k..256 * k + width]);
            let mut expected = vec![0.0; width];
            expected[..given].copy_from_slice(&inputs[..given]);
            for signs in rows.iter().rev() {
                let turned: Vec<f64> = expected.iter().zip(*signs).map(|(v, s)| v * s).collect();
                expected = by_definition(&turned);
            }
            let (mut out, mut memory) = (vec![f64::NAN; shown], vec![f64::NAN; width]);
            hadamard_product(&inputs[..given], rows, 0.25, &mut memory, &mut out);
            let length = (width as f64).powi(3).sqrt();
            for (out, expected) in out.iter().zip(&expected) {
                prop_assert!((out - 0.25 * expected).abs() <= 1e-14 * length);
            }
        }
    }
}
