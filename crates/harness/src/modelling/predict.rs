//! Decision values and classes of the rows of a file.

use super::summary::percent;
use super::user_file::UserRows;
use crate::model_file::SavedModel;
use crate::stats::csv::{number, record};
use ndarray::{Array1, Axis};
use robust_svm_core::metrics::error_rate;
use serde::Serialize;

/// The predictions of a file.
#[derive(Debug)]
pub(crate) struct Predictions {
    /// One a row of the file.
    pub(crate) rows: Vec<PredictedRow>,
    /// Rows that are not left out for a missing value.
    pub(crate) used: usize,
    /// The share of them that is wrong, where there are labels.
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

/// The decision of each row that the model is `used` on; a row left out for a missing value has an empty one.
pub(crate) fn predict(model: &SavedModel, rows: &UserRows, used: &[usize]) -> Predictions {
    let decisions = model.decision(rows.x.select(Axis(0), used).view());
    let all = rows.x.nrows();
    let mut of_row = vec![None; all];
    for (&row, &decision) in used.iter().zip(&decisions) {
        of_row[row] = Some(decision);
    }
    let written = rows.labels.as_ref().map(|(_, written)| written);
    let predicted = |(row, decision): (usize, Option<f64>)| {
        let class = decision.and_then(|decision| model.classes.name_of(decision));
        PredictedRow {
            row: row + 1,
            decision,
            class: class.map(str::to_owned),
            label: written.map(|written| written[row].clone()),
        }
    };
    let error = rows.labels.as_ref().map(|(y, _)| {
        let y: Array1<f64> = y.select(Axis(0), used);
        error_rate(decisions.view(), y.view())
    });
    Predictions {
        rows: of_row.into_iter().enumerate().map(predicted).collect(),
        used: used.len(),
        error: error.filter(|_| !used.is_empty()),
        told: told(model, all, used.len(), error),
    }
}

impl Predictions {
    /// The predictions as CSV, one record a row.
    pub(crate) fn csv(&self) -> String {
        let labelled = self.rows.iter().any(|row| row.label.is_some());
        let mut header = vec!["row".to_owned(), "decision".to_owned(), "class".to_owned()];
        header.extend(labelled.then(|| "label".to_owned()));
        let mut csv = record(&header);
        for row in &self.rows {
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
