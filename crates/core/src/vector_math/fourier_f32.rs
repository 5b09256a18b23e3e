//! Random Fourier features at single precision, from angles in half turns.
//!
//! `p = k + r` with k whole and |r| ≤ ½ without a rounding, and `sin πp = (−1)^k sin πr`, `cos πp = (−1)^k cos πr` by polynomials of the
//! least largest error on [−½, ½] [Remez], their coefficients times the amplitude.
//!
//! The absolute error of a sine or cosine is below 2.9e−7 for an amplitude of 1, derived with u = 6e−8, half a unit in the last place of
//! numbers from 1 to 2: the polynomials are right to 4e−9. Of the sine, r ≤ ½ times a sum of at most π: the rounding of that sum is 2u, of its
//! first coefficient 2u, and what r² ≤ ¼ carries along of the second coefficient and of the sum behind it 2u, so 3u together; the rounding of
//! r² is ½u, and the product ½u. Of the cosine, r² ≤ ¼ times a sum of at most 5: 4u of the sum, 4u of its first coefficient, 2u of what is behind, so
//! 2½u together; ½u of r² and 1u of the last sum. Without FMA products are rounded too, ½u more. Measured are 2.0e−7 at most. Where
//! an amplitude times π or 5 is a little above a power of two, the roundings of the sums count up to twice as much.

use super::shuffles::interleave;
use pulp::Simd;
use pulp::bytemuck::cast_slice;

/// Up to here adding [`ROUNDER`] rounds to the nearest integer. What is beyond goes to the standard library.
const LIMIT: f32 = 4_194_304.0;

/// `1.5 · 2^23`: adding it rounds to an integer and leaves that integer in the low bits.
const ROUNDER: f32 = 12_582_912.0;

/// `sin πr ≈ r Σ_k s_k r^{2k}`, right to 3.4e−9.
const SIN: [f64; 5] = [
    3.141_592_580_044_677,
    -5.167_706_878_924_772,
    2.550_031_377_263_01,
    -0.598_045_174_045_355_6,
    0.077_220_128_832_769,
];

/// `cos πr ≈ 1 + r² Σ_k c_k r^{2k}`, right to 2.5e−10.
const COS: [f64; 6] = [
    1.0,
    -4.934_802_156_087_755_4,
    4.058_709_599_760_349,
    -1.335_216_104_877_858_9,
    0.234_953_925_668_142,
    -0.024_420_699_978_162_29,
];

/// The polynomials of an amplitude.
#[derive(Clone, Copy)]
struct Waves<S: Simd> {
    sin: [S::f32s; 5],
    cos: [S::f32s; 6],
}

impl<S: Simd> Waves<S> {
    #[inline(always)]
    fn new(simd: S, amplitude: f32) -> Self {
        Self {
            sin: scaled(simd, SIN, amplitude),
            cos: scaled(simd, COS, amplitude),
        }
    }

    /// The cosines and sines of angles within the limit; of no meaning for others, but NaN where an angle is infinite or NaN.
    #[inline(always)]
    fn at(&self, simd: S, angles: S::f32s) -> [S::f32s; 2] {
        let rounder = simd.splat_f32s(ROUNDER);
        let shifted = simd.add_f32s(angles, rounder);
        let r = simd.sub_f32s(angles, simd.sub_f32s(shifted, rounder));
        let square = simd.mul_f32s(r, r);
        let one = simd.splat_u32s(1);
        let odd = simd.and_u32s(simd.transmute_u32s_f32s(shifted), one);
        let (zero, minus) = (simd.splat_f32s(0.0), simd.splat_f32s(-0.0));
        let sign = simd.select_f32s(simd.equal_u32s(odd, one), minus, zero);
        let sin = simd.mul_f32s(r, horner(simd, square, self.sin));
        let cos = horner(simd, square, self.cos);
        [simd.xor_f32s(cos, sign), simd.xor_f32s(sin, sign)]
    }
}

/// The products of the coefficients with the amplitude.
#[inline(always)]
fn scaled<S: Simd, const N: usize>(simd: S, of: [f64; N], amplitude: f32) -> [S::f32s; N] {
    let mut out = [simd.splat_f32s(0.0); N];
    for (out, c) in out.iter_mut().zip(of) {
        *out = simd.splat_f32s((f64::from(amplitude) * c) as f32);
    }
    out
}

/// `Σ_k c_k x^k`.
#[inline(always)]
fn horner<S: Simd, const N: usize>(simd: S, x: S::f32s, coefficients: [S::f32s; N]) -> S::f32s {
    let mut sum = coefficients[N - 1];
    for k in (0..N - 1).rev() {
        sum = simd.mul_add_e_f32s(sum, x, coefficients[k]);
    }
    sum
}

/// As [`super::real::Vectors::paired_row`].
#[inline(always)]
pub(super) fn paired_row<S: Simd>(simd: S, row: &mut [f32], amplitude: f32) {
    let pairs = row.len() / 2;
    let far = far_angles(simd, &row[pairs..]);
    let waves = Waves::new(simd, amplitude);
    let lanes = S::F32_LANES;
    let whole = pairs / lanes * lanes;
    for first in (0..whole).step_by(lanes) {
        let (angles, _) = S::as_simd_f32s(&row[pairs + first..][..lanes]);
        let features = interleave(simd, waves.at(simd, angles[0]));
        // They end at 2(first + lanes) ≤ pairs + first + lanes, where the angles to come begin.
        let (out, _) = S::as_mut_simd_f32s(&mut row[2 * first..][..2 * lanes]);
        [out[0], out[1]] = features;
    }
    if whole < pairs {
        let angles = simd.partial_load_f32s(&row[pairs + whole..]);
        let features = interleave(simd, waves.at(simd, angles));
        let out = &mut row[2 * whole..];
        out.copy_from_slice(&cast_slice(&features)[..out.len()]);
    }
    for (place, (sin, cos)) in far {
        (row[2 * place], row[2 * place + 1]) = (amplitude * cos, amplitude * sin);
    }
}

/// As [`super::real::Vectors::phased_row`].
#[inline(always)]
pub(super) fn phased_row<S: Simd>(simd: S, row: &mut [f32], offsets: &[f32], amplitude: f32) {
    for (angle, offset) in row.iter_mut().zip(offsets) {
        *angle += offset;
    }
    let far = far_angles(simd, row);
    let waves = Waves::new(simd, amplitude);
    let (vectors, last) = S::as_mut_simd_f32s(row);
    for angles in vectors {
        [*angles, _] = waves.at(simd, *angles);
    }
    if !last.is_empty() {
        let [cos, _] = waves.at(simd, simd.partial_load_f32s(last));
        simd.partial_store_f32s(last, cos);
    }
    for (place, (_, cos)) in far {
        row[place] = amplitude * cos;
    }
}

/// Sine and cosine of the angles beyond the limit, with their places.
#[inline(always)]
fn far_angles<S: Simd>(simd: S, angles: &[f32]) -> Vec<(usize, (f32, f32))> {
    let limit = simd.splat_f32s(LIMIT);
    let (vectors, last) = S::as_simd_f32s(angles);
    let last = simd.abs_f32s(simd.partial_load_f32s(last));
    let mut near = simd.less_than_or_equal_f32s(last, limit);
    for &angles in vectors {
        let these = simd.less_than_or_equal_f32s(simd.abs_f32s(angles), limit);
        near = simd.and_m32s(near, these);
    }
    let far = simd.select_f32s(near, simd.splat_f32s(0.0), simd.splat_f32s(1.0));
    if simd.reduce_max_f32s(far) == 0.0 {
        return Vec::new();
    }
    each_far_angle(angles)
}

#[cold]
fn each_far_angle(angles: &[f32]) -> Vec<(usize, (f32, f32))> {
    let far = angles.iter().enumerate().filter(|(_, p)| p.abs() > LIMIT);
    far.map(|(place, p)| (place, far_waves(*p))).collect()
}

/// Sine and cosine of an angle beyond the limit, a multiple of ½.
fn far_waves(half_turns: f32) -> (f32, f32) {
    let (sin, cos) = (f64::from(half_turns) % 2.0 * std::f64::consts::PI).sin_cos();
    (sin.round() as f32, cos.round() as f32)
}

#[cfg(test)]
mod tests {
    use super::super::on_each::on_each;
    use super::super::real::Vectors;
    use super::LIMIT;
    use proptest::prelude::*;
    use pulp::{Arch, Simd, WithSimd};
    use std::f64::consts::PI;

    struct Rows<'a> {
        row: &'a mut [f32],
        offsets: Option<&'a [f32]>,
        amplitude: f32,
    }

    impl WithSimd for Rows<'_> {
        type Output = ();

        fn with_simd<S: Simd>(self, simd: S) {
            match self.offsets {
                None => f32::paired_row(simd, self.row, self.amplitude),
                Some(offsets) => f32::phased_row(simd, self.row, offsets, self.amplitude),
            }
        }
    }

    /// `(cos πp, sin πp)` of each angle, on each kind of vectors; what is before the angles is not read.
    fn waves(half_turns: &[f32], amplitude: f32) -> Vec<Vec<[f32; 2]>> {
        let count = half_turns.len();
        let run = |arch: Arch| {
            let mut row = vec![f32::NAN; 2 * count];
            row[count..].copy_from_slice(half_turns);
            arch.dispatch(Rows {
                row: &mut row,
                offsets: None,
                amplitude,
            });
            row.as_chunks().0.to_vec()
        };
        on_each(run, |pairs| bits(pairs.as_flattened()))
    }

    fn bits(values: &[f32]) -> Vec<u64> {
        values.iter().map(|v| u64::from(v.to_bits())).collect()
    }

    /// `(cos πp, sin πp)`: whole half turns are taken off without a rounding.
    fn truth(half_turns: f32) -> [f64; 2] {
        let wide = f64::from(half_turns);
        let whole = wide.round();
        let sign = if whole % 2.0 == 0.0 { 1.0 } else { -1.0 };
        let (sin, cos) = ((wide - whole) * PI).sin_cos();
        [sign * cos, sign * sin]
    }

    fn assert_near_truth(half_turns: &[f32], amplitude: f32) {
        for features in waves(half_turns, amplitude) {
            for (&p, pair) in half_turns.iter().zip(features) {
                let most = if amplitude == 1.0 { 2.9e-7 } else { 4.5e-7 };
                for (found, expected) in pair.into_iter().zip(truth(p)) {
                    let error = f64::from(found) / f64::from(amplitude) - expected;
                    assert!(error.abs() < most, "{p:e}: {found:e} for {expected:e}");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn features_are_those_of_the_definition(
            small in prop::collection::vec(-2.0..2.0_f32, 0..40),
            large in prop::collection::vec(-9000.0..9000.0_f32, 37),
            any in prop::collection::vec(prop::num::f32::NORMAL | prop::num::f32::SUBNORMAL, 37),
            quarters in prop::collection::vec((-10_500..10_500_i32, -3..4_i32), 37),
            amplitude in prop_oneof![Just(1.0_f32), 1e-3..2.0_f32],
        ) {
            for half_turns in [small, large, any] {
                assert_near_truth(&half_turns, amplitude);
            }
            // Where a half turn begins, ends or is crossed.
            let near = |(k, steps): (i32, i32)| {
                let quarter = k as f32 / 4.0;
                f32::from_bits(quarter.to_bits().saturating_add_signed(steps))
            };
            assert_near_truth(&quarters.into_iter().map(near).collect::<Vec<_>>(), amplitude);
        }

        /// The same bits for an angle wherever it is and whatever is beside it.
        #[test]
        fn a_feature_depends_on_its_angle_alone(
            p in prop_oneof![-10.0..10.0_f32, prop::num::f32::ANY],
            others in prop::collection::vec(prop_oneof![9 => -10.0..10.0_f32, 1 => prop::num::f32::ANY], 0..40),
            place in any::<prop::sample::Index>(),
        ) {
            let place = place.index(others.len() + 1);
            let mut all = others;
            all.insert(place, p);
            for (found, alone) in waves(&all, 0.3).iter().zip(waves(&[p], 0.3)) {
                prop_assert_eq!(found[place].map(f32::to_bits), alone[0].map(f32::to_bits));
            }
        }

        /// The phased form, of the sum of angle and offset in single precision.
        #[test]
        fn offsets_are_added_to_angles(
            angles in prop::collection::vec((-10.0..10.0_f32, -1.0..1.0_f32), 1..40),
        ) {
            let offsets: Vec<f32> = angles.iter().map(|(_, offset)| *offset).collect();
            let run = |arch: Arch| {
                let mut row: Vec<f32> = angles.iter().map(|(θ, _)| *θ).collect();
                arch.dispatch(Rows {
                    row: &mut row,
                    offsets: Some(&offsets),
                    amplitude: 0.5,
                });
                row
            };
            for row in on_each(run, |row| bits(row)) {
                for (found, (θ, offset)) in row.into_iter().zip(&angles) {
                    prop_assert!((f64::from(found) - 0.5 * truth(θ + offset)[0]).abs() < 1.2e-7);
                }
            }
        }
    }

    /// 4.9 million angles within the limit, a prime apart, of both signs.
    #[test]
    fn features_are_right_everywhere() {
        let all = (0..=LIMIT.to_bits()).step_by(509).map(f32::from_bits);
        let half_turns: Vec<f32> = all.flat_map(|p| [p, -p]).collect();
        assert_near_truth(&half_turns, 1.0);
    }

    #[test]
    fn angles_at_the_ends() {
        let far = LIMIT.next_up();
        let angles = [0.0, -0.0, far, f32::MAX, f32::NAN, f32::INFINITY, 1.0, 0.5];
        for features in waves(&angles, 1.0) {
            assert_eq!(
                features[0].map(f32::to_bits),
                [1.0_f32, 0.0].map(f32::to_bits)
            );
            assert_eq!(
                features[1].map(f32::to_bits),
                [1.0_f32, -0.0].map(f32::to_bits)
            );
            assert_eq!(features[2].map(f64::from), truth(far).map(f64::round));
            assert_eq!(features[3], [1.0, 0.0]);
            assert!(features[4..6].as_flattened().iter().all(|f| f.is_nan()));
            assert_eq!(features[6], [-1.0, 0.0]);
            assert!((features[7][1] - 1.0).abs() < 2.9e-7 && features[7][0].abs() < 2.9e-7);
        }
    }

    /// Far angles of the phased form, in whole vectors and at the end.
    #[test]
    fn far_angles_have_cosines() {
        let mut angles = [0.25_f32; 19];
        (angles[3], angles[17]) = (LIMIT.next_up(), -LIMIT - 2.0);
        let run = |arch: Arch| {
            let mut row = angles;
            arch.dispatch(Rows {
                row: &mut row,
                offsets: Some(&[0.0; 19]),
                amplitude: 0.5,
            });
            row
        };
        for row in on_each(run, |row| bits(row)) {
            for (found, angle) in row.into_iter().zip(angles) {
                assert!((f64::from(found) - 0.5 * truth(angle)[0]).abs() < 1.5e-7);
            }
        }
    }
}
