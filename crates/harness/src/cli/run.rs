//! `robust-svm run`.

use super::args::RunArguments;
use super::exit::{Ended, Exit, spec_error, store_error, views_error};
use super::kinds::{Visitor, with_experiment};
use crate::run::{RunError, RunOptions, RunSummary, Show, run_experiment};
use crate::spec::SpecFile;
use crate::store::{Record, ResultsFolder, Status};
use crate::views::Viewed;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(super) fn run(arguments: &RunArguments) -> Result<Exit, Ended> {
    let start = Instant::now();
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
    let default_out = || PathBuf::from("results").join(experiment.name());
    let out = arguments.out.clone().unwrap_or_else(default_out);
    let (manifest, text) = (experiment.manifest(), &experiment.file().text);
    let folder = ResultsFolder::open(&out, manifest, text, arguments.fresh).map_err(store_error)?;
    let options = RunOptions {
        threads: arguments.threads.map_or_else(all_processors, usize::from),
        show: match (arguments.quiet, std::io::stderr().is_terminal()) {
            (true, _) => Show::Nothing,
            (false, true) => Show::Bar,
            (false, false) => Show::Lines,
        },
    };
    let summary = run_experiment(experiment, &folder, options).map_err(|error| match error {
        RunError::Store(error) => store_error(error),
        RunError::Threads { .. } => Ended::new(Exit::Internal, &error),
    })?;
    experiment
        .write_views(folder.path(), &summary.rows)
        .map_err(views_error)?;
    if !arguments.quiet {
        eprintln!("{}", told(experiment.name(), &summary, &out, start));
    }
    Ok(exit(&summary))
}

fn all_processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
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
