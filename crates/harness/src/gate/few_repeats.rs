//! Large losses in a few repeats, which no test of signs can see: k repeats that moved have a p-value of 2⁻ᵏ at least.
//!
//! The argument is not of chance. Splits, features, noise and attack starts are a function of the seed, so a change of code
//! that leaves the draws alone leaves a cell as it was, its objective to rounding; one that draws anew moves the objectives,
//! which are continuous in the draws but where a model is trivial. So where [`SHARE_AS_BEFORE`] of a method's repeats are as
//! they were, each in all cells, the draws were not made anew, and what moved beyond the tolerances in the others was moved by the
//! code alone: a loss there is one whatever the other repeats say. Below [`LEAST_LOSS`] it is left to the tests.

use super::series::Series;
use super::tolerance::{Moved, Movement, of_cell};
use crate::store::CellRow;
use std::collections::{BTreeMap, BTreeSet};

/// The share of a method's repeats that must be within the tolerances in every number of every cell, the objectives too.
pub const SHARE_AS_BEFORE: f64 = 0.5;

/// A repeat has lost something if its mean over datasets and levels has lost more than this share: one point.
pub const LEAST_LOSS: f64 = 0.01;

/// A method and metric that lost much in some repeats, where half of the repeats are as they were.
#[derive(Debug, Clone, PartialEq)]
pub struct FewRepeats {
    /// The method.
    pub method: String,
    /// Name of the metric.
    pub metric: &'static str,
    /// The repeats that lost more than [`LEAST_LOSS`], ascending.
    pub repeats: Vec<u32>,
    /// The largest loss of a repeat's mean, a share.
    pub largest: f64,
}

/// The losses of rows of the same cells in the same order, in the order of `series`.
pub(super) fn few_repeats(now: &[CellRow], then: &[CellRow], series: &[Series]) -> Vec<FewRepeats> {
    let mut methods: BTreeMap<&str, Method> = BTreeMap::new();
    for (now, then) in now.iter().zip(then) {
        if now.measurement.is_some() && then.measurement.is_some() {
            let method = methods.entry(&now.method).or_default();
            method.add(then.repeat, of_cell(now, then));
        }
    }
    let lost = |series: &Series| methods.get(series.method.as_str())?.lost(series);
    series.iter().filter_map(lost).collect()
}

/// The cells of one method.
#[derive(Default)]
struct Method {
    /// How many cells each repeat has.
    repeats: BTreeMap<u32, usize>,
    /// What moved beyond the tolerances, with its repeat.
    beyond: Vec<(u32, Moved)>,
}

impl Method {
    fn add(&mut self, repeat: u32, moved: Vec<Moved>) {
        *self.repeats.entry(repeat).or_default() += 1;
        let beyond = moved
            .into_iter()
            .filter(|m| m.kind != Movement::WithinTolerance);
        self.beyond.extend(beyond.map(|m| (repeat, m)));
    }

    /// What one metric lost. A repeat's loss is the sum over its cells beyond the tolerances, losses less gains, over all its
    /// cells: what is within them is rounding and counts as 0.
    fn lost(&self, series: &Series) -> Option<FewRepeats> {
        let moved: BTreeSet<u32> = self.beyond.iter().map(|(repeat, _)| *repeat).collect();
        let repeats = self.repeats.len();
        if ((repeats - moved.len()) as f64) < SHARE_AS_BEFORE * repeats as f64 {
            return None;
        }
        let mut losses: BTreeMap<u32, f64> = BTreeMap::new();
        for (repeat, moved) in &self.beyond {
            if moved.metric == series.metric.name {
                let size = if moved.better {
                    -moved.size
                } else {
                    moved.size
                };
                *losses.entry(*repeat).or_default() += size / self.repeats[repeat] as f64;
            }
        }
        losses.retain(|_, loss| *loss > LEAST_LOSS);
        let largest = losses.values().copied().reduce(f64::max)?;
        Some(FewRepeats {
            method: series.method.clone(),
            metric: series.metric.name,
            repeats: losses.into_keys().collect(),
            largest,
        })
    }
}
