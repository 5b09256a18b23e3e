//! What `robust-svm plan` tells, for people and for programs.

use crate::cost::PredictionError;
use crate::plan::escaped;
use crate::spec::Kind;
use crate::table::shown::counted;
use indicatif::HumanDuration;
use serde::{Serialize, Serializer};
use std::fmt::Write as _;
use std::time::Duration;

/// A plan. Its JSON has these names.
#[derive(Debug, Serialize)]
pub(super) struct PlanReport {
    pub(super) command: &'static str,
    /// The experiment's name.
    pub(super) experiment: String,
    pub(super) kind: Kind,
    /// Cells and groups of the whole experiment.
    pub(super) cells: usize,
    pub(super) groups: usize,
    /// What is asked for, as on the command line; none of the whole.
    pub(super) selection: Option<String>,
    /// Cells asked for.
    pub(super) selected: usize,
    /// The results folder.
    pub(super) results: String,
    /// Why a run would not take it; none where it would.
    pub(super) refused: Option<String>,
    /// Of the cells asked for, those that are there, and those to do.
    pub(super) there: usize,
    pub(super) to_do: usize,
    pub(super) groups_to_do: usize,
    pub(super) threads: usize,
    /// From begin to end, estimated.
    pub(super) seconds: f64,
    /// Of all threads together.
    pub(super) thread_seconds: f64,
    pub(super) memory_bytes: u64,
    /// What the estimates rest on.
    pub(super) basis: Basis,
    /// The cells asked for, where they were to be listed.
    #[serde(rename = "cell_list", skip_serializing_if = "Option::is_none")]
    pub(super) list: Option<Vec<CellReport>>,
}

/// What the estimates rest on.
#[derive(Debug, Serialize)]
pub(super) struct Basis {
    pub(super) sources: Vec<SourceReport>,
    /// Folders with timings that could not be used, and why.
    pub(super) passed_over: Vec<PassedOver>,
    /// Cells to do with a key like which none was ever timed.
    pub(super) cells_never_timed: usize,
    /// How far the estimate is off for datasets that it was not made from.
    pub(super) left_out: Option<LeftOut>,
}

#[derive(Debug, Serialize)]
pub(super) struct PassedOver {
    pub(super) folder: String,
    pub(super) reason: String,
}

#[derive(Debug, Serialize)]
pub(super) struct SourceReport {
    pub(super) folder: String,
    pub(super) cells: usize,
    /// Whether the code that runs now made it.
    pub(super) same_code: bool,
}

/// Predicted over actual seconds of groups of cells on datasets left out.
#[derive(Debug, Serialize)]
pub(super) struct LeftOut {
    pub(super) predicted: usize,
    pub(super) median: f64,
    pub(super) lower_quartile: f64,
    pub(super) upper_quartile: f64,
}

impl From<PredictionError> for LeftOut {
    fn from(error: PredictionError) -> Self {
        Self {
            predicted: error.predicted,
            median: error.median,
            lower_quartile: error.low,
            upper_quartile: error.high,
        }
    }
}

/// A cell.
#[derive(Debug, Serialize)]
pub(super) struct CellReport {
    pub(super) cell_id: String,
    /// How it ended, or `to do`.
    pub(super) state: &'static str,
    /// In JSON an object, in this order.
    #[serde(serialize_with = "object")]
    pub(super) axes: Vec<(&'static str, String)>,
}

fn object<S: Serializer>(axes: &[(&str, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(axes.iter().map(|(key, value)| (key, value)))
}

impl PlanReport {
    /// For people.
    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "{}: {}, {} in {}\n",
            self.experiment,
            self.kind,
            counted(self.cells, "cell"),
            counted(self.groups, "group")
        );
        if let Some(selection) = &self.selection {
            let _ = writeln!(text, "{} of them by {selection}", self.selected);
        }
        if let Some(refused) = &self.refused {
            let _ = writeln!(text, "a run would refuse the folder: {refused}");
        }
        let _ = writeln!(
            text,
            "{}: {} there, {} in {} to do",
            self.results,
            counted(self.there, "cell"),
            self.to_do,
            counted(self.groups_to_do, "group")
        );
        if self.to_do > 0 {
            self.tell_estimate(&mut text);
        }
        for cell in self.list.iter().flatten() {
            let (id, state) = (&cell.cell_id, cell.state);
            let _ = writeln!(text, "{id}  {state:<8}  {}", as_only(&cell.axes));
        }
        text
    }

    fn tell_estimate(&self, text: &mut String) {
        let threads = match self.threads {
            1 => "1 thread".to_owned(),
            threads => format!("{threads} threads"),
        };
        let _ = writeln!(
            text,
            "{} on {threads}, {} of memory",
            about(self.seconds),
            memory(self.memory_bytes)
        );
        let basis = &self.basis;
        if basis.sources.is_empty() {
            let _ = writeln!(
                text,
                "  by a rule of thumb: no run has left timings to estimate from; it may be off by a factor of ten"
            );
        }
        for source in &basis.sources {
            let code = if source.same_code { "this" } else { "another" };
            let SourceReport { folder, cells, .. } = source;
            let _ = writeln!(
                text,
                "  from {cells} cells in {folder}, made by {code} version of the code"
            );
        }
        for PassedOver { folder, reason } in &basis.passed_over {
            let reason = reason.lines().next().unwrap_or_default();
            let _ = writeln!(text, "  not from {folder}: {reason}");
        }
        if basis.cells_never_timed > 0 && !basis.sources.is_empty() {
            let _ = writeln!(
                text,
                "  {} cells are like none that was timed, and are taken as the mean of the others",
                basis.cells_never_timed
            );
        }
        if let Some(error) = &basis.left_out {
            let _ = writeln!(
                text,
                "  predicted ÷ actual time on datasets left out of the estimate: {:.2} in the median, half of them {:.2} to {:.2}",
                error.median, error.lower_quartile, error.upper_quartile
            );
        }
    }
}

/// The axes as `--only` takes them.
pub(super) fn as_only(axes: &[(&str, String)]) -> String {
    let pairs = axes
        .iter()
        .map(|(key, value)| format!("{key}={}", escaped(value)));
    pairs.collect::<Vec<_>>().join(",")
}

/// Bytes in words, no finer than the estimate.
fn memory(bytes: u64) -> String {
    match bytes {
        ..1_000_000_000 => format!("{} MB", bytes.div_ceil(10_000_000) * 10),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// Estimated seconds in words.
pub(super) fn about(seconds: f64) -> String {
    if seconds < 1.0 {
        return "less than a second".to_owned();
    }
    format!("about {}", HumanDuration(Duration::from_secs_f64(seconds)))
}
