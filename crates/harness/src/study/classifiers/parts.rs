//! How the rows of a dataset are parted: by shares, folds, or rows that the experiment names.

use super::spec_data::{Entry, FoldsSpec, PerClassSpec, RowsSpec};
use crate::plan::PlanError;
use crate::plan::check::MAX_REPEATS;
use crate::spec::{Spanned, SpecFile};
use robust_svm_core::CoreError;
use robust_svm_core::data::{
    LabelledDataset, RowCap, Split, SplitShares, fold_splits, labelled_split,
};
use robust_svm_core::seed::CellSeed;
use std::ops::Range;

/// More folds are a slip.
const MAX_FOLDS: u32 = 100;

/// How rows are parted.
#[derive(Debug, Clone, PartialEq)]
pub enum Parts {
    /// Stratified, by shares, drawn for each repeat.
    Shares {
        /// Shares of the parts.
        shares: SplitShares,
        /// The most rows of the parts.
        cap: RowCap,
    },
    /// These rows of training, validation and test.
    Rows([Range<usize>; 3]),
    /// So many rows of each class for training, validation and test, in the file's order.
    PerClass([usize; 3]),
    /// Cross-validation.
    Folds {
        /// How many.
        count: u32,
        /// The most rows that are dealt to them.
        rows: Option<usize>,
        /// Share of the rows outside of the tested fold for validation.
        validation: f64,
    },
}

impl Parts {
    /// What `entry` says; none where it says nothing.
    pub(super) fn of_entry(file: &SpecFile, entry: &Entry) -> Result<Option<Self>, PlanError> {
        let given = [
            entry.split.as_ref().map(Spanned::span),
            entry.rows.as_ref().map(Spanned::span),
            entry.per_class.as_ref().map(Spanned::span),
            entry.folds.as_ref().map(Spanned::span),
        ];
        let given: Vec<Range<usize>> = given.into_iter().flatten().collect();
        if let [_, second, ..] = given.as_slice() {
            let message = "this dataset is parted in two ways";
            let help = "write one of split, rows, per_class and folds";
            return Err(file.error_at(second.clone(), message, help).into());
        }
        if let Some(rows) = &entry.rows {
            return Self::of_rows(file, rows).map(Some);
        }
        if let Some(counts) = &entry.per_class {
            return Self::of_counts(file, counts).map(Some);
        }
        match &entry.folds {
            Some(folds) => Self::of_folds(file, folds.get_ref()).map(Some),
            None => Ok(None),
        }
    }

    fn of_rows(file: &SpecFile, spec: &Spanned<RowsSpec>) -> Result<Self, PlanError> {
        let RowsSpec {
            train,
            validation,
            test,
        } = spec.get_ref();
        let mut ranges: [Range<usize>; 3] = [0..0, 0..0, 0..0];
        for (range, text) in ranges.iter_mut().zip([train, validation, test]) {
            *range = range_of(text).ok_or_else(|| {
                let message = format!("`{text}` names no rows");
                let help = "write first..end with first < end, for example \"0..6000\"";
                PlanError::from(file.error_at(spec.span(), message, help))
            })?;
        }
        let [a, b, c] = &ranges;
        let meet =
            |one: &Range<usize>, two: &Range<usize>| one.start < two.end && two.start < one.end;
        if meet(a, b) || meet(b, c) || meet(a, c) {
            let message = "a row is in two parts";
            let help = "rows are counted from 0 and the end is left out";
            return Err(file.error_at(spec.span(), message, help).into());
        }
        Ok(Self::Rows(ranges))
    }

    fn of_counts(file: &SpecFile, spec: &Spanned<PerClassSpec>) -> Result<Self, PlanError> {
        let PerClassSpec {
            train,
            validation,
            test,
        } = *spec.get_ref();
        let counts = [train, validation, test];
        if counts.contains(&0) {
            let message = format!("`per_class` must be at least 1 in each part, found {counts:?}");
            let help = "for example per_class = { train = 55, validation = 5, test = 12 }";
            return Err(file.error_at(spec.span(), message, help).into());
        }
        Ok(Self::PerClass(counts))
    }

    fn of_folds(file: &SpecFile, spec: &FoldsSpec) -> Result<Self, PlanError> {
        let (count, validation) = (*spec.count.get_ref(), *spec.validation.get_ref());
        if !(2..=MAX_FOLDS).contains(&count) {
            let message = format!("`count` must be from 2 to {MAX_FOLDS}, found {count}");
            let help = "for example folds = { count = 3, validation = 0.2 }";
            return Err(file.error_at(spec.count.span(), message, help).into());
        }
        if !(validation > 0.0 && validation < 1.0) {
            let message = format!("`validation` must be between 0 and 1, found {validation}");
            let help = "it is the share of the rows outside of a fold, for example 0.2";
            return Err(file.error_at(spec.validation.span(), message, help).into());
        }
        Ok(Self::Folds {
            count,
            rows: spec.rows,
            validation,
        })
    }

    /// How often the dataset is parted, if asked for `repeats`: fixed rows once, folds each once a round.
    pub(super) fn times(&self, repeats: u32) -> u32 {
        match self {
            Self::Shares { .. } => repeats,
            Self::Rows(_) | Self::PerClass(_) => 1,
            Self::Folds { count, .. } => repeats.saturating_mul(*count).min(MAX_REPEATS),
        }
    }

    /// The rows of each part in `repeat` of the dataset called `label`.
    ///
    /// # Errors
    /// [`CoreError`] if there are not the rows asked for.
    pub(super) fn split(
        &self,
        data: &LabelledDataset,
        (seed, label): (u64, &str),
        repeat: u32,
    ) -> Result<Split, CoreError> {
        let stream = |round| CellSeed::new(seed, label, round).stream("split");
        match self {
            Self::Shares { shares, cap } => {
                labelled_split(data, *shares, *cap, &mut stream(repeat))
            }
            Self::Rows(ranges) => of_ranges(data, ranges),
            Self::PerClass(counts) => of_classes(data, *counts),
            Self::Folds {
                count,
                rows,
                validation,
            } => {
                let (round, fold) = (repeat / count, (repeat % count) as usize);
                let mut rng = stream(round);
                let mut folds = fold_splits(data, *count as usize, *rows, *validation, &mut rng)?;
                Ok(folds.swap_remove(fold))
            }
        }
    }
}

/// `first..end` with first < end.
fn range_of(text: &str) -> Option<Range<usize>> {
    let (first, end) = text.split_once("..")?;
    let range = first.trim().parse().ok()?..end.trim().parse().ok()?;
    (!range.is_empty()).then_some(range)
}

fn of_ranges(data: &LabelledDataset, ranges: &[Range<usize>; 3]) -> Result<Split, CoreError> {
    if let Some(range) = ranges.iter().find(|range| range.end > data.rows()) {
        let expected = format!("within the {} rows of the dataset", data.rows());
        return Err(CoreError::parameter("rows", expected, format!("{range:?}")));
    }
    let [train, validation, test] = ranges.clone().map(Iterator::collect);
    Ok(Split {
        train,
        validation,
        test,
    })
}

fn of_classes(data: &LabelledDataset, counts: [usize; 3]) -> Result<Split, CoreError> {
    let mut parts: [Vec<usize>; 3] = Default::default();
    for class in 0..data.classes() {
        let labels = data.labels().iter().enumerate();
        let of_class: Vec<usize> = labels
            .filter(|(_, l)| **l == class)
            .map(|(i, _)| i)
            .collect();
        let mut next = 0;
        for (part, count) in parts.iter_mut().zip(counts) {
            let rows = of_class.get(next..next + count).ok_or_else(|| {
                let expected = format!("at most the {} rows of class {class}", of_class.len());
                CoreError::parameter("per_class", expected, counts.iter().sum::<usize>())
            })?;
            part.extend(rows);
            next += count;
        }
    }
    for part in &mut parts {
        part.sort_unstable();
    }
    let [train, validation, test] = parts;
    Ok(Split {
        train,
        validation,
        test,
    })
}

#[cfg(test)]
mod tests {
    use super::{Parts, range_of};
    use ndarray::Array2;
    use robust_svm_core::data::LabelledDataset;

    #[test]
    fn ranges_of_texts() {
        assert_eq!(range_of("3..7"), Some(3..7));
        assert_eq!(range_of(" 0 .. 1 "), Some(0..1));
        for text in ["3..3", "7..3", "3", "a..b", "3..", "-1..2"] {
            assert_eq!(range_of(text), None, "{text}");
        }
    }

    /// Classes 0 1 0 1 …: of each the first two rows, the next and the last.
    #[test]
    fn rows_of_each_class_in_the_order_of_the_file() {
        let labels = (0..8).map(|i| i % 2).collect();
        let data = LabelledDataset::new(Array2::zeros((8, 1)), labels, 2).unwrap();
        let split = Parts::PerClass([2, 1, 1])
            .split(&data, (0, "a"), 0)
            .unwrap();
        assert_eq!(split.train, [0, 1, 2, 3]);
        assert_eq!((split.validation, split.test), (vec![4, 5], vec![6, 7]));
        assert!(
            Parts::PerClass([3, 1, 1])
                .split(&data, (0, "a"), 0)
                .is_err()
        );
        let split = Parts::Rows([0..4, 6..7, 7..8])
            .split(&data, (0, "a"), 0)
            .unwrap();
        assert_eq!(
            (split.train.len(), split.validation, split.test),
            (4, vec![6], vec![7])
        );
        assert!(
            Parts::Rows([0..4, 4..5, 5..9])
                .split(&data, (0, "a"), 0)
                .is_err()
        );
    }
}
