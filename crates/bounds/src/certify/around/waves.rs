//! Models of random Fourier features around a point: `h(u) = Σ_j a_j cos(p_j + ω̃_jᵀu) + y b`.

use super::{Cell, Minorant};
use ndarray::{Array1, Array2, ArrayView1, Axis};
use robust_svm_core::linalg::matmul;
use std::f64::consts::{PI, TAU};

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
    /// `A(t) = 2(1 − cos t)/t²` and `S(t) = 2(t − sin t)/t²`. A falls from 1 to 0 on [0, 2π] and is even and
    /// never negative, S grows on [0, π] from 0 to its maximum and is odd. So over |t| ≤ θ the bracket
    /// is at most `m = cos p + |sin p| S(min(θ, π))` for cos p ≥ 0 and
    /// `m = cos p A(min(θ, 2π)) + |sin p| S(min(θ, π))` otherwise; and at most 1, as `2∫₀¹(1−s)cos(p+st)ds`.
    /// The floor takes each wave at its lowest. A phase that is off by e changes h by at most `a e`, and `h(u) − h(0)` by at most `a e min(θ, 2)`. ∎
    pub(in crate::certify) fn minorant(&self, cell: &Cell) -> Minorant {
        let mut phases = self.frequencies.dot(&cell.centre);
        phases += &self.phases;
        let mut weighted = self.frequencies.clone();
        let mut slopes = Array1::zeros(phases.len());
        let mut excess = Array1::zeros(cell.centre.len());
        let (mut value, mut floor) = (self.constant, self.constant);
        for (j, mut row) in weighted.axis_iter_mut(Axis(0)).enumerate() {
            let (a, θ) = (self.amplitudes[j], cell.support(row.view()));
            let (sin, cos) = phases[j].sin_cos();
            let m = steepest(sin, cos, θ);
            value += a * (cos - self.error * (1.0 + θ.min(2.0)));
            floor += a * (lowest(phases[j], θ) - self.error);
            slopes[j] = -a * sin;
            for (excess, ω) in excess.iter_mut().zip(&row) {
                *excess += a * (m - cos) * ω * ω;
            }
            row *= a * m;
        }
        Minorant {
            value,
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
    let of_cosine = if cos < 0.0 { drop(θ.min(TAU)) } else { 1.0 };
    (cos * of_cosine + sin.abs() * lag(θ.min(PI))).min(1.0)
}

/// `A(t) = (sin(t/2)/(t/2))²`.
fn drop(t: f64) -> f64 {
    let half = 0.5 * t;
    if half < 1e-4 {
        1.0 - half * half / 3.0
    } else {
        (half.sin() / half).powi(2)
    }
}

/// `S(t) = 2(t − sin t)/t²`, t ≥ 0; its series `t/3 − t³/60 + …` where the difference would cancel, rounded up.
fn lag(t: f64) -> f64 {
    if t < 0.05 {
        t / 3.0
    } else {
        2.0 * (t - t.sin()) / (t * t)
    }
}

#[cfg(test)]
mod tests {
    use super::{drop, lag, steepest};
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

    #[test]
    fn series_and_formulas_meet() {
        for (f, edge) in [(drop as fn(f64) -> f64, 2e-4), (lag, 0.05)] {
            let (below, above) = (f(edge * (1.0 - 1e-9)), f(edge * (1.0 + 1e-9)));
            assert!((below - above).abs() <= 5e-4 * above);
        }
        assert!(lag(0.049) >= 2.0 * (0.049 - 0.049_f64.sin()) / (0.049 * 0.049));
    }
}
