//! Seconds of a cell from its work: a power law with one exponent for all and a factor for each key.

use super::Timed;
use crate::store::Work;
use std::collections::BTreeMap;

/// Seconds for each unit of [`Work::amount`] where nothing was ever timed: linear methods, random Fourier features of
/// dimension 128 and Nyström features of 64 landmarks on two hundred training rows of the small shipped datasets took 2 to
/// 60 ns on one core of 2020.
const DEFAULT_SECONDS: f64 = 2e-8;
/// Below this, a time is no more than the clock's.
const LEAST_SECONDS: f64 = 1e-6;
/// The exponents that are believed; the work of a solver grows no slower and no faster.
const EXPONENTS: (f64, f64) = (0.3, 3.0);

/// `seconds = factor(key) · amount^exponent`.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeModel {
    exponent: f64,
    /// ln factor of each key that was timed.
    factors: BTreeMap<String, f64>,
    /// ln factor of the others.
    other: f64,
    /// Actual over fitted seconds of all that was timed: a mean of logarithms is below the logarithm of a mean.
    scale: f64,
}

impl TimeModel {
    /// Fits the exponent and the factors by least squares on logarithms, each group of cells counting once. Where cells of
    /// a key were timed with the code that runs now, others with that key are left out.
    pub fn fit(timed: &[Timed]) -> Self {
        let used = newest(timed);
        let points: Vec<(&str, f64, f64)> = used
            .iter()
            .map(|t| {
                let seconds = t.seconds.max(LEAST_SECONDS);
                (t.work.key.as_str(), t.work.amount().ln(), seconds.ln())
            })
            .collect();
        if points.is_empty() {
            return Self {
                exponent: 1.0,
                factors: BTreeMap::new(),
                other: DEFAULT_SECONDS.ln(),
                scale: 1.0,
            };
        }
        let means = means(&points);
        // Least squares with a constant for each key: the slope of what remains of a key's means.
        let (mut xy, mut xx) = (0.0, 0.0);
        for (key, x, y) in &points {
            let (mean_x, mean_y) = means[*key];
            xy += (x - mean_x) * (y - mean_y);
            xx += (x - mean_x).powi(2);
        }
        // Sizes that hardly differ say nothing of the exponent.
        let spread = xx / points.len() as f64 > 0.01;
        let exponent = if spread { xy / xx } else { 1.0 };
        let exponent = exponent.clamp(EXPONENTS.0, EXPONENTS.1);
        let factors: BTreeMap<String, f64> = means
            .iter()
            .map(|(key, (x, y))| ((*key).to_owned(), y - exponent * x))
            .collect();
        let other = factors.values().sum::<f64>() / factors.len() as f64;
        let mut model = Self {
            exponent,
            factors,
            other,
            scale: 1.0,
        };
        let actual: f64 = used.iter().map(|t| t.seconds * t.cells as f64).sum();
        let fitted: f64 = used
            .iter()
            .map(|t| model.seconds(&t.work) * t.cells as f64)
            .sum();
        model.scale = actual.max(LEAST_SECONDS) / fitted;
        model
    }

    /// About how many seconds a cell takes.
    pub fn seconds(&self, work: &Work) -> f64 {
        let factor = self.factors.get(&work.key).unwrap_or(&self.other);
        self.scale * (factor + self.exponent * work.amount().ln()).exp()
    }

    /// Whether cells like this were timed.
    pub fn knows(&self, work: &Work) -> bool {
        self.factors.contains_key(&work.key)
    }
}

/// Of each key the cells of the code that runs now, or all if there are none.
fn newest(timed: &[Timed]) -> Vec<&Timed> {
    let ours = |key: &str| timed.iter().any(|t| t.same_code && t.work.key == key);
    timed
        .iter()
        .filter(|t| t.same_code || !ours(&t.work.key))
        .collect()
}

/// The means of x and y of each key.
fn means<'a>(points: &[(&'a str, f64, f64)]) -> BTreeMap<&'a str, (f64, f64)> {
    let mut sums: BTreeMap<&str, (f64, f64, f64)> = BTreeMap::new();
    for (key, x, y) in points {
        let (count, of_x, of_y) = sums.entry(key).or_default();
        *count += 1.0;
        *of_x += x;
        *of_y += y;
    }
    let mean = |(key, (count, x, y))| (key, (x / count, y / count));
    sums.into_iter().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::{TimeModel, Timed, Work};
    use proptest::prelude::*;

    fn timed(key: &str, rows: u32, seconds: impl Fn(f64) -> f64) -> Timed {
        let work = Work {
            group: String::new(),
            dataset: format!("{rows} rows"),
            key: key.to_owned(),
            map: String::new(),
            rows,
            dim: 64,
            candidates: 3,
            blocks: 1,
            probes: 1000,
        };
        Timed {
            seconds: seconds(work.amount()),
            work,
            cells: 4,
            same_code: true,
        }
    }

    proptest! {
        /// Times that follow the law are given back, for sizes that were never timed too.
        #[test]
        fn a_law_is_found_again(exponent in 0.4_f64..2.5, fast in -20.0_f64..-12.0, slow in -12.0_f64..-5.0) {
            let law = |factor: f64| move |amount: f64| (factor + exponent * amount.ln()).exp();
            let past: Vec<Timed> = [50, 100, 400, 900]
                .into_iter()
                .flat_map(|rows| [timed("fast", rows, law(fast)), timed("slow", rows, law(slow))])
                .collect();
            // Of this small an amount of time only the clock would be told.
            prop_assume!(past.iter().all(|t| t.seconds > 1e-5));
            let model = TimeModel::fit(&past);
            for other in [timed("fast", 5000, law(fast)), timed("slow", 7, law(slow))] {
                let ratio = model.seconds(&other.work) / other.seconds;
                prop_assert!((ratio - 1.0).abs() < 1e-6, "{ratio}");
            }
        }

        /// What was timed takes in total what it took, however it scatters.
        #[test]
        fn the_past_takes_what_it_took(seconds in prop::collection::vec(1e-4_f64..1e3, 2..20)) {
            let past: Vec<Timed> = seconds
                .iter()
                .zip(1..)
                .map(|(s, rows)| timed("a", 10 * rows, |_| *s))
                .collect();
            let model = TimeModel::fit(&past);
            let fitted: f64 = past.iter().map(|t| model.seconds(&t.work)).sum();
            let actual: f64 = seconds.iter().sum();
            prop_assert!((fitted / actual - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn times_of_other_code_count_only_where_there_are_no_others() {
        let old = |key| Timed {
            same_code: false,
            ..timed(key, 100, |_| 100.0)
        };
        let now = timed("a", 100, |_| 1.0);
        let model = TimeModel::fit(&[old("a"), now.clone(), old("b")]);
        let ratio = model.seconds(&old("b").work) / model.seconds(&now.work);
        assert!((ratio - 100.0).abs() < 1e-6, "{ratio}");
        let never = timed("c", 100, |_| 0.0);
        assert!(model.knows(&now.work) && !model.knows(&never.work));
        // Between the two.
        let between = model.seconds(&never.work) / model.seconds(&now.work);
        assert!((between - 10.0).abs() < 1e-6, "{between}");
    }
}
