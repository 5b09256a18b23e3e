//! What the functions are made of: rounding to integers and polynomials.

use pulp::Simd;

/// `1.5 · 2^52`: numbers of this size have units in the last place of 1, so adding it rounds to an integer
/// and leaves that integer in the low bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// The integer nearest `scale · x`, for `|scale · x| < 2^51`: as a number, and as bits of which the low 51 are
/// the integer's in two's complement.
#[inline(always)]
pub(super) fn round_scaled<S: Simd>(simd: S, scale: f64, x: S::f64s) -> (S::f64s, S::u64s) {
    let rounder = simd.splat_f64s(ROUNDER);
    let shifted = simd.mul_add_e_f64s(simd.splat_f64s(scale), x, rounder);
    let bits = simd.transmute_u64s_f64s(shifted);
    (simd.sub_f64s(shifted, rounder), bits)
}

/// `Σ_i (c_i0 + c_i1 x) x^{2i}` for the pairs of coefficients c_i, from x and `square` = x²: Horner's rule in x²,
/// whose chain of dependent operations is half as long as that in x.
#[inline(always)]
pub(super) fn polynomial<S: Simd, const N: usize>(
    simd: S,
    x: S::f64s,
    square: S::f64s,
    pairs: [[f64; 2]; N],
) -> S::f64s {
    let line = |[constant, slope]: [f64; 2]| {
        simd.mul_add_e_f64s(simd.splat_f64s(slope), x, simd.splat_f64s(constant))
    };
    let mut sum = line(pairs[N - 1]);
    for &pair in pairs[..N - 1].iter().rev() {
        sum = simd.mul_add_e_f64s(sum, square, line(pair));
    }
    sum
}
