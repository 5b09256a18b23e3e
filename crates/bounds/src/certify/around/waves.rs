//! Models of random Fourier features around a point: `h(u) = Σ_j a_j cos(p_j + ω̃_jᵀu) + y b`.

use super::{Cell, Minorant};
use ndarray::{Array1, Array2, ArrayView1, Axis};
use robust_svm_core::linalg::matmul;
use robust_svm_core::vector_math::sincos;
use std::f64::consts::{FRAC_2_PI, PI, TAU};

/// The waves in the coordinates of a frame.
#[derive(Debug, Clone)]
pub(in crate::certify) struct Waves {
    /// `a_j` (w).
    pub(in crate::certify) amplitudes: Array1<f64>,
    /// `ω̃_j` as rows (w × n): frequencies by the frame's coordinates.
    pub(in crate::certify) frequencies: Array2<f64>,
    /// `p_j` (w) at u = 0, the label in it.
    pub(in crate::certify) phases: Array1<f64>,
    /// `y b`.
    pub(in crate::certify) constant: f64,
    /// How far each phase may be from the true one.
    pub(in crate::certify) error: f64,
}

impl Waves {
    /// `h(u)`.
    pub(in crate::certify) fn value(&self, u: ArrayView1<'_, f64>) -> f64 {
        let phases = self.frequencies.dot(&u) + &self.phases;
        phases.mapv(f64::cos).dot(&self.amplitudes) + self.constant
    }

    /// The minorant on `cell`, with `M = Σ_j a_jm_j ω̃_jω̃_jᵀ`.
    ///
    /// *Proof.* `cos(p + t) = cos p − t sin p − ½t² (cos p A(t) − sin p S(t))` with
    /// `A(t) = 2(1 − cos t)/t²` in `[max(0, 1 − t²/12), 1]` and `S(t) = 2(t − sin t)/t²`, odd and for t > 0 in
    /// `[0, min(t/3, 2/π)]` (its maximum is at π). So over |t| ≤ θ the bracket is at most
    /// `m = cos p + |sin p| min(θ/3, 2/π)`, with cos p times `max(0, 1 − θ²/12)` where it is negative; and at
    /// most 1, as it is `2∫₀¹(1−s)cos(p+st)ds`.
    /// The floor takes each wave at its lowest. A phase that is off by e changes h by at most `a e`, and
    /// `h(u) − h(0)` by at most `a e min(θ, 2)`; the way to the centre c adds the rounding of `ω̃_jᵀc`. ∎
    pub(in crate::certify) fn minorant(&self, cell: &Cell) -> Minorant {
        let mut phases = self.frequencies.dot(&cell.centre);
        phases += &self.phases;
        let (mut sines, mut cosines) = (vec![0.0; phases.len()], vec![0.0; phases.len()]);
        sincos(
            phases.as_slice().expect("a fresh array"),
            &mut sines,
            &mut cosines,
        );
        let mut weighted = self.frequencies.clone();
        let mut slopes = Array1::zeros(phases.len());
        let mut excess = Array1::zeros(cell.centre.len());
        let (mut value, mut floor) = (self.constant, self.constant);
        let mut slack = 0.0;
        let (q, moved) = (cell.p.dual(), cell.p.of(cell.centre.view()));
        let rounding = 2.0 * (cell.centre.len() as f64 + 2.0) * f64::EPSILON * moved;
        for (j, mut row) in weighted.axis_iter_mut(Axis(0)).enumerate() {
            let (a, θ) = (self.amplitudes[j], cell.support(row.view()));
            let (sin, cos) = (sines[j], cosines[j]);
            let m = steepest(sin, cos, θ);
            let error = self.error + rounding * q.of(row.view());
            value += a * cos;
            slack += a * error * (1.0 + θ.min(2.0));
            floor += a * (lowest(phases[j], θ) - error);
            slopes[j] = -a * sin;
            for (excess, ω) in excess.iter_mut().zip(&row) {
                *excess += a * (m - cos) * ω * ω;
            }
            row *= a * m;
        }
        Minorant {
            value,
            slack,
            floor,
            gradient: self.frequencies.t().dot(&slopes),
            curvature: matmul(self.frequencies.t(), weighted.view()),
            excess,
        }
    }
}

/// `min { cos(p + t) : |t| ≤ θ }`.
fn lowest(p: f64, θ: f64) -> f64 {
    let v = (p - TAU * (p / TAU).round()).abs();
    (v + θ).min(PI).cos()
}

/// m of the proof, for a phase with sine and cosine `sin`, `cos`.
fn steepest(sin: f64, cos: f64, θ: f64) -> f64 {
    let of_cosine = if cos < 0.0 {
        (1.0 - θ * θ / 12.0).max(0.0)
    } else {
        1.0
    };
    (cos * of_cosine + sin.abs() * (θ / 3.0).min(FRAC_2_PI)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::steepest;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5000))]

        /// `cos(p + t) ≥ cos p − t sin p − ½ m t²` over |t| ≤ θ, and m is little more than needed at some t.
        #[test]
        fn waves_stay_above_their_parabolas(p in -4.0..4.0_f64, size in -4.0..2.0_f64, at in -1.0..=1.0_f64) {
            let θ = 10.0_f64.powf(size);
            let (sin, cos) = p.sin_cos();
            let m = steepest(sin, cos, θ);
            let t = at * θ;
            let below = cos - t * sin - 0.5 * m * t * t;
            prop_assert!((p + t).cos() >= below - 1e-14 * (1.0 + t.abs()), "{} {below}", (p + t).cos());
            // The phase's own curvature is cos p, exceeded by a third of θ |sin p| and less than θ² more.
            prop_assert!(m >= cos - 1e-12);
            prop_assert!(m <= cos + sin.abs() * θ / 3.0 + 0.1 * θ * θ + 1e-12);
        }
    }
}
