//! Sums of waves with one amplitude of the cosine and one of the sine each, and their slopes.

use super::sincos::{all_near, any_lanes};
use super::sincos_lanes::near_lanes;
use pulp::{Arch, Simd, WithSimd};

/// `Σ_j (a_j cos θ_j + b_j sin θ_j)` for the phases θ (radians), `cosine` = a and `sine` = b; in the place of each
/// phase comes the derivative by it, `b_j cos θ_j − a_j sin θ_j`. Sines and cosines are those of [`super::sincos()`].
///
/// # Panics
/// If the lengths differ.
pub fn waves_and_slopes(phases: &mut [f64], cosine: &[f64], sine: &[f64]) -> f64 {
    assert_eq!(phases.len(), cosine.len(), "an amplitude for each cosine");
    assert_eq!(phases.len(), sine.len(), "an amplitude for each sine");
    Arch::new().dispatch(Waves {
        phases,
        cosine,
        sine,
    })
}

struct Waves<'a> {
    phases: &'a mut [f64],
    cosine: &'a [f64],
    sine: &'a [f64],
}

impl WithSimd for Waves<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        if all_near(simd, self.phases) {
            self.sum::<S, true>(simd)
        } else {
            self.sum::<S, false>(simd)
        }
    }
}

impl Waves<'_> {
    #[inline(always)]
    fn sum<S: Simd, const NEAR: bool>(self, simd: S) -> f64 {
        let (phases, last_phases) = S::as_mut_simd_f64s(self.phases);
        let (cosine, last_cosine) = S::as_simd_f64s(self.cosine);
        let (sine, last_sine) = S::as_simd_f64s(self.sine);
        let mut sum = simd.splat_f64s(0.0);
        for ((phase, &a), &b) in phases.iter_mut().zip(cosine).zip(sine) {
            (sum, *phase) = add_wave(simd, sum, sincos_lanes::<S, NEAR>(simd, *phase), a, b);
        }
        if !last_phases.is_empty() {
            let waves = sincos_lanes::<S, NEAR>(simd, simd.partial_load_f64s(last_phases));
            let a = simd.partial_load_f64s(last_cosine);
            let b = simd.partial_load_f64s(last_sine);
            let slopes;
            (sum, slopes) = add_wave(simd, sum, waves, a, b);
            simd.partial_store_f64s(last_phases, slopes);
        }
        simd.reduce_sum_f64s(sum)
    }
}

/// Sine and cosine of each lane; with `NEAR` all are known to be near.
#[inline(always)]
fn sincos_lanes<S: Simd, const NEAR: bool>(simd: S, phase: S::f64s) -> (S::f64s, S::f64s) {
    if NEAR {
        near_lanes(simd, phase)
    } else {
        any_lanes(simd, phase)
    }
}

/// `sum + a cos θ + b sin θ` and `b cos θ − a sin θ`, from sin θ and cos θ.
#[inline(always)]
fn add_wave<S: Simd>(
    simd: S,
    sum: S::f64s,
    (sin, cos): (S::f64s, S::f64s),
    a: S::f64s,
    b: S::f64s,
) -> (S::f64s, S::f64s) {
    let sum = simd.mul_add_e_f64s(a, cos, simd.mul_add_e_f64s(b, sin, sum));
    let slope = simd.negate_mul_add_e_f64s(a, sin, simd.mul_f64s(b, cos));
    (sum, slope)
}

#[cfg(test)]
mod tests {
    use super::super::on_each::each_arch;
    use super::Waves;
    use proptest::prelude::*;

    fn sum_and_slopes(phases: &[f64], cosine: &[f64], sine: &[f64]) -> Vec<(f64, Vec<f64>)> {
        let on_vectors = each_arch().into_iter().map(|arch| {
            let mut slopes = phases.to_vec();
            let sum = arch.dispatch(Waves {
                phases: &mut slopes,
                cosine,
                sine,
            });
            (sum, slopes)
        });
        on_vectors.collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Against the standard library, some phases beyond the limit of the fast way.
        #[test]
        fn agrees_with_the_sum_of_waves(
            waves in prop::collection::vec(
                (prop_oneof![19 => -50.0..50.0_f64, 1 => -1e9..1e9_f64], -1.0..1.0_f64, -1.0..1.0_f64), 0..60)
        ) {
            let phases: Vec<f64> = waves.iter().map(|w| w.0).collect();
            let cosine: Vec<f64> = waves.iter().map(|w| w.1).collect();
            let sine: Vec<f64> = waves.iter().map(|w| w.2).collect();
            let expected: f64 = waves.iter().map(|(x, a, b)| a * x.cos() + b * x.sin()).sum();
            for (sum, slopes) in sum_and_slopes(&phases, &cosine, &sine) {
                prop_assert!((sum - expected).abs() < 1e-13);
                for (slope, (x, a, b)) in slopes.iter().zip(&waves) {
                    prop_assert!((slope - (b * x.cos() - a * x.sin())).abs() < 1e-15);
                }
            }
        }
    }

    #[test]
    fn a_phase_that_is_not_a_number_spoils_the_sum_and_its_own_slope() {
        let mut phases = vec![0.5; 11];
        phases[7] = f64::INFINITY;
        for (sum, slopes) in sum_and_slopes(&phases, &[1.0; 11], &[2.0; 11]) {
            assert!(sum.is_nan());
            for (i, slope) in slopes.iter().enumerate() {
                assert_eq!(slope.is_nan(), i == 7);
            }
        }
    }
}
