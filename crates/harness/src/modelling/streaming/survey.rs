//! The first pass over a file: what its rows are, and how they are scaled.

use super::ahead::each_block;
use super::apart::Apart;
use super::moments::Moments;
use crate::data::{BlockReader, CellBlock, DataError};
use crate::model_file::Classes;
use crate::modelling::progress::RowProgress;
use crate::modelling::summary::DataTold;
use crate::modelling::user_file::sorted;
use ndarray::Array2;
use rand::Rng as _;
use rand_chacha::ChaCha20Rng;
use robust_svm_core::CoreError;
use robust_svm_core::data::{Scaler, Scaling};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// More different labels than these are no classes.
const MOST_LABELS: usize = 10_000;

/// What a pass over all rows finds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Survey {
    /// The features' names.
    pub(crate) columns: Vec<String>,
    /// Rows of the file.
    pub(crate) rows_read: usize,
    pub(crate) missing_values: usize,
    /// Of each label, as it is compared, the training rows and the rows held out; rows with a missing value are in neither.
    pub(crate) labels: BTreeMap<String, [usize; 2]>,
    /// Some training rows, uniformly drawn.
    pub(crate) sample: Vec<Vec<f64>>,
    /// The scaling of the training rows; its medians are those of the sample.
    pub(super) scaling: ScalerParts,
}

/// The parts of a [`Scaler`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ScalerParts {
    kept: Vec<usize>,
    medians: Vec<f64>,
    offsets: Vec<f64>,
    divisors: Vec<f64>,
}

/// How rows are surveyed.
pub(super) struct Question<'a> {
    pub(super) path: &'a Path,
    /// The label's column.
    pub(super) label: &'a str,
    pub(super) apart: Apart,
    pub(super) scaling: Scaling,
    /// Rows of the sample.
    pub(super) sample: usize,
}

/// What a survey finds, and where values are missing.
pub(super) struct Found {
    pub(super) survey: Survey,
    /// Place and column of the first missing value.
    pub(super) missing: Option<(String, usize)>,
}

/// Looks at all rows that `reader` gives; `rng` draws the sample.
///
/// # Errors
/// A [`DataError`] if the file has a fault or a label is missing.
pub(super) fn survey(
    reader: BlockReader,
    question: &Question<'_>,
    mut rng: ChaCha20Rng,
    progress: &mut RowProgress,
) -> Result<Found, DataError> {
    let columns = reader.columns();
    let mut pass = Pass {
        moments: Moments::new(columns.len()),
        labels: BTreeMap::new(),
        sample: Vec::new(),
        training_rows: 0,
        rows_read: 0,
        missing_values: 0,
        missing: None,
        empty: None,
    };
    each_block(reader, |block| {
        pass.add(&block, question, &mut rng, progress)
    })?;
    if let Some(place) = pass.empty {
        return Err(DataError::Label {
            path: question.path.to_owned(),
            place,
            column: question.label.to_owned(),
            found: "an empty cell".to_owned(),
            expected: sorted(pass.labels.into_keys()).join(", "),
        });
    }
    let scaler = pass
        .moments
        .scaler(question.scaling, &medians(&pass.sample, columns.len()))?;
    Ok(Found {
        survey: Survey {
            columns,
            rows_read: pass.rows_read,
            missing_values: pass.missing_values,
            labels: pass.labels,
            sample: pass.sample,
            scaling: ScalerParts {
                kept: scaler.kept().to_vec(),
                medians: scaler.medians().to_vec(),
                offsets: scaler.offsets().to_vec(),
                divisors: scaler.divisors().to_vec(),
            },
        },
        missing: pass.missing,
    })
}

/// The rows so far.
struct Pass {
    moments: Moments,
    labels: BTreeMap<String, [usize; 2]>,
    sample: Vec<Vec<f64>>,
    training_rows: usize,
    rows_read: usize,
    missing_values: usize,
    missing: Option<(String, usize)>,
    empty: Option<String>,
}

impl Pass {
    fn add(
        &mut self,
        block: &CellBlock,
        question: &Question<'_>,
        rng: &mut ChaCha20Rng,
        progress: &mut RowProgress,
    ) -> Result<(), DataError> {
        let Some(labels) = &block.labels else {
            return Ok(());
        };
        // Each text is looked at once a block; what is counted of it is added at the end.
        let texts: Vec<String> = labels
            .texts()
            .iter()
            .map(|text| text.as_deref().map(Classes::label).unwrap_or_default())
            .collect();
        let mut seen: Vec<Option<[usize; 2]>> = vec![None; texts.len()];
        for (row, (values, place)) in block.values.outer_iter().zip(labels.places()).enumerate() {
            if texts[place].is_empty() {
                self.empty.get_or_insert_with(|| block.place(row));
                continue;
            }
            let counts = seen[place].get_or_insert([0; 2]);
            if values.fold(false, |missing, v| missing | v.is_nan()) {
                let mut gaps = (0..values.len()).filter(|column| values[*column].is_nan());
                let first = gaps.next().expect("a missing value");
                self.missing_values += 1 + gaps.count();
                let missing = &mut self.missing;
                missing.get_or_insert_with(|| (block.place(row), first));
                continue;
            }
            let held_out = question.apart.holds(values);
            counts[usize::from(held_out)] += 1;
            if held_out {
                continue;
            }
            self.moments.add(values);
            // Each training row stays with the same probability [J. S. Vitter, ACM TOMS 11 (1985), algorithm R].
            self.training_rows += 1;
            if self.sample.len() < question.sample {
                self.sample.push(values.to_vec());
            } else {
                let place = rng.gen_range(0..self.training_rows as u64) as usize;
                if let Some(kept) = self.sample.get_mut(place) {
                    kept.clear();
                    kept.extend(values);
                }
            }
        }
        for (label, counts) in texts.into_iter().zip(seen) {
            let Some([training, held_out]) = counts else {
                continue;
            };
            let of_all = self.labels.entry(label).or_default();
            of_all[0] += training;
            of_all[1] += held_out;
        }
        if self.labels.len() > MOST_LABELS {
            return Err(DataError::TooManyLabels {
                path: question.path.to_owned(),
                column: question.label.to_owned(),
                most: MOST_LABELS,
            });
        }
        self.rows_read += block.values.nrows();
        progress.add(block.values.nrows());
        Ok(())
    }
}

/// The medians of the columns of the rows; 0 without rows.
fn medians(rows: &[Vec<f64>], width: usize) -> Vec<f64> {
    let median = |column: usize| {
        let mut values: Vec<f64> = rows.iter().map(|row| row[column]).collect();
        values.sort_unstable_by(f64::total_cmp);
        let middle = values.len() / 2;
        match values.len() {
            0 => 0.0,
            length if length % 2 == 1 => values[middle],
            _ => 0.5 * (values[middle - 1] + values[middle]),
        }
    };
    (0..width).map(median).collect()
}

impl Survey {
    /// The scaling of the training rows.
    ///
    /// # Errors
    /// [`CoreError`] if it is none, as of a file that was changed.
    pub(crate) fn scaler(&self) -> Result<Scaler, CoreError> {
        let parts = self.scaling.clone();
        Scaler::from_parts(
            parts.kept,
            parts.medians.into(),
            parts.offsets.into(),
            parts.divisors.into(),
        )
    }

    /// The rows of the sample (rows × columns).
    pub(crate) fn sample(&self) -> Array2<f64> {
        Array2::from_shape_fn((self.sample.len(), self.columns.len()), |(i, k)| {
            self.sample[i][k]
        })
    }

    /// Rows of the training and held-out part, 0 and 1, that have a label of `side`.
    pub(crate) fn rows_of(&self, part: usize, side: impl Fn(&str) -> bool) -> usize {
        let labels = self.labels.iter().filter(|(label, _)| side(label));
        labels.map(|(_, counts)| counts[part]).sum()
    }

    /// What is told of the rows.
    pub(crate) fn told(&self, classes: &Classes) -> DataTold {
        let is_positive = |label: &str| classes.side_of(label) == Some(1.0);
        DataTold {
            rows: self.rows_used(),
            positive: self.rows_of(0, is_positive) + self.rows_of(1, is_positive),
            dropped: self.rows_read - self.rows_used(),
            missing_values: self.missing_values,
            classes: classes.clone(),
        }
    }

    /// Rows without a missing value.
    pub(crate) fn rows_used(&self) -> usize {
        self.rows_of(0, |_| true) + self.rows_of(1, |_| true)
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, Question, survey};
    use crate::data::{AskedBy, BlockReader, Format, Wanted, WantedFeatures};
    use crate::modelling::progress::RowProgress;
    use crate::modelling::streaming::apart::Apart;
    use crate::run::Show;
    use ndarray::Array2;
    use rand::SeedableRng as _;
    use rand_chacha::ChaCha20Rng;
    use robust_svm_core::data::{Scaler, Scaling};
    use std::path::Path;

    fn surveyed(path: &Path, share: f64, sample: usize, seed: u64) -> Found {
        let wanted = Wanted {
            label: Some("y"),
            label_may_lack: false,
            features: WantedFeatures::AllBut(&[]),
            asked_by: AskedBy::Options,
            first_index: 1,
            width: None,
        };
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let question = Question {
            path,
            label: "y",
            apart: Apart::new(share, &mut rng),
            scaling: Scaling::Standardize,
            sample,
        };
        let reader = BlockReader::open(path, Format::Csv, &wanted).unwrap();
        let mut progress = RowProgress::start(Show::Nothing, "", 0, 0);
        survey(reader, &question, rng, &mut progress).unwrap()
    }

    #[test]
    fn rows_are_counted_and_scaled_without_those_left_out_or_held_out() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("a.csv");
        std::fs::write(&path, "a,b,y\n1,5,0\n2,5,1\n,,1\n4,5,1.0\n9,5,0\n7,,2\n").unwrap();
        let found = surveyed(&path, 0.0, 100, 1);
        let survey = &found.survey;
        let counts = survey.labels.iter().map(|(l, n)| (l.as_str(), *n));
        let expected = [("0", [2, 0]), ("1", [2, 0]), ("2", [0, 0])];
        assert_eq!(counts.collect::<Vec<_>>(), expected);
        assert_eq!((survey.rows_read, survey.missing_values), (6, 3));
        assert_eq!(found.missing, Some(("line 4".to_owned(), 0)));
        let rows = Array2::from_shape_fn((4, 2), |(i, k)| [[1.0, 2.0, 4.0, 9.0], [5.0; 4]][k][i]);
        assert_eq!(survey.sample(), rows);
        // All rows are in the sample, so that its medians are theirs.
        let expected = Scaler::fit(rows.view(), Scaling::Standardize);
        let scaler = survey.scaler().unwrap();
        assert_eq!(scaler.medians(), expected.medians());
        assert_eq!(scaler.kept(), expected.kept());
        let held_out = surveyed(&path, 1.0, 100, 1).survey;
        assert_eq!(held_out.labels["1"], [0, 2]);
        assert!(held_out.sample.is_empty());
    }

    /// Each of ten rows is one of the three of a sample with probability 0.3: its count is within five standard
    /// deviations of that.
    #[test]
    fn every_row_is_as_likely_in_the_sample() {
        const DRAWS: u64 = 1000;
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("a.csv");
        let rows: Vec<String> = (0..10).map(|row| format!("{row},{}", row % 2)).collect();
        std::fs::write(&path, format!("a,y\n{}\n", rows.join("\n"))).unwrap();
        let mut counts = [0.0; 10];
        for seed in 0..DRAWS {
            let sample = surveyed(&path, 0.0, 3, seed).survey.sample;
            assert_eq!(sample.len(), 3);
            for row in sample {
                counts[row[0] as usize] += 1.0;
            }
        }
        let (mean, deviation) = (0.3 * DRAWS as f64, (0.21 * DRAWS as f64).sqrt());
        let fair = |count: &f64| (count - mean).abs() < 5.0 * deviation;
        assert!(counts.iter().all(fair), "{counts:?}");
    }
}
