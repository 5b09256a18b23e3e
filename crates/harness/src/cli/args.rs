//! The arguments.

use super::check;
use super::completions::{self, CompletionsArguments};
use super::datasets::{self, DatasetsArguments};
use super::explain::{self, ExplainArguments};
use super::figures::{self, FiguresArguments};
use super::isolation::IsolationArguments;
use super::launch_args::LaunchArguments;
use super::man::{self, ManArguments};
use super::merge::{MERGE_EXAMPLES, MergeArguments};
use super::model_args::{
    CERTIFY_EXAMPLES, CertifyArguments, PREDICT_EXAMPLES, PredictArguments, TRAIN_EXAMPLES,
    TrainArguments,
};
use super::new::{NEW_EXAMPLES, NewArguments};
use super::output::OutputArguments;
use super::plan::{PLAN_EXAMPLES, PlanArguments};
use super::report::{REPORT_EXAMPLES, ReportArguments};
use super::schema::{SCHEMA_EXAMPLES, SchemaArguments};
use super::selection::SelectionArguments;
use super::verify::{self, VerifyArguments};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Robust support vector machines: reproducible experiments with certified numbers.
#[derive(Debug, Parser)]
#[command(name = "robust-svm", version, about, after_help = EXIT_CODES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
    #[command(flatten)]
    pub(super) output: OutputArguments,
}

const EXIT_CODES: &str = "\
Exit codes:
  0   all is well                              5   not comparable
  1   some cells have no numbers               6   improved beyond the baseline
  2   bad input or usage                       70  internal error
  3   regression, or a cell or file differs    74  reading, writing or the network failed
  4   nothing measured                         130 interrupted";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run an experiment, or continue it, and write its tables, plots and report
    #[command(after_help = RUN_EXAMPLES)]
    Run(Box<RunArguments>),
    /// Make the figures of a paper, running their experiments as far as they are not there
    #[command(after_help = figures::EXAMPLES)]
    Figures(FiguresArguments),
    /// Run groups for another process of this program
    #[command(hide = true)]
    Worker,
    /// Say what a run of an experiment would do, and about how long it would take
    #[command(after_help = PLAN_EXAMPLES)]
    Plan(PlanArguments),
    /// Join the results of parts of an experiment
    #[command(after_help = MERGE_EXAMPLES)]
    Merge(MergeArguments),
    /// Compare results with a baseline: what moved, and whether it is more than chance
    #[command(after_help = check::EXAMPLES)]
    Check(check::CheckArguments),
    /// Make tables, figures and report.html anew from the cells of a results folder
    #[command(after_help = REPORT_EXAMPLES)]
    Report(ReportArguments),
    /// Tell where a number comes from: its cells, data, seeds, code, and how to compute it again
    #[command(after_help = explain::EXAMPLES)]
    Explain(ExplainArguments),
    /// Compute cells of a results folder again and compare them to the bit
    #[command(after_help = verify::EXAMPLES)]
    Verify(VerifyArguments),
    /// Train a model on a data file of your own
    #[command(after_help = TRAIN_EXAMPLES)]
    Train(Box<TrainArguments>),
    /// Apply a model to the rows of a data file
    #[command(after_help = PREDICT_EXAMPLES)]
    Predict(PredictArguments),
    /// Certify a model's predictions on the rows of a data file
    #[command(after_help = CERTIFY_EXAMPLES)]
    Certify(CertifyArguments),
    /// Write an experiment or a dataset's manifest to start from
    #[command(after_help = NEW_EXAMPLES)]
    New(NewArguments),
    /// List, fetch and check datasets
    #[command(after_help = datasets::EXAMPLES)]
    Datasets(DatasetsArguments),
    /// Print the JSON Schema of experiment files
    #[command(after_help = SCHEMA_EXAMPLES)]
    Schema(SchemaArguments),
    /// Print a completion script for a shell
    #[command(after_help = completions::EXAMPLES)]
    Completions(CompletionsArguments),
    /// Print the manual page, or write one for each command
    #[command(after_help = man::EXAMPLES)]
    Man(ManArguments),
}

const RUN_EXAMPLES: &str = "\
Examples:
  robust-svm run experiments/noise-grid.toml
  robust-svm run experiments/ci.toml --out /tmp/ci --threads 1 --fresh
  robust-svm run experiments/ci.toml --cell-seconds 600 --memory-limit 2GiB
  robust-svm run experiments/ci.toml --only method=rff,method=robust-rff,level=0.5
  robust-svm run experiments/ci.toml --shard 1/3 --out results/ci-1
  robust-svm run experiments/noise-grid.toml --launcher slurm --partition short --threads 4

Datasets are looked for in ./datasets, then in the folders of ROBUST_SVM_DATA.
The same experiment gives the same bytes of cells.parquet for any number of threads,
and after any interruption; on a cluster too (docs/cluster.md).";

#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
#[derive(Debug, Args)]
pub(super) struct RunArguments {
    /// The experiment file
    pub(super) file: PathBuf,
    /// Results folder, made if need be [default: results/<name of the experiment>]
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Worker threads, or processes [default: all processors; of each task of a cluster 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) threads: Option<u16>,
    #[command(flatten)]
    pub(super) isolation: IsolationArguments,
    /// Discard what is in the results folder
    #[arg(long)]
    pub(super) fresh: bool,
    #[command(flatten)]
    pub(super) selection: SelectionArguments,
    /// Only say what would be done, as `robust-svm plan`
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Write no report.html
    #[arg(long)]
    pub(super) no_report: bool,
    /// Write cells and their timings alone: no tables, plots or report
    #[arg(long)]
    pub(super) cells_only: bool,
    /// Say nothing but errors
    #[arg(long, short)]
    pub(super) quiet: bool,
    #[command(flatten)]
    pub(super) launch: LaunchArguments,
}
