//! Sine and cosine of the lanes of a vector at single precision.
//!
//! As in `sincos_lanes.rs`, with π/2 in four parts and the polynomials of Cephes (`sinf.c`, `cosf.c`, Moshier 1989).
//!
//! The error is below 2 units in the last place of the result, derived: the first two subtractions are exact, the last two
//! round r by half a unit each, which is at most a unit of sin r and less of cos r; the polynomials and the last
//! rounding are below one more. Over all numbers within the limit the largest found is 1.5.

use pulp::Simd;
use std::f32::consts::FRAC_2_PI;

/// Up to here k has at most 13 bits, so its products with the first three parts of π/2 are exact, with FMA or without.
/// What is beyond goes to the standard library.
pub(super) const LIMIT_F32: f32 = 8192.0;

/// π/2 in four parts: 11 bits three times, and the rest to 2^−63.
const FRAC_PI_2_PARTS: [f32; 4] = [1.5703125, 0.0004837513, 7.5495336e-8, 2.563344e-12];

/// `sin r ≈ r + r³ S(r²)`.
const SIN: [f32; 3] = [-0.166_666_55, 0.008_332_161, -0.000_195_152_96];

/// `cos r ≈ 1 − r²/2 + r⁴ C(r²)`.
const COS: [f32; 3] = [0.041_666_646, -0.001_388_731_6, 2.443_315_7e-5];

/// `1.5 · 2^23`: adding it rounds to an integer and leaves that integer in the low bits.
const ROUNDER: f32 = 12_582_912.0;

/// Sine and cosine of the lanes within the limit; of no meaning in the others.
#[inline(always)]
pub(super) fn near_lanes_f32<S: Simd>(simd: S, x: S::f32s) -> (S::f32s, S::f32s) {
    let rounder = simd.splat_f32s(ROUNDER);
    let shifted = simd.mul_add_e_f32s(simd.splat_f32s(FRAC_2_PI), x, rounder);
    let quadrant = simd.transmute_u32s_f32s(shifted);
    let k = simd.sub_f32s(shifted, rounder);
    let mut r = x;
    for part in FRAC_PI_2_PARTS {
        r = simd.negate_mul_add_e_f32s(k, simd.splat_f32s(part), r);
    }
    let square = simd.mul_f32s(r, r);
    let sin = sin_near_zero(simd, r, square);
    let cos = cos_near_zero(simd, square);
    let one = simd.splat_u32s(1);
    let even = simd.equal_u32s(simd.and_u32s(quadrant, one), simd.splat_u32s(0));
    // The sine changes sign in the quadrants 2 and 3, the cosine in 1 and 2.
    let sin_sign = sign_where_two(simd, quadrant);
    let cos_sign = sign_where_two(simd, simd.add_u32s(quadrant, one));
    (
        simd.xor_f32s(simd.select_f32s(even, sin, cos), sin_sign),
        simd.xor_f32s(simd.select_f32s(even, cos, sin), cos_sign),
    )
}

/// The sign bit where the bit of value 2 is set.
#[inline(always)]
fn sign_where_two<S: Simd>(simd: S, bits: S::u32s) -> S::f32s {
    let two = simd.splat_u32s(2);
    let set = simd.equal_u32s(simd.and_u32s(bits, two), two);
    simd.select_f32s(set, simd.splat_f32s(-0.0), simd.splat_f32s(0.0))
}

/// `sin r` for |r| ≤ π/4, with the sign of r at ±0, from r and r².
#[inline(always)]
fn sin_near_zero<S: Simd>(simd: S, r: S::f32s, square: S::f32s) -> S::f32s {
    let sin = simd.mul_add_e_f32s(simd.mul_f32s(r, square), horner(simd, square, SIN), r);
    simd.or_f32s(sin, simd.and_f32s(r, simd.splat_f32s(-0.0)))
}

/// `cos r` for |r| ≤ π/4, from r².
#[inline(always)]
fn cos_near_zero<S: Simd>(simd: S, square: S::f32s) -> S::f32s {
    let tail = horner(simd, square, COS);
    let slope = simd.mul_add_e_f32s(tail, square, simd.splat_f32s(-0.5));
    simd.mul_add_e_f32s(slope, square, simd.splat_f32s(1.0))
}

/// `c_0 + c_1 x + c_2 x²`.
#[inline(always)]
fn horner<S: Simd>(simd: S, x: S::f32s, [constant, slope, curve]: [f32; 3]) -> S::f32s {
    let line = simd.mul_add_e_f32s(simd.splat_f32s(curve), x, simd.splat_f32s(slope));
    simd.mul_add_e_f32s(line, x, simd.splat_f32s(constant))
}
