//! Stratified, seeded splits that keep rows with equal features on one side.

use super::Dataset;
use crate::CoreError;
use ndarray::ArrayView2;
use rand::Rng;
use rand::seq::SliceRandom;
use std::collections::BTreeMap;

/// The shares of the three parts; positive, with sum 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SplitShares {
    /// Share of the training rows.
    pub train: f64,
    /// Share of the validation rows.
    pub validation: f64,
    /// Share of the test rows.
    pub test: f64,
}

/// The most rows a part may have; `None` for no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowCap {
    /// For training rows.
    pub train: Option<usize>,
    /// For validation rows.
    pub validation: Option<usize>,
    /// For test rows.
    pub test: Option<usize>,
}

/// The rows of each part, in increasing order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// Training rows.
    pub train: Vec<usize>,
    /// Validation rows.
    pub validation: Vec<usize>,
    /// Test rows.
    pub test: Vec<usize>,
}

/// Splits `data` by `shares`, each class by itself, then caps each part at `cap` rows with the class
/// shares kept. Rows with equal features move together (their first row's label says to which class
/// they count).
///
/// # Errors
/// [`CoreError::Parameter`] if the shares are not positive with sum 1; [`CoreError::OneClass`] if a part
/// ends with one class only.
pub fn stratified_split(
    data: &Dataset,
    shares: SplitShares,
    cap: RowCap,
    rng: &mut impl Rng,
) -> Result<Split, CoreError> {
    let shares = checked(shares)?;
    let caps = [cap.train, cap.validation, cap.test];
    let parts = dealt_rows(groups_of(data), data.rows(), shares, caps, rng);
    for (name, part) in ["train", "validation", "test"].into_iter().zip(&parts) {
        check_classes(data, name, part)?;
    }
    let [train, validation, test] = parts;
    Ok(Split {
        train,
        validation,
        test,
    })
}

/// The shares of training, validation and test rows.
pub(super) fn checked(shares: SplitShares) -> Result<[f64; 3], CoreError> {
    let shares = [shares.train, shares.validation, shares.test];
    if shares.iter().any(|s| s.is_nan() || *s <= 0.0)
        || (shares.iter().sum::<f64>() - 1.0).abs() > 1e-9
    {
        let found = format!("{shares:?}");
        let expected = "positive shares with sum 1";
        return Err(CoreError::parameter("split", expected, found));
    }
    Ok(shares)
}

/// The rows of two parts, in increasing order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holdout {
    /// Training rows.
    pub train: Vec<usize>,
    /// Validation rows.
    pub validation: Vec<usize>,
}

/// Splits `data` in two as [`stratified_split`] does in three: a `share` of the rows, in (0, 1), is held out
/// for validation.
///
/// # Errors
/// [`CoreError::Parameter`] if the share is not in (0, 1); [`CoreError::OneClass`] if a part ends with one
/// class only.
pub fn holdout_split(data: &Dataset, share: f64, rng: &mut impl Rng) -> Result<Holdout, CoreError> {
    if !(share > 0.0 && share < 1.0) {
        let expected = "a share between 0 and 1";
        return Err(CoreError::parameter("validation", expected, share));
    }
    let shares = [1.0 - share, share];
    let [train, validation] = dealt_rows(groups_of(data), data.rows(), shares, [None; 2], rng);
    check_classes(data, "train", &train)?;
    check_classes(data, "validation", &validation)?;
    Ok(Holdout { train, validation })
}

/// The rows of N parts of `total` by `shares` with sum 1, each class of `classes` by itself, in increasing order and at
/// most `caps` of them.
pub(super) fn dealt_rows<const N: usize>(
    classes: Vec<Vec<Vec<usize>>>,
    total: usize,
    shares: [f64; N],
    caps: [Option<usize>; N],
    rng: &mut impl Rng,
) -> [Vec<usize>; N] {
    let rows_of = |groups: &Vec<Vec<usize>>| groups.iter().map(Vec::len).sum();
    let sizes: Vec<usize> = classes.iter().map(rows_of).collect();
    let quotas = caps.map(|cap| cap.map(|cap| quotas(&sizes, total, cap)));
    let mut parts: [Vec<usize>; N] = std::array::from_fn(|_| Vec::new());
    for (class, mut groups) in classes.into_iter().enumerate() {
        groups.shuffle(rng);
        let dealt = deal(groups, sizes[class], shares);
        for ((part, groups), quotas) in parts.iter_mut().zip(dealt).zip(&quotas) {
            part.extend(take_rows(groups, quotas.as_ref().map(|rows| rows[class])));
        }
    }
    for part in &mut parts {
        part.sort_unstable();
    }
    parts
}

/// How many of `cap` rows each class of `sizes` rows, `total` together, may have: its part of them, rounded down, and one more for the
/// classes that lose most by that, of equals the first.
fn quotas(sizes: &[usize], total: usize, cap: usize) -> Vec<usize> {
    let exact = |size: &usize| cap as f64 * *size as f64 / total as f64;
    let mut quotas: Vec<usize> = sizes.iter().map(|size| exact(size) as usize).collect();
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    let lost = |class: &usize| exact(&sizes[*class]).fract();
    order.sort_by(|a, b| lost(b).total_cmp(&lost(a)));
    let left = cap.saturating_sub(quotas.iter().sum());
    for class in order.into_iter().take(left) {
        quotas[class] += 1;
    }
    quotas
}

/// That the rows `part` have both classes.
fn check_classes(data: &Dataset, name: &'static str, part: &[usize]) -> Result<(), CoreError> {
    if data.select(part).has_both_classes() {
        return Ok(());
    }
    Err(CoreError::OneClass {
        part: name,
        rows: part.len(),
    })
}

/// Groups of rows with equal features, per class (negative first), in order of their first row.
fn groups_of(data: &Dataset) -> Vec<Vec<Vec<usize>>> {
    groups_by_class(data.x().view(), 2, |row| usize::from(data.y()[row] >= 0.0))
}

/// Groups of rows of `x` with equal features, per class, in order of their first row, whose class is the group's.
pub(super) fn groups_by_class(
    x: ArrayView2<'_, f64>,
    classes: usize,
    class: impl Fn(usize) -> usize,
) -> Vec<Vec<Vec<usize>>> {
    let mut by_features: BTreeMap<Vec<u64>, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (i, row) in x.outer_iter().enumerate() {
        // Adding 0.0 makes −0.0 equal to 0.0; NaN (missing) equals NaN.
        let key = row.iter().map(|v| (v + 0.0).to_bits()).collect();
        let group = *by_features.entry(key).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(i);
    }
    let mut of_classes = vec![Vec::new(); classes];
    for group in groups {
        of_classes[class(group[0])].push(group);
    }
    of_classes
}

/// Deals groups in order, each to the part furthest below its share of the class's rows.
fn deal<const N: usize>(
    groups: Vec<Vec<usize>>,
    rows: usize,
    shares: [f64; N],
) -> [Vec<Vec<usize>>; N] {
    let mut missing = shares.map(|share| share * rows as f64);
    let mut parts: [Vec<Vec<usize>>; N] = std::array::from_fn(|_| Vec::new());
    for group in groups {
        let mut part = 0;
        for other in 1..N {
            if missing[other] > missing[part] {
                part = other;
            }
        }
        missing[part] -= group.len() as f64;
        parts[part].push(group);
    }
    parts
}

/// The rows of `groups` in order, at most `quota` of them.
fn take_rows(groups: Vec<Vec<usize>>, quota: Option<usize>) -> impl Iterator<Item = usize> {
    groups
        .into_iter()
        .flatten()
        .take(quota.unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::{Dataset, RowCap, SplitShares, holdout_split, stratified_split};
    use ndarray::{Array1, Array2};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;
    use std::collections::BTreeSet;

    const SHARES: SplitShares = SplitShares {
        train: 0.6,
        validation: 0.2,
        test: 0.2,
    };

    /// `rows` rows with features i mod `distinct` and labels by i mod 3.
    fn data(rows: usize, distinct: usize) -> Dataset {
        let x = Array2::from_shape_fn((rows, 1), |(i, _)| (i % distinct) as f64);
        let y = Array1::from_shape_fn(rows, |i| if i % 3 == 0 { 1.0 } else { -1.0 });
        Dataset::new(x, y).unwrap()
    }

    proptest! {
        #[test]
        fn parts_are_disjoint_and_equal_rows_stay_together(
            rows in 60..300_usize, distinct in 30..300_usize, seed in any::<u64>(),
        ) {
            let data = data(rows, distinct);
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let Ok(split) = stratified_split(&data, SHARES, RowCap::default(), &mut rng) else {
                return Ok(());
            };
            let parts = [&split.train, &split.validation, &split.test];
            let all: BTreeSet<usize> = parts.iter().flat_map(|p| p.iter().copied()).collect();
            prop_assert_eq!(all.len(), rows);
            prop_assert_eq!(parts.iter().map(|p| p.len()).sum::<usize>(), rows);
            let values = parts.map(|p| p.iter().map(|&i| i % distinct).collect::<BTreeSet<_>>());
            prop_assert!(values[0].is_disjoint(&values[1]));
            prop_assert!(values[0].is_disjoint(&values[2]));
            prop_assert!(values[1].is_disjoint(&values[2]));
        }

        #[test]
        fn caps_hold_and_classes_keep_their_shares(
            cap in 10..50_usize, seed in any::<u64>(),
        ) {
            let data = data(300, 300);
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let caps = RowCap { train: Some(cap), ..RowCap::default() };
            let split = stratified_split(&data, SHARES, caps, &mut rng).unwrap();
            prop_assert_eq!((split.train.len(), split.validation.len(), split.test.len()), (cap, 60, 60));
            let positive = split.train.iter().filter(|i| *i % 3 == 0).count() as f64;
            prop_assert!((positive - cap as f64 / 3.0).abs() <= 1.0);
        }
    }

    /// 150 rows of each class: half of an odd cap is rounded up for both.
    #[test]
    fn an_odd_cap_is_not_passed() {
        let x = Array2::from_shape_fn((300, 1), |(i, _)| i as f64);
        let y = Array1::from_shape_fn(300, |i| if i % 2 == 0 { 1.0 } else { -1.0 });
        let caps = RowCap {
            train: Some(11),
            validation: Some(7),
            test: Some(5),
        };
        let data = Dataset::new(x, y).unwrap();
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let split = stratified_split(&data, SHARES, caps, &mut rng).unwrap();
        let sizes = (split.train.len(), split.validation.len(), split.test.len());
        assert_eq!(sizes, (11, 7, 5));
    }

    #[test]
    fn shares_are_those_asked_for_and_every_stream_splits_its_own_way() {
        let shares = SplitShares {
            train: 0.3,
            validation: 0.5,
            test: 0.2,
        };
        let split = |seed| {
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            stratified_split(&data(300, 300), shares, RowCap::default(), &mut rng).unwrap()
        };
        let (one, other) = (split(1), split(2));
        let sizes = (one.train.len(), one.validation.len(), one.test.len());
        assert_eq!(sizes, (90, 150, 60));
        assert_eq!(one, split(1));
        assert_ne!(one, other);
    }

    /// Rows come in pairs that differ in the sign of 0 only, or not at all where the value is missing.
    #[test]
    fn zeros_of_either_sign_and_missing_values_are_equal() {
        let x = Array2::from_shape_fn((200, 2), |(i, k)| match (k, i % 2) {
            (0, _) => (i / 2) as f64,
            (_, _) if i % 4 < 2 => f64::NAN,
            (_, 0) => 0.0,
            _ => -0.0,
        });
        let y = Array1::from_shape_fn(200, |i| if i / 2 % 3 == 0 { 1.0 } else { -1.0 });
        let data = Dataset::new(x, y).unwrap();
        let mut rng = ChaCha20Rng::seed_from_u64(4);
        let split = stratified_split(&data, SHARES, RowCap::default(), &mut rng).unwrap();
        for part in [split.train, split.validation, split.test] {
            assert!(part.iter().all(|i| part.contains(&(i ^ 1))));
        }
    }

    #[test]
    fn a_share_is_held_out_and_classes_keep_theirs() {
        let data = data(300, 300);
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        let split = holdout_split(&data, 0.25, &mut rng).unwrap();
        assert_eq!((split.train.len(), split.validation.len()), (225, 75));
        let positive = split.validation.iter().filter(|i| *i % 3 == 0).count();
        assert_eq!(positive, 25);
        let all: BTreeSet<usize> = [split.train, split.validation]
            .concat()
            .into_iter()
            .collect();
        assert_eq!(all.len(), 300);
        for share in [0.0, 1.0, f64::NAN, 1e-9] {
            assert!(holdout_split(&data, share, &mut rng).is_err(), "{share}");
        }
    }

    #[test]
    fn one_class_is_an_error() {
        let x = Array2::from_shape_fn((30, 1), |(i, _)| i as f64);
        let y = Array1::from_shape_fn(30, |i| if i == 0 { 1.0 } else { -1.0 });
        let data = Dataset::new(x, y).unwrap();
        let mut rng = ChaCha20Rng::seed_from_u64(0);
        assert!(stratified_split(&data, SHARES, RowCap::default(), &mut rng).is_err());
    }
}
