//! `robust-svm report`.

use super::exit::{Ended, Exit, report_error, spec_error, store_error, views_error};
use super::kinds::{Visitor, with_experiment};
use super::output::OutputFormat;
use super::run::warn_of_torn;
use super::say::{say, say_json};
use crate::report::write_report;
use crate::spec::SpecFile;
use crate::store::{Cells, EXPERIMENT, Stored, missing_file};
use crate::views::Viewed;
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};

pub(super) const REPORT_EXAMPLES: &str = "\
Examples:
  robust-svm report results/noise-grid

The report is one file that needs no network: open DIR/report.html in a browser.
The datasets of the experiment must be where `robust-svm run` finds them.";

#[derive(Debug, Args)]
pub(super) struct ReportArguments {
    /// The results folder
    #[arg(value_name = "DIR")]
    results: PathBuf,
}

pub(super) fn report(arguments: &ReportArguments, format: OutputFormat) -> Result<Exit, Ended> {
    let dir = &arguments.results;
    if let Some(name) = missing_file(dir, &["manifest.toml", EXPERIMENT]) {
        let dir = dir.display();
        let message = format!(
            "{dir} is no results folder: it has no {name}\n  = help: `robust-svm run FILE --out {dir}` makes one"
        );
        return Err(Ended::new(Exit::BadInput, message));
    }
    let file = SpecFile::read(&dir.join(EXPERIMENT)).map_err(spec_error)?;
    with_experiment(file, Report { dir, format })
}

/// What the command says as JSON.
#[derive(Serialize)]
struct Made<'a> {
    command: &'static str,
    /// The file.
    report: &'a Path,
}

struct Report<'a> {
    dir: &'a Path,
    format: OutputFormat,
}

impl Visitor for Report<'_> {
    type Out = Exit;

    fn visit<E: Viewed>(self, experiment: &E) -> Result<Exit, Ended> {
        let dir = self.dir;
        let stored = Stored::<E::Row>::read_idle(dir).map_err(store_error)?;
        warn_of_torn(&stored.torn);
        if stored.rows.is_empty() {
            let message = format!(
                "{} has no cells yet\n  = help: `robust-svm run` goes on with it",
                dir.display()
            );
            return Err(Ended::new(Exit::NothingMeasured, message));
        }
        let cells = Cells::of(stored.rows);
        let views = experiment.views_in(dir, &cells).map_err(views_error)?;
        views.write(dir, experiment.name()).map_err(views_error)?;
        let solver_seconds = stored.timings.iter().map(|row| row.seconds.solve).sum();
        let path =
            write_report(experiment, dir, &cells, solver_seconds, &views).map_err(report_error)?;
        match self.format {
            OutputFormat::Text => say(format_args!("The report is {}", path.display()))?,
            OutputFormat::Json => say_json(&Made {
                command: "report",
                report: &path,
            })?,
        }
        Ok(Exit::Ok)
    }
}
