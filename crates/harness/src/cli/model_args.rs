//! The arguments of the commands that train and use models.

use crate::data::{Format, MissingPolicy};
use crate::modelling::streaming::train::StreamSolver;
use crate::run::Bytes;
use crate::spec::{FormName, FrequenciesName};
use clap::{Args, ValueEnum};
use robust_svm_core::data::Scaling;
use robust_svm_core::uncertainty::Norm;
use std::path::PathBuf;

pub(super) const TRAIN_EXAMPLES: &str = "\
Examples:
  robust-svm train heart.csv --label disease --out heart.json
  robust-svm train heart.csv --label disease --features nystrom --bound projection \\
      --gamma 0.3 --lambda 0.1,1,10 --out heart.json
  robust-svm train a9a.libsvm --features identity --out a9a.json

The data file is CSV with a header, Parquet, or LIBSVM's format. Without --bound the model is
nominal; γ is then only what candidates are compared at. γ and σ are in units of the scaled
features: standard deviations of the training rows, unless --scale says otherwise.
The same file and options give the same model. A file larger than memory is read in blocks.";

pub(super) const PREDICT_EXAMPLES: &str = "\
Examples:
  robust-svm predict heart.json new.csv --out predictions.csv
  robust-svm predict heart.json new.csv | head

One line a row: its number from 1, the decision value, the class, and the label where the file
has the column the model was trained to predict. Columns are found by name; others are not read.
Without --out the table goes to standard output, and what is said of it to standard error.";

pub(super) const CERTIFY_EXAMPLES: &str = "\
Examples:
  robust-svm certify heart.json test.csv
  robust-svm certify heart.json test.csv --gamma 0.1 0.3 0.5 --out certificates.csv

One line a row in the CSV file: class, margin, the largest γ that the row is certified for, and
whether it is certified at each γ. Labelled rows are certified if no perturbation makes them
wrong, others if none changes their class. γ is in units of the scaled features.";

/// How the data file is read.
#[derive(Debug, Args)]
pub(super) struct FileArguments {
    /// Format of the data file [default: by its name: .csv, .parquet, .svm, .libsvm, .svmlight]
    #[arg(long, value_name = "FORMAT")]
    pub(super) data_format: Option<FormatName>,
    /// Indices of a LIBSVM file count from 0, not from 1
    #[arg(long)]
    pub(super) zero_based: bool,
}

#[derive(Debug, Args)]
pub(super) struct TrainArguments {
    /// The data file
    pub(super) data: PathBuf,
    /// The column with the classes (not for LIBSVM files, whose labels come first)
    #[arg(long, value_name = "COLUMN")]
    pub(super) label: Option<String>,
    /// The label that counts as positive, may be given several times [default: of two, the last]
    #[arg(long, value_name = "LABEL", allow_hyphen_values = true)]
    pub(super) positive: Vec<String>,
    /// A column that is no feature, may be given several times
    #[arg(long, value_name = "COLUMN")]
    pub(super) ignore: Vec<String>,
    /// What becomes of missing values
    #[arg(long, value_name = "RULE", default_value = "error")]
    pub(super) missing: MissingRule,
    #[command(flatten)]
    pub(super) file: FileArguments,
    /// The feature map
    #[arg(
        long,
        value_name = "MAP",
        default_value = "rff",
        help_heading = "Model"
    )]
    pub(super) features: MapChoice,
    /// How the frequencies of random Fourier features are drawn
    #[arg(
        long,
        value_name = "NAME",
        default_value = "gaussian",
        help_heading = "Model"
    )]
    pub(super) frequencies: FrequenciesChoice,
    /// The form of random Fourier features
    #[arg(
        long,
        value_name = "NAME",
        default_value = "paired",
        help_heading = "Model"
    )]
    pub(super) form: FormChoice,
    /// Random Fourier features, or landmarks of nystrom [default: 256 features; 128 landmarks, or
    /// half the training rows where they are fewer]
    #[arg(long, value_name = "N", help_heading = "Model")]
    pub(super) dim: Option<usize>,
    /// Train against uncertainty of size γ with this bound: exact (identity), arcs, geodesic, best
    /// (rff), landmark, projection, best (nystrom), local (rff and nystrom), total-budget and others of
    /// docs/bounds.md; exact and local with norm 2 only
    #[arg(long, value_name = "NAME", help_heading = "Model")]
    pub(super) bound: Option<String>,
    /// γ, the size of the uncertainty, in units of the scaled features
    #[arg(
        long,
        value_name = "G",
        default_value = "0",
        help_heading = "Model",
        allow_negative_numbers = true
    )]
    pub(super) gamma: f64,
    /// The norm of perturbations
    #[arg(long, value_name = "P", default_value = "2", help_heading = "Model")]
    pub(super) norm: NormChoice,
    /// How features are scaled
    #[arg(
        long,
        value_name = "RULE",
        default_value = "standardize",
        help_heading = "Model"
    )]
    pub(super) scale: ScaleChoice,
    /// λ, or several with commas between them: the one with the lowest certified error of the
    /// validation rows is taken [default: 0.01,0.1,1,10,100; of rows that are streamed 1e-4 for each]
    #[arg(
        long,
        value_name = "L",
        value_delimiter = ',',
        help_heading = "Selection",
        allow_negative_numbers = true
    )]
    pub(super) lambda: Vec<f64>,
    /// σ of the kernel, in units of the scaled features, or several [default: 0.5, 1 and 2 times
    /// the median distance of training rows; of rows that are streamed once that]
    #[arg(
        long,
        value_name = "S",
        value_delimiter = ',',
        help_heading = "Selection",
        allow_negative_numbers = true
    )]
    pub(super) sigma: Vec<f64>,
    /// Share of the rows held out to compare candidates; 0 where --lambda and --sigma leave one. Of rows
    /// that are streamed at most about 100,000
    #[arg(
        long,
        value_name = "SHARE",
        default_value = "0.25",
        help_heading = "Selection",
        allow_negative_numbers = true
    )]
    pub(super) validation: f64,
    /// Seed of every random choice
    #[arg(
        long,
        value_name = "N",
        default_value = "0",
        help_heading = "Selection"
    )]
    pub(super) seed: u64,
    /// Whether rows are streamed from a copy on disk instead of held in memory
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Files larger than memory"
    )]
    pub(super) stream: StreamChoice,
    /// Rows are streamed where table and features would take more than this [units: B, kB, MB, GB,
    /// TB, KiB, MiB, GiB, TiB]
    #[arg(
        long,
        value_name = "SIZE",
        default_value = "1GiB",
        help_heading = "Files larger than memory"
    )]
    pub(super) memory: Bytes,
    /// The folder for the copy of the rows, 4 bytes a number [default: that of the model file]
    #[arg(long, value_name = "DIR", help_heading = "Files larger than memory")]
    pub(super) scratch: Option<PathBuf>,
    /// What trains on streamed rows; rows in memory are trained on by interior-point [default:
    /// stochastic]
    #[arg(long, value_name = "NAME", help_heading = "Files larger than memory")]
    pub(super) solver: Option<SolverChoice>,
    /// The stochastic solver goes over streamed rows at most so often [default: 8]
    #[arg(long, value_name = "N", help_heading = "Files larger than memory")]
    pub(super) epochs: Option<usize>,
    /// The solver on streamed rows ends at this certified relative gap [default: 0.01; 1e-9 of
    /// interior-point]
    #[arg(long, value_name = "GAP", help_heading = "Files larger than memory")]
    pub(super) tolerance: Option<f64>,
    /// Streamed blocks of 8192 rows between two checkpoints, from which the same command goes on
    /// after it was killed; of interior-point, at the end of the iteration under way [default: a
    /// sixteenth of all epochs, at most 1024; every iteration of interior-point]
    #[arg(long, value_name = "N", help_heading = "Files larger than memory")]
    pub(super) checkpoint_every: Option<usize>,
    /// The model file to write, in a folder that is made if need be
    #[arg(long, value_name = "MODEL.json")]
    pub(super) out: PathBuf,
    /// Say nothing but errors
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Debug, Args)]
pub(super) struct UseArguments {
    /// The model file
    pub(super) model: PathBuf,
    /// The data file
    pub(super) data: PathBuf,
    /// Leave the labels of the data file unread
    #[arg(long)]
    pub(super) no_labels: bool,
    #[command(flatten)]
    pub(super) file: FileArguments,
}

#[derive(Debug, Args)]
pub(super) struct PredictArguments {
    #[command(flatten)]
    pub(super) input: UseArguments,
    /// The CSV file to write, in a folder that is made if need be [default: standard output]
    #[arg(long, value_name = "FILE.csv")]
    pub(super) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct CertifyArguments {
    #[command(flatten)]
    pub(super) input: UseArguments,
    /// Sizes of the uncertainty, in units of the scaled features [default: the γ of the training,
    /// or 0.1 0.2 0.5]
    #[arg(
        long, value_name = "G", num_args = 1.., value_delimiter = ',',
        allow_negative_numbers = true
    )]
    pub(super) gamma: Vec<f64>,
    /// The CSV file to write, one line a row, in a folder that is made if need be
    #[arg(long, value_name = "FILE.csv")]
    pub(super) out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum FormatName {
    /// Comma-separated values with a header
    Csv,
    /// Parquet
    Parquet,
    /// LIBSVM's and SVMlight's
    #[value(alias = "libsvm")]
    Svmlight,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Csv => Self::Csv,
            FormatName::Parquet => Self::Parquet,
            FormatName::Svmlight => Self::Svmlight,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum StreamChoice {
    /// Where they would take more than --memory, and map, bound and --missing can be streamed
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SolverChoice {
    /// Steps on some rows at a time; 4 bytes a row, also in a checkpoint
    Stochastic,
    /// To a small gap in some hundred passes over the rows; some 280 bytes a row and the square of the
    /// features in memory, 40 bytes a row in a checkpoint
    InteriorPoint,
}

impl From<SolverChoice> for StreamSolver {
    fn from(choice: SolverChoice) -> Self {
        match choice {
            SolverChoice::Stochastic => Self::Stochastic,
            SolverChoice::InteriorPoint => Self::InteriorPoint,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum MissingRule {
    /// Leave rows with missing values out
    Drop,
    /// Put the training median in
    Median,
    /// Refuse the file
    Error,
}

impl From<MissingRule> for MissingPolicy {
    fn from(rule: MissingRule) -> Self {
        match rule {
            MissingRule::Drop => Self::Drop,
            MissingRule::Median => Self::Median,
            MissingRule::Error => Self::Error,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum MapChoice {
    /// Linear
    Identity,
    /// Random Fourier features
    Rff,
    /// Nyström features
    Nystrom,
    /// The exact Gaussian kernel, nominal only
    ExactKernel,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FrequenciesChoice {
    /// Independent draws
    Gaussian,
    /// Orthogonal in blocks
    Orthogonal,
    /// Of Hadamard matrices and random signs: O(D log n) a row in training, for many inputs
    Structured,
}

impl From<FrequenciesChoice> for FrequenciesName {
    fn from(choice: FrequenciesChoice) -> Self {
        match choice {
            FrequenciesChoice::Gaussian => Self::Gaussian,
            FrequenciesChoice::Orthogonal => Self::Orthogonal,
            FrequenciesChoice::Structured => Self::Structured,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FormChoice {
    /// A cosine and a sine of each frequency: half as many as features, the faster one
    Paired,
    /// A cosine of each frequency at a random phase: as many as features
    Phased,
}

impl From<FormChoice> for FormName {
    fn from(choice: FormChoice) -> Self {
        match choice {
            FormChoice::Paired => Self::Paired,
            FormChoice::Phased => Self::Phased,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum NormChoice {
    #[value(name = "1")]
    One,
    #[value(name = "2")]
    Two,
    Infinity,
}

impl From<NormChoice> for Norm {
    fn from(choice: NormChoice) -> Self {
        match choice {
            NormChoice::One => Self::One,
            NormChoice::Two => Self::Two,
            NormChoice::Infinity => Self::Infinity,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum ScaleChoice {
    /// Mean 0, standard deviation 1
    Standardize,
    /// Training range onto [−1, 1]
    MinMax,
    /// As they are
    None,
}

impl From<ScaleChoice> for Scaling {
    fn from(choice: ScaleChoice) -> Self {
        match choice {
            ScaleChoice::Standardize => Self::Standardize,
            ScaleChoice::MinMax => Self::MinMax,
            ScaleChoice::None => Self::None,
        }
    }
}
