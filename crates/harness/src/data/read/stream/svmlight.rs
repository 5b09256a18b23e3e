//! LIBSVM and SVMlight files, some rows at a time, as dense blocks.

use super::super::super::DataError;
use super::super::RowUnit;
use super::super::columns::Columns;
use super::super::labels::Labels;
use super::super::svmlight::{MOST_DENSE_COLUMNS, Rows, positions};
use super::super::wanted::{Wanted, WantedFeatures};
use super::block::CellBlock;
use super::lines::Lines;
use ndarray::Array2;
use std::path::{Path, PathBuf};

/// The rows of a LIBSVM file in their order.
pub(super) struct SvmlightBlocks {
    path: PathBuf,
    lines: Lines,
    first_index: usize,
    with_labels: bool,
    /// The features' names.
    names: Vec<String>,
    /// For each position in the file the columns of the block that show it.
    places: Vec<Vec<usize>>,
    rows: usize,
    line: String,
}

impl SvmlightBlocks {
    /// Reads the file once to its end, unless what is wanted says its width.
    pub(super) fn open(path: &Path, wanted: &Wanted<'_>) -> Result<Self, DataError> {
        let first = wanted.first_index;
        let (names, kept) = match wanted.features {
            WantedFeatures::AllBut(_) => {
                let width = match wanted.width {
                    Some(width) => width,
                    None => scan(path, first)?.1,
                };
                if width > MOST_DENSE_COLUMNS {
                    return Err(DataError::TooWide {
                        path: path.to_owned(),
                        rows: scan(path, first)?.0,
                        columns: width,
                    });
                }
                let names: Vec<String> = (first..first + width).map(|c| c.to_string()).collect();
                let unnamed_label = Wanted {
                    label: None,
                    ..*wanted
                };
                let kept = Columns::find(path, &names, &unnamed_label)?.features;
                (kept.iter().map(|c| names[*c].clone()).collect(), kept)
            }
            WantedFeatures::These(columns) => {
                let found = positions(path, columns, first, 0);
                let kept = match found {
                    Ok(kept) => kept,
                    // The error tells which columns there are.
                    Err(_) => positions(path, columns, first, scan(path, first)?.1)?,
                };
                (columns.to_vec(), kept)
            }
        };
        let width = kept.iter().max().map_or(0, |last| last + 1);
        if width > MOST_DENSE_COLUMNS {
            return Err(DataError::TooWide {
                path: path.to_owned(),
                rows: scan(path, first)?.0,
                columns: width,
            });
        }
        let mut places = vec![Vec::new(); width];
        for (column, position) in kept.iter().enumerate() {
            places[*position].push(column);
        }
        Ok(Self {
            path: path.to_owned(),
            lines: Lines::open(path)?,
            first_index: first,
            with_labels: wanted.label.is_some(),
            names,
            places,
            rows: 0,
            line: String::new(),
        })
    }

    /// The features' names.
    pub(super) fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    pub(super) fn is_labelled(&self) -> bool {
        self.with_labels
    }

    /// At most `most` rows; none at the end.
    pub(super) fn next(&mut self, most: usize) -> Result<Option<CellBlock>, DataError> {
        let mut rows = Rows::default();
        while rows.labels.len() < most && self.lines.next(&mut self.line)? {
            let number = self.lines.count();
            let added = rows.add_line(&self.path, number, &self.line, self.first_index);
            if let Err(fault) = added {
                self.lines.drain()?;
                return Err(fault);
            }
        }
        let first_row = self.rows;
        self.rows += rows.labels.len();
        if self.rows == 0 {
            return Err(DataError::NoLabelledRows {
                path: self.path.clone(),
            });
        }
        if rows.labels.is_empty() {
            return Ok(None);
        }
        let mut values = Array2::zeros((rows.labels.len(), self.names.len()));
        for (mut row, ends) in values.outer_iter_mut().zip(rows.starts.windows(2)) {
            for entry in ends[0]..ends[1] {
                for &column in self.places.get(rows.indices[entry]).into_iter().flatten() {
                    row[column] = rows.values[entry];
                }
            }
        }
        let labels = rows.labels.iter().map(|label| Some(label.to_bits()));
        let text = |bits| f64::from_bits(bits).to_string();
        Ok(Some(CellBlock {
            first_row,
            unit: RowUnit::Lines(rows.lines.into()),
            values,
            labels: self.with_labels.then(|| Labels::new(labels, text)),
        }))
    }
}

/// Rows and width of the file.
fn scan(path: &Path, first_index: usize) -> Result<(usize, usize), DataError> {
    let mut lines = Lines::open(path)?;
    let (mut line, mut count, mut width) = (String::new(), 0, 0);
    while lines.next(&mut line)? {
        let mut rows = Rows::default();
        if let Err(fault) = rows.add_line(path, lines.count(), &line, first_index) {
            lines.drain()?;
            return Err(fault);
        }
        count += rows.labels.len();
        width = width.max(rows.width);
    }
    if count == 0 {
        return Err(DataError::NoLabelledRows {
            path: path.to_owned(),
        });
    }
    Ok((count, width))
}
