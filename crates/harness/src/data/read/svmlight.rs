//! The text format of LIBSVM and SVMlight: a row a line, `label index:value index:value …`, indices
//! increasing, absent features 0, `#` before a comment. Lines without a label are skipped.
//!
//! `qid:` (rankings), several labels a row and values that are not finite are refused.

use super::super::DataError;
use super::cells::Cells;
use super::columns::Columns;
use super::range::{is_value, too_large};
use super::wanted::{Wanted, WantedFeatures};
use super::{RowUnit, csv_lines};
use crate::source_error::nearest_name;
use ndarray::Array2;
use sprs::CsMat;
use std::path::{Path, PathBuf};

/// More features than this are a slip: LIBSVM's own indices end there.
const LARGEST_INDEX: usize = i32::MAX as usize;

/// A dense table of more numbers than this does not fit into ordinary memory (8 GB).
const MOST_DENSE_CELLS: usize = 1_000_000_000;

/// Nor do the names of more columns and what models keep of each.
pub(super) const MOST_DENSE_COLUMNS: usize = 10_000_000;

/// The rows of a LIBSVM or SVMlight file.
#[derive(Debug, Clone)]
pub struct SparseTable {
    /// The file.
    pub path: PathBuf,
    /// The labels as numbers (L).
    pub labels: Vec<f64>,
    /// The features (L × n) by rows, n from the largest index.
    pub features: CsMat<f64>,
    /// The line of each row, from 1.
    pub lines: Vec<usize>,
}

impl SparseTable {
    /// Parses `bytes`, the content of the file `path`, whose first feature has the index `first_index` (1 as a
    /// rule, 0 in some files).
    ///
    /// # Errors
    /// [`DataError::At`] with line and column of what is wrong, [`DataError::Line`] for what is no UTF-8 text,
    /// [`DataError::EmptyFile`] for a file without rows.
    pub fn parse(path: &Path, bytes: &[u8], first_index: usize) -> Result<Self, DataError> {
        let text = csv_lines::utf8(path, bytes)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut rows = Rows::default();
        for (number, line) in (1..).zip(text.lines()) {
            rows.add_line(path, number, line, first_index)?;
        }
        if rows.labels.is_empty() {
            return Err(DataError::NoLabelledRows {
                path: path.to_owned(),
            });
        }
        let shape = (rows.labels.len(), rows.width);
        Ok(Self {
            path: path.to_owned(),
            labels: rows.labels,
            features: CsMat::new(shape, rows.starts, rows.indices, rows.values),
            lines: rows.lines,
        })
    }

    /// The features as a dense matrix with `width` columns (L × width): zeros after the last feature, and no
    /// features after the last column.
    ///
    /// # Errors
    /// [`DataError::TooWide`] if it would have more than 10⁹ numbers or 10⁷ columns.
    pub fn to_dense(&self, width: usize) -> Result<Array2<f64>, DataError> {
        let rows = self.features.rows();
        if width > MOST_DENSE_COLUMNS || rows.saturating_mul(width) > MOST_DENSE_CELLS {
            return Err(DataError::TooWide {
                path: self.path.clone(),
                rows,
                columns: width,
            });
        }
        let mut dense = Array2::zeros((rows, width));
        for (row, entries) in self.features.outer_iterator().enumerate() {
            for (column, value) in entries.iter().filter(|(column, _)| *column < width) {
                dense[(row, column)] = *value;
            }
        }
        Ok(dense)
    }
}

/// The dense cells of a file: feature columns are named by their indices.
pub(super) fn read_dense(
    path: &Path,
    bytes: &[u8],
    wanted: &Wanted<'_>,
) -> Result<Cells, DataError> {
    let first = wanted.first_index;
    let sparse = SparseTable::parse(path, bytes, first)?;
    let found = sparse.features.cols();
    let (columns, values) = match wanted.features {
        WantedFeatures::AllBut(_) => {
            let width = wanted.width.unwrap_or(0).max(found);
            let values = sparse.to_dense(width)?;
            let names: Vec<String> = (first..first + width).map(|c| c.to_string()).collect();
            let unnamed_label = Wanted {
                label: None,
                ..*wanted
            };
            let kept = Columns::find(path, &names, &unnamed_label)?.features;
            let columns: Vec<String> = kept.iter().map(|c| names[*c].clone()).collect();
            (columns, values.select(ndarray::Axis(1), &kept))
        }
        WantedFeatures::These(columns) => {
            let positions = positions(path, columns, first, found)?;
            let width = positions.iter().max().map_or(0, |last| last + 1);
            let values = sparse.to_dense(width)?;
            let values = values.select(ndarray::Axis(1), &positions);
            (columns.to_vec(), values)
        }
    };
    let labels = sparse.labels.iter();
    Ok(Cells {
        unit: RowUnit::Lines(sparse.lines.into()),
        columns,
        values,
        labels: wanted
            .label
            .map(|_| labels.map(|label| Some(label.to_string())).collect()),
    })
}

/// The positions, from 0, of the columns of a model; those after the `found` columns of the file are 0.
pub(super) fn positions(
    path: &Path,
    columns: &[String],
    first: usize,
    found: usize,
) -> Result<Vec<usize>, DataError> {
    let position = |column: &String| {
        let index: Option<usize> = column.parse().ok();
        index
            .filter(|index| index.to_string() == *column && *index <= LARGEST_INDEX)
            .and_then(|index| index.checked_sub(first))
    };
    let in_file = || -> Vec<String> { (first..first + found).map(|c| c.to_string()).collect() };
    columns
        .iter()
        .map(|column| {
            position(column).ok_or_else(|| {
                let columns = in_file();
                let near = nearest_name(column, columns.iter().map(String::as_str));
                DataError::MissingColumn {
                    path: path.to_owned(),
                    named: "the model was trained on (columns of a LIBSVM file are numbers)",
                    column: column.clone(),
                    near: near.map(str::to_owned),
                    columns,
                }
            })
        })
        .collect()
}

/// The rows parsed so far, as a compressed matrix needs them.
pub(super) struct Rows {
    pub(super) labels: Vec<f64>,
    pub(super) lines: Vec<usize>,
    /// Where each row starts among the entries, and where the last one ends.
    pub(super) starts: Vec<usize>,
    pub(super) indices: Vec<usize>,
    pub(super) values: Vec<f64>,
    pub(super) width: usize,
}

impl Default for Rows {
    fn default() -> Self {
        Self {
            labels: Vec::new(),
            lines: Vec::new(),
            starts: vec![0],
            indices: Vec::new(),
            values: Vec::new(),
            width: 0,
        }
    }
}

/// What is wrong with a line, and at which of its bytes.
#[derive(Debug)]
struct Fault {
    offset: usize,
    problem: String,
}

impl Rows {
    /// Adds the row of the line `number` of the file `path`, if it has one.
    pub(super) fn add_line(
        &mut self,
        path: &Path,
        number: usize,
        line: &str,
        first_index: usize,
    ) -> Result<(), DataError> {
        let content = line.split('#').next().unwrap_or_default();
        self.add(number, content, first_index)
            .map_err(|fault| DataError::At {
                path: path.to_owned(),
                line: number,
                column: line[..fault.offset].chars().count() + 1,
                problem: fault.problem,
            })
    }

    /// Adds the row of a line without its comment; blank lines have none.
    fn add(&mut self, number: usize, content: &str, first_index: usize) -> Result<(), Fault> {
        let mut tokens = tokens(content);
        let Some((offset, token)) = tokens.next() else {
            return Ok(());
        };
        let label = label(token).map_err(|problem| Fault { offset, problem })?;
        let mut before = None;
        for (offset, token) in tokens {
            let (position, value) = entry(token, first_index).map_err(|fault| Fault {
                offset: offset + fault.offset,
                problem: fault.problem,
            })?;
            if before.is_some_and(|before| position <= before) {
                let least = before.unwrap_or(0) + 1 + first_index;
                return Err(Fault {
                    offset,
                    problem: format!(
                        "expected an index of {least} or more, found {}: indices increase along a line",
                        position + first_index
                    ),
                });
            }
            before = Some(position);
            self.indices.push(position);
            self.values.push(value);
        }
        self.width = self.width.max(before.map_or(0, |last| last + 1));
        self.labels.push(label);
        self.lines.push(number);
        self.starts.push(self.indices.len());
        Ok(())
    }
}

/// The words of a line, with the byte each begins at.
fn tokens(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_ascii_whitespace()
        .map(move |token| (token.as_ptr().addr() - line.as_ptr().addr(), token))
}

fn label(token: &str) -> Result<f64, String> {
    if token.contains(':') {
        return Err(format!("expected the row's label, found `{token}`"));
    }
    if token.contains(',') {
        return Err(format!(
            "expected one label, found `{token}`: rows of several labels are not supported"
        ));
    }
    // Adding 0.0 makes −0.0 equal to 0.0.
    number(token)
        .map(|label| label + 0.0)
        .ok_or_else(|| format!("expected the row's label, a number, found `{token}`"))
}

/// Position, from 0, and value of `index:value`; the fault is at a byte of the token.
fn entry(token: &str, first_index: usize) -> Result<(usize, f64), Fault> {
    let fault = |offset, problem| Err(Fault { offset, problem });
    let Some((index, value)) = token.split_once(':') else {
        return fault(0, format!("expected `index:value`, found `{token}`"));
    };
    if index == "qid" {
        let problem = "`qid:` marks the queries of a ranking, which are not supported";
        return fault(0, problem.to_owned());
    }
    let index = match index.parse::<usize>() {
        Ok(index) if index <= LARGEST_INDEX => index,
        _ => {
            let problem =
                format!("expected an index, a whole number up to {LARGEST_INDEX}, found `{index}`");
            return fault(0, problem);
        }
    };
    let Some(position) = index.checked_sub(first_index) else {
        let problem = format!(
            "expected an index of 1 or more, found {index}\n  \
             = help: where indices count from 0, say so: --zero-based, or first_index = 0 in the manifest"
        );
        return fault(0, problem);
    };
    let column = token.len() - value.len();
    match number(value) {
        Some(number) if is_value(number) => Ok((position, number)),
        Some(_) => fault(column, too_large(value)),
        None => fault(column, format!("expected a finite number, found `{value}`")),
    }
}

/// A finite number.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::SparseTable;
    use super::is_value;
    use ndarray::{Array2, array};
    use proptest::prelude::*;
    use std::fmt::Write as _;
    use std::path::Path;

    fn parse(text: &str, first_index: usize) -> Result<SparseTable, String> {
        SparseTable::parse(Path::new("a.svm"), text.as_bytes(), first_index)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn files_as_programs_write_them() {
        let text = "# made by hand\n+1 1:0.5 3:-2e-1 # first\r\n\n-1\t2:3\n  0 4:0 \n-0 1:+1.5";
        let table = parse(text, 1).unwrap();
        assert_eq!(table.labels, [1.0, -1.0, 0.0, 0.0]);
        assert!(table.labels.iter().all(|label| label.to_string() != "-0"));
        assert_eq!(table.lines, [2, 4, 5, 6]);
        let expected = array![
            [0.5, 0.0, -0.2, 0.0],
            [0.0, 3.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0],
            [1.5, 0.0, 0.0, 0.0]
        ];
        assert_eq!(table.features.shape(), (4, 4));
        assert_eq!(table.features.nnz(), 5);
        assert_eq!(table.to_dense(4).unwrap(), expected);
        assert_eq!(table.to_dense(6).unwrap().ncols(), 6);
        assert_eq!(
            parse("1 0:7 2:8", 0).unwrap().to_dense(3).unwrap(),
            array![[7.0, 0.0, 8.0]]
        );
        assert_eq!(parse("1\n2\n", 1).unwrap().features.shape(), (2, 0));
    }

    #[test]
    fn faults_are_told_with_their_place() {
        for (text, place_and_problem) in [
            (
                "1 1:2\n1 2",
                "line 2, column 3: expected `index:value`, found `2`",
            ),
            (
                "1 1:x",
                "line 1, column 5: expected a finite number, found `x`",
            ),
            (
                "1 1:",
                "line 1, column 5: expected a finite number, found ``",
            ),
            (
                "1 1:nan",
                "line 1, column 5: expected a finite number, found `nan`",
            ),
            (
                "1 3:1 ä:2",
                "line 1, column 7: expected an index, a whole number",
            ),
            (
                "1 -1:2",
                "line 1, column 3: expected an index, a whole number",
            ),
            (
                "1 4294967296:2",
                "line 1, column 3: expected an index, a whole number",
            ),
            (
                "1 2:1 2:2",
                "line 1, column 7: expected an index of 3 or more, found 2",
            ),
            (
                "1 0:1",
                "line 1, column 3: expected an index of 1 or more, found 0",
            ),
            (
                "1 qid:3 1:2",
                "line 1, column 3: `qid:` marks the queries of a ranking",
            ),
            (
                "1:2 2:3",
                "line 1, column 1: expected the row's label, found `1:2`",
            ),
            (
                "1,2 1:3",
                "line 1, column 1: expected one label, found `1,2`",
            ),
            (
                "yes 1:3",
                "line 1, column 1: expected the row's label, a number, found `yes`",
            ),
            ("# nothing\n\n", "there are no rows"),
        ] {
            let told = parse(text, 1).unwrap_err();
            assert!(told.contains(place_and_problem), "{text:?}: {told}");
            assert!(told.starts_with("a.svm"), "{told}");
        }
        let told = SparseTable::parse(Path::new("a.svm"), b"1 1:2\n\xff", 1).unwrap_err();
        assert!(told.to_string().contains("line 2: not UTF-8"), "{told}");
    }

    #[test]
    fn a_table_too_wide_to_be_dense_is_refused_before_it_is_made() {
        let table = parse("1 2000000000:1\n0 1:1", 1).unwrap();
        let told = table
            .to_dense(table.features.cols())
            .unwrap_err()
            .to_string();
        assert!(told.contains("2 rows of 2000000000 features"), "{told}");
    }

    fn write(labels: &[f64], dense: &Array2<f64>, first_index: usize) -> String {
        let mut text = String::new();
        for (label, row) in labels.iter().zip(dense.outer_iter()) {
            let _ = write!(text, "{label}");
            for (column, value) in row.iter().enumerate().filter(|(_, v)| v.to_bits() != 0) {
                let _ = write!(text, " {}:{value:?}", column + first_index);
            }
            text.push('\n');
        }
        text
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            rows in 1_usize..8,
            width in 1_usize..6,
            first_index in 0_usize..2,
            values in prop::collection::vec(
                prop_oneof![Just(0.0), prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL]
                    .prop_filter("too large", |v| is_value(*v)),
                48,
            ),
        ) {
            let dense = Array2::from_shape_fn((rows, width), |(i, j)| values[i * width + j]);
            let labels: Vec<f64> = values[..rows].iter().map(|v| v + 0.0).collect();
            let table = parse(&write(&labels, &dense, first_index), first_index).unwrap();
            prop_assert_eq!(&table.labels, &labels);
            let read = table.to_dense(width).unwrap();
            prop_assert_eq!(read.mapv(f64::to_bits), dense.mapv(f64::to_bits));
        }
    }
}
