//! `robust-svm plan`, and `run --dry-run`: what a run would do. Nothing is written.

use super::exit::{Ended, Exit, select_error, spec_error, store_error};
use super::kinds::{Visitor, with_experiment};
use super::output::OutputFormat;
use super::plan_report::{Basis, CellReport, PassedOver, PlanReport, SourceReport};
use super::run::{results_folder, threads, warn_of_torn};
use super::say::{say, say_json};
use super::selection::SelectionArguments;
use crate::cost::{Past, estimate, left_out, past};
use crate::plan::Selection;
use crate::run::{Todo, asked as asked_cells};
use crate::spec::SpecFile;
use crate::store::{Record, ResultsFolder, StoreError, Work};
use crate::views::Viewed;
use clap::Args;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub(super) const PLAN_EXAMPLES: &str = "\
Examples:
  robust-svm plan experiments/noise-grid.toml --threads 8
  robust-svm plan experiments/ci.toml --only method=rff --cells
  robust-svm plan experiments/ci.toml --shard 1/3 --format json

Times are estimated from the timings of the results folder and of others below results/,
and the estimate says how far it is off for datasets that it was not made from.";

#[derive(Debug, Args)]
pub(super) struct PlanArguments {
    /// The experiment file
    file: PathBuf,
    /// Results folder [default: results/<name of the experiment>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Worker threads [default: all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    #[command(flatten)]
    selection: SelectionArguments,
    /// List the cells, and how each ended or that it is to do
    #[arg(long)]
    cells: bool,
}

/// What is asked of a plan.
pub(super) struct Asked<'a> {
    /// What asks, by its name in JSON.
    pub(super) command: &'static str,
    pub(super) selection: &'a Selection,
    pub(super) threads: usize,
    /// Whether to list the cells.
    pub(super) cells: bool,
    pub(super) format: OutputFormat,
}

pub(super) fn plan(arguments: &PlanArguments, format: OutputFormat) -> Result<Exit, Ended> {
    let file = SpecFile::read(&arguments.file).map_err(spec_error)?;
    with_experiment(file, Plan { arguments, format })
}

struct Plan<'a> {
    arguments: &'a PlanArguments,
    format: OutputFormat,
}

impl Visitor for Plan<'_> {
    type Out = Exit;

    fn visit<E: Viewed>(self, experiment: &E) -> Result<Exit, Ended> {
        let arguments = self.arguments;
        let selection = arguments.selection.selection()?;
        let asked = Asked {
            selection: &selection,
            threads: threads(experiment, arguments.threads),
            command: "plan",
            cells: arguments.cells,
            format: self.format,
        };
        let out = results_folder(experiment, arguments.out.as_deref());
        tell_plan(experiment, &out, Some(&out), &asked)
    }
}

/// Prints what a run of `experiment` into `out` would do; what is in `there` is continued. Ends as the run would where it would
/// refuse the folder.
pub(super) fn tell_plan<E: Viewed>(
    experiment: &E,
    out: &Path,
    there: Option<&Path>,
    asked: &Asked<'_>,
) -> Result<Exit, Ended> {
    let (done, refusal) = done(experiment, there)?;
    let (refused, exit) = refusal.map_or((None, Exit::Ok), |ended| {
        let first = ended.message.lines().next().unwrap_or_default().to_owned();
        (Some(first), ended.exit)
    });
    let ids = done.keys().cloned().collect();
    let todo = Todo::new(experiment, asked.selection, &ids).map_err(select_error)?;
    let past = past_of(experiment, out);
    let groups: Vec<Vec<Work>> = todo
        .groups
        .iter()
        .map(|(group, ids)| works(experiment, *group, ids))
        .collect();
    let estimated = estimate(&groups, asked.threads, &past);
    let list = asked
        .cells
        .then(|| list(experiment, asked.selection, &done))
        .transpose()?;
    let report = PlanReport {
        command: asked.command,
        experiment: experiment.name().to_owned(),
        kind: experiment.manifest().experiment.kind,
        cells: todo.planned,
        groups: experiment.groups().len(),
        selection: (!asked.selection.is_whole()).then(|| asked.selection.to_string()),
        selected: todo.asked,
        results: out.display().to_string(),
        refused,
        there: todo.there,
        to_do: todo.asked - todo.there,
        groups_to_do: todo.groups.len(),
        threads: asked.threads,
        seconds: estimated.seconds,
        thread_seconds: estimated.thread_seconds,
        memory_bytes: estimated.bytes as u64,
        basis: basis(&past, estimated.unknown),
        list,
    };
    match asked.format {
        OutputFormat::Text => say(report.text().trim_end())?,
        OutputFormat::Json => say_json(&report)?,
    }
    Ok(exit)
}

/// The timings that the time of a run of `experiment` into `out` is estimated from.
pub(super) fn past_of<E: Viewed>(experiment: &E, out: &Path) -> Past {
    let mut folders = vec![out.to_owned()];
    folders.extend(siblings().into_iter().filter(|other| !is_same(other, out)));
    past(&folders, &experiment.manifest())
}

/// How the cells in `there` ended, by identity; or why a run would not continue them.
type Done = (BTreeMap<String, &'static str>, Option<Ended>);

fn done<E: Viewed>(experiment: &E, there: Option<&Path>) -> Result<Done, Ended> {
    let Some(folder) = there else {
        return Ok((BTreeMap::new(), None));
    };
    match ResultsFolder::look::<E::Row>(folder, &experiment.manifest()) {
        Ok(None) => Ok((BTreeMap::new(), None)),
        Ok(Some(stored)) => {
            warn_of_torn(&stored.torn);
            let status = |row: &E::Row| (row.cell_id().to_owned(), row.status().name());
            Ok((stored.rows.iter().map(status).collect(), None))
        }
        Err(
            error @ (StoreError::Mismatch { .. }
            | StoreError::NotResults { .. }
            | StoreError::Newer { .. }),
        ) => Ok((BTreeMap::new(), Some(store_error(error)))),
        Err(error) => Err(store_error(error)),
    }
}

/// The folders below `results`, in order of name.
fn siblings() -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir("results") else {
        return Vec::new();
    };
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    folders
}

fn is_same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

/// The works of the cells `ids` of `group`, as far as they are known.
pub(super) fn works<E: Viewed>(experiment: &E, group: E::Group, ids: &[String]) -> Vec<Work> {
    let cells = experiment.cells(group).into_iter();
    cells
        .zip(experiment.works(group))
        .filter(|(cell, _)| ids.contains(&cell.id))
        .map(|(_, work)| work)
        .collect()
}

fn basis(past: &Past, unknown: usize) -> Basis {
    let source = |source: &crate::cost::Source| SourceReport {
        folder: source.folder.display().to_string(),
        cells: source.cells,
        same_code: source.same_code,
    };
    let passed_over = past.passed_over.iter();
    Basis {
        sources: past.sources.iter().map(source).collect(),
        passed_over: passed_over
            .map(|(folder, reason)| PassedOver {
                folder: folder.display().to_string(),
                reason: reason.clone(),
            })
            .collect(),
        cells_never_timed: unknown,
        left_out: left_out(&past.timed).map(Into::into),
    }
}

/// The cells that are asked for, in the order they are run.
fn list<E: Viewed>(
    experiment: &E,
    selection: &Selection,
    done: &BTreeMap<String, &'static str>,
) -> Result<Vec<CellReport>, Ended> {
    let mut list = Vec::new();
    for (group, ids) in asked_cells(experiment, selection).map_err(select_error)? {
        let cells = experiment.cells(group).into_iter();
        let asked = cells.filter(|cell| ids.contains(&cell.id));
        list.extend(asked.map(|cell| CellReport {
            state: done.get(&cell.id).copied().unwrap_or("to do"),
            axes: cell.axes,
            cell_id: cell.id,
        }));
    }
    Ok(list)
}
