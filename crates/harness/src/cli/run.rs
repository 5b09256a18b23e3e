//! `robust-svm run`.

use super::args::RunArguments;
use super::exit::{Ended, Exit, report_error, select_error, spec_error, store_error, views_error};
use super::interrupt::{STOP, watch};
use super::kinds::{Visitor, with_experiment};
use super::plan::{Asked, Format, tell_plan};
use crate::report::write_report;
use crate::run::{
    IsolationError, RunError, RunOptions, RunSummary, Show, Todo, process_seconds, run_experiment,
};
use crate::spec::SpecFile;
use crate::store::{Portion, Record, ResultsFolder, Status, Stored};
use crate::views::Viewed;
use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(super) fn run(arguments: &RunArguments) -> Result<Exit, Ended> {
    let start = Instant::now();
    watch()
        .map_err(|error| Ended::new(Exit::Internal, format!("cannot wait for signals: {error}")))?;
    let file = SpecFile::read(&arguments.file).map_err(spec_error)?;
    with_experiment(file, Run { arguments, start })
}

struct Run<'a> {
    arguments: &'a RunArguments,
    start: Instant,
}

impl Visitor for Run<'_> {
    type Out = Exit;

    fn visit<E: Viewed>(self, experiment: &E) -> Result<Exit, Ended> {
        run_planned(experiment, self.arguments, self.start)
    }
}

/// Runs `experiment`, whatever its kind, and makes from the rows what people look at.
fn run_planned<E: Viewed>(
    experiment: &E,
    arguments: &RunArguments,
    start: Instant,
) -> Result<Exit, Ended> {
    let selection = arguments.selection.selection()?;
    let isolation = arguments.isolation.isolation()?;
    let out = results_folder(experiment, arguments.out.as_deref());
    let threads = threads(arguments.threads);
    if arguments.dry_run {
        let there = if arguments.fresh { None } else { Some(&*out) };
        let asked = Asked {
            selection: &selection,
            threads,
            cells: false,
            format: Format::Text,
        };
        return tell_plan(experiment, &out, there, &asked);
    }
    // What cannot be selected is told before the folder is touched.
    let whole = Todo::new(experiment, &selection, &BTreeSet::new()).map_err(select_error)?;
    let mut manifest = experiment.manifest();
    if !selection.is_whole() {
        manifest.part = Some(Portion {
            planned: whole.planned,
            asked: vec![selection.to_string()],
        });
    }
    let text = &experiment.file().text;
    let folder = ResultsFolder::open(&out, manifest, text, arguments.fresh).map_err(store_error)?;
    let stored = folder.recover::<E::Row>().map_err(store_error)?;
    warn_of_torn(&stored.torn);
    let todo = Todo::new(experiment, &selection, &stored.ids()).map_err(select_error)?;
    drop(stored);
    let options = RunOptions {
        threads,
        show: match (arguments.quiet, std::io::stderr().is_terminal()) {
            (true, _) => Show::Nothing,
            (false, true) => Show::Bar,
            (false, false) => Show::Lines,
        },
        isolation: isolation.as_ref(),
        stop: Some(&STOP),
    };
    let ran = run_experiment(experiment, &folder, &todo, options);
    let summary = ran.map_err(|error| match error {
        RunError::Store(error) => store_error(error),
        RunError::Isolation(IsolationError::Plan(_) | IsolationError::Memory { .. }) => {
            Ended::new(Exit::BadInput, &error)
        }
        RunError::Threads { .. } | RunError::Isolation(_) => Ended::new(Exit::Internal, &error),
    })?;
    let views = experiment.views_of_part(&summary.rows);
    let views = views.map_err(views_error)?;
    let dir = folder.path();
    views.write(dir, experiment.name()).map_err(views_error)?;
    if !arguments.no_report {
        let stored = Stored::read(dir).map_err(store_error)?;
        write_report(experiment, dir, &stored, &views).map_err(report_error)?;
    }
    if !arguments.quiet {
        eprintln!(
            "{}",
            told(experiment.name(), &summary, todo.planned, &out, start)
        );
        if let Some(line) = effort(&summary, threads, start) {
            eprintln!("{line}");
        }
    }
    Ok(exit(&summary.rows))
}

/// The folder that the results of `experiment` are in.
pub(super) fn results_folder<E: Viewed>(experiment: &E, out: Option<&Path>) -> PathBuf {
    out.map_or_else(
        || PathBuf::from("results").join(experiment.name()),
        Path::to_owned,
    )
}

/// The threads asked for, or one a processor.
pub(super) fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(all_processors, usize::from)
}

/// Says which files were not whole.
pub(super) fn warn_of_torn(torn: &[PathBuf]) {
    for path in torn {
        let path = path.display();
        eprintln!("warning: {path} is not whole: its cells are to do again");
    }
}

fn all_processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

fn told<R: Record>(
    name: &str,
    summary: &RunSummary<R>,
    planned: usize,
    out: &Path,
    start: Instant,
) -> String {
    let cells = match summary.rows.len() {
        all if all >= planned => format!("{all} cells"),
        some => format!("{some} of {planned} cells"),
    };
    let mut counts = format!(
        "{name}: {cells} ({} were there) in {:.1} s",
        summary.continued,
        start.elapsed().as_secs_f64()
    );
    for status in Status::ALL.into_iter().filter(|s| *s != Status::Ok) {
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

/// Where the time of this process and its workers went, if it ran cells and the system tells.
fn effort<R>(summary: &RunSummary<R>, threads: usize, start: Instant) -> Option<String> {
    let processor = process_seconds().filter(|_| summary.kernel_seconds > 0.0)?;
    let inside = 100.0 * summary.kernel_seconds / processor;
    let busy = 100.0 * processor / (start.elapsed().as_secs_f64() * threads as f64);
    Some(format!(
        "{inside:.0} % of the processor time inside features, solvers, attack and certificates; \
         {threads} processors {busy:.0} % busy"
    ))
}

/// What `rows` are worth.
pub(super) fn exit<R: Record>(rows: &[R]) -> Exit {
    let count = |status| rows.iter().filter(|row| row.status() == status).count();
    let (ok, skipped) = (count(Status::Ok), count(Status::Skipped));
    if ok == 0 {
        Exit::NothingMeasured
    } else if ok + skipped == rows.len() {
        Exit::Ok
    } else {
        Exit::SomeCellsFailed
    }
}
