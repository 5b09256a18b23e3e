//! The exponential function.
//!
//! `x = k ln 2 + r`, |r| ≤ ln 2 / 2, by Cody & Waite's subtraction in two parts (*Software Manual for the Elementary
//! Functions*, 1980, ch. 6), then `e^r = 1 + r + r² Q(r)` and two products with powers of two that together are 2^k, so
//! that only the last rounds: results below the normal numbers lose digits gradually, as they must.
//!
//! The error of a normal result is below 1.2 units in the last place, derived: e^r ≥ 0.7 has units of 2^−53 or
//! more, so the roundings of r and of `r + r² Q(r)`, 2^−55 at most each, take a quarter of one each, the last
//! addition half of one, and the polynomial, right to 1.7e−17 of e^r, and its rounding less than 0.2.

use super::lanes::{polynomial, round_scaled};
use pulp::{Arch, Simd, WithSimd};
use std::f64::consts::LOG2_E;

/// The exponential of what is beyond is as that of the limit: 0 below −746, ∞ above 710.
const LIMITS: [f64; 2] = [-746.0, 710.0];

/// ln 2 in two parts: 42 bits, whose products with k are exact, and the rest to 2^−99.
const LN_2_PARTS: [f64; 2] = [0.693_147_180_559_890_3, 5.497_923_018_708_371e-14];

/// Q, which agrees with `(e^r − 1 − r)/r²` at the 10 Chebyshev nodes of |r| ≤ ln 2 / 2; coefficients in pairs.
const Q: [[f64; 2]; 5] = [
    [0.500_000_000_000_000_1, 0.166_666_666_666_666_69],
    [0.041_666_666_666_624_164, 0.008_333_333_333_330_065],
    [0.001_388_888_891_719_673_6, 0.000_198_412_698_630_405_59],
    [2.480_152_132_234_228e-5, 2.755_726_848_028_971_6e-6],
    [2.762_007_589_254_816_4e-7, 2.510_037_584_222_37e-8],
];

/// Replaces each value by its exponential, with an error below 1.2 units in the last place: ∞ above the largest
/// finite number, 0 below half the smallest subnormal one, NaN for NaN.
pub fn exp_in_place(values: &mut [f64]) {
    Arch::new().dispatch(Exp { values });
}

struct Exp<'a> {
    values: &'a mut [f64],
}

impl WithSimd for Exp<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (vectors, last) = S::as_mut_simd_f64s(self.values);
        for value in vectors {
            *value = exp_lanes(simd, *value);
        }
        if !last.is_empty() {
            let exp = exp_lanes(simd, simd.partial_load_f64s(last));
            simd.partial_store_f64s(last, exp);
        }
    }
}

/// The exponential of each lane.
#[inline(always)]
pub(super) fn exp_lanes<S: Simd>(simd: S, x: S::f64s) -> S::f64s {
    // Not `min` and `max`: what they make of NaN differs between machines. Here it stays NaN.
    let [low, high] = LIMITS.map(|limit| simd.splat_f64s(limit));
    let within = simd.select_f64s(simd.less_than_f64s(x, low), low, x);
    let within = simd.select_f64s(simd.greater_than_f64s(x, high), high, within);
    let (k, k_bits) = round_scaled(simd, LOG2_E, within);
    let mut r = within;
    for part in LN_2_PARTS {
        r = simd.negate_mul_add_e_f64s(k, simd.splat_f64s(part), r);
    }
    let square = simd.mul_f64s(r, r);
    let tail = polynomial(simd, r, square, Q);
    let exp_m1 = simd.mul_add_e_f64s(square, tail, r);
    let exp_r = simd.add_f64s(simd.splat_f64s(1.0), exp_m1);
    let (_, half_bits) = round_scaled(simd, 0.5, k);
    let exp = simd.mul_f64s(exp_r, power_of_two(simd, half_bits));
    let rest_bits = simd.sub_u64s(k_bits, half_bits);
    simd.mul_f64s(exp, power_of_two(simd, rest_bits))
}

/// `2^k` for the integer −1022 ≤ k ≤ 1023 in the low 12 bits.
#[inline(always)]
fn power_of_two<S: Simd>(simd: S, k: S::u64s) -> S::f64s {
    let exponent = simd.mul_u64s(k, simd.splat_u64s(1 << 52));
    let one = simd.splat_u64s(1.0_f64.to_bits());
    simd.transmute_f64s_u64s(simd.add_u64s(exponent, one))
}

#[cfg(test)]
mod tests {
    use super::super::on_each::on_each;
    use super::{Exp, exp_in_place};
    use proptest::prelude::*;
    use pulp::Arch;

    /// Exponentials on each kind of vectors.
    fn exp_on_each(values: &[f64]) -> Vec<Vec<f64>> {
        let run = |arch: Arch| {
            let mut exps = values.to_vec();
            arch.dispatch(Exp { values: &mut exps });
            exps
        };
        on_each(run, |exps| bits(exps))
    }

    fn bits(values: &[f64]) -> Vec<u64> {
        values.iter().map(|v| v.to_bits()).collect()
    }

    /// Within one unit in the last place, subnormal results and the way to ∞ included.
    fn assert_near_std(values: &[f64]) {
        for exps in exp_on_each(values) {
            for (x, exp) in values.iter().zip(exps) {
                let (bits, std) = (exp.to_bits(), x.exp().to_bits());
                assert!(bits.abs_diff(std) <= 1, "exp {x:e}: {exp:e}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn agrees_with_std(
            small in prop::collection::vec(-2.0..2.0_f64, 37),
            kernel in prop::collection::vec(-60.0..0.0_f64, 37),
            all in prop::collection::vec(-760.0..720.0_f64, 37),
            gradual in prop::collection::vec(-746.0..-708.0_f64, 37),
        ) {
            for values in [small, kernel, all, gradual] {
                assert_near_std(&values);
            }
        }

        #[test]
        fn agrees_with_std_at_any_magnitude(
            values in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL, 37),
        ) {
            assert_near_std(&values);
        }

        /// Where the power of two changes.
        #[test]
        fn agrees_with_std_at_half_powers_of_two(halves in prop::collection::vec(-2150..2048_i32, 37)) {
            let values: Vec<f64> = halves
                .iter()
                .flat_map(|&k| {
                    let x = f64::from(k) * std::f64::consts::LN_2 / 2.0;
                    [x, x.next_up(), x.next_down()]
                })
                .collect();
            assert_near_std(&values);
        }

        /// The same bits for a value wherever it is and whatever is beside it.
        #[test]
        fn does_not_depend_on_the_place(
            x in prop_oneof![-750.0..710.0_f64, prop::num::f64::ANY],
            others in prop::collection::vec(prop::num::f64::ANY, 0..40),
            place in any::<prop::sample::Index>(),
        ) {
            let place = place.index(others.len() + 1);
            let mut values = others;
            values.insert(place, x);
            for (exps, alone) in exp_on_each(&values).into_iter().zip(exp_on_each(&[x])) {
                prop_assert_eq!(bits(&exps[place..=place]), bits(&alone));
            }
        }
    }

    /// Correctly rounded from 60 digits.
    #[test]
    fn values_known_to_many_digits() {
        let values = [1.0, -1.0, -0.5, -20.0, -700.0, 709.0];
        let expected = [
            std::f64::consts::E,
            0.367_879_441_171_442_33,
            0.606_530_659_712_633_4,
            2.061_153_622_438_558e-9,
            9.859_676_543_759_77e-305,
            8.218_407_461_554_972e307,
        ];
        for exps in exp_on_each(&values) {
            for (exp, expected) in exps.iter().zip(&expected) {
                assert!(exp.to_bits().abs_diff(f64::to_bits(*expected)) <= 1);
            }
        }
    }

    #[test]
    fn ends_of_the_range() {
        let values = [
            f64::NEG_INFINITY,
            f64::MIN,
            -746.0,
            -745.2,
            0.0,
            -0.0,
            5e-324,
            -5e-324,
            709.79,
            1e300,
            f64::INFINITY,
        ];
        let (one, infinity) = (1.0, f64::INFINITY);
        let expected = [
            0.0, 0.0, 0.0, 0.0, one, one, one, one, infinity, infinity, infinity,
        ];
        for exps in exp_on_each(&values) {
            assert_eq!(bits(&exps), bits(&expected));
        }
        for exps in exp_on_each(&[f64::NAN, -f64::NAN, 1.0]) {
            assert!(exps[0].is_nan() && exps[1].is_nan() && !exps[2].is_nan());
        }
    }

    #[test]
    fn small_results_lose_their_digits_gradually() {
        // e^−744.5 is 0.94 of the smallest subnormal number; e^−710 has 50 bits left.
        for exps in exp_on_each(&[-744.5, -710.0]) {
            assert_eq!(exps[0], 5e-324);
            assert!((exps[1] / 4.476_286_225_675_13e-309 - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn nothing_has_no_exponentials() {
        exp_in_place(&mut []);
    }
}
