//! Decision values and classes of the rows of a file.

use super::error::UseError;
use super::in_order::in_order;
use super::row_stream::{Batch, RowStream};
use super::summary::percent;
use crate::model_file::SavedModel;
use crate::stats::csv::{number, record};
use serde::Serialize;

/// Numbers of a batch: enough for fast products, few enough to hold some at a time.
const NUMBERS: usize = 1 << 20;
/// Features are made of so many rows at a time, and at most of these.
const ROWS: usize = 64;
const MOST_ROWS: usize = 8192;

/// What is predicted of a file.
#[derive(Debug)]
pub(crate) struct Predictions {
    /// Rows of the file, and those of them that are not left out for a missing value.
    pub(crate) rows: usize,
    pub(crate) used: usize,
    /// The share of these that is wrong, where there are labels.
    pub(crate) error: Option<f64>,
    /// What is told of them.
    pub(crate) told: String,
}

/// What is predicted of a row; decision and class are `None` where a value is missing.
#[derive(Debug, Serialize)]
pub(crate) struct PredictedRow {
    /// Its number in the file, from 1.
    row: usize,
    decision: Option<f64>,
    class: Option<String>,
    /// As written in the file; absent where it has no labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

/// The predictions of a batch.
struct Part {
    rows: Vec<PredictedRow>,
    used: usize,
    right: usize,
}

/// The decision of each row that `model` is used on; a row left out for a missing value has an empty one. `take` gets the
/// rows in their order, some at a time.
///
/// # Errors
/// What is wrong with the file, and errors of `take`: then what was taken is to be thrown away.
pub(crate) fn predict(
    model: &SavedModel,
    rows: &mut RowStream<'_>,
    take: impl FnMut(Vec<PredictedRow>) -> Result<(), UseError>,
) -> Result<Predictions, UseError> {
    let most = (NUMBERS / model.columns.len() / ROWS * ROWS).clamp(ROWS, MOST_ROWS);
    predict_in_batches(model, rows, most, take)
}

/// In batches of `most` rows.
pub(super) fn predict_in_batches(
    model: &SavedModel,
    rows: &mut RowStream<'_>,
    most: usize,
    mut take: impl FnMut(Vec<PredictedRow>) -> Result<(), UseError>,
) -> Result<Predictions, UseError> {
    let (labelled, done) = (rows.is_labelled(), rows.done());
    let (mut all, mut used, mut right) = (0, 0, 0);
    in_order(
        || Ok(rows.next(most)?),
        |batch| {
            let part = predict_batch(model, batch);
            done(part.rows.len());
            Ok(part)
        },
        |part| {
            all += part.rows.len();
            used += part.used;
            right += part.right;
            take(part.rows)
        },
    )?;
    let error = labelled.then(|| 1.0 - right as f64 / used as f64);
    Ok(Predictions {
        rows: all,
        used,
        error: error.filter(|_| used > 0),
        told: told(model, all, used, error),
    })
}

fn predict_batch(model: &SavedModel, batch: Batch) -> Part {
    let decisions = model.decision(batch.x.view());
    let (y, mut written) = batch.labels.unzip();
    let right = y.map_or(0, |y| {
        let agreed = decisions.iter().zip(&y).filter(|(f, y)| *f * *y > 0.0);
        agreed.count()
    });
    let mut of_row = vec![None; batch.rows];
    for (&row, &decision) in batch.used.iter().zip(&decisions) {
        of_row[row] = Some(decision);
    }
    let predicted = |(row, decision): (usize, Option<f64>)| {
        let class = decision.and_then(|decision| model.classes.name_of(decision));
        PredictedRow {
            row: batch.first_row + row + 1,
            decision,
            class: class.map(str::to_owned),
            label: written
                .as_mut()
                .map(|written| std::mem::take(&mut written[row])),
        }
    };
    Part {
        rows: of_row.into_iter().enumerate().map(predicted).collect(),
        used: batch.used.len(),
        right,
    }
}

/// The first line of predictions as CSV.
pub(crate) fn header(labelled: bool) -> String {
    let mut header = vec!["row".to_owned(), "decision".to_owned(), "class".to_owned()];
    header.extend(labelled.then(|| "label".to_owned()));
    record(&header)
}

/// Predictions as CSV, one record a row.
pub(crate) fn csv(rows: &[PredictedRow]) -> String {
    let mut csv = String::new();
    for row in rows {
        let mut fields = vec![
            row.row.to_string(),
            number(row.decision),
            row.class.clone().unwrap_or_default(),
        ];
        fields.extend(row.label.clone());
        csv.push_str(&record(&fields));
    }
    csv
}

fn told(model: &SavedModel, all: usize, used: usize, error: Option<f64>) -> String {
    let left_out = match all - used {
        0 => String::new(),
        count => format!(", {count} of them left out for missing values"),
    };
    let accuracy = match error {
        _ if used == 0 => "no row is left to judge".to_owned(),
        Some(error) => format!("accuracy {}", percent(1.0 - error)),
        None => format!("no accuracy, as there is no column `{}`", model.label),
    };
    format!("{all} rows{left_out}: {accuracy}")
}
