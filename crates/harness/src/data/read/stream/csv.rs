//! Comma-separated values, some rows at a time.

use super::super::super::DataError;
use super::super::RowUnit;
use super::super::columns::Columns;
use super::super::csv::number;
use super::super::csv_lines::{at_line, cells, describe_ragged, header, unquoted};
use super::super::labels::Labels;
use super::super::wanted::Wanted;
use super::block::CellBlock;
use super::fault::CellFault;
use super::lines::Trimmed;
use ndarray::Array2;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The rows of a CSV file in their order.
pub(super) struct CsvBlocks {
    path: PathBuf,
    lines: Trimmed,
    header: Vec<String>,
    columns: Columns,
    /// What to do about a cell that is no number, for each feature.
    mends: Vec<String>,
    /// Rows read so far.
    rows: usize,
    fault: CellFault,
    line: String,
}

impl CsvBlocks {
    pub(super) fn open(path: &Path, wanted: &Wanted<'_>) -> Result<Self, DataError> {
        let mut lines = Trimmed::open(path)?;
        let mut line = String::new();
        if lines.next(&mut line)?.is_none() {
            return Err(DataError::EmptyFile {
                path: path.to_owned(),
            });
        }
        let header = match header(path, &line) {
            Ok(header) => header,
            Err(fault) => {
                lines.drain()?;
                return Err(fault);
            }
        };
        let columns = match Columns::find(path, &header, wanted) {
            Ok(columns) => columns,
            Err(fault) => {
                // A line of another shape comes first, and that there is none.
                let mut rows = 0;
                while let Some(index) = lines.next(&mut line)? {
                    split(path, &mut lines, index, &line, header.len())?;
                    rows += 1;
                }
                return Err(match rows {
                    0 => DataError::NoRows {
                        path: path.to_owned(),
                    },
                    _ => fault,
                });
            }
        };
        let mends = columns.features.iter();
        let mends = mends.map(|column| wanted.asked_by.mend_cell(&header[*column]));
        Ok(Self {
            path: path.to_owned(),
            mends: mends.collect(),
            lines,
            header,
            columns,
            rows: 0,
            fault: CellFault::default(),
            line,
        })
    }

    /// The features' names.
    pub(super) fn names(&self) -> Vec<String> {
        let features = self.columns.features.iter();
        features
            .map(|column| self.header[*column].clone())
            .collect()
    }

    pub(super) fn is_labelled(&self) -> bool {
        self.columns.label.is_some()
    }

    /// At most `most` rows; none at the end.
    pub(super) fn next(&mut self, most: usize) -> Result<Option<CellBlock>, DataError> {
        let first_row = self.rows;
        let mut values = Vec::new();
        let mut labels = self.columns.label.map(|_| Vec::new());
        // After a fault all rows are looked at, since another may come before it, and none are given.
        while self.rows - first_row < most || self.fault.is_found() {
            let mut line = std::mem::take(&mut self.line);
            let Some(index) = self.lines.next(&mut line)? else {
                break;
            };
            let row = split(&self.path, &mut self.lines, index, &line, self.header.len())?;
            if let (Some(labels), Some(label)) = (&mut labels, self.columns.label) {
                let text = text(row[label]);
                labels.push((!text.is_empty()).then(|| text.into_owned()));
            }
            let open = self.fault.open(self.columns.features.len());
            for (position, column) in self.columns.features[..open].iter().enumerate() {
                match number(text(row[*column]).trim(), &self.mends[position]) {
                    Ok(value) => values.push(value),
                    Err(problem) => {
                        let fault = DataError::Cell {
                            path: self.path.clone(),
                            place: RowUnit::BelowHeader.place(self.rows),
                            column: self.header[*column].clone(),
                            problem,
                        };
                        self.fault.found(position, fault);
                        break;
                    }
                }
            }
            if self.fault.is_found() {
                values.clear();
                labels.iter_mut().for_each(Vec::clear);
            }
            drop(row);
            self.line = line;
            self.rows += 1;
        }
        if self.rows == 0 {
            return Err(DataError::NoRows {
                path: self.path.clone(),
            });
        }
        self.fault.check()?;
        if self.rows == first_row {
            return Ok(None);
        }
        let shape = (self.rows - first_row, self.columns.features.len());
        Ok(Some(CellBlock {
            first_row,
            unit: RowUnit::BelowHeader,
            values: Array2::from_shape_vec(shape, values).expect("a number for each cell"),
            labels: labels.map(|texts: Vec<Option<String>>| {
                Labels::new(texts.iter().map(Option::as_deref), str::to_owned)
            }),
        }))
    }
}

/// The cells of the line with this index, `expected` of them. What is no UTF-8 text further down comes before another shape.
fn split<'a>(
    path: &Path,
    lines: &mut Trimmed,
    index: usize,
    line: &'a str,
    expected: usize,
) -> Result<Vec<&'a str>, DataError> {
    let problem = match cells(line) {
        Ok(cells) if cells.len() == expected && !line.trim().is_empty() => return Ok(cells),
        Ok(cells) => describe_ragged(line, cells.len(), expected),
        Err(problem) => problem.to_owned(),
    };
    lines.drain()?;
    Err(at_line(path, index, &problem))
}

/// What a cell says, without its quotes.
fn text(cell: &str) -> Cow<'_, str> {
    if cell.starts_with('"') {
        Cow::Owned(unquoted(cell))
    } else {
        Cow::Borrowed(cell)
    }
}
