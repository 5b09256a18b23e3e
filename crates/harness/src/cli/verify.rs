//! `robust-svm verify`.

use super::exit::{Ended, Exit, spec_error, store_error};
use super::kinds::{Visitor, with_experiment};
use super::output::OutputFormat;
use super::run::{show, threads};
use super::say::{say, say_json};
use super::verify_report::{CellReport, Report};
use crate::plan::PlannedCell;
use crate::provenance::{
    Changes, Origin, Planned, StoredCells, Strictness, compare, find_cell, sample,
};
use crate::run::{RunError, recompute};
use crate::spec::SpecFile;
use crate::store::{Record as _, Status, Unfinished, unfinished};
use crate::views::Viewed;
use clap::Args;
use polars::prelude::DataFrame;
use std::path::{Path, PathBuf};

pub(super) const EXAMPLES: &str = "\
Examples:
  robust-svm verify results/noise-grid
  robust-svm verify results/noise-grid --cells 100 --seed 7
  robust-svm verify results/noise-grid --id 60e60ce1afa11758
  robust-svm verify results/noise-grid --all --threads 2

Cells are computed again from DIR/experiment.toml and the data, and every column is compared to the
bit. On another processor, compiler or platform than the folder's, numbers may differ in last bits:
there they may differ as much as `robust-svm check` lets them, and it is told how many do.

Exit codes: 0 equal; 3 some differ; 5 code or data are not those of the folder.";

#[derive(Debug, Args)]
pub(super) struct VerifyArguments {
    /// The results folder
    #[arg(value_name = "DIR")]
    results: PathBuf,
    /// How many cells, drawn at random from every dataset and method in turn
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u64).range(1..))]
    cells: u64,
    /// Seed of the draw
    #[arg(long, value_name = "S", default_value = "0")]
    seed: u64,
    /// Every cell
    #[arg(long, conflicts_with_all = ["cells", "seed", "id"])]
    all: bool,
    /// This cell, by its identity or the beginning of it; may be given several times
    #[arg(long, value_name = "ID", conflicts_with_all = ["cells", "seed"])]
    id: Vec<String>,
    /// Compare within the tolerances where code or data are not those of the folder
    #[arg(long)]
    anyway: bool,
    /// Worker threads [default: all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Say nothing but errors and differences
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn verify(arguments: &VerifyArguments, format: OutputFormat) -> Result<Exit, Ended> {
    require_finished(&arguments.results)?;
    let file = SpecFile::read(&arguments.results.join("experiment.toml")).map_err(spec_error)?;
    with_experiment(file, Verify { arguments, format })
}

/// An error unless `folder` has cells, all of them joined, and what they were made from.
pub(super) fn require_finished(folder: &Path) -> Result<(), Ended> {
    let files = ["manifest.toml", "experiment.toml", "cells.parquet"];
    let message = match unfinished(folder, &files).map_err(store_error)? {
        None => return Ok(()),
        Some(Unfinished::Missing(name)) => format!(
            "{} has no finished results: {name} is not there\n  \
             = help: name the folder of a run that has ended, for example results/noise-grid",
            folder.display()
        ),
        Some(Unfinished::Running) => format!(
            "{} has cells that wait to be joined: its run was stopped, or goes on\n  \
             = help: start the same run again, without --fresh: it goes on and joins them",
            folder.display()
        ),
    };
    Err(Ended::new(Exit::BadInput, message))
}

struct Verify<'a> {
    arguments: &'a VerifyArguments,
    format: OutputFormat,
}

impl Visitor for Verify<'_> {
    type Out = Exit;

    fn visit<E: Viewed>(self, experiment: &E) -> Result<Exit, Ended> {
        let arguments = self.arguments;
        let folder = &arguments.results;
        let origin = Origin::of(folder, experiment).map_err(store_error)?;
        let strictness = strictness(arguments, &origin.changes)?;
        let path = folder.join("cells.parquet");
        let stored = StoredCells::read(&path).map_err(store_error)?;
        let planned = Planned::of(experiment);
        let chosen = choose(&planned, &stored, arguments)?;
        let show = show(arguments.quiet || self.format == OutputFormat::Json);
        let threads = threads(experiment, arguments.threads);
        let wanted = planned.by_group(&chosen);
        let rows = recompute(experiment, &wanted, threads, show).map_err(run_error)?;
        let frame = DataFrame::new(rows.len(), E::Row::columns(&rows))
            .map_err(|error| Ended::new(Exit::Internal, error))?;
        let again = StoredCells::of(&path, frame).map_err(store_error)?;
        let mut cells = Vec::with_capacity(chosen.len());
        for cell in chosen {
            let compared = compare(&cell.id, &stored, &again, strictness).map_err(store_error)?;
            cells.push(CellReport::new(cell, compared));
        }
        let unknown = stored.ids().filter(|id| planned.cell(id).is_none());
        let report = Report {
            command: "verify",
            results: folder,
            strictness,
            changes: &origin.changes,
            stored: stored.len(),
            limited: stored.ids().filter(|id| met_limit(&stored, id)).count(),
            missing: planned.cells().filter(|cell| !stored.has(&cell.id)).count(),
            cells,
            unknown: unknown.map(str::to_owned).collect(),
        };
        match self.format {
            OutputFormat::Json => say_json(&report)?,
            OutputFormat::Text if arguments.quiet && report.agrees() => {}
            OutputFormat::Text => say(report.text().trim_end())?,
        }
        Ok(if report.agrees() {
            Exit::Ok
        } else {
            Exit::Regression
        })
    }
}

/// How closely cells must agree; an error where nothing is promised, unless it is to be done anyway.
fn strictness(arguments: &VerifyArguments, changes: &Changes) -> Result<Strictness, Ended> {
    if !changes.is_of_these() && !arguments.anyway {
        let mut what = Vec::new();
        if !changes.made_from.is_empty() {
            what.push(format!("Changed since: {}", changes.made_from.join("; ")));
        }
        if !changes.not_at_hand.is_empty() {
            what.push(format!("Not at hand: {}", changes.not_at_hand.join(", ")));
        }
        let message = format!(
            "{} was made from what is not here now. {}\n  \
             = help: verify with the program and data that made it, or within tolerances with --anyway",
            arguments.results.display(),
            what.join(". ")
        );
        return Err(Ended::new(Exit::NotComparable, message));
    }
    Ok(if changes.none() {
        Strictness::Bits
    } else {
        Strictness::Tolerances
    })
}

fn run_error(error: RunError) -> Ended {
    match error {
        RunError::Store(error) => store_error(error),
        error => Ended::new(Exit::Internal, &error),
    }
}

/// The cells that are to be computed again, in the order of the plan.
fn choose<'a, G: Copy>(
    planned: &'a Planned<G>,
    stored: &StoredCells,
    arguments: &VerifyArguments,
) -> Result<Vec<&'a PlannedCell>, Ended> {
    let mut there: Vec<&PlannedCell> = planned
        .cells()
        .filter(|cell| stored.has(&cell.id))
        .collect();
    let nothing = |why: &str| {
        let message = format!("{} has {why}", arguments.results.display());
        Ended::new(Exit::NothingMeasured, message)
    };
    if there.is_empty() {
        return Err(nothing(
            "no cell of its experiment: there is nothing to verify",
        ));
    }
    if arguments.id.is_empty() {
        // What met a limit of its run is outside the promise.
        let met_limit = |cell: &&PlannedCell| met_limit(stored, &cell.id);
        there.retain(|cell| !met_limit(cell));
    }
    if there.is_empty() {
        return Err(nothing(
            "only cells that a limit of their run stopped, which no other run repeats\n  \
             = help: name one with --id to compute it without the limit",
        ));
    }
    if arguments.all {
        return Ok(there);
    }
    if arguments.id.is_empty() {
        let count = usize::try_from(arguments.cells).unwrap_or(usize::MAX);
        let chosen = sample(&there, count, arguments.seed).into_iter();
        return Ok(chosen.map(|index| there[index]).collect());
    }
    let mut ids = Vec::new();
    for prefix in &arguments.id {
        let id = find_cell(there.iter().map(|cell| cell.id.as_str()), prefix);
        ids.push(id.map_err(|error| Ended::new(Exit::BadInput, error))?);
    }
    let asked_for = |cell: &&&PlannedCell| ids.contains(&cell.id.as_str());
    Ok(there.iter().filter(asked_for).copied().collect())
}

/// Whether the cell `id` was stopped by a limit of time or memory, or ended the process it ran in.
fn met_limit(stored: &StoredCells, id: &str) -> bool {
    let status = stored.value(id, "status").ok().flatten();
    let mut limits = Status::ALL.into_iter().filter(|s| s.is_of_the_run());
    status.is_some_and(|status| limits.any(|limit| status.is(limit.name())))
}
