//! What `robust-svm verify` tells.

use super::columns::columns;
use crate::plan::PlannedCell;
use crate::provenance::{Changes, Compared, Strictness, Value};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// What was compared and what differs.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    pub(super) command: &'static str,
    pub(super) results: &'a Path,
    pub(super) strictness: Strictness,
    /// What is not as it was when the folder was made.
    pub(super) changes: &'a Changes,
    /// Cells in the folder.
    pub(super) stored: usize,
    /// Those that a limit of their run stopped: they are computed again only if they are named.
    pub(super) limited: usize,
    /// Cells of the experiment that are not in the folder.
    pub(super) missing: usize,
    /// Those that were computed again.
    pub(super) cells: Vec<CellReport>,
    /// Identities in the folder that no cell of its experiment has.
    pub(super) unknown: Vec<String>,
}

/// One cell.
#[derive(Serialize)]
pub(super) struct CellReport {
    cell_id: String,
    axes: BTreeMap<&'static str, String>,
    /// The axes' names in the order a reader expects.
    #[serde(skip)]
    order: Vec<&'static str>,
    #[serde(flatten)]
    compared: Compared,
}

impl CellReport {
    pub(super) fn new(cell: &PlannedCell, compared: Compared) -> Self {
        Self {
            cell_id: cell.id.clone(),
            axes: cell.axes.iter().cloned().collect(),
            order: cell.axes.iter().map(|(axis, _)| *axis).collect(),
            compared,
        }
    }

    fn result(&self) -> String {
        match (self.compared.differences.len(), self.compared.tolerated) {
            (0, 0) => "equal".to_owned(),
            (0, tolerated) => format!("{tolerated} within tolerance"),
            (differ, _) => format!("{differ} differ"),
        }
    }
}

impl Report<'_> {
    /// Whether the folder is what its experiment gives.
    pub(super) fn agrees(&self) -> bool {
        let differs = |cell: &CellReport| !cell.compared.differences.is_empty();
        self.unknown.is_empty() && !self.cells.iter().any(differs)
    }

    pub(super) fn text(&self) -> String {
        let mut text = self.cells_table();
        for cell in &self.cells {
            for difference in &cell.compared.differences {
                let _ = writeln!(
                    text,
                    "{} {}: stored {}, computed again {}",
                    cell.cell_id,
                    difference.column,
                    shown(difference.stored.as_ref()),
                    shown(difference.recomputed.as_ref()),
                );
            }
        }
        for id in &self.unknown {
            let _ = writeln!(text, "{id}: no cell of this experiment has this identity");
        }
        if !self.agrees() {
            text.push('\n');
        }
        let _ = writeln!(text, "{}", self.sum());
        if self.limited > 0 {
            let _ = writeln!(
                text,
                "{} cells were stopped by a limit of their run, which no other run repeats: --id computes one",
                self.limited
            );
        }
        if self.missing > 0 {
            let _ = writeln!(
                text,
                "{} cells of the experiment are not there",
                self.missing
            );
        }
        let changes = &self.changes;
        for (became, what) in changes.told() {
            let _ = writeln!(text, "{became}: {what}");
        }
        text
    }

    fn cells_table(&self) -> String {
        let Some(first) = self.cells.first() else {
            return String::new();
        };
        let mut header = vec!["cell".to_owned()];
        header.extend(first.order.iter().map(|&axis| axis.to_owned()));
        header.extend(["columns", "result"].map(str::to_owned));
        let line = |cell: &CellReport| {
            let mut fields = vec![cell.cell_id.clone()];
            fields.extend(cell.order.iter().map(|axis| cell.axes[axis].clone()));
            fields.extend([cell.compared.columns.to_string(), cell.result()]);
            fields
        };
        let lines: Vec<Vec<String>> = self.cells.iter().map(line).collect();
        columns(&header, &lines) + "\n"
    }

    fn sum(&self) -> String {
        let count = self.cells.len();
        let differ = |cell: &&CellReport| !cell.compared.differences.is_empty();
        let differing = self.cells.iter().filter(differ).count();
        let tolerated: usize = self.cells.iter().map(|c| c.compared.tolerated).sum();
        let agreement = match self.strictness {
            Strictness::Bits => "equal in every bit of every column".to_owned(),
            Strictness::Tolerances => {
                format!(
                    "equal within the tolerances ({tolerated} values are not equal in every bit)"
                )
            }
        };
        let of = format!("{count} of {} cells were computed again", self.stored);
        match (differing, self.unknown.len()) {
            (0, 0) => format!("{of}: all {agreement}"),
            (0, unknown) => format!("{of}: all {agreement}, and {unknown} do not belong here"),
            (differing, _) => format!(
                "{of}: {differing} differ, {} {agreement}",
                count - differing
            ),
        }
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "(no such column)".to_owned(), ToString::to_string)
}
