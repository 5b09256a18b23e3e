//! Sine and cosine of the lanes of a vector.
//!
//! `x = kπ/2 + r`, |r| ≤ π/4, by Cody & Waite's subtraction in three parts (*Software Manual for the Elementary
//! Functions*, 1980, ch. 8), then the minimax polynomials of fdlibm (`k_sin.c`, `k_cos.c`) in r, exchanged and
//! signed by k mod 4.
//!
//! The absolute error is below 2.2e−16, derived: r is rounded twice, by 2^−54 at most each time, which moves sin r as
//! much and cos r by 0.71 of it; the polynomials are right to 3e−18; rounding them adds less than 1e−16 to sin r
//! and, with the products of Horner's rule rounded by themselves, 1.4e−16 to cos r.

use super::lanes::{polynomial, round_scaled};
use pulp::Simd;
use std::f64::consts::FRAC_2_PI;

/// Up to here k has at most 20 bits, so its products with the first two parts of π/2 are exact, with FMA or
/// without. What is beyond goes to the standard library.
pub(super) const LIMIT: f64 = 1e6;

/// π/2 in three parts: 33 bits, the next 33, and the rest to 2^−123.
const FRAC_PI_2_PARTS: [f64; 3] = [
    1.570_796_326_734_125_6,
    6.077_100_506_303_966e-11,
    2.022_266_248_795_950_6e-21,
];

/// `sin r ≈ r + r³ S(r²)`, coefficients of S in pairs.
const SIN: [[f64; 2]; 3] = [
    [-0.166_666_666_666_666_32, 0.008_333_333_333_322_49],
    [-0.000_198_412_698_298_579_5, 2.755_731_370_707_006_8e-6],
    [-2.505_076_025_340_686_3e-8, 1.589_690_995_211_55e-10],
];

/// `cos r ≈ 1 − r²/2 + r⁴ C(r²)`, coefficients of C in pairs.
const COS: [[f64; 2]; 3] = [
    [0.041_666_666_666_666_6, -0.001_388_888_888_887_411],
    [2.480_158_728_947_673e-5, -2.755_731_435_139_066_3e-7],
    [2.087_572_321_298_175e-9, -1.135_964_755_778_819_5e-11],
];

/// Sine and cosine of the lanes within the limit; of no meaning in the others.
#[inline(always)]
pub(super) fn near_lanes<S: Simd>(simd: S, x: S::f64s) -> (S::f64s, S::f64s) {
    let (k, quadrant) = round_scaled(simd, FRAC_2_PI, x);
    let mut r = x;
    for part in FRAC_PI_2_PARTS {
        r = simd.negate_mul_add_e_f64s(k, simd.splat_f64s(part), r);
    }
    let square = simd.mul_f64s(r, r);
    let fourth = simd.mul_f64s(square, square);
    let sin = sin_near_zero(simd, r, square, fourth);
    let cos = cos_near_zero(simd, square, fourth);
    let one = simd.splat_u64s(1);
    let even = simd.equal_u64s(simd.and_u64s(quadrant, one), simd.splat_u64s(0));
    // The sine changes sign in the quadrants 2 and 3, the cosine in 1 and 2.
    let sin_sign = sign_where_two(simd, quadrant);
    let cos_sign = sign_where_two(simd, simd.add_u64s(quadrant, one));
    (
        simd.xor_f64s(simd.select_f64s(even, sin, cos), sin_sign),
        simd.xor_f64s(simd.select_f64s(even, cos, sin), cos_sign),
    )
}

/// The sign bit where the bit of value 2 is set.
#[inline(always)]
fn sign_where_two<S: Simd>(simd: S, bits: S::u64s) -> S::f64s {
    let two = simd.splat_u64s(2);
    let set = simd.equal_u64s(simd.and_u64s(bits, two), two);
    simd.select_f64s(set, simd.splat_f64s(-0.0), simd.splat_f64s(0.0))
}

/// `sin r` for |r| ≤ π/4, with the sign of r at ±0, from r, r² and r⁴.
#[inline(always)]
fn sin_near_zero<S: Simd>(simd: S, r: S::f64s, square: S::f64s, fourth: S::f64s) -> S::f64s {
    let tail = polynomial(simd, square, fourth, SIN);
    let sin = simd.mul_add_e_f64s(simd.mul_f64s(r, square), tail, r);
    simd.or_f64s(sin, simd.and_f64s(r, simd.splat_f64s(-0.0)))
}

/// `cos r` for |r| ≤ π/4, from r² and r⁴.
#[inline(always)]
fn cos_near_zero<S: Simd>(simd: S, square: S::f64s, fourth: S::f64s) -> S::f64s {
    let tail = polynomial(simd, square, fourth, COS);
    let slope = simd.mul_add_e_f64s(tail, square, simd.splat_f64s(-0.5));
    simd.mul_add_e_f64s(slope, square, simd.splat_f64s(1.0))
}
