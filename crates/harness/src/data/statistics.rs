//! What a reader of results should know about a table: gaps, constants, repetitions.

use ndarray::{ArrayView2, Axis};
use std::collections::BTreeSet;

/// The number of missing values (NaN) in `x`.
pub fn missing_values(x: ArrayView2<'_, f64>) -> usize {
    x.iter().filter(|v| v.is_nan()).count()
}

/// The columns of `x` (L × n) with fewer than two different values that are present.
pub fn constant_columns(x: ArrayView2<'_, f64>) -> Vec<usize> {
    let is_constant = |column: usize| {
        let mut present = x.index_axis(Axis(1), column).into_iter();
        let first = present.find(|v| !v.is_nan());
        first.is_none_or(|first| present.all(|v| v.is_nan() || v == first))
    };
    (0..x.ncols()).filter(|c| is_constant(*c)).collect()
}

/// How many rows of `x` (L × n) are equal to an earlier one with the same label (L labels). A missing
/// value equals a missing value.
pub fn duplicate_rows(x: ArrayView2<'_, f64>, labels: impl IntoIterator<Item = i64>) -> usize {
    let mut seen: BTreeSet<(i64, Vec<u64>)> = BTreeSet::new();
    // Adding 0.0 makes −0.0 equal to 0.0.
    let bits = |v: &f64| (v + 0.0).to_bits();
    x.outer_iter()
        .zip(labels)
        .filter(|(row, label)| !seen.insert((*label, row.iter().map(bits).collect())))
        .count()
}

#[cfg(test)]
mod tests {
    use super::{constant_columns, duplicate_rows, missing_values};
    use ndarray::array;

    #[test]
    fn a_hand_worked_table() {
        let gap = f64::NAN;
        let x = array![
            [1.0, 0.0, gap, gap, 5.0],
            [2.0, 0.0, gap, 3.0, gap],
            [1.0, -0.0, gap, gap, 5.0],
            [1.0, 0.0, gap, gap, 5.0],
            [1.0, 0.0, gap, gap, 6.0]
        ];
        assert_eq!(missing_values(x.view()), 10);
        assert_eq!(constant_columns(x.view()), [1, 2, 3]);
        assert_eq!(duplicate_rows(x.view(), [0, 0, 0, 1, 0]), 1);
    }
}
