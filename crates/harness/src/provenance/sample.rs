//! A random choice of cells that is spread over datasets and methods.

use crate::plan::PlannedCell;
use rand::seq::SliceRandom as _;
use robust_svm_core::seed::CellSeed;
use std::collections::BTreeMap;

/// The axes that strata are made of: names, as opposed to sizes and repeats.
const NAMES: [&str; 7] = [
    "dataset",
    "method",
    "map",
    "bound",
    "shape",
    "frequencies",
    "rule",
];

/// Indices of `count` of the `cells`, or of all where there are fewer, in increasing order: one of each
/// stratum (dataset, method and whatever else has a name) before a second of any. The same cells and `seed`
/// give the same choice.
pub(crate) fn sample(cells: &[&PlannedCell], count: usize, seed: u64) -> Vec<usize> {
    let mut rng = CellSeed::new(seed, "verify", 0).stream("sample");
    let mut strata: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
    for (index, cell) in cells.iter().enumerate() {
        let names = cell.axes.iter().filter(|(axis, _)| NAMES.contains(axis));
        let key = names.map(|(_, value)| value.as_str()).collect();
        strata.entry(key).or_default().push(index);
    }
    let mut strata: Vec<Vec<usize>> = strata.into_values().collect();
    strata.shuffle(&mut rng);
    for stratum in &mut strata {
        stratum.shuffle(&mut rng);
    }
    let longest = strata.iter().map(Vec::len).max().unwrap_or(0);
    let rounds = (0..longest).flat_map(|round| strata.iter().filter_map(move |s| s.get(round)));
    let mut chosen: Vec<usize> = rounds.copied().take(count).collect();
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::sample;
    use crate::plan::PlannedCell;
    use std::collections::BTreeSet;

    fn cells() -> Vec<PlannedCell> {
        let mut cells = Vec::new();
        for dataset in ["a", "b"] {
            for method in ["x", "y", "z"] {
                for repeat in 0..10 {
                    cells.push(PlannedCell {
                        id: format!("{dataset}{method}{repeat}"),
                        axes: vec![
                            ("dataset", dataset.to_owned()),
                            ("method", method.to_owned()),
                            ("repeat", repeat.to_string()),
                        ],
                    });
                }
            }
        }
        cells
    }

    #[test]
    fn strata_are_served_in_turn() {
        let cells = cells();
        let cells: Vec<&PlannedCell> = cells.iter().collect();
        for seed in 0..20 {
            let chosen = sample(&cells, 12, seed);
            assert_eq!(chosen.len(), 12);
            let of = |stratum: usize| chosen.iter().filter(|&&i| i / 10 == stratum).count();
            for stratum in 0..6 {
                assert_eq!(of(stratum), 2);
            }
            let few = sample(&cells, 4, seed);
            let strata: BTreeSet<usize> = few.iter().map(|i| i / 10).collect();
            assert_eq!(strata.len(), 4);
        }
    }

    #[test]
    fn the_seed_decides_and_no_cell_comes_twice() {
        let cells = cells();
        let cells: Vec<&PlannedCell> = cells.iter().collect();
        assert_eq!(sample(&cells, 7, 1), sample(&cells, 7, 1));
        assert_ne!(sample(&cells, 7, 1), sample(&cells, 7, 2));
        let all = sample(&cells, 1000, 3);
        assert_eq!(all, (0..60).collect::<Vec<_>>());
    }
}
