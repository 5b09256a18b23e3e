//! From a table of several classes to a binary task.

use super::sides::{Sides, names_on_side, sides};
use super::{DataError, DataFile, Format, constant_columns, duplicate_rows, missing_values};
use ndarray::{Array1, ArrayView2, Axis};
use robust_svm_core::data::Dataset;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// What helps against missing values.
const REMEDY: &str =
    "missing = \"drop\" leaves such rows out, missing = \"median\" puts in the training median";

/// Which classes are told apart, and what becomes of missing values. A class is given by its name, or by
/// its number where no class has that name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskSpec {
    /// The classes labelled +1. If absent, those of two classes that are not negative, else class 1.
    pub positive: Option<Vec<String>>,
    /// The classes labelled −1. If absent, all that are not positive.
    pub negative: Option<Vec<String>>,
    /// What becomes of missing values.
    pub missing: MissingPolicy,
}

/// What becomes of missing values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissingPolicy {
    /// Rows with a missing value are left out.
    Drop,
    /// They stay, as NaN, for the scaler to put the training median in.
    Median,
    /// They are an error.
    Error,
}

/// A binary task, and what was done to get it.
#[derive(Debug, Clone)]
pub struct LoadedTask {
    /// Inputs and labels ±1, in the file's order.
    pub data: Dataset,
    /// The features' names.
    pub feature_names: Vec<String>,
    /// What was left out and what is odd.
    pub report: LoadReport,
    /// SHA-256, in hexadecimal digits, of the data file's bytes and of what was made of them: the label
    /// column, the ignored columns, and the side of each class.
    pub digest: String,
}

/// What was left out of a task, and what is odd in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadReport {
    /// Rows of the file.
    pub rows_read: usize,
    /// Rows of classes on neither side.
    pub rows_other_classes: usize,
    /// Missing values in the rows of both sides, before any are dropped.
    pub missing_values: usize,
    /// Rows of both sides dropped for a missing value.
    pub rows_dropped_missing: usize,
    /// Features of the task with fewer than two different values.
    pub constant_features: Vec<String>,
    /// Rows of the task equal to an earlier one, label included.
    pub duplicate_rows: usize,
}

/// The binary task `spec` of a dataset.
///
/// # Errors
/// A [`DataError`] if the classes asked for do not exist or overlap, if a side is without rows, or if a
/// value is missing and none may be.
pub fn binary_task(file: &DataFile, spec: &TaskSpec) -> Result<LoadedTask, DataError> {
    let (manifest, table) = (&file.manifest, &file.table);
    let sides = sides(manifest, spec)?;
    let side_of = |row: usize| sides[table.labels[row] as usize];
    let rows_read = table.labels.len();
    let mut rows: Vec<usize> = (0..rows_read).filter(|r| side_of(*r).is_some()).collect();
    let rows_of_both_sides = rows.len();
    let missing = missing_values(table.values.select(Axis(0), &rows).view());
    let is_complete = |row: &usize| table.values.row(*row).iter().all(|v| !v.is_nan());
    match spec.missing {
        MissingPolicy::Drop => rows.retain(is_complete),
        MissingPolicy::Median => {}
        MissingPolicy::Error => {
            if let Some(row) = rows.iter().find(|row| !is_complete(row)) {
                return Err(missing_value_at(file, *row, missing, REMEDY));
            }
        }
    }
    let x = table.values.select(Axis(0), &rows);
    let y: Array1<f64> = rows.iter().filter_map(|row| side_of(*row)).collect();
    for (side, label) in [("positive", 1.0), ("negative", -1.0)] {
        if y.iter().all(|y| *y != label) {
            let names = names_on_side(manifest, &sides, label).join(", ");
            return Err(DataError::EmptySide {
                dataset: manifest.name.clone(),
                side,
                reason: format!("no row of {names} is left"),
            });
        }
    }
    let report = LoadReport {
        rows_read,
        rows_other_classes: rows_read - rows_of_both_sides,
        missing_values: missing,
        rows_dropped_missing: rows_of_both_sides - rows.len(),
        constant_features: names_of_constant_features(x.view(), &table.columns),
        duplicate_rows: duplicate_rows(x.view(), y.iter().map(|y| *y as i64)),
    };
    Ok(LoadedTask {
        data: Dataset::new(x, y)?,
        feature_names: table.columns.clone(),
        report,
        digest: digest(file, &sides),
    })
}

/// The error of a task that allows no missing values, for the first row with one.
pub(super) fn missing_value_at(
    file: &DataFile,
    row: usize,
    count: usize,
    remedy: &'static str,
) -> DataError {
    let table = &file.table;
    let values = table.values.row(row);
    let names = table.columns.iter().zip(values);
    let column = names.into_iter().find(|(_, v)| v.is_nan());
    DataError::MissingValue {
        path: table.path.clone(),
        place: table.unit.place(row),
        column: column.map(|(name, _)| name.clone()).unwrap_or_default(),
        count,
        remedy,
    }
}

fn names_of_constant_features(x: ArrayView2<'_, f64>, names: &[String]) -> Vec<String> {
    let constant = constant_columns(x).into_iter();
    constant.map(|column| names[column].clone()).collect()
}

/// The digest of a task: see [`LoadedTask::digest`].
fn digest(file: &DataFile, sides: &Sides) -> String {
    let manifest = &file.manifest;
    // Debug writes each text quoted, so that no two tasks are written alike.
    let mut used = format!(
        "{} {:?} {:?} {sides:?}",
        file.sha256, manifest.label_column, manifest.ignore_columns
    );
    // Keys that few manifests have leave the digests of the others as they are.
    if let Some(values) = &manifest.label_values {
        used = format!("{used} label values {values:?}");
    }
    if manifest.format == Format::Svmlight {
        used = format!("{used} svmlight from {:?}", manifest.first_index);
    }
    format!("{:x}", Sha256::digest(used))
}
