//! Splits of datasets of any number of classes.

use super::split::{checked, dealt_rows, groups_by_class};
use super::{LabelledDataset, RowCap, Split, SplitShares};
use crate::CoreError;
use rand::Rng;

/// Splits `data` by `shares` and `cap` as [`super::stratified_split`] does two classes; a dataset of two classes is split
/// alike by both.
///
/// # Errors
/// [`CoreError::Parameter`] if the shares are not positive with sum 1, and for a training part without rows of two
/// classes or another part without rows.
pub fn labelled_split(
    data: &LabelledDataset,
    shares: SplitShares,
    cap: RowCap,
    rng: &mut impl Rng,
) -> Result<Split, CoreError> {
    let shares = checked(shares)?;
    let caps = [cap.train, cap.validation, cap.test];
    let [train, validation, test] = dealt_rows(groups_of(data), data.rows(), shares, caps, rng);
    check(
        data,
        Split {
            train,
            validation,
            test,
        },
    )
}

/// Stratified cross-validation: `data`, or at most `rows` of its rows, is dealt to `folds` ≥ 2 parts, each class
/// evenly to within a row, rows with equal features to one; fold k is tested in the k-th split, whose validation rows are a `share` in (0, 1) of the others.
///
/// # Errors
/// [`CoreError::Parameter`] for fewer than two folds, a share that is not in (0, 1), and parts as in [`labelled_split`].
pub fn fold_splits(
    data: &LabelledDataset,
    folds: usize,
    rows: Option<usize>,
    share: f64,
    rng: &mut impl Rng,
) -> Result<Vec<Split>, CoreError> {
    if folds < 2 {
        return Err(CoreError::parameter("folds", "at least 2", folds));
    }
    if !(share > 0.0 && share < 1.0) {
        let expected = "a share between 0 and 1";
        return Err(CoreError::parameter("validation", expected, share));
    }
    let mut used = dealt_rows(groups_of(data), data.rows(), [1.0], [rows], rng);
    let used = std::mem::take(&mut used[0]);
    let mut parts: Vec<Vec<usize>> = Vec::with_capacity(folds);
    let mut rest = used;
    // Each fold is its share of what the folds before it left.
    for fold in 0..folds - 1 {
        let part = 1.0 / (folds - fold) as f64;
        let [taken, left] = deal_two(data, &rest, part, rng);
        parts.push(taken);
        rest = left;
    }
    parts.push(rest);
    let split = |test: &Vec<usize>| {
        let others = parts.iter().filter(|part| *part != test).flatten();
        let mut others: Vec<usize> = others.copied().collect();
        others.sort_unstable();
        let [validation, train] = deal_two(data, &others, share, rng);
        let test = test.clone();
        check(
            data,
            Split {
                train,
                validation,
                test,
            },
        )
    };
    parts.iter().map(split).collect()
}

/// A `share` of the given rows, and the others.
fn deal_two(
    data: &LabelledDataset,
    rows: &[usize],
    share: f64,
    rng: &mut impl Rng,
) -> [Vec<usize>; 2] {
    let some = data.select(rows);
    let dealt = dealt_rows(
        groups_of(&some),
        rows.len(),
        [share, 1.0 - share],
        [None; 2],
        rng,
    );
    dealt.map(|part| part.into_iter().map(|index| rows[index]).collect())
}

fn groups_of(data: &LabelledDataset) -> Vec<Vec<Vec<usize>>> {
    groups_by_class(data.x().view(), data.classes(), |row| data.labels()[row])
}

/// `split`, if there is something to learn and something to test.
fn check(data: &LabelledDataset, split: Split) -> Result<Split, CoreError> {
    let present = data.select(&split.train).class_sizes();
    let present = present.iter().filter(|size| **size > 0).count();
    if present < 2 {
        let expected = "rows of at least two classes";
        return Err(CoreError::parameter("training part", expected, present));
    }
    for (name, part) in [
        ("validation part", &split.validation),
        ("test part", &split.test),
    ] {
        if part.is_empty() {
            return Err(CoreError::parameter(name, "at least one row", 0));
        }
    }
    Ok(split)
}

#[cfg(test)]
mod tests {
    use super::{fold_splits, labelled_split};
    use crate::data::{Dataset, LabelledDataset, RowCap, SplitShares, stratified_split};
    use ndarray::{Array1, Array2};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    const SHARES: SplitShares = SplitShares {
        train: 0.5,
        validation: 0.25,
        test: 0.25,
    };

    /// `rows` rows with features i mod `distinct`, of the classes i mod 3.
    fn data(rows: usize, distinct: usize) -> LabelledDataset {
        let x = Array2::from_shape_fn((rows, 1), |(i, _)| (i % distinct) as f64);
        LabelledDataset::new(x, (0..rows).map(|i| i % 3).collect(), 3).unwrap()
    }

    proptest! {
        /// Every class has its part of a cap to within a row, and the parts have all rows of the cap.
        #[test]
        fn caps_keep_the_shares_of_many_classes(
            classes in 2..30_usize, size in 12..40_usize, cap in 1..6_usize, extra in 0..10_usize, seed in any::<u64>(),
        ) {
            let rows = classes * size;
            let x = Array2::from_shape_fn((rows, 1), |(i, _)| i as f64);
            let data = LabelledDataset::new(x, (0..rows).map(|i| i % classes).collect(), classes).unwrap();
            let most = cap * classes + extra % classes;
            let caps = RowCap { train: Some(most), ..RowCap::default() };
            let split = labelled_split(&data, SHARES, caps, &mut ChaCha20Rng::seed_from_u64(seed)).unwrap();
            prop_assert_eq!(split.train.len(), most);
            for size in data.select(&split.train).class_sizes() {
                prop_assert!(size == cap || size == cap + 1);
            }
        }

        #[test]
        fn two_classes_are_split_as_binary_tasks_are(rows in 40..120_usize, seed in any::<u64>()) {
            let x = Array2::from_shape_fn((rows, 1), |(i, _)| (i % 37) as f64);
            let labels: Vec<usize> = (0..rows).map(|i| usize::from(i % 3 == 0)).collect();
            let y: Array1<f64> = labels.iter().map(|l| 2.0 * *l as f64 - 1.0).collect();
            let cap = RowCap { test: Some(9), ..RowCap::default() };
            let rng = || ChaCha20Rng::seed_from_u64(seed);
            let binary = Dataset::new(x.clone(), y).unwrap();
            let labelled = LabelledDataset::new(x, labels, 2).unwrap();
            let one = stratified_split(&binary, SHARES, cap, &mut rng());
            if let Ok(one) = one {
                prop_assert_eq!(one, labelled_split(&labelled, SHARES, cap, &mut rng()).unwrap());
            }
        }

        #[test]
        fn folds_cover_the_rows_once_and_equal_rows_stay_together(
            rows in 60..200_usize, distinct in 50..200_usize, folds in 2..5_usize, seed in any::<u64>(),
        ) {
            let data = data(rows, distinct);
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let splits = fold_splits(&data, folds, None, 0.2, &mut rng).unwrap();
            let mut tested: Vec<usize> = splits.iter().flat_map(|s| s.test.clone()).collect();
            tested.sort_unstable();
            prop_assert_eq!(tested, (0..rows).collect::<Vec<_>>());
            for split in splits {
                let mut all = [split.train.clone(), split.validation.clone(), split.test.clone()].concat();
                all.sort_unstable();
                prop_assert_eq!(all, (0..rows).collect::<Vec<_>>());
                for test in &split.test {
                    let twin = |i: &&usize| **i % distinct == test % distinct;
                    prop_assert!(split.train.iter().chain(&split.validation).find(twin).is_none());
                }
            }
        }
    }

    /// 300 rows capped at 200 in four folds of 50, a fifth of the other 150 for validation; classes keep their shares.
    #[test]
    fn folds_are_of_equal_size_and_stratified() {
        let data = data(300, 300);
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        for split in fold_splits(&data, 4, Some(200), 0.2, &mut rng).unwrap() {
            let sizes = [split.train.len(), split.validation.len(), split.test.len()];
            let about = |found: usize, asked: usize| found.abs_diff(asked) <= 3;
            assert!(
                about(sizes[0], 120) && about(sizes[1], 30) && about(sizes[2], 50),
                "{sizes:?}"
            );
            let per_class = data.select(&split.test).class_sizes();
            assert!(
                per_class.iter().all(|size| about(*size, 17)),
                "{per_class:?}"
            );
        }
    }

    #[test]
    fn parts_to_learn_nothing_from_are_refused() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let data = data(30, 30);
        assert!(fold_splits(&data, 1, None, 0.2, &mut rng).is_err());
        assert!(fold_splits(&data, 3, None, 0.0, &mut rng).is_err());
        assert!(fold_splits(&data, 3, Some(2), 0.2, &mut rng).is_err());
        let one = LabelledDataset::new(Array2::zeros((9, 1)), vec![0; 9], 2).unwrap();
        assert!(labelled_split(&one, SHARES, RowCap::default(), &mut rng).is_err());
    }
}
