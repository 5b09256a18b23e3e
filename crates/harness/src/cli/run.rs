//! `robust-svm run`.

use super::args::RunArguments;
use super::exit::{Ended, Exit, report_error, select_error, spec_error, store_error, views_error};
use super::interrupt::{STOP, watch};
use super::kinds::{Visitor, with_experiment};
use super::launch::launch;
use super::launch_args::Launcher;
use super::output::OutputFormat;
use super::plan::{Asked, tell_plan};
use super::say::say_json;
use crate::report::write_report;
use crate::run::{
    IsolationError, RunError, RunOptions, RunSummary, Show, Todo, process_seconds, run_experiment,
    try_worker,
};
use crate::spec::SpecFile;
use crate::store::{
    CellCounts, Cells, Portion, Record, ResultsFolder, RunIdentity, Status, Tally, solver_seconds,
};
use crate::views::Viewed;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(super) fn run(arguments: &RunArguments, format: OutputFormat) -> Result<Exit, Ended> {
    let start = Instant::now();
    watch()?;
    if arguments.launch.launcher == Launcher::Local {
        arguments.launch.require_local()?;
    }
    let file = SpecFile::read(&arguments.file).map_err(spec_error)?;
    let run = Run {
        arguments,
        format,
        start,
        // What started the program in its own place, as cargo does, has left its time on the account.
        processor: process_seconds(),
    };
    with_experiment(file, run)
}

pub(super) struct Run<'a> {
    pub(super) arguments: &'a RunArguments,
    pub(super) format: OutputFormat,
    start: Instant,
    /// Processor time of the process at the start.
    processor: Option<f64>,
}

impl Visitor for Run<'_> {
    type Out = Exit;

    fn visit<E: Viewed>(self, experiment: &E) -> Result<Exit, Ended> {
        if experiment.measures_processes() {
            self.require_isolation(experiment.name())?;
        }
        match self.arguments.launch.launcher {
            Launcher::Local => run_planned(experiment, &self),
            Launcher::Slurm => launch(experiment, &self),
        }
    }
}

impl Run<'_> {
    /// That cells which are measured themselves are run one at a time, each in a process of its own.
    fn require_isolation(&self, name: &str) -> Result<(), Ended> {
        if self.arguments.isolation.isolation()?.is_none() {
            let message = format!(
                "{name} measures the time and memory of training: each cell must have a process of its own\n  \
                 = help: add --isolate"
            );
            return Err(Ended::new(Exit::BadInput, message));
        }
        match self.arguments.threads {
            Some(threads) if threads > 1 => {
                let message = format!(
                    "--threads {threads}: {name} measures the time and memory of training: cells side by side would disturb each other\n  \
                     = help: leave --threads out, cells are run one at a time"
                );
                Err(Ended::new(Exit::BadInput, message))
            }
            _ => Ok(()),
        }
    }
}

/// Runs `experiment`, whatever its kind, and makes from the rows what people look at.
fn run_planned<E: Viewed>(experiment: &E, run: &Run<'_>) -> Result<Exit, Ended> {
    let arguments = run.arguments;
    let selection = arguments.selection.selection()?;
    let isolation = arguments.isolation.isolation()?;
    let out = results_folder(experiment, arguments.out.as_deref());
    let threads = threads(experiment, arguments.threads);
    if arguments.dry_run {
        let there = if arguments.fresh { None } else { Some(&*out) };
        let asked = Asked {
            selection: &selection,
            threads,
            command: "run",
            cells: false,
            format: run.format,
        };
        return tell_plan(experiment, &out, there, &asked);
    }
    // What cannot be selected is told before the folder is touched.
    let whole = Todo::new(experiment, &selection, &BTreeSet::new()).map_err(select_error)?;
    let planned = whole.planned;
    drop(whole);
    let mut manifest = experiment.manifest();
    if !selection.is_whole() {
        manifest.part = Some(Portion {
            planned,
            asked: vec![selection.to_string()],
        });
    }
    // Nothing is discarded for a run that cannot begin.
    if let Some(isolation) = isolation
        .as_ref()
        .filter(|_| arguments.fresh && out.exists())
    {
        try_worker(experiment, isolation, Some(&STOP)).map_err(isolation_error)?;
    }
    let text = &experiment.file().text;
    let mut folder =
        ResultsFolder::open(&out, manifest, text, arguments.fresh).map_err(store_error)?;
    let there = folder.recover::<E::Row>().map_err(store_error)?;
    warn_of_torn(&there.torn);
    let todo = Todo::new(experiment, &selection, &there.ids).map_err(select_error)?;
    drop(there);
    let planned = todo.planned;
    folder.begin(RunIdentity::begin(threads));
    let options = RunOptions {
        threads,
        show: show(arguments.quiet || run.format == OutputFormat::Json),
        isolation: isolation.as_ref(),
        stop: Some(&STOP),
    };
    let ran = run_experiment(experiment, &folder, todo, options);
    let summary = ran.map_err(|error| match error {
        RunError::Store(error) => store_error(error),
        RunError::Isolation(error) => isolation_error(error),
        RunError::Threads { .. } => Ended::new(Exit::Internal, &error),
    })?;
    if !arguments.cells_only {
        write_views(experiment, folder.path(), !arguments.no_report)?;
    }
    tell_run(experiment.name(), &summary, planned, &out, run)?;
    if run.format == OutputFormat::Text
        && !arguments.quiet
        && let Some(line) = effort(&summary, threads, run)
    {
        eprintln!("{line}");
    }
    Ok(exit(&summary.tally.counts))
}

/// Makes what people look at from the joined cells in `folder`.
pub(super) fn write_views<E: Viewed>(
    experiment: &E,
    folder: &Path,
    report: bool,
) -> Result<(), Ended> {
    let cells = Cells::open(&folder.join("cells.parquet")).map_err(store_error)?;
    let views = experiment.views_in(folder, &cells).map_err(views_error)?;
    views
        .write(folder, experiment.name())
        .map_err(views_error)?;
    if report {
        let seconds = solver_seconds(folder).map_err(store_error)?;
        write_report(experiment, folder, &cells, seconds, &views).map_err(report_error)?;
    }
    Ok(())
}

/// Says how a run ended.
pub(super) fn tell_run<R: Record>(
    name: &str,
    summary: &RunSummary<R>,
    planned: usize,
    out: &Path,
    run: &Run<'_>,
) -> Result<(), Ended> {
    if run.format == OutputFormat::Json {
        return say_json(&RunObject::new(name, summary, planned, out, run.start));
    }
    if !run.arguments.quiet {
        eprintln!("{}", told(name, summary, planned, run));
        let what = if run.arguments.cells_only {
            "cells"
        } else {
            "results, tables and plots"
        };
        eprintln!("{what} are in {}", out.display());
    }
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn isolation_error(error: IsolationError) -> Ended {
    let exit = match &error {
        IsolationError::Plan(_) | IsolationError::Memory { .. } | IsolationError::Late { .. } => {
            Exit::BadInput
        }
        IsolationError::Start(_) | IsolationError::Never(_) => Exit::Internal,
    };
    Ended::new(exit, &error)
}

/// The folder that the results of `experiment` are in.
pub(super) fn results_folder<E: Viewed>(experiment: &E, out: Option<&Path>) -> PathBuf {
    out.map_or_else(
        || PathBuf::from("results").join(experiment.name()),
        Path::to_owned,
    )
}

/// The threads asked for, or one a processor; one where cells side by side would disturb what is measured.
pub(super) fn threads<E: Viewed>(experiment: &E, asked: Option<u16>) -> usize {
    if experiment.measures_processes() {
        return 1;
    }
    asked.map_or_else(all_processors, usize::from)
}

/// Says which files were not whole.
pub(super) fn warn_of_torn(torn: &[PathBuf]) {
    for path in torn {
        let path = path.display();
        log::warn!("{path} is not whole: its cells are to do again");
    }
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

fn all_processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// How a run ended, as JSON.
#[derive(Serialize)]
struct RunObject<'a> {
    command: &'static str,
    experiment: &'a str,
    results: &'a Path,
    /// Cells of the experiment, and those that are in the folder.
    planned: usize,
    cells: usize,
    /// Those of them that were there before.
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
        planned: usize,
        out: &'a Path,
        start: Instant,
    ) -> Self {
        let Tally {
            counts,
            first_without_numbers: first,
        } = &summary.tally;
        Self {
            command: "run",
            experiment: name,
            results: out,
            planned,
            cells: counts.total(),
            continued: summary.continued,
            counts: *counts,
            first_without_numbers: first.as_ref().map(|row| CellObject {
                cell_id: row.cell_id(),
                status: row.status().name(),
                reason: row.reason(),
            }),
            seconds: start.elapsed().as_secs_f64(),
        }
    }
}

fn told<R: Record>(name: &str, summary: &RunSummary<R>, planned: usize, run: &Run<'_>) -> String {
    let tally = &summary.tally;
    let cells = match tally.counts.total() {
        all if all >= planned => format!("{all} cells"),
        some => format!("{some} of {planned} cells"),
    };
    let mut counts = format!(
        "{name}: {cells} ({} were there) in {:.1} s",
        summary.continued,
        run.start.elapsed().as_secs_f64()
    );
    for status in Status::ALL.into_iter().filter(|s| *s != Status::Ok) {
        let count = tally.counts.get(status);
        if count > 0 {
            counts = format!("{counts}; {count} {}", status.name());
        }
    }
    let first = tally.first_without_numbers.as_ref();
    let first = first.and_then(|row| {
        let reason = row.reason()?;
        Some(format!("first: {}: {reason}", row.place()))
    });
    [Some(counts), first]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("\n")
}

/// Where the time of this process and its workers went, if it ran cells and the system tells.
fn effort<R>(summary: &RunSummary<R>, threads: usize, run: &Run<'_>) -> Option<String> {
    let now = process_seconds().filter(|_| summary.kernel_seconds > 0.0)?;
    let processor = now - run.processor?;
    let noun = if threads == 1 {
        "processor"
    } else {
        "processors"
    };
    let inside = 100.0 * summary.kernel_seconds / processor;
    let busy = 100.0 * processor / (run.start.elapsed().as_secs_f64() * threads as f64);
    Some(format!(
        "{inside:.0} % of the processor time inside features, solvers, attack and certificates; \
         {threads} {noun} {busy:.0} % busy"
    ))
}

/// What cells that ended as `counts` tells are worth.
pub(super) fn exit(counts: &CellCounts) -> Exit {
    if counts.ok == 0 {
        Exit::NothingMeasured
    } else if counts.ok + counts.skipped == counts.total() {
        Exit::Ok
    } else {
        Exit::SomeCellsFailed
    }
}
