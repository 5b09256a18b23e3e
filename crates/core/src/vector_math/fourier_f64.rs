//! Random Fourier features at double precision, from phases in radians.

use super::shuffles::interleave_f64;
use super::sincos::{all_near, sincos_chunk};
use super::sincos_lanes::near_lanes;
use pulp::Simd;
use pulp::bytemuck::cast_slice;

/// Phases whose sines and cosines are held at a time.
const CHUNK: usize = 128;

/// As [`super::real::Vectors::paired_row`].
#[inline(always)]
pub(super) fn paired_row<S: Simd>(simd: S, row: &mut [f64], amplitude: f64) {
    let (pairs, lanes) = (row.len() / 2, S::F64_LANES);
    if !all_near(simd, &row[pairs..]) {
        return any_paired_row(simd, row, amplitude);
    }
    let amplitude = simd.splat_f64s(amplitude);
    let whole = pairs / lanes * lanes;
    for first in (0..whole).step_by(lanes) {
        let (phases, _) = S::as_simd_f64s(&row[pairs + first..][..lanes]);
        let features = paired_lanes(simd, phases[0], amplitude);
        // They end at 2(first + lanes) ≤ pairs + first + lanes, where the phases to come begin.
        let (out, _) = S::as_mut_simd_f64s(&mut row[2 * first..][..2 * lanes]);
        [out[0], out[1]] = features;
    }
    if whole < pairs {
        let phases = simd.partial_load_f64s(&row[pairs + whole..]);
        let features = paired_lanes(simd, phases, amplitude);
        let out = &mut row[2 * whole..];
        out.copy_from_slice(&cast_slice(&features)[..out.len()]);
    }
}

/// Cosines and sines of phases within the limit in turns, times the amplitude.
#[inline(always)]
fn paired_lanes<S: Simd>(simd: S, phases: S::f64s, amplitude: S::f64s) -> [S::f64s; 2] {
    let (sin, cos) = near_lanes(simd, phases);
    let waves = [simd.mul_f64s(amplitude, cos), simd.mul_f64s(amplitude, sin)];
    interleave_f64(simd, waves)
}

/// The same of a row with phases beyond the limit of the fast way.
#[cold]
fn any_paired_row<S: Simd>(simd: S, row: &mut [f64], amplitude: f64) {
    let (mut sin, mut cos) = ([0.0; CHUNK], [0.0; CHUNK]);
    let pairs = row.len() / 2;
    for first in (0..pairs).step_by(CHUNK) {
        let count = CHUNK.min(pairs - first);
        let (sin, cos) = (&mut sin[..count], &mut cos[..count]);
        sincos_chunk(simd, &row[pairs + first..][..count], sin, cos);
        let features = row[2 * first..][..2 * count].chunks_exact_mut(2);
        for ((pair, &sin), &cos) in features.zip(&*sin).zip(&*cos) {
            pair[0] = amplitude * cos;
            pair[1] = amplitude * sin;
        }
    }
}

/// As [`super::real::Vectors::phased_row`].
#[inline(always)]
pub(super) fn phased_row<S: Simd>(simd: S, row: &mut [f64], offsets: &[f64], amplitude: f64) {
    let (mut sin, mut cos) = ([0.0; CHUNK], [0.0; CHUNK]);
    for (angles, offsets) in row.chunks_mut(CHUNK).zip(offsets.chunks(CHUNK)) {
        for (angle, &offset) in angles.iter_mut().zip(offsets) {
            *angle += offset;
        }
        let count = angles.len();
        sincos_chunk(simd, angles, &mut sin[..count], &mut cos[..count]);
        for (feature, &cos) in angles.iter_mut().zip(&cos) {
            *feature = amplitude * cos;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::on_each::on_each;
    use super::super::real::Vectors;
    use super::super::sincos;
    use proptest::prelude::*;
    use pulp::{Arch, Simd, WithSimd};

    struct Paired<'a>(&'a mut [f64], f64);

    impl WithSimd for Paired<'_> {
        type Output = ();

        fn with_simd<S: Simd>(self, simd: S) {
            f64::paired_row(simd, self.0, self.1);
        }
    }

    proptest! {
        /// Amplitude times the cosines and sines of [`sincos`], to the bit, with phases beyond its limit and without.
        #[test]
        fn features_are_sines_and_cosines_in_turns(
            mut phases in prop::collection::vec(-50.0..50.0_f64, 1..300),
            far in prop::option::of((any::<prop::sample::Index>(), -1e9..1e9_f64)),
            amplitude in 0.01..2.0_f64,
        ) {
            if let Some((place, phase)) = far {
                let place = place.index(phases.len());
                phases[place] = phase;
            }
            let count = phases.len();
            let (mut sin, mut cos) = (vec![0.0; count], vec![0.0; count]);
            sincos(&phases, &mut sin, &mut cos);
            let mut row = vec![f64::NAN; count];
            row.extend(&phases);
            let run = |arch: Arch| {
                let mut row = row.clone();
                arch.dispatch(Paired(&mut row, amplitude));
                row
            };
            let rows = on_each(run, |row| row.iter().map(|f| f.to_bits()).collect());
            for (k, pair) in rows[0].chunks(2).enumerate() {
                prop_assert_eq!(pair, &[amplitude * cos[k], amplitude * sin[k]]);
            }
            for (found, expected) in rows[rows.len() - 1].iter().zip(&rows[0]) {
                prop_assert!((found - expected).abs() < 5e-16 * amplitude);
            }
        }
    }
}
