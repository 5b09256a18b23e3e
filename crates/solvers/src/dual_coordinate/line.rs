//! The dual along one coordinate, with a cone.

/// −D as a function of the step t in one α_i, up to a constant (derived): `v` becomes `v + t y_iφ_i`, `G` becomes `G + Γt`,
/// the balance `Σα_iy_i` becomes `β + t y_i`, so
///
/// ```text
/// f(t) = −t + ((n(t) − G − Γt)₊² + (β + ty_i)²)/2λ,   n(t) = ‖v + t y_iφ_i‖ = (‖v‖² + 2tp + t²q)^{1/2},
/// ```
///
/// `p = y_i⟨v, φ_i⟩`, `q = ‖φ_i‖²`, and without the last square where there is no intercept. It is convex: a squared distance to a
/// cone of an affine function of t.
pub(super) struct Line {
    /// `‖v‖²`.
    pub(super) square: f64,
    /// p.
    pub(super) p: f64,
    /// q.
    pub(super) q: f64,
    /// G.
    pub(super) g: f64,
    /// Γ.
    pub(super) radius: f64,
    /// β y_i, or 0 without an intercept.
    pub(super) balance: f64,
    /// 1 with an intercept, or 0.
    pub(super) of_intercept: f64,
    /// 1/λ.
    pub(super) inverse_lambda: f64,
}

/// Steps of Newton's method at most; bisection alone would reach the last bit with as many.
const STEPS: usize = 60;
/// A step is final if the next correction is this small: α has the unit 1.
const SMALL: f64 = 1e-15;

impl Line {
    /// f′(t) and f″(t); where f′ has a kink, at the apex of the cone, f″ on its flat side.
    #[inline(always)]
    pub(super) fn derivatives(&self, t: f64) -> (f64, f64) {
        let n = (self.square + t * (2.0 * self.p + t * self.q))
            .max(0.0)
            .sqrt();
        let reach = n - self.g - self.radius * t;
        let mut slope = self.balance + t * self.of_intercept;
        let mut curvature = self.of_intercept;
        if reach > 0.0 {
            let along = (self.p + t * self.q) / n;
            slope += reach * (along - self.radius);
            curvature += (along - self.radius).powi(2);
            curvature += reach * (self.q - along * along).max(0.0) / n;
        }
        (
            self.inverse_lambda * slope - 1.0,
            self.inverse_lambda * curvature,
        )
    }

    /// The minimiser of f over [`low`, `high`], which holds 0: Newton's method on f′, kept in a bracket of the root by bisection.
    #[inline(always)]
    pub(super) fn minimiser(&self, low: f64, high: f64) -> f64 {
        let (mut slope, mut curvature) = self.derivatives(0.0);
        let (mut low, mut high, end) = if slope < 0.0 {
            (0.0, high, high)
        } else {
            (low, 0.0, low)
        };
        if slope == 0.0 || end == 0.0 || self.derivatives(end).0 * slope > 0.0 {
            return if slope == 0.0 { 0.0 } else { end };
        }
        let mut t = 0.0;
        for _ in 0..STEPS {
            let newton = t - slope / curvature;
            let next = if newton > low && newton < high {
                newton
            } else {
                0.5 * (low + high)
            };
            let correction = next - t;
            t = next;
            if correction.abs() <= SMALL {
                break;
            }
            (slope, curvature) = self.derivatives(t);
            if slope < 0.0 {
                low = t;
            } else {
                high = t;
            }
        }
        t
    }
}

#[cfg(test)]
mod tests {
    use super::Line;
    use proptest::prelude::*;

    /// f(t) from vectors of two dimensions: v = (v0, v1), y φ = (φ0, φ1).
    fn value(line: &Line, v: [f64; 2], phi: [f64; 2], beta: f64, t: f64) -> f64 {
        let length = (v[0] + t * phi[0]).hypot(v[1] + t * phi[1]);
        let reach = (length - line.g - line.radius * t).max(0.0);
        let balance = line.of_intercept * (beta + t);
        0.5 * line.inverse_lambda * (reach * reach + balance * balance) - t
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// No step of a grid does better, and the slope is that of differences.
        #[test]
        fn the_minimum_along_the_line(
            v in prop::array::uniform2(-3.0..3.0_f64), phi in prop::array::uniform2(-3.0..3.0_f64),
            alpha in 0.0..=1.0_f64, others in 0.0..2.0_f64, radius in 0.0..1.0_f64,
            beta in -2.0..2.0_f64, of_intercept in prop::sample::select(vec![0.0, 1.0]),
            log_lambda in -2.0..2.0_f64, vanishing in any::<bool>(),
        ) {
            let v = if vanishing { [0.0, 0.0] } else { v };
            let line = Line {
                square: v[0] * v[0] + v[1] * v[1],
                p: v[0] * phi[0] + v[1] * phi[1],
                q: phi[0] * phi[0] + phi[1] * phi[1],
                g: radius * (alpha + others),
                radius,
                balance: beta * of_intercept,
                of_intercept,
                inverse_lambda: 10.0_f64.powf(-log_lambda),
            };
            let f = |t| value(&line, v, phi, beta, t);
            let best = line.minimiser(-alpha, 1.0 - alpha);
            prop_assert!((-alpha..=1.0 - alpha).contains(&best));
            let rounding = 1e-12 * (1.0 + f(best).abs() + line.inverse_lambda * line.square);
            for k in 0..=100 {
                prop_assert!(f(best) <= f(f64::from(k) / 100.0 - alpha) + rounding);
            }
            let h = 1e-5;
            for t in [-0.3, 0.2, 0.7] {
                let difference = (f(t + h) - f(t - h)) / (2.0 * h);
                let slope = line.derivatives(t).0;
                prop_assert!((slope - difference).abs() < 1e-2 * (1.0 + slope.abs() + line.inverse_lambda));
            }
        }
    }
}
