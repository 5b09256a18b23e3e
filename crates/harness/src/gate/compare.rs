//! Cell by cell: counts within one test point, objectives within 1e−6 relative.

use crate::spec::Kind;
use crate::store::{CellRow, Manifest, Measurement, Status, StoreError, read_cells};
use std::path::{Path, PathBuf};

/// Objectives may differ by this much, relative: processors differ in their last bits.
pub(crate) const OBJECTIVE_TOLERANCE: f64 = 1e-6;

/// How results stand to their baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Every cell is as in the baseline, within the tolerances.
    Same,
    /// Some cell is worse, or an objective moved.
    Regressed,
    /// Some cells are better and none is worse.
    Improved,
    /// There is no cell with numbers.
    NothingMeasured,
}

/// One number of one cell that moved by more than its tolerance.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    /// The cell, as dataset / method / level / repeat.
    pub cell: String,
    /// Which number.
    pub metric: &'static str,
    /// In the baseline.
    pub baseline: String,
    /// Now.
    pub now: String,
    /// Whether it moved the right way.
    pub better: bool,
}

/// The outcome of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// How many cells were compared.
    pub cells: usize,
    /// What moved.
    pub moved: Vec<Moved>,
    /// The sum of it.
    pub verdict: Verdict,
}

/// The files that are compared, and that make a baseline.
pub const COMPARED_FILES: [&str; 2] = ["manifest.toml", "cells.parquet"];

/// Why two folders cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    /// One of them cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// One of them has no finished results.
    #[error("{} has no finished results\n  = help: {help}", folder.display())]
    NoResults {
        /// The folder.
        folder: PathBuf,
        /// What to do.
        help: &'static str,
    },
    /// One of them holds results of a kind that has no comparison.
    #[error(
        "{} holds results of the kind `{kind}`, which have no baseline\n  \
         = help: `robust-svm check` compares results of the kind `{}`",
        folder.display(),
        Kind::Classification
    )]
    Kind {
        /// The folder.
        folder: PathBuf,
        /// Its kind.
        kind: Kind,
    },
    /// They are results of different experiments or data.
    #[error("{} and {} cannot be compared: {reason}", results.display(), baseline.display())]
    NotComparable {
        /// The results.
        results: PathBuf,
        /// The baseline.
        baseline: PathBuf,
        /// What differs.
        reason: String,
    },
}

/// Compares the results in `results` with those in `baseline`.
///
/// # Errors
/// [`GateError`] if either cannot be read, is no classification, or they differ in experiment, data or cells.
pub fn compare(results: &Path, baseline: &Path) -> Result<Comparison, GateError> {
    let not_comparable = |reason: String| GateError::NotComparable {
        results: results.to_owned(),
        baseline: baseline.to_owned(),
        reason,
    };
    let now = read_manifest(results, "run the experiment to its end first")?;
    let then = read_manifest(baseline, "make one of good results with --update")?;
    if now.experiment != then.experiment {
        return Err(not_comparable("the experiment file has changed".into()));
    }
    if now.dataset != then.dataset {
        return Err(not_comparable("the data have changed".into()));
    }
    let now: Vec<CellRow> = read_cells(&results.join("cells.parquet"))?;
    let then: Vec<CellRow> = read_cells(&baseline.join("cells.parquet"))?;
    let ids = |rows: &[CellRow]| {
        rows.iter()
            .map(|row| row.cell_id.clone())
            .collect::<Vec<_>>()
    };
    if ids(&now) != ids(&then) {
        return Err(not_comparable("they have different cells".into()));
    }
    Ok(compare_cells(&now, &then))
}

/// [`GateError::NoResults`] unless all of [`COMPARED_FILES`] are in `folder`.
fn require_results(folder: &Path, help: &'static str) -> Result<(), GateError> {
    let is_there = |name: &&str| folder.join(name).exists();
    if COMPARED_FILES.iter().all(is_there) {
        return Ok(());
    }
    Err(GateError::NoResults {
        folder: folder.to_owned(),
        help,
    })
}

/// The manifest of the classification whose finished results are in `folder`; `help` says what to do if there
/// are none.
fn read_manifest(folder: &Path, help: &'static str) -> Result<Manifest, GateError> {
    require_results(folder, help)?;
    let manifest = Manifest::read(&folder.join("manifest.toml"))?;
    match manifest.experiment.kind {
        Kind::Classification => Ok(manifest),
        kind => Err(GateError::Kind {
            folder: folder.to_owned(),
            kind,
        }),
    }
}

/// Compares rows of the same cells in the same order.
fn compare_cells(now: &[CellRow], then: &[CellRow]) -> Comparison {
    let moved: Vec<Moved> = now
        .iter()
        .zip(then)
        .flat_map(|(now, then)| compare_cell(now, then))
        .collect();
    let measured = now.iter().any(|row| row.status == Status::Ok);
    let verdict = if !measured {
        Verdict::NothingMeasured
    } else if moved.is_empty() {
        Verdict::Same
    } else if moved.iter().all(|change| change.better) {
        Verdict::Improved
    } else {
        Verdict::Regressed
    };
    Comparison {
        cells: now.len(),
        moved,
        verdict,
    }
}

fn compare_cell(now: &CellRow, then: &CellRow) -> Vec<Moved> {
    let cell = format!(
        "{} / {} / level {} / repeat {}",
        now.dataset, now.method, now.level, now.repeat
    );
    let moved = |metric, baseline: String, now: String, better| Moved {
        cell: cell.clone(),
        metric,
        baseline,
        now,
        better,
    };
    match (&now.measurement, &then.measurement) {
        (Some(now), Some(then)) => compare_measurements(now, then)
            .into_iter()
            .map(|(metric, old, new, better)| {
                moved(metric, format!("{old:.6}"), format!("{new:.6}"), better)
            })
            .collect(),
        _ if now.status == then.status => Vec::new(),
        _ => {
            let names = (then.status.name().into(), now.status.name().into());
            vec![moved("status", names.0, names.1, now.status == Status::Ok)]
        }
    }
}

/// Metric, baseline, now, and whether it got better, for each number beyond its tolerance.
fn compare_measurements(
    now: &Measurement,
    then: &Measurement,
) -> Vec<(&'static str, f64, f64, bool)> {
    // One test point, and a little for the rounding of the fractions.
    let point = 1.0 / f64::from(now.n_test) + 1e-9;
    let shares = [
        ("accuracy", then.accuracy, now.accuracy, 1.0),
        (
            "noisy_accuracy",
            then.noisy_accuracy,
            now.noisy_accuracy,
            1.0,
        ),
        ("attack_error", then.attack_error, now.attack_error, -1.0),
        (
            "certified_error",
            then.certified_error,
            now.certified_error,
            -1.0,
        ),
    ];
    // Columns that baselines of earlier versions lack.
    let later = [
        (
            "exact_attack_error",
            then.exact_attack_error,
            now.exact_attack_error,
        ),
        (
            "exact_certified_error",
            then.exact_certified_error,
            now.exact_certified_error,
        ),
        (
            "paper_certified_error",
            then.paper_certified_error,
            now.paper_certified_error,
        ),
    ];
    let later = later
        .into_iter()
        .filter_map(|(metric, old, new)| Some((metric, old?, new.unwrap_or(f64::NAN), -1.0)));
    let mut moved: Vec<_> = shares
        .into_iter()
        .chain(later)
        // A number that is none is not within a tolerance.
        .filter(|&(_, old, new, _)| !within(old, new, point))
        .map(|(metric, old, new, sign)| (metric, old, new, sign * (new - old) > 0.0))
        .collect();
    let tolerance = OBJECTIVE_TOLERANCE * then.objective.abs();
    if !within(then.objective, now.objective, tolerance) {
        moved.push(("objective", then.objective, now.objective, false));
    }
    moved
}

fn within(old: f64, new: f64, tolerance: f64) -> bool {
    (new - old).abs() <= tolerance
}

#[cfg(test)]
mod tests {
    use super::{CellRow, Measurement, Status, Verdict, compare_cells};

    fn cell() -> CellRow {
        CellRow {
            cell_id: "0123456789abcdef".into(),
            dataset: "iris".into(),
            method: "linear".into(),
            level: 0.1,
            train_level: 0.0,
            repeat: 0,
            status: Status::Ok,
            reason: None,
            seed: 1,
            measurement: Some(Measurement {
                n_train: 60,
                n_validation: 20,
                n_test: 20,
                n_features: 4,
                feature_dim: Some(4),
                lambda: 1.0,
                sigma: None,
                bound: None,
                solver: "interior-point".into(),
                iterations: Some(12),
                objective: 3.0,
                dual_objective: 3.0,
                relative_gap: 0.0,
                gamma_mean: 0.0,
                accuracy: 0.9,
                noisy_accuracy: 0.9,
                attack_error: 0.1,
                certified_error: 0.2,
                nominal_lambda: None,
                nominal_gap: None,
                exact_attack_error: None,
                exact_certified_error: None,
                paper_certified_error: Some(0.4),
            }),
        }
    }

    fn with(change: impl Fn(&mut Measurement)) -> Vec<CellRow> {
        let mut row = cell();
        change(row.measurement.as_mut().unwrap());
        vec![row]
    }

    #[test]
    fn one_test_point_and_rounding_are_tolerated() {
        let now = with(|m| {
            m.accuracy = 0.85;
            m.certified_error = 0.25;
            m.objective = 3.000_002;
        });
        assert_eq!(compare_cells(&now, &[cell()]).verdict, Verdict::Same);
    }

    #[test]
    fn two_test_points_are_seen_in_both_directions() {
        let worse = with(|m| m.accuracy = 0.8);
        assert_eq!(compare_cells(&worse, &[cell()]).verdict, Verdict::Regressed);
        let better = with(|m| m.certified_error = 0.1);
        assert_eq!(compare_cells(&better, &[cell()]).verdict, Verdict::Improved);
        let both = with(|m| {
            m.certified_error = 0.1;
            m.attack_error = 0.3;
        });
        assert_eq!(compare_cells(&both, &[cell()]).verdict, Verdict::Regressed);
    }

    /// A number that the baseline lacks is nothing to compare; one that is lost is a regression.
    #[test]
    fn columns_of_later_versions_are_compared_where_the_baseline_has_them() {
        let old = with(|m| m.paper_certified_error = None);
        assert_eq!(compare_cells(&[cell()], &old).verdict, Verdict::Same);
        assert_eq!(compare_cells(&old, &[cell()]).verdict, Verdict::Regressed);
        let worse = with(|m| m.paper_certified_error = Some(0.5));
        assert_eq!(compare_cells(&worse, &[cell()]).verdict, Verdict::Regressed);
        let searched = with(|m| m.exact_certified_error = Some(0.2));
        let better = with(|m| m.exact_certified_error = Some(0.1));
        assert_eq!(compare_cells(&better, &searched).verdict, Verdict::Improved);
    }

    #[test]
    fn an_objective_that_moves_is_a_regression() {
        let now = with(|m| m.objective = 2.999_99);
        let comparison = compare_cells(&now, &[cell()]);
        assert_eq!(comparison.verdict, Verdict::Regressed);
        assert_eq!(comparison.moved[0].metric, "objective");
    }

    #[test]
    fn failures_are_regressions_and_no_numbers_are_no_pass() {
        let mut failed = cell();
        failed.status = Status::Failed;
        failed.measurement = None;
        let two = [failed.clone(), cell()];
        assert_eq!(
            compare_cells(&two, &[cell(), cell()]).verdict,
            Verdict::Regressed
        );
        let nothing = compare_cells(std::slice::from_ref(&failed), std::slice::from_ref(&failed));
        assert_eq!(nothing.verdict, Verdict::NothingMeasured);
    }
}
