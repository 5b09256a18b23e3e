//! `robust-svm merge`: the results of parts of an experiment, joined.

use super::exit::{Ended, Exit, spec_error, store_error};
use super::kinds::{Visitor, with_experiment};
use super::output::OutputFormat;
use super::plan_report::as_only;
use super::run::{exit, warn_of_torn, write_views};
use super::say::{say, say_json};
use crate::plan::PlannedCell;
use crate::run::works;
use crate::spec::SpecFile;
use crate::store::{
    CellCounts, Cells, EXPERIMENT, StoreError, merge as merge_shards, shard_manifest, unfinished,
};
use crate::views::Viewed;
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};

pub(super) const MERGE_EXAMPLES: &str = "\
Examples:
  robust-svm merge results/ci-1 results/ci-2 results/ci-3 --out results/ci

The shards are left as they are. The merged results are those of one run, byte for byte but for
its timings; cells that no shard has are listed, and the exit code is 1.";

/// The most missing cells that are listed.
const LISTED: usize = 20;

#[derive(Debug, Args)]
pub(super) struct MergeArguments {
    /// The results folders
    #[arg(required = true, value_name = "DIR")]
    shards: Vec<PathBuf>,
    /// The folder to write, made if need be
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Merge only if the run of every folder is finished
    #[arg(long)]
    finished: bool,
    /// Write no report.html
    #[arg(long)]
    no_report: bool,
}

pub(super) fn merge(arguments: &MergeArguments, format: OutputFormat) -> Result<Exit, Ended> {
    if arguments.finished {
        require_finished(&arguments.shards).map_err(store_error)?;
    }
    let manifest = shard_manifest(&arguments.shards).map_err(store_error)?;
    let path = arguments.shards[0].join(EXPERIMENT);
    let file = SpecFile::read(&path).map_err(spec_error)?;
    if file.digest != manifest.experiment.sha256 {
        let error = StoreError::damaged(&path)("it is not the experiment that the manifest names");
        return Err(store_error(error));
    }
    with_experiment(file, Merge { arguments, format })
}

/// An error if one of `shards` has more to come.
fn require_finished(shards: &[PathBuf]) -> Result<(), StoreError> {
    let mut left = Vec::new();
    for shard in shards {
        if unfinished(shard, &["cells.parquet"])?.is_some() {
            left.push(shard.clone());
        }
    }
    if left.is_empty() {
        return Ok(());
    }
    let of = shards.len();
    Err(StoreError::UnfinishedShards { shards: left, of })
}

struct Merge<'a> {
    arguments: &'a MergeArguments,
    format: OutputFormat,
}

/// What was merged, as JSON.
#[derive(Serialize)]
struct MergeObject<'a> {
    command: &'static str,
    experiment: &'a str,
    results: &'a Path,
    shards: &'a [PathBuf],
    /// Cells of the experiment, and those that are in the folder.
    planned: usize,
    cells: usize,
    counts: CellCounts,
    /// The identities of the cells that are not.
    missing: Vec<&'a str>,
    /// Files of the shards that were not whole.
    torn: &'a [PathBuf],
    /// Whether another version of the code made the shards.
    other_code: bool,
}

impl Visitor for Merge<'_> {
    type Out = Exit;

    fn visit<E: Viewed>(self, experiment: &E) -> Result<Exit, Ended> {
        let MergeArguments { shards, out, .. } = self.arguments;
        let works = works(experiment);
        let planned = experiment.groups().into_iter();
        let planned: Vec<_> = planned.flat_map(|group| experiment.cells(group)).collect();
        let merged = merge_shards::<E::Row>(
            shards,
            out,
            &experiment.manifest(),
            &experiment.file().text,
            planned.len(),
            &works,
        )
        .map_err(store_error)?;
        warn_of_torn(&merged.torn);
        if merged.other_code {
            log::warn!(
                "another version of the code made the results; tables, plots and report are made by this one"
            );
        }
        write_views(experiment, out, !self.arguments.no_report)?;
        let cells = Cells::<E::Row>::open(&out.join("cells.parquet")).map_err(store_error)?;
        let there = cells.ids().map_err(store_error)?;
        let missing = planned.iter().filter(|cell| !there.contains(&cell.id));
        let missing: Vec<_> = missing.collect();
        match self.format {
            OutputFormat::Text => tell(experiment.name(), self.arguments, planned.len(), &missing)?,
            OutputFormat::Json => say_json(&MergeObject {
                command: "merge",
                experiment: experiment.name(),
                results: out,
                shards,
                planned: planned.len(),
                cells: cells.len(),
                counts: merged.tally.counts,
                missing: missing.iter().map(|cell| cell.id.as_str()).collect(),
                torn: &merged.torn,
                other_code: merged.other_code,
            })?,
        }
        Ok(match exit(&merged.tally.counts) {
            Exit::Ok if !missing.is_empty() => Exit::SomeCellsFailed,
            exit => exit,
        })
    }
}

/// Says what is there of the `planned` cells, and what is missing.
fn tell(
    name: &str,
    arguments: &MergeArguments,
    planned: usize,
    missing: &[&PlannedCell],
) -> Result<(), Ended> {
    let cells = match missing.len() {
        0 => format!("{planned} cells"),
        gone => format!("{} of {planned} cells", planned - gone),
    };
    let (folders, out) = (arguments.shards.len(), arguments.out.display());
    say(format_args!(
        "{name}: {cells} from {folders} folders are in {out}"
    ))?;
    for cell in missing.iter().take(LISTED) {
        let only = as_only(&cell.axes);
        say(format_args!("missing: {}  {only}", cell.id))?;
    }
    if missing.len() > LISTED {
        say(format_args!("missing: {} more", missing.len() - LISTED))?;
    }
    Ok(())
}
