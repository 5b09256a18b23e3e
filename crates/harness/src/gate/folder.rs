//! The two folders: their rows, and whether they are of the same experiment and data.

use super::GateError;
use super::changed_keys::changed_keys;
use crate::spec::Kind;
use crate::store::{CellRow, Manifest, read_cells, unfinished};
use std::path::Path;

/// The files that must be there to compare.
const COMPARED_FILES: [&str; 2] = ["manifest.toml", "cells.parquet"];

/// The rows of results and baseline: the same cells in the same order.
pub(super) struct Pair {
    pub(super) now: Vec<CellRow>,
    pub(super) then: Vec<CellRow>,
    /// Whether the same code made both.
    pub(super) same_code: bool,
}

/// Reads both folders.
///
/// # Errors
/// [`GateError`] if either cannot be read, is no classification, or they differ in experiment, data or cells.
pub(super) fn read(results: &Path, baseline: &Path) -> Result<Pair, GateError> {
    let not_comparable = |reason: String| GateError::NotComparable {
        results: results.to_owned(),
        baseline: baseline.to_owned(),
        reason,
    };
    let now = read_manifest(results, "run the experiment to its end first")?;
    let then = read_manifest(baseline, "make one of good results with --update")?;
    if now.experiment != then.experiment {
        return Err(not_comparable(changed_experiment(results, baseline)));
    }
    if now.dataset != then.dataset {
        return Err(not_comparable(changed_data(&now, &then)));
    }
    let parts = [(&now.part, results), (&then.part, baseline)];
    let part = parts.into_iter().find(|(part, _)| part.is_some());
    let same_code = (now.code.version, now.code.sha256) == (then.code.version, then.code.sha256);
    let now: Vec<CellRow> = read_cells(&results.join("cells.parquet"))?;
    let then: Vec<CellRow> = read_cells(&baseline.join("cells.parquet"))?;
    if !now.iter().map(identity).eq(then.iter().map(identity)) {
        return Err(match part {
            Some((_, part)) => GateError::PartOnly {
                results: results.to_owned(),
                baseline: baseline.to_owned(),
                part: part.to_owned(),
            },
            None => not_comparable("they have different cells".into()),
        });
    }
    Ok(Pair {
        now,
        then,
        same_code,
    })
}

fn identity(row: &CellRow) -> &str {
    &row.cell_id
}

/// The manifest of the classification whose finished results are in `folder`; `help` says what to do if there
/// are none.
pub(super) fn read_manifest(folder: &Path, help: &'static str) -> Result<Manifest, GateError> {
    if unfinished(folder, &COMPARED_FILES)?.is_some() {
        return Err(GateError::NoResults {
            folder: folder.to_owned(),
            help,
        });
    }
    let manifest = Manifest::read(&folder.join("manifest.toml"))?;
    let kind = manifest.experiment.kind;
    if kind != Kind::Classification {
        return Err(GateError::Kind {
            folder: folder.to_owned(),
            kind,
        });
    }
    Ok(manifest)
}

/// That the experiment has changed, and its keys that did, as far as both folders have the file.
fn changed_experiment(results: &Path, baseline: &Path) -> String {
    let sentence = "the experiment file has changed".to_owned();
    let file = |folder: &Path| -> Option<toml::Table> {
        let text = std::fs::read_to_string(folder.join("experiment.toml")).ok()?;
        text.parse().ok()
    };
    match (file(baseline), file(results)) {
        (Some(old), Some(new)) => {
            let keys = changed_keys(&old, &new);
            keys.iter()
                .fold(sentence, |text, key| text + "\n    " + key)
        }
        (None, _) => sentence + " (the baseline has no experiment.toml that would say where)",
        (_, None) => sentence + " (the results have no experiment.toml that would say where)",
    }
}

/// That the data have changed, and which.
fn changed_data(now: &Manifest, then: &Manifest) -> String {
    let changed = |from: &Manifest, to: &Manifest| -> Vec<String> {
        let differs = from.dataset.iter().filter(|d| !to.dataset.contains(d));
        differs.map(|d| format!("`{}`", d.name)).collect()
    };
    let mut names = [changed(now, then), changed(then, now)].concat();
    names.sort();
    names.dedup();
    format!("the data have changed: {}", names.join(", "))
}
