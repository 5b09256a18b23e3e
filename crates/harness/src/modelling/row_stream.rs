//! The rows of a file as a model wants them, some at a time.

use super::progress::RowProgress;
use super::user_file::{UserFile, sorted};
use crate::data::{
    AskedBy, BlockReader, CellBlock, DataError, MissingPolicy, Wanted, WantedFeatures,
    check_columns,
};
use crate::model_file::{Classes, SavedModel};
use ndarray::{Array1, Array2};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Rows that are read from the file at a time.
const READ: usize = 2048;

/// More different labels than these are not told.
const MOST_LABELS: usize = 1000;

/// The rows of a file in their order. What is wrong with the file is told at its end at the latest, and then no more
/// rows come: what was made of rows before is to be thrown away.
pub(crate) struct RowStream<'a> {
    model: &'a SavedModel,
    file: &'a UserFile,
    reader: BlockReader,
    /// Rows that were read, and how many of them were given.
    ahead: Option<(Labelled, usize)>,
    /// Rows given so far.
    given: usize,
    problems: Problems,
    /// Shows how far they are.
    progress: Option<RowProgress>,
}

/// Rows that follow each other in the file.
#[derive(Debug)]
pub(crate) struct Batch {
    /// How many rows of the file are before these.
    pub(crate) first_row: usize,
    /// How many there are.
    pub(crate) rows: usize,
    /// Those of them that the model is used on, from 0, in increasing order; others are left out for a missing value.
    pub(crate) used: Vec<usize>,
    /// The columns of the model in these (used × columns); NaN = missing.
    pub(crate) x: Array2<f64>,
    /// Labels, if the file has them: ±1 of the rows used, and as they are written of all rows.
    pub(crate) labels: Option<(Array1<f64>, Vec<String>)>,
}

/// A block with its labels understood: ±1, and as they are written.
struct Labelled {
    block: CellBlock,
    labels: Option<(Vec<f64>, Vec<String>)>,
}

/// What is wrong with labels and missing values: where it is first.
#[derive(Default)]
struct Problems {
    empty: Option<String>,
    /// With the label.
    unknown: Option<(String, String)>,
    /// With the column.
    missing: Option<(String, usize)>,
    missing_values: usize,
    /// The labels there are.
    labels: BTreeSet<String>,
}

impl<'a> RowStream<'a> {
    /// The columns of `model` in `file` and, if `with_labels`, its labels where it has them.
    ///
    /// # Errors
    /// A [`DataError`] if a column is not there or the file cannot be read.
    pub(crate) fn open(
        file: &'a UserFile,
        model: &'a SavedModel,
        with_labels: bool,
    ) -> Result<Self, DataError> {
        let wanted = Wanted {
            label: with_labels.then_some(model.label.as_str()),
            label_may_lack: true,
            features: WantedFeatures::These(&model.columns),
            asked_by: AskedBy::Model,
            first_index: file.first_index,
            width: None,
        };
        check_columns(&file.path, file.format, &wanted)?;
        Ok(Self {
            model,
            file,
            reader: BlockReader::open(&file.path, file.format, &wanted)?,
            ahead: None,
            given: 0,
            problems: Problems::default(),
            progress: None,
        })
    }

    /// What is done with the rows is shown as it is told to [`RowStream::done`].
    pub(crate) fn with_progress(self, progress: RowProgress) -> Self {
        Self {
            progress: Some(progress),
            ..self
        }
    }

    /// Takes that so many rows more are done, from any thread. The progress is gone with it.
    pub(crate) fn done(&mut self) -> impl Fn(usize) + Sync + use<> {
        let progress = Mutex::new(self.progress.take());
        move |rows| {
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(progress) = &mut *progress {
                progress.add(rows);
            }
        }
    }

    /// Whether the file has labels.
    pub(crate) fn is_labelled(&self) -> bool {
        self.reader.is_labelled()
    }

    /// The next rows, of which the model is used on `most` or, at the end, fewer; `None` after them.
    ///
    /// # Errors
    /// A [`DataError`] if a cell is no number, a label of neither class, or a value missing where the model allows none.
    pub(crate) fn next(&mut self, most: usize) -> Result<Option<Batch>, DataError> {
        let columns = self.model.columns.len();
        let (first_row, mut rows, mut used) = (self.given, 0, Vec::new());
        let mut values = Vec::new();
        let mut labels = self.is_labelled().then(|| (Vec::new(), Vec::new()));
        while used.len() < most {
            let Some((labelled, next)) = &mut self.ahead else {
                match self.read()? {
                    Some(labelled) => self.ahead = Some((labelled, 0)),
                    None => break,
                }
                continue;
            };
            let row = labelled.block.values.row(*next);
            let is_used =
                self.model.missing != MissingPolicy::Drop || !row.iter().any(|v| v.is_nan());
            if is_used {
                used.push(rows);
                values.extend(row);
            }
            if let (Some((y, written)), Some((signs, texts))) = (&mut labels, &mut labelled.labels)
            {
                written.push(std::mem::take(&mut texts[*next]));
                y.extend(is_used.then_some(signs[*next]));
            }
            rows += 1;
            *next += 1;
            if *next == labelled.block.values.nrows() {
                self.ahead = None;
            }
        }
        self.given += rows;
        if rows == 0 {
            return Ok(None);
        }
        let shape = (used.len(), columns);
        Ok(Some(Batch {
            first_row,
            rows,
            used,
            x: Array2::from_shape_vec(shape, values).expect("a number for each column"),
            labels: labels.map(|(y, written)| (y.into(), written)),
        }))
    }

    /// The next block; once there is a problem, the error at the end of the file.
    fn read(&mut self) -> Result<Option<Labelled>, DataError> {
        loop {
            let Some(mut block) = self.reader.next(READ)? else {
                self.check()?;
                return Ok(None);
            };
            if self.model.missing == MissingPolicy::Error {
                self.problems.look_for_gaps(&block);
            }
            let labels = block.labels.take();
            let labels = labels.map(|labels| self.understand(&block, labels.into_texts()));
            if !self.problems.are_there() {
                return Ok(Some(Labelled { block, labels }));
            }
        }
    }

    /// The labels of a block, ±1 and as they are compared.
    fn understand(
        &mut self,
        block: &CellBlock,
        texts: Vec<Option<String>>,
    ) -> (Vec<f64>, Vec<String>) {
        let problems = &mut self.problems;
        let mut signs = Vec::with_capacity(texts.len());
        let mut written = Vec::with_capacity(texts.len());
        for (row, text) in texts.into_iter().enumerate() {
            let label = text.map(|text| Classes::label(&text)).unwrap_or_default();
            let side = self.model.classes.side_of(&label);
            if label.is_empty() {
                problems.empty.get_or_insert_with(|| block.place(row));
            } else if !problems.labels.contains(&label) && problems.labels.len() < MOST_LABELS {
                problems.labels.insert(label.clone());
            }
            if side.is_none() {
                let unknown = &mut problems.unknown;
                unknown.get_or_insert_with(|| (block.place(row), label.clone()));
            }
            signs.push(side.unwrap_or(f64::NAN));
            written.push(label);
        }
        (signs, written)
    }

    /// The error of a file with problems.
    fn check(&mut self) -> Result<(), DataError> {
        let problems = std::mem::take(&mut self.problems);
        let label = |place, found, expected| DataError::Label {
            path: self.file.path.clone(),
            place,
            column: self.model.label.clone(),
            found,
            expected,
        };
        if let Some(place) = problems.empty {
            let others = sorted(problems.labels).join(", ");
            return Err(label(place, "an empty cell".to_owned(), others));
        }
        if let Some((place, text)) = problems.unknown {
            let known: Vec<&str> = self.model.classes.labels().collect();
            let known = format!(
                "{}\n  = help: --no-labels leaves labels unread",
                known.join(", ")
            );
            return Err(label(place, format!("`{text}`"), known));
        }
        match problems.missing {
            None => Ok(()),
            Some((place, column)) => Err(DataError::MissingValue {
                path: self.file.path.clone(),
                place,
                column: self.model.columns[column].clone(),
                count: problems.missing_values,
                remedy: "the model was trained to refuse missing values: train it with --missing median, \
                         which puts in the training median, or --missing drop, which leaves such rows out",
            }),
        }
    }
}

impl Problems {
    fn are_there(&self) -> bool {
        self.empty.is_some() || self.unknown.is_some() || self.missing.is_some()
    }

    fn look_for_gaps(&mut self, block: &CellBlock) {
        for (row, values) in block.values.outer_iter().enumerate() {
            for (column, _) in values.iter().enumerate().filter(|(_, v)| v.is_nan()) {
                self.missing_values += 1;
                let missing = &mut self.missing;
                missing.get_or_insert_with(|| (block.place(row), column));
            }
        }
    }
}
