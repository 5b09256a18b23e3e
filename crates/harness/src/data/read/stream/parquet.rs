//! Parquet, some rows at a time.

use super::super::super::DataError;
use super::super::RowUnit;
use super::super::columns::Columns;
use super::super::parquet::{finite, label_texts, numbers, unreadable};
use super::super::wanted::{AskedBy, Wanted};
use super::block::CellBlock;
use super::fault::CellFault;
use ndarray::Array2;
use polars::prelude::{DataFrame, ParallelStrategy, ParquetReader, PolarsResult, SerReader};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Numbers that are decoded at a time: a page of a column is decoded whole whatever is wanted of it.
const CELLS: usize = 1 << 22;
/// Rows that are decoded at a time, whatever their width.
const LEAST: usize = 1024;
const MOST: usize = 1 << 17;

/// The rows of a Parquet file in their order.
pub(super) struct ParquetBlocks {
    path: PathBuf,
    file: File,
    names: Vec<String>,
    columns: Columns,
    asked_by: AskedBy,
    height: usize,
    /// Rows decoded so far.
    decoded: usize,
    slab: Slab,
    fault: CellFault,
}

/// Rows that were decoded, of which the first `given` are no longer wanted.
#[derive(Default)]
struct Slab {
    first_row: usize,
    features: Vec<Vec<f64>>,
    labels: Option<Vec<Option<String>>>,
    rows: usize,
    given: usize,
}

impl ParquetBlocks {
    pub(super) fn open(path: &Path, wanted: &Wanted<'_>) -> Result<Self, DataError> {
        let io = |source| DataError::Io {
            path: path.to_owned(),
            source,
        };
        let file = File::open(path).map_err(io)?;
        if file.metadata().map_err(io)?.len() == 0 {
            return Err(DataError::EmptyFile {
                path: path.to_owned(),
            });
        }
        let mut reader = ParquetReader::new(file.try_clone().map_err(io)?);
        let schema = reader.schema().map_err(|source| unreadable(path, source))?;
        let height = reader.num_rows();
        let height = height.map_err(|source| unreadable(path, source))?;
        let names: Vec<String> = schema.iter_names().map(ToString::to_string).collect();
        let columns = Columns::find(path, &names, wanted)?;
        if height == 0 {
            return Err(DataError::NoRows {
                path: path.to_owned(),
            });
        }
        Ok(Self {
            path: path.to_owned(),
            file,
            names,
            columns,
            asked_by: wanted.asked_by,
            height,
            decoded: 0,
            slab: Slab::default(),
            fault: CellFault::default(),
        })
    }

    /// The features' names.
    pub(super) fn names(&self) -> Vec<String> {
        let features = self.columns.features.iter();
        features.map(|column| self.names[*column].clone()).collect()
    }

    pub(super) fn is_labelled(&self) -> bool {
        self.columns.label.is_some()
    }

    /// At most `most` rows; none at the end.
    pub(super) fn next(&mut self, most: usize) -> Result<Option<CellBlock>, DataError> {
        if self.slab.given == self.slab.rows {
            if self.decoded == self.height {
                return Ok(None);
            }
            self.decode()?;
        }
        let slab = &mut self.slab;
        let from = slab.given;
        let rows = most.min(slab.rows - from);
        slab.given += rows;
        let mut values = Array2::zeros((rows, slab.features.len()));
        for (mut target, column) in values.columns_mut().into_iter().zip(&slab.features) {
            let source = &column[from..from + rows];
            target.iter_mut().zip(source).for_each(|(t, v)| *t = *v);
        }
        let labels = slab.labels.as_mut();
        Ok(Some(CellBlock {
            first_row: slab.first_row + from,
            unit: RowUnit::Row,
            values,
            labels: labels.map(|labels| {
                labels[from..from + rows]
                    .iter_mut()
                    .map(Option::take)
                    .collect()
            }),
        }))
    }

    /// The next slab. After a fault all rows are looked at, since another may come before it.
    fn decode(&mut self) -> Result<(), DataError> {
        let width = self.columns.features.len();
        loop {
            let rows = (CELLS / width.max(1)).clamp(LEAST, MOST);
            let rows = rows.min(self.height - self.decoded);
            let frame = self
                .frame(self.decoded, rows)
                .map_err(|source| unreadable(&self.path, source))?;
            let (first_row, asked_by) = (self.decoded, self.asked_by);
            self.decoded += rows;
            let label = self.columns.label.filter(|_| !self.fault.is_found());
            let column = |position: usize| {
                let found = frame.column(&self.names[position]);
                found.map_err(|source| unreadable(&self.path, source))
            };
            let labels = label
                .map(|label| label_texts(&self.path, column(label)?, asked_by))
                .transpose()?;
            let mut features = Vec::with_capacity(width);
            let open = self.fault.open(width);
            for (position, &feature) in self.columns.features[..open].iter().enumerate() {
                let found = column(feature)?;
                let values = numbers(&self.path, found, asked_by)
                    .and_then(|values| finite(&self.path, &self.names[feature], values, first_row));
                match values {
                    Ok(values) => features.push(values),
                    Err(fault) => {
                        self.fault.found(position, fault);
                        break;
                    }
                }
            }
            let no_more = self.decoded == self.height || self.fault.open(width) == 0;
            if !self.fault.is_found() {
                self.slab = Slab {
                    first_row,
                    features,
                    labels,
                    rows,
                    given: 0,
                };
                return Ok(());
            }
            if no_more {
                return self.fault.check();
            }
        }
    }

    /// The columns wanted of `rows` rows from `first` on.
    fn frame(&self, first: usize, rows: usize) -> PolarsResult<DataFrame> {
        let mut wanted = self.columns.features.clone();
        wanted.extend(self.columns.label);
        wanted.sort_unstable();
        wanted.dedup();
        ParquetReader::new(self.file.try_clone()?)
            .read_parallel(ParallelStrategy::None)
            .with_projection(Some(wanted))
            .with_slice(Some((first, rows)))
            .finish()
    }
}
