//! A report's text, from everything it shows.

use super::ReportError;
use super::cells::{CellColumn, cell_columns};
use super::documents::{Shown, documents};
use super::figures::{Figure, figures};
use super::origin::{Origin, folder, origin};
use super::overview::{Card, cards};
use super::problems::{Problem, problems};
use super::template::filled;
use crate::plan::PlannedCell;
use crate::run::Experiment;
use crate::store::{Manifest, Record};
use crate::table::CellsOf;
use crate::views::Views;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What a report is made from.
#[derive(Debug)]
pub struct Source<'a, R> {
    /// The rows, sorted by cell id.
    pub rows: &'a [R],
    /// Tables and figures of these rows.
    pub views: &'a Views,
    /// What the rows were made from.
    pub manifest: &'a Manifest,
    /// Seconds in the solver over all cells.
    pub solver_seconds: f64,
}

/// What the template shows.
#[derive(Serialize)]
struct Page<'a> {
    name: &'a str,
    kind: String,
    folder: String,
    cells: usize,
    cards: Vec<Card>,
    problems: Vec<Problem>,
    documents: Vec<Shown<'a>>,
    figures: Vec<Figure>,
    origin: Origin<'a>,
}

/// What the page's script reads.
#[derive(Serialize)]
struct Data<'a> {
    name: &'a str,
    folder: String,
    files: BTreeMap<String, String>,
    rests: Vec<&'a [CellsOf]>,
    count: usize,
    columns: Vec<CellColumn>,
}

/// The text of `report.html` of `experiment`, a page that needs no other file; the same source gives the same text.
///
/// # Errors
/// [`ReportError`] for a figure that cannot be drawn.
pub fn page<E: Experiment>(
    experiment: &E,
    source: &Source<'_, E::Row>,
) -> Result<String, ReportError> {
    let Source {
        rows,
        views,
        manifest,
        ..
    } = *source;
    let name = experiment.name();
    let groups = experiment.groups().into_iter();
    let planned: Vec<PlannedCell> = groups.flat_map(|group| experiment.cells(group)).collect();
    let ids: BTreeSet<String> = planned.iter().map(|cell| cell.id.clone()).collect();
    let columns = E::Row::columns(rows);
    let documents = documents(&views.tables, name);
    let page = Page {
        name,
        kind: manifest.experiment.kind.to_string(),
        folder: folder(name),
        cells: rows.len(),
        cards: cards(rows, &columns, &planned, source.solver_seconds, manifest)?,
        problems: problems(rows, &ids),
        documents: documents.shown,
        figures: figures(&views.plots)?,
        origin: origin(manifest, &experiment.manifest(), &experiment.file().text),
    };
    let data = Data {
        name,
        folder: folder(name),
        files: documents.files,
        rests: documents.rests,
        count: rows.len(),
        columns: cell_columns(&columns)?,
    };
    filled(&page, &data)
}
