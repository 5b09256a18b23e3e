//! Decision values and classes of the rows of a file.

use super::summary::percent;
use super::user_file::UserRows;
use crate::model_file::SavedModel;
use crate::stats::csv::{number, record};
use ndarray::{Array1, Axis};
use robust_svm_core::metrics::error_rate;

/// The predictions of a file.
#[derive(Debug)]
pub(crate) struct Predictions {
    /// One row a row of the file.
    pub(crate) csv: String,
    /// What is told of them.
    pub(crate) told: String,
}

/// The decision of each row that the model is `used` on; a row left out for a missing value has an empty one.
pub(crate) fn predict(model: &SavedModel, rows: &UserRows, used: &[usize]) -> Predictions {
    let decisions = model.decision(rows.x.select(Axis(0), used).view());
    let all = rows.x.nrows();
    let mut of_row = vec![None; all];
    for (&row, &decision) in used.iter().zip(&decisions) {
        of_row[row] = Some(decision);
    }
    let mut header = vec!["row".to_owned(), "decision".to_owned(), "class".to_owned()];
    header.extend(rows.labels.is_some().then(|| "label".to_owned()));
    let mut csv = record(&header);
    for (row, decision) in of_row.iter().enumerate() {
        let class = decision.and_then(|decision| model.classes.name_of(decision));
        let mut fields = vec![
            (row + 1).to_string(),
            number(*decision),
            class.unwrap_or_default().to_owned(),
        ];
        fields.extend(
            rows.labels
                .as_ref()
                .map(|(_, written)| written[row].clone()),
        );
        csv.push_str(&record(&fields));
    }
    let error = rows.labels.as_ref().map(|(y, _)| {
        let y: Array1<f64> = y.select(Axis(0), used);
        error_rate(decisions.view(), y.view())
    });
    Predictions {
        csv,
        told: told(model, all, used.len(), error),
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
