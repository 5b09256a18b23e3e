//! `robust-svm run`.

use super::args::RunArguments;
use super::exit::{Ended, Exit};
use crate::data::DataFolders;
use crate::plan::{Plan, PlanError, plan};
use crate::plot::write_plots;
use crate::run::{RunError, RunOptions, RunSummary, run_experiment};
use crate::spec::SpecFile;
use crate::stats::{Axes, LevelUnit, summarise, summary_csv};
use crate::store::{CellRow, ResultsFolder, Status, StoreError, write_atomically};
use crate::table::write_tables;
use robust_svm_core::data::Scaling;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(super) fn run(arguments: &RunArguments) -> Result<Exit, Ended> {
    let start = Instant::now();
    let plan = read_plan(&arguments.file).map_err(|e| Ended::input(e.is_io(), &e))?;
    let default_out = || PathBuf::from("results").join(&plan.name);
    let out = arguments.out.clone().unwrap_or_else(default_out);
    let store_error = |error: StoreError| Ended::input(error.is_io(), &error);
    let folder = ResultsFolder::open(&out, &plan, arguments.fresh).map_err(store_error)?;
    let options = RunOptions {
        threads: arguments.threads.map_or_else(all_processors, usize::from),
        progress: !arguments.quiet && std::io::stderr().is_terminal(),
    };
    let summary = run_experiment(&plan, &folder, options).map_err(|error| match error {
        RunError::Store(error) => store_error(error),
        RunError::Threads { .. } => Ended::new(Exit::Internal, &error),
    })?;
    write_views(folder.path(), &summary.rows, &plan)?;
    if !arguments.quiet {
        eprintln!("{}", told(&plan, &summary, &out, start));
    }
    Ok(exit(&summary))
}

fn read_plan(file: &Path) -> Result<Plan, PlanError> {
    plan(SpecFile::read(file)?, &DataFolders::from_env())
}

fn all_processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Everything that is made from the rows.
fn write_views(out: &Path, rows: &[CellRow], plan: &Plan) -> Result<(), Ended> {
    let axes = Axes {
        datasets: plan.tasks.iter().map(|task| task.label.clone()).collect(),
        methods: plan
            .methods
            .iter()
            .map(|method| method.name.clone())
            .collect(),
        levels: plan.levels.clone(),
        unit: match plan.scaling {
            Scaling::Standardize => LevelUnit::StandardDeviation,
            Scaling::MinMax => LevelUnit::HalfRange,
            Scaling::None => LevelUnit::Data,
        },
    };
    let io = |error: &dyn std::fmt::Display| Ended::new(Exit::InputOutput, error);
    let summary = summary_csv(&summarise(rows, &axes));
    let summary_path = out.join("summary.csv");
    write_atomically(&summary_path, summary.as_bytes())
        .map_err(|e| io(&StoreError::io("write", &summary_path)(e)))?;
    write_tables(out, rows, &axes).map_err(|e| io(&e))?;
    write_plots(out, rows, &axes).map_err(|e| io(&e))
}

fn told(plan: &Plan, summary: &RunSummary, out: &Path, start: Instant) -> String {
    let mut counts = format!(
        "{}: {} cells ({} were there) in {:.1} s",
        plan.name,
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
    let first = summary.rows.iter().find(|row| row.status != Status::Ok);
    let first = first.and_then(|row| {
        let reason = row.reason.as_ref()?;
        Some(format!(
            "first: {} on {}: {reason}",
            row.method, row.dataset
        ))
    });
    let place = format!("results, tables and plots are in {}", out.display());
    [Some(counts), first, Some(place)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("\n")
}

fn exit(summary: &RunSummary) -> Exit {
    let (ok, skipped) = (summary.count(Status::Ok), summary.count(Status::Skipped));
    if ok == 0 {
        Exit::NothingMeasured
    } else if ok + skipped == summary.rows.len() {
        Exit::Ok
    } else {
        Exit::SomeCellsFailed
    }
}
