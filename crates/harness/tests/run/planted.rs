//! Losses planted in stored rows.

use robust_svm_harness::store::{CellRow, Measurement, read_cells};
use std::path::{Path, PathBuf};

/// The folder of the committed baseline.
pub(crate) fn baseline_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/baselines/ci")
}

/// The rows of the committed baseline.
pub(crate) fn baseline() -> Vec<CellRow> {
    read_cells(&baseline_folder().join("cells.parquet")).unwrap()
}

/// The names of the methods of `rows`, sorted.
pub(crate) fn methods(rows: &[CellRow]) -> Vec<String> {
    let mut names: Vec<String> = rows.iter().map(|row| row.method.clone()).collect();
    names.sort();
    names.dedup();
    names
}

/// Takes `points`, a share, from the accuracy of `method`: whole test points, in as many cells as it takes, evenly over
/// the rows.
pub(crate) fn lose_accuracy(rows: &mut [CellRow], method: &str, points: f64) {
    let mut owed = 0.0;
    for row in rows.iter_mut().filter(|row| row.method == method) {
        let m: &mut Measurement = row.measurement.as_mut().unwrap();
        let n = f64::from(m.n_test);
        owed += points * n;
        let lost = owed.floor().min((m.accuracy * n).round());
        owed -= lost;
        m.accuracy = ((m.accuracy * n).round() - lost) / n;
    }
}
