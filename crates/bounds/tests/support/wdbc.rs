//! The Wisconsin diagnostic breast-cancer data, where it is at hand.

use ndarray::{Array1, Array2};
use robust_svm_core::data::{Dataset, Scaler, Scaling};
use std::path::PathBuf;

const FILE: &str = "breast-cancer-wisconsin-diagnostic.csv";

/// Standardised (569 × 30), malignant = +1; `None`, and a word on stderr, if neither the workspace's
/// `datasets` folder nor one of `ROBUST_SVM_DATA` has it.
pub(crate) fn wdbc() -> Option<Dataset> {
    let workspace = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets"));
    let listed = std::env::var_os("ROBUST_SVM_DATA").unwrap_or_default();
    let path = std::iter::once(workspace)
        .chain(std::env::split_paths(&listed))
        .map(|folder| folder.join(FILE))
        .find(|path| path.is_file());
    let Some(path) = path else {
        eprintln!("skipped: no {FILE} in datasets/ or ROBUST_SVM_DATA");
        return None;
    };
    let text = std::fs::read_to_string(path).unwrap();
    let values: Vec<f64> = text
        .lines()
        .skip(1)
        .flat_map(|line| line.split(',').map(|field| field.parse::<f64>().unwrap()))
        .collect();
    let table = Array2::from_shape_vec((values.len() / 31, 31), values).unwrap();
    let y: Array1<f64> = table.column(30).mapv(|label| 2.0 * label - 1.0);
    let x = table.slice(ndarray::s![.., ..30]);
    let x = Scaler::fit(x, Scaling::Standardize).apply(x);
    Some(Dataset::new(x, y).unwrap())
}
