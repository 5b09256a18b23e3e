//! Memory of a run from the blocks of features that its groups hold.

use super::Source;
use crate::store::Work;
use std::collections::BTreeMap;

/// Bytes held for each byte of a group's blocks: features, the solver's products with them and those of the test rows. In
/// `experiments/noise-grid.toml`, whose largest groups hold 14 MB of blocks, two threads took 8 times these beside the base.
const COPIES: f64 = 8.0;
/// The program with small datasets, tables and plots, where no run has told.
const DEFAULT_BASE: f64 = 100e6;

/// `bytes = base + copies · threads · blocks of the largest group`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MemoryModel {
    base: f64,
}

impl MemoryModel {
    /// With the base of the past run that needed the most beside its blocks.
    pub fn fit(sources: &[Source]) -> Self {
        let base = |source: &Source| {
            let blocks = largest_group(&source.works);
            Some(source.peak_bytes? as f64 - COPIES * source.workers as f64 * blocks)
        };
        let base = sources.iter().filter_map(base).reduce(f64::max);
        Self {
            base: base.map_or(DEFAULT_BASE, |base| base.max(DEFAULT_BASE / 4.0)),
        }
    }

    /// About the most bytes that cells with `works` need on `threads` threads.
    pub fn bytes(&self, works: &[Work], threads: usize) -> f64 {
        self.base + COPIES * threads as f64 * largest_group(works)
    }
}

/// The bytes of the blocks of the group with the most: each map's are shared by its methods.
fn largest_group(works: &[Work]) -> f64 {
    let mut maps: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    for work in works {
        let bytes = maps.entry((&work.group, &work.map)).or_default();
        *bytes = bytes.max(work.block_bytes());
    }
    let mut groups: BTreeMap<&str, f64> = BTreeMap::new();
    for ((group, _), bytes) in maps {
        *groups.entry(group).or_default() += bytes;
    }
    groups.into_values().fold(0.0, f64::max)
}
