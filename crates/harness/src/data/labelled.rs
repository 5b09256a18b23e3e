//! From a table to a task of all its classes, or of two sides of them.

use super::task::missing_value_at;
use super::{DataError, DataFile, MissingPolicy, TaskSpec, binary_task, missing_values};
use ndarray::Axis;
use robust_svm_core::data::LabelledDataset;
use sha2::{Digest, Sha256};

/// A task of any number of classes.
#[derive(Debug, Clone)]
pub struct LabelledTask {
    /// Inputs and classes, in the file's order.
    pub data: LabelledDataset,
    /// The names of the classes.
    pub class_names: Vec<String>,
    /// Rows left out for a missing value.
    pub rows_dropped: usize,
    /// SHA-256, in hexadecimal digits, of the data file's bytes and of what was made of them.
    pub digest: String,
}

/// The task of all classes of a dataset; `drop_missing` leaves rows with a missing value out.
///
/// # Errors
/// [`DataError`] if a value is missing and none may be, or there are fewer than two classes.
pub fn labelled_task(file: &DataFile, drop_missing: bool) -> Result<LabelledTask, DataError> {
    let (manifest, table) = (&file.manifest, &file.table);
    let is_complete = |row: &usize| table.values.row(*row).iter().all(|v| !v.is_nan());
    let all = 0..table.labels.len();
    let rows: Vec<usize> = all.clone().filter(is_complete).collect();
    let rows_dropped = all.len() - rows.len();
    if let Some(first) = all.clone().find(|row| !is_complete(row))
        && !drop_missing
    {
        let count = missing_values(table.values.view());
        let remedy = "drop_missing = true leaves such rows out";
        return Err(missing_value_at(file, first, count, remedy));
    }
    let labels = rows.iter().map(|row| table.labels[*row] as usize);
    let x = table.values.select(Axis(0), &rows);
    // Debug writes each text quoted, so that no two tasks are written alike.
    let used = format!(
        "labelled {} {:?} {:?} {:?} {drop_missing} {:?}",
        file.sha256,
        manifest.label_column,
        manifest.ignore_columns,
        manifest.label_values,
        manifest.first_index
    );
    Ok(LabelledTask {
        data: LabelledDataset::new(x, labels.collect(), manifest.classes)?,
        class_names: manifest.class_names.clone(),
        rows_dropped,
        digest: format!("{:x}", Sha256::digest(used)),
    })
}

/// The binary task of `positive` (class 1) against `negative` (class 0) classes of a dataset, as [`binary_task`] makes it.
///
/// # Errors
/// As [`binary_task`].
pub fn two_sided_task(
    file: &DataFile,
    positive: Option<Vec<String>>,
    negative: Option<Vec<String>>,
    drop_missing: bool,
) -> Result<LabelledTask, DataError> {
    let missing = if drop_missing {
        MissingPolicy::Drop
    } else {
        MissingPolicy::Error
    };
    let name = |side: &Option<Vec<String>>| side.as_ref().map(|names| names.join(" or "));
    let names = [name(&negative), name(&positive)];
    let task = binary_task(
        file,
        &TaskSpec {
            positive,
            negative,
            missing,
        },
    )?;
    let labels = task.data.y().iter().map(|y| usize::from(*y > 0.0));
    Ok(LabelledTask {
        data: LabelledDataset::new(task.data.x().clone(), labels.collect(), 2)?,
        class_names: names
            .map(|name| name.unwrap_or_else(|| "others".to_owned()))
            .into(),
        rows_dropped: task.report.rows_dropped_missing,
        digest: task.digest,
    })
}
