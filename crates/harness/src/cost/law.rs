//! Seconds from amounts of work: a power law with one exponent for all and a factor for each key.

use std::collections::BTreeMap;

/// Seconds for each unit of an amount where nothing was ever timed: `experiments/ci.toml` took 22 ns of processor time a
/// unit.
const DEFAULT_SECONDS: f64 = 2e-8;
/// Below this, a time is no more than the clock's.
const LEAST_SECONDS: f64 = 1e-6;
/// The exponents that are believed; work grows no slower and no faster.
const EXPONENTS: (f64, f64) = (0.3, 3.0);
/// The least variance of ln amount within keys from which an exponent is fitted: sizes that hardly differ say nothing of it.
const LEAST_SPREAD: f64 = 0.01;

/// Cells that took about the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample<'a> {
    pub(super) key: &'a str,
    /// How many.
    pub(super) cells: usize,
    /// > 0.
    pub(super) amount: f64,
    /// Of each.
    pub(super) seconds: f64,
}

/// `seconds = scale · factor(key) · amount^exponent`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Law {
    exponent: f64,
    /// ln factor of each key that was timed.
    factors: BTreeMap<String, f64>,
    /// ln factor of the others.
    other: f64,
    /// Actual over fitted seconds of all samples: a mean of logarithms is below the logarithm of a mean.
    scale: f64,
}

impl Law {
    /// Exponent and factors by least squares on logarithms, each sample counting once.
    pub(super) fn fit(samples: &[Sample<'_>]) -> Self {
        if samples.is_empty() {
            return Self {
                exponent: 1.0,
                factors: BTreeMap::new(),
                other: DEFAULT_SECONDS.ln(),
                scale: 1.0,
            };
        }
        let means = means(samples);
        // With a constant for each key the slope is that of what remains of the keys' means.
        let (mut xy, mut xx) = (0.0, 0.0);
        for sample in samples {
            let ((x, y), (mean_x, mean_y)) = (logarithms(sample), means[sample.key]);
            xy += (x - mean_x) * (y - mean_y);
            xx += (x - mean_x).powi(2);
        }
        let spread = xx / samples.len() as f64 > LEAST_SPREAD;
        let exponent = if spread { xy / xx } else { 1.0 };
        let exponent = exponent.clamp(EXPONENTS.0, EXPONENTS.1);
        let factors: BTreeMap<String, f64> = means
            .iter()
            .map(|(key, (x, y))| ((*key).to_owned(), y - exponent * x))
            .collect();
        let mut law = Self {
            exponent,
            other: factors.values().sum::<f64>() / factors.len() as f64,
            factors,
            scale: 1.0,
        };
        let sum = |seconds: &dyn Fn(&Sample<'_>) -> f64| -> f64 {
            samples.iter().map(|s| seconds(s) * s.cells as f64).sum()
        };
        let actual = sum(&|s| s.seconds).max(LEAST_SECONDS);
        law.scale = actual / sum(&|s| law.seconds(s.key, s.amount));
        law
    }

    /// About how many seconds a cell with this key and amount takes.
    pub(super) fn seconds(&self, key: &str, amount: f64) -> f64 {
        let factor = self.factors.get(key).unwrap_or(&self.other);
        self.scale * (factor + self.exponent * amount.ln()).exp()
    }

    /// Whether cells with this key were timed.
    pub(super) fn knows(&self, key: &str) -> bool {
        self.factors.contains_key(key)
    }
}

fn logarithms(sample: &Sample<'_>) -> (f64, f64) {
    (sample.amount.ln(), sample.seconds.max(LEAST_SECONDS).ln())
}

/// The means of both logarithms for each key.
fn means<'a>(samples: &[Sample<'a>]) -> BTreeMap<&'a str, (f64, f64)> {
    let mut sums: BTreeMap<&str, (f64, f64, f64)> = BTreeMap::new();
    for sample in samples {
        let (x, y) = logarithms(sample);
        let (count, of_x, of_y) = sums.entry(sample.key).or_default();
        *count += 1.0;
        *of_x += x;
        *of_y += y;
    }
    let mean = |(key, (count, x, y))| (key, (x / count, y / count));
    sums.into_iter().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::{Law, Sample};
    use proptest::prelude::*;

    fn sample(key: &str, amount: f64, seconds: f64) -> Sample<'_> {
        Sample {
            key,
            cells: 4,
            amount,
            seconds,
        }
    }

    proptest! {
        /// Times that follow a law are given back, for amounts that were never timed too.
        #[test]
        fn a_law_is_found_again(exponent in 0.4_f64..2.5, fast in -6.0_f64..0.0, slow in 0.0_f64..6.0) {
            let law = |factor: f64, amount: f64| (factor + exponent * amount.ln()).exp();
            let mut past = Vec::new();
            for amount in [50.0, 100.0, 400.0, 900.0] {
                past.push(sample("fast", amount, law(fast, amount)));
                past.push(sample("slow", 3.0 * amount, law(slow, 3.0 * amount)));
            }
            let fitted = Law::fit(&past);
            for (key, factor, amount) in [("fast", fast, 5e4), ("slow", slow, 7.0)] {
                let ratio = fitted.seconds(key, amount) / law(factor, amount);
                prop_assert!((ratio - 1.0).abs() < 1e-6, "{ratio}");
            }
        }

        /// What was timed takes in total what it took, however it scatters.
        #[test]
        fn the_past_takes_what_it_took(seconds in prop::collection::vec(1e-4_f64..1e3, 2..20)) {
            let past: Vec<Sample<'_>> = seconds
                .iter()
                .zip(1..)
                .map(|(s, rows)| sample("a", 10.0 * f64::from(rows), *s))
                .collect();
            let law = Law::fit(&past);
            let fitted: f64 = past.iter().map(|s| law.seconds("a", s.amount)).sum();
            prop_assert!((fitted / seconds.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_key_that_was_never_timed_is_between_the_others() {
        let law = Law::fit(&[sample("a", 10.0, 1.0), sample("b", 10.0, 100.0)]);
        let ratio = law.seconds("c", 10.0) / law.seconds("a", 10.0);
        assert!((ratio - 10.0).abs() < 1e-9, "{ratio}");
        assert!(law.knows("a") && !law.knows("c"));
        // Twice the amount of one size is twice the time.
        assert!((law.seconds("a", 20.0) / law.seconds("a", 10.0) - 2.0).abs() < 1e-12);
    }
}
