//! What `robust-svm explain` tells, as JSON; as text in `explain_text`.

use crate::provenance::{CellExplanation, Changes, Folder, NumberExplanation, Origin};
use crate::run::Experiment;
use crate::spec::Kind;
use crate::store::{CodeIdentity, DatasetIdentity, RunIdentity};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// One of the things that can be explained.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Report<'a> {
    Folder(FolderReport<'a>),
    Cell(Box<CellReport<'a>>),
    Number(Box<NumberReport<'a>>),
}

/// A results folder as a whole.
#[derive(Serialize)]
pub(super) struct FolderReport<'a> {
    pub(super) command: &'static str,
    pub(super) results: &'a Path,
    /// Cells of the experiment.
    pub(super) planned: usize,
    /// Those that are stored, by how they ended.
    pub(super) stored: BTreeMap<String, usize>,
    /// Those that are not stored.
    pub(super) missing: usize,
    pub(super) dataset: &'a [DatasetIdentity],
    pub(super) made_by: MadeBy<'a>,
}

/// A cell.
#[derive(Serialize)]
pub(super) struct CellReport<'a> {
    pub(super) command: &'static str,
    pub(super) results: &'a Path,
    pub(super) cell: CellExplanation,
    pub(super) made_by: MadeBy<'a>,
}

/// An entry of a table or a point of a figure.
#[derive(Serialize)]
pub(super) struct NumberReport<'a> {
    pub(super) command: &'static str,
    pub(super) results: &'a Path,
    pub(super) number: NumberExplanation,
    pub(super) made_by: MadeBy<'a>,
}

/// What made the results, and what has changed since.
#[derive(Serialize)]
pub(super) struct MadeBy<'a> {
    pub(super) kind: Kind,
    pub(super) experiment: &'a str,
    pub(super) experiment_seed: u64,
    pub(super) experiment_sha256: &'a str,
    pub(super) code: &'a CodeIdentity,
    pub(super) run: &'a [RunIdentity],
    pub(super) changes: &'a Changes,
}

impl<'a> MadeBy<'a> {
    pub(super) fn of(origin: &'a Origin) -> Self {
        let manifest = &origin.manifest;
        Self {
            kind: manifest.experiment.kind,
            experiment: &manifest.experiment.name,
            experiment_seed: manifest.experiment.seed,
            experiment_sha256: &manifest.experiment.sha256,
            code: &manifest.code,
            run: &manifest.run,
            changes: &origin.changes,
        }
    }
}

impl<'a> FolderReport<'a> {
    pub(super) fn of<E: Experiment>(folder: &'a Folder<'a, E>) -> Self {
        let mut stored = BTreeMap::new();
        for cell in folder.planned.cells() {
            if let Ok(Some(status)) = folder.stored.value(&cell.id, "status") {
                *stored.entry(status.to_string()).or_default() += 1;
            }
        }
        let planned = folder.planned.cells().count();
        Self {
            command: "explain",
            results: folder.path,
            planned,
            missing: planned - stored.values().sum::<usize>(),
            stored,
            dataset: &folder.origin.manifest.dataset,
            made_by: MadeBy::of(&folder.origin),
        }
    }
}

impl<'a> Report<'a> {
    pub(super) fn cell(results: &'a Path, cell: CellExplanation, made_by: MadeBy<'a>) -> Self {
        Self::Cell(Box::new(CellReport {
            command: "explain",
            results,
            cell,
            made_by,
        }))
    }

    pub(super) fn number(
        results: &'a Path,
        number: NumberExplanation,
        made_by: MadeBy<'a>,
    ) -> Self {
        Self::Number(Box::new(NumberReport {
            command: "explain",
            results,
            number,
            made_by,
        }))
    }
}
