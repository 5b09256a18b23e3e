//! A share of trials with its confidence interval.

/// Φ^{-1}(0.975).
const Z: f64 = 1.959_963_984_540_054;

/// A share of independent trials that ended well, with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The share, in [0, 1].
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Share {
    /// `kept` of `trials` ≥ 1, with Wilson's interval [Wilson, J. Am. Stat. Assoc. 22 (1927)]: the shares p whose
    /// distance from the one found is at most z standard deviations `sqrt(p(1 − p)/trials)`.
    pub fn of(kept: u64, trials: u64) -> Self {
        let (kept, trials) = (kept as f64, trials as f64);
        let value = kept / trials;
        let weight = Z * Z / trials;
        let centre = (value + weight / 2.0) / (1.0 + weight);
        let spread = (value * (1.0 - value) * weight + weight * weight / 4.0).sqrt();
        let half = spread / (1.0 + weight);
        // The ends are 0 and 1 where no trial, or every one, ended well; rounding must not pass them.
        Self {
            value,
            low: (centre - half).clamp(0.0, value),
            high: (centre + half).clamp(value, 1.0),
        }
    }

    /// The ends of the 95 % interval of this share less `other`, of independent trials [R. Newcombe, Statistics in Medicine 17
    /// (1998), method 10]. Where both are of the same trials and go together, as two classifiers on the same rows mostly do, it is
    /// wider than it need be.
    pub fn less(&self, other: &Self) -> [f64; 2] {
        let difference = self.value - other.value;
        let below = (self.value - self.low).hypot(other.high - other.value);
        let above = (self.high - self.value).hypot(other.value - other.low);
        [difference - below, difference + above]
    }
}

#[cfg(test)]
mod tests {
    use super::{Share, Z};

    #[test]
    fn the_ends_are_z_standard_deviations_away() {
        for (kept, trials) in [(3, 10), (997, 1000), (1, 40), (5000, 10_000)] {
            let share = Share::of(kept, trials);
            for end in [share.low, share.high] {
                let deviation = (end * (1.0 - end) / trials as f64).sqrt();
                approx::assert_relative_eq!(
                    (share.value - end).abs(),
                    Z * deviation,
                    max_relative = 1e-9
                );
            }
        }
    }

    /// Newcombe's Table II, examples a and b.
    #[test]
    fn differences_of_newcombe() {
        for ([one, all], [other, rest], [low, high]) in [
            ([56, 70], [48, 80], [0.0524, 0.3339]),
            ([9, 10], [3, 10], [0.1705, 0.8090]),
        ] {
            let ends = Share::of(one, all).less(&Share::of(other, rest));
            approx::assert_abs_diff_eq!(ends[0], low, epsilon = 5e-5);
            approx::assert_abs_diff_eq!(ends[1], high, epsilon = 5e-5);
        }
    }

    #[test]
    fn certain_events_have_an_interval_too() {
        let all = Share::of(100, 100);
        // 1/(1 + z²/100).
        approx::assert_abs_diff_eq!(all.low, 0.963_006_47, epsilon = 1e-7);
        assert_eq!((all.value, all.high), (1.0, 1.0));
        assert_eq!((Share::of(0, 9).low, Share::of(0, 9).value), (0.0, 0.0));
    }
}
