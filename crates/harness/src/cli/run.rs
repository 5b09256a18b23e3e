//! `robust-svm run`.

use super::args::RunArguments;
use super::exit::{Ended, Exit, spec_error, store_error, views_error};
use super::kinds::{Visitor, with_experiment};
use super::output::OutputFormat;
use super::say::say_json;
use crate::run::{RunError, RunOptions, RunSummary, Show, run_experiment};
use crate::spec::SpecFile;
use crate::store::{CellCounts, Record, ResultsFolder, RunIdentity, Status};
use crate::views::Viewed;
use serde::Serialize;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(super) fn run(arguments: &RunArguments, format: OutputFormat) -> Result<Exit, Ended> {
    let start = Instant::now();
    let file = SpecFile::read(&arguments.file).map_err(spec_error)?;
    let run = Run {
        arguments,
        format,
        start,
    };
    with_experiment(file, run)
}

struct Run<'a> {
    arguments: &'a RunArguments,
    format: OutputFormat,
    start: Instant,
}

impl Visitor for Run<'_> {
    type Out = Exit;

    fn visit<E: Viewed>(self, experiment: &E) -> Result<Exit, Ended> {
        run_planned(experiment, &self)
    }
}

/// Runs `experiment`, whatever its kind, and makes from the rows what people look at.
fn run_planned<E: Viewed>(experiment: &E, run: &Run<'_>) -> Result<Exit, Ended> {
    let arguments = run.arguments;
    let default_out = || PathBuf::from("results").join(experiment.name());
    let out = arguments.out.clone().unwrap_or_else(default_out);
    let (manifest, text) = (experiment.manifest(), &experiment.file().text);
    let mut folder =
        ResultsFolder::open(&out, manifest, text, arguments.fresh).map_err(store_error)?;
    let threads = arguments.threads.map_or_else(all_processors, usize::from);
    folder.begin(RunIdentity::begin(threads));
    let options = RunOptions {
        threads,
        show: show(arguments.quiet || run.format == OutputFormat::Json),
    };
    let summary = run_experiment(experiment, &folder, options).map_err(|error| match error {
        RunError::Store(error) => store_error(error),
        RunError::Threads { .. } => Ended::new(Exit::Internal, &error),
    })?;
    experiment
        .write_views(folder.path(), &summary.rows)
        .map_err(views_error)?;
    if run.format == OutputFormat::Json {
        say_json(&RunObject::new(
            experiment.name(),
            &summary,
            &out,
            run.start,
        ))?;
    } else if !arguments.quiet {
        eprintln!("{}", told(experiment.name(), &summary, &out, run.start));
    }
    Ok(exit(&summary))
}

/// How progress is shown: a bar would be torn by messages between.
pub(super) fn show(quiet: bool) -> Show {
    let bar = std::io::stderr().is_terminal() && log::max_level() < log::LevelFilter::Info;
    match (quiet, bar) {
        (true, _) => Show::Nothing,
        (false, true) => Show::Bar,
        (false, false) => Show::Lines,
    }
}

pub(super) fn all_processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// How a run ended, as JSON.
#[derive(Serialize)]
struct RunObject<'a> {
    command: &'static str,
    experiment: &'a str,
    results: &'a Path,
    cells: usize,
    continued: usize,
    counts: CellCounts,
    /// The first cell without numbers.
    first_without_numbers: Option<CellObject<'a>>,
    seconds: f64,
}

#[derive(Serialize)]
struct CellObject<'a> {
    cell_id: &'a str,
    status: &'static str,
    reason: Option<&'a str>,
}

impl<'a> RunObject<'a> {
    fn new<R: Record>(
        name: &'a str,
        summary: &'a RunSummary<R>,
        out: &'a Path,
        start: Instant,
    ) -> Self {
        let first = summary.rows.iter().find(|row| row.status() != Status::Ok);
        Self {
            command: "run",
            experiment: name,
            results: out,
            cells: summary.rows.len(),
            continued: summary.continued,
            counts: CellCounts::of(&summary.rows),
            first_without_numbers: first.map(|row| CellObject {
                cell_id: row.cell_id(),
                status: row.status().name(),
                reason: row.reason(),
            }),
            seconds: start.elapsed().as_secs_f64(),
        }
    }
}

fn told<R: Record>(name: &str, summary: &RunSummary<R>, out: &Path, start: Instant) -> String {
    let mut counts = format!(
        "{name}: {} cells ({} were there) in {:.1} s",
        summary.rows.len(),
        summary.continued,
        start.elapsed().as_secs_f64()
    );
    for status in [Status::Failed, Status::Diverged, Status::Skipped] {
        let count = summary.count(status);
        if count > 0 {
            counts = format!("{counts}; {count} {}", status.name());
        }
    }
    let first = summary.rows.iter().find(|row| row.status() != Status::Ok);
    let first = first.and_then(|row| {
        let reason = row.reason()?;
        Some(format!("first: {}: {reason}", row.place()))
    });
    let place = format!("results, tables and plots are in {}", out.display());
    [Some(counts), first, Some(place)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("\n")
}

fn exit<R: Record>(summary: &RunSummary<R>) -> Exit {
    let (ok, skipped) = (summary.count(Status::Ok), summary.count(Status::Skipped));
    if ok == 0 {
        Exit::NothingMeasured
    } else if ok + skipped == summary.rows.len() {
        Exit::Ok
    } else {
        Exit::SomeCellsFailed
    }
}
