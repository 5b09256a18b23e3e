//! Sine and cosine together, of any phases: by vectors up to a limit, by the standard library beyond.

use super::sincos_lanes::{LIMIT, near_lanes};
use pulp::{Arch, Simd, WithSimd};

/// The most lanes a vector of f64 has.
const MAX_LANES: usize = 8;

/// How many values are looked at twice while they are in the first cache.
const CHUNK: usize = 1024;

/// The sines and cosines of `phases`, in radians; both are NaN where a phase is infinite or NaN. The absolute error is below
/// 2.2e−16. Phases beyond 1e6 in magnitude are right too, but slow.
///
/// # Panics
/// If the lengths differ.
pub fn sincos(phases: &[f64], sin: &mut [f64], cos: &mut [f64]) {
    assert_eq!(phases.len(), sin.len(), "a sine for each phase");
    assert_eq!(phases.len(), cos.len(), "a cosine for each phase");
    Arch::new().dispatch(SinCos { phases, sin, cos });
}

struct SinCos<'a> {
    phases: &'a [f64],
    sin: &'a mut [f64],
    cos: &'a mut [f64],
}

impl WithSimd for SinCos<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let chunks = self.phases.chunks(CHUNK);
        let results = self.sin.chunks_mut(CHUNK).zip(self.cos.chunks_mut(CHUNK));
        for (phases, (sin, cos)) in chunks.zip(results) {
            sincos_chunk(simd, phases, sin, cos);
        }
    }
}

/// The sines and cosines of phases few enough for the first cache, as they are looked at twice.
#[inline(always)]
pub(super) fn sincos_chunk<S: Simd>(simd: S, phases: &[f64], sin: &mut [f64], cos: &mut [f64]) {
    let (vectors, last) = S::as_simd_f64s(phases);
    let (sin_vectors, last_sin) = S::as_mut_simd_f64s(sin);
    let (cos_vectors, last_cos) = S::as_mut_simd_f64s(cos);
    for ((&x, sin), cos) in vectors.iter().zip(sin_vectors).zip(cos_vectors) {
        (*sin, *cos) = near_lanes(simd, x);
    }
    if !last.is_empty() {
        let (sin, cos) = near_lanes(simd, simd.partial_load_f64s(last));
        simd.partial_store_f64s(last_sin, sin);
        simd.partial_store_f64s(last_cos, cos);
    }
    // Without a branch, so that it is done by vectors too.
    if !phases.iter().fold(true, |near, x| near & is_near(*x)) {
        replace_far(phases, sin, cos);
    }
}

/// Whether the phase is within the limit; NaN is not.
#[inline(always)]
fn is_near(x: f64) -> bool {
    x.abs() <= LIMIT
}

/// Whether every phase is within the limit.
#[inline(always)]
pub(super) fn all_near<S: Simd>(simd: S, phases: &[f64]) -> bool {
    let limit = simd.splat_f64s(LIMIT);
    let (phases, last) = S::as_simd_f64s(phases);
    let mut near = simd.less_than_or_equal_f64s(simd.abs_f64s(simd.partial_load_f64s(last)), limit);
    for &x in phases {
        let this = simd.less_than_or_equal_f64s(simd.abs_f64s(x), limit);
        near = simd.and_m64s(near, this);
    }
    let far = simd.select_f64s(near, simd.splat_f64s(0.0), simd.splat_f64s(1.0));
    simd.reduce_max_f64s(far) == 0.0
}

/// Sine and cosine of each lane, whatever the phase.
#[inline(always)]
pub(super) fn any_lanes<S: Simd>(simd: S, x: S::f64s) -> (S::f64s, S::f64s) {
    let (sin, cos) = near_lanes(simd, x);
    let mut lanes = [[0.0; MAX_LANES]; 3];
    for (lanes, vector) in lanes.iter_mut().zip([x, sin, cos]) {
        simd.partial_store_f64s(&mut lanes[..S::F64_LANES], vector);
    }
    let [x, sin, cos] = &mut lanes;
    replace_far(x, sin, cos);
    (
        simd.partial_load_f64s(&sin[..S::F64_LANES]),
        simd.partial_load_f64s(&cos[..S::F64_LANES]),
    )
}

/// The standard library's sine and cosine where x is beyond the limit, infinite or NaN.
#[cold]
fn replace_far(phases: &[f64], sin: &mut [f64], cos: &mut [f64]) {
    for ((x, sin), cos) in phases.iter().zip(sin).zip(cos) {
        if !is_near(*x) {
            (*sin, *cos) = x.sin_cos();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::on_each::on_each;
    use super::{CHUNK, LIMIT, SinCos, sincos};
    use proptest::prelude::*;
    use pulp::Arch;

    /// Sines and cosines on each kind of vectors.
    fn sincos_on_each(phases: &[f64]) -> Vec<(Vec<f64>, Vec<f64>)> {
        let run = |arch: Arch| {
            let mut both = (vec![0.0; phases.len()], vec![0.0; phases.len()]);
            let (sin, cos) = (&mut both.0, &mut both.1);
            arch.dispatch(SinCos { phases, sin, cos });
            both
        };
        on_each(run, |(sin, cos)| bits(&[&sin[..], &cos[..]].concat()))
    }

    fn bits(values: &[f64]) -> Vec<u64> {
        values.iter().map(|v| v.to_bits()).collect()
    }

    /// The standard library's results are within 6e−17 of the truth, and differences of results in [½, 1] are multiples
    /// of 1.1e−16: an error below 2.2e−16 is a difference of at most 2.3e−16.
    fn assert_near_std(phases: &[f64]) {
        for (sin, cos) in sincos_on_each(phases) {
            for ((x, sin), cos) in phases.iter().zip(sin).zip(cos) {
                let (std_sin, std_cos) = x.sin_cos();
                assert!((sin - std_sin).abs() < 2.3e-16, "sin {x:e}: {sin:e}");
                assert!((cos - std_cos).abs() < 2.3e-16, "cos {x:e}: {cos:e}");
                assert!((sin * sin + cos * cos - 1.0).abs() < 6e-16, "{x:e}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn agrees_with_std(
            small in prop::collection::vec(-4.0..4.0_f64, 37),
            large in prop::collection::vec(-1.1e6..1.1e6_f64, 37),
        ) {
            assert_near_std(&small);
            assert_near_std(&large);
        }

        /// Where a quadrant begins, ends or is crossed.
        #[test]
        fn agrees_with_std_near_multiples_of_an_eighth(
            k in prop::collection::vec((-1_250_000..1_250_000_i32, -1e-6..1e-6_f64), 37),
        ) {
            let phases: Vec<f64> = k
                .iter()
                .flat_map(|&(k, offset)| {
                    let phase = f64::from(k) * std::f64::consts::FRAC_PI_4;
                    [phase, phase.next_up(), phase.next_down(), phase + offset]
                })
                .collect();
            assert_near_std(&phases);
        }

        #[test]
        fn agrees_with_std_at_any_magnitude(
            phases in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL, 37),
        ) {
            assert_near_std(&phases);
        }

        /// The same bits for a value wherever it is and whatever is beside it.
        #[test]
        fn does_not_depend_on_the_place(
            x in prop_oneof![-10.0..10.0_f64, prop::num::f64::ANY],
            others in prop::collection::vec(prop_oneof![9 => -10.0..10.0_f64, 1 => prop::num::f64::ANY], 0..40),
            place in any::<prop::sample::Index>(),
        ) {
            let place = place.index(others.len() + 1);
            let mut phases = others;
            phases.insert(place, x);
            let alone = sincos_on_each(&[x]);
            for ((sin, cos), (sin_alone, cos_alone)) in sincos_on_each(&phases).into_iter().zip(alone) {
                prop_assert_eq!(bits(&sin[place..=place]), bits(&sin_alone));
                prop_assert_eq!(bits(&cos[place..=place]), bits(&cos_alone));
            }
        }

        #[test]
        fn the_sine_is_odd_and_the_cosine_even(x in -1e6..1e6_f64) {
            for (sin, cos) in sincos_on_each(&[x, -x]) {
                prop_assert_eq!(sin[0].to_bits(), (-sin[1]).to_bits());
                prop_assert_eq!(cos[0].to_bits(), cos[1].to_bits());
            }
        }
    }

    /// Correctly rounded from 60 digits; 22 is close to 7π, 355 to 113π, 833719 to 265381π.
    #[test]
    fn values_known_to_many_digits() {
        let phases = [22.0_f64, 355.0, 833_719.0, 1e6];
        let expected = [
            (-0.008_851_309_290_403_876, -0.999_960_826_394_637_1),
            (-3.014_435_335_948_845e-5, -0.999_999_999_545_659),
            (2.312_919_416_452_701_5e-6, -0.999_999_999_997_325_3),
            (-0.349_993_502_171_292_95, 0.936_752_127_533_144_7),
        ];
        for (sin, cos) in sincos_on_each(&phases) {
            for (i, (true_sin, true_cos)) in expected.into_iter().enumerate() {
                assert!((sin[i] - true_sin).abs() < 2.2e-16, "sin {}", phases[i]);
                assert!((cos[i] - true_cos).abs() < 2.2e-16, "cos {}", phases[i]);
            }
        }
    }

    #[test]
    fn zeros_and_tiny_phases_are_their_own_sine() {
        let phases = [0.0, -0.0, 5e-324, -5e-324, f64::MIN_POSITIVE, -1e-300, 1e-9];
        for (sin, cos) in sincos_on_each(&phases) {
            assert_eq!(bits(&sin), bits(&phases));
            assert_eq!(cos, [1.0; 7]);
        }
    }

    #[test]
    fn what_is_beyond_the_limit_is_the_standard_librarys() {
        let phases = [LIMIT.next_up(), -1e7, 1e22, f64::MAX, f64::MIN, 0.5];
        for (sin, cos) in sincos_on_each(&phases) {
            for (i, x) in phases[..5].iter().enumerate() {
                assert_eq!((sin[i], cos[i]), x.sin_cos());
            }
        }
    }

    /// One value that is not a number spoils its own place only, in any chunk.
    #[test]
    fn infinite_phases_have_no_sine() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for place in [0, 5, CHUNK - 1, CHUNK, CHUNK + 2] {
                let mut phases = vec![1.0; CHUNK + 3];
                phases[place] = bad;
                for (sin, cos) in sincos_on_each(&phases) {
                    for i in 0..phases.len() {
                        assert_eq!(sin[i].is_nan(), i == place);
                        assert_eq!(cos[i].is_nan(), i == place);
                    }
                }
            }
        }
    }

    #[test]
    fn no_phases_have_no_sines() {
        sincos(&[], &mut [], &mut []);
    }
}
