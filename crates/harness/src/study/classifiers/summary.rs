//! What tables and figures show of the rows: means over repeats.

use super::confusion::Confusion;
use super::plan::ClassifiersPlan;
use super::row::{ClassifierRow, Measurement};
use super::spec_noise::NoiseKind;
use crate::stats::{Interval, Moments, Share, mid_ranks};
use std::collections::BTreeMap;

/// The rows of a study by what they are of.
#[derive(Debug)]
pub(super) struct Summary<'a> {
    pub(super) plan: &'a ClassifiersPlan,
    /// Measured rows by dataset, method, kind of noise and the level's index, in the order of repeats.
    rows: BTreeMap<Key<'a>, Vec<&'a ClassifierRow>>,
}

type Key<'a> = (&'a str, &'a str, &'a str, usize);

/// A kind of noise at a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Condition {
    pub(super) noise: NoiseKind,
    pub(super) level: usize,
}

impl<'a> Summary<'a> {
    pub(super) fn new(plan: &'a ClassifiersPlan, rows: &'a [ClassifierRow]) -> Self {
        let mut sorted: BTreeMap<Key<'a>, Vec<&'a ClassifierRow>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.measurement.is_some()) {
            let levels = &plan.noise.levels;
            if let Some(level) = levels.iter().position(|level| *level == row.level) {
                let key = (&*row.dataset, &*row.method, &*row.noise, level);
                sorted.entry(key).or_default().push(row);
            }
        }
        for rows in sorted.values_mut() {
            rows.sort_by_key(|row| row.repeat);
        }
        Self { plan, rows: sorted }
    }

    /// The labels of the datasets, in the plan's order.
    pub(super) fn datasets(&self) -> impl Iterator<Item = &'a str> {
        self.plan.tasks.iter().map(|task| task.label.as_str())
    }

    /// The names of the methods, in the plan's order.
    pub(super) fn methods(&self) -> impl Iterator<Item = &'a str> {
        self.plan.methods.iter().map(|method| method.name.as_str())
    }

    /// Every kind of noise at every level, the levels ascending.
    pub(super) fn conditions(&self) -> Vec<Condition> {
        let levels = self.levels().into_iter();
        let kinds = &self.plan.noise.kinds;
        levels
            .flat_map(|level| kinds.iter().map(move |&noise| Condition { noise, level }))
            .collect()
    }

    /// The indices of the levels, ascending by their value.
    pub(super) fn levels(&self) -> Vec<usize> {
        let levels = &self.plan.noise.levels;
        let mut indices: Vec<usize> = (0..levels.len()).collect();
        indices.sort_by(|a, b| levels[*a].total_cmp(&levels[*b]));
        indices
    }

    /// The level γ of a condition.
    pub(super) fn gamma(&self, condition: Condition) -> f64 {
        self.plan.noise.levels[condition.level]
    }

    /// The measurements of a method on a dataset, each with its repeat.
    pub(super) fn measured(
        &self,
        dataset: &str,
        method: &str,
        condition: Condition,
    ) -> Vec<(u32, &'a Measurement)> {
        let key = (dataset, method, condition.noise.name(), condition.level);
        let rows = self.rows.get(&key).into_iter().flatten();
        rows.filter_map(|row| Some((row.repeat, row.measurement.as_ref()?)))
            .collect()
    }

    /// Mean accuracy over repeats with its spread.
    pub(super) fn accuracy(
        &self,
        dataset: &str,
        method: &str,
        condition: Condition,
    ) -> Option<Moments> {
        let measured = self.measured(dataset, method, condition).into_iter();
        let values: Vec<f64> = measured.map(|(_, m)| m.accuracy).collect();
        Moments::of(&values)
    }

    /// The counts of all repeats together.
    pub(super) fn confusion(
        &self,
        dataset: &str,
        method: &str,
        condition: Condition,
    ) -> Option<Confusion> {
        let mut all: Option<Confusion> = None;
        for (_, measurement) in self.measured(dataset, method, condition) {
            match &mut all {
                Some(all) => all.add(&measurement.confusion),
                None => all = Some(measurement.confusion.clone()),
            }
        }
        all
    }

    /// The mean of the accuracy of `method` less that of `other` over the repeats that have both, with the ends of its 95 % interval: of
    /// several repeats the corrected resampled t-interval, of one Newcombe's for the shares of the test rows.
    pub(super) fn difference(
        &self,
        dataset: &str,
        [method, other]: [&str; 2],
        condition: Condition,
    ) -> Option<(f64, [f64; 2])> {
        let others: BTreeMap<u32, f64> = self
            .measured(dataset, other, condition)
            .into_iter()
            .map(|(repeat, m)| (repeat, m.accuracy))
            .collect();
        let pair = |(repeat, m): (u32, &Measurement)| Some(m.accuracy - others.get(&repeat)?);
        let measured = self.measured(dataset, method, condition).into_iter();
        let values: Vec<f64> = measured.filter_map(pair).collect();
        let interval = Interval::corrected(&values, self.ratio(dataset))?;
        let ends = if interval.half.is_some() {
            [interval.low(), interval.high()]
        } else {
            let share = |name| -> Option<Share> {
                let [right, all] = self.confusion(dataset, name, condition)?.right_of_all();
                Some(Share::of(right, all))
            };
            share(method)?.less(&share(other)?)
        };
        Some((interval.mean, ends))
    }

    /// Test rows over training rows of a dataset, the largest of its repeats.
    fn ratio(&self, dataset: &str) -> f64 {
        let of_dataset = self
            .rows
            .iter()
            .filter(|((label, ..), _)| *label == dataset);
        let ratio =
            |row: &&ClassifierRow| f64::from(row.sizes.test) / f64::from(row.sizes.train.max(1));
        of_dataset
            .flat_map(|(_, rows)| rows.iter().map(ratio))
            .fold(0.0, f64::max)
    }

    /// For each method its accuracy and its rank among all (1 the best, of equals the mean), both means over the datasets on which
    /// every method is measured, and how many these are.
    pub(super) fn over_datasets(&self, condition: Condition) -> (Vec<Option<[f64; 2]>>, usize) {
        let methods: Vec<&str> = self.methods().collect();
        let mut sums = vec![[0.0; 2]; methods.len()];
        let mut count = 0;
        for dataset in self.datasets() {
            let of = |method: &&str| Some(self.accuracy(dataset, method, condition)?.mean);
            let Some(means) = methods.iter().map(of).collect::<Option<Vec<f64>>>() else {
                continue;
            };
            let errors: Vec<f64> = means.iter().map(|mean| -mean).collect();
            for ((sum, mean), rank) in sums.iter_mut().zip(means).zip(mid_ranks(&errors)) {
                sum[0] += mean;
                sum[1] += rank;
            }
            count += 1;
        }
        let mean = |sum: [f64; 2]| (count > 0).then(|| sum.map(|sum| sum / f64::from(count)));
        (sums.into_iter().map(mean).collect(), count as usize)
    }
}
