//! The arguments.

use super::figures::{FIGURES_EXAMPLES, FiguresArguments};
use super::model_args::{
    CERTIFY_EXAMPLES, CertifyArguments, PREDICT_EXAMPLES, PredictArguments, TRAIN_EXAMPLES,
    TrainArguments,
};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Robust support vector machines: reproducible experiments with certified numbers.
#[derive(Debug, Parser)]
#[command(name = "robust-svm", version, about, after_help = EXIT_CODES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0   all is well                      5   not comparable
  1   some cells have no numbers       6   improved beyond the baseline
  2   bad input or usage               70  internal error
  3   regression found                 74  reading or writing failed
  4   nothing measured                 130 interrupted";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run an experiment, or continue it, and write its tables and plots
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunArguments),
    /// Make the figures of a paper, running their experiments as far as they are not there
    #[command(after_help = FIGURES_EXAMPLES)]
    Figures(FiguresArguments),
    /// Compare results with a baseline, cell by cell
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArguments),
    /// Train a model on a data file of your own
    #[command(after_help = TRAIN_EXAMPLES)]
    Train(Box<TrainArguments>),
    /// Apply a model to the rows of a data file
    #[command(after_help = PREDICT_EXAMPLES)]
    Predict(PredictArguments),
    /// Certify a model's predictions on the rows of a data file
    #[command(after_help = CERTIFY_EXAMPLES)]
    Certify(CertifyArguments),
}

const RUN_EXAMPLES: &str = "\
Examples:
  robust-svm run experiments/noise-grid.toml
  robust-svm run experiments/ci.toml --out /tmp/ci --threads 1 --fresh

Datasets are looked for in ./datasets, then in the folders of ROBUST_SVM_DATA.
The same experiment gives the same bytes of cells.parquet for any number of threads,
and after any interruption.";

const CHECK_EXAMPLES: &str = "\
Examples:
  robust-svm check results/ci --baseline results/baselines/ci
  robust-svm check results/ci --baseline results/baselines/ci --update

Counts may differ by one test point, objectives by 1e-6 relative.";

#[derive(Debug, Default, Args)]
pub(super) struct RunArguments {
    /// The experiment file
    pub(super) file: PathBuf,
    /// Results folder [default: results/<name of the experiment>]
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Worker threads [default: all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) threads: Option<u16>,
    /// Discard what is in the results folder
    #[arg(long)]
    pub(super) fresh: bool,
    /// Say nothing but errors
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    /// The results folder
    pub(super) results: PathBuf,
    /// The baseline's folder
    #[arg(long, value_name = "DIR")]
    pub(super) baseline: PathBuf,
    /// Make the results the baseline
    #[arg(long)]
    pub(super) update: bool,
}
