//! `robust-svm run`.

use super::args::RunArguments;
use super::exit::{Ended, Exit};
use crate::data::DataFolders;
use crate::plan::{PlanError, plan};
use crate::run::{Experiment, RunError, RunOptions, RunSummary, Show, run_experiment};
use crate::spec::{Kind, SpecError, SpecFile};
use crate::store::{Record, ResultsFolder, Status, StoreError};
use crate::study::{bandwidth_rule, bound_tightness, safe_ellipsoid};
use crate::views::{self, Views, ViewsError};
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(super) fn run(arguments: &RunArguments) -> Result<Exit, Ended> {
    let start = Instant::now();
    let folders = DataFolders::from_env();
    let file = SpecFile::read(&arguments.file).map_err(spec_error)?;
    match file.kind().map_err(spec_error)? {
        Kind::Classification => {
            let plan = plan(file, &folders).map_err(plan_error)?;
            run_planned(&plan, arguments, start, |rows, plan| {
                Ok(views::classification(
                    rows,
                    &views::axes(plan),
                    &plan.comparisons,
                )?)
            })
        }
        Kind::BoundTightness => {
            let plan = bound_tightness::plan(file, &folders).map_err(plan_error)?;
            run_planned(&plan, arguments, start, |rows, plan| {
                Ok(bound_tightness::views(rows, plan))
            })
        }
        Kind::BandwidthRule => {
            let plan = bandwidth_rule::plan(file).map_err(plan_error)?;
            run_planned(&plan, arguments, start, |rows, plan| {
                Ok(bandwidth_rule::views(rows, plan))
            })
        }
        Kind::SafeEllipsoid => {
            let plan = safe_ellipsoid::plan(file, &folders).map_err(plan_error)?;
            run_planned(&plan, arguments, start, |rows, plan| {
                Ok(safe_ellipsoid::views(rows, plan))
            })
        }
    }
}

/// Runs `experiment`, whatever its kind, and has `views` make from the rows what people look at.
fn run_planned<E: Experiment>(
    experiment: &E,
    arguments: &RunArguments,
    start: Instant,
    views: impl FnOnce(&[E::Row], &E) -> Result<Views, ViewsError>,
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
    views(&summary.rows, experiment)
        .and_then(|views| views.write(folder.path(), experiment.name()))
        .map_err(|error| Ended::new(Exit::InputOutput, &error))?;
    if !arguments.quiet {
        eprintln!("{}", told(experiment.name(), &summary, &out, start));
    }
    Ok(exit(&summary))
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn spec_error(error: SpecError) -> Ended {
    Ended::input(error.is_io(), &error)
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn plan_error(error: PlanError) -> Ended {
    Ended::input(error.is_io(), &error)
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn store_error(error: StoreError) -> Ended {
    Ended::input(error.is_io(), &error)
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
