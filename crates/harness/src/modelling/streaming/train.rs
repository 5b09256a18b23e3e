//! From a file larger than memory to a model.

use super::apart::Apart;
use super::candidates::{candidates, choose};
use super::error::ScratchError;
use super::fit::Data;
use super::job::job;
use super::prepare::{Input, SURVEY, Stamp, stamp};
use super::scatter::ScatterError;
use super::scratch::Scratch;
use super::solve::tolerance;
use crate::data::{DataError, Format, digest_of_file, size_of};
use crate::model_file::{SavedModel, Training};
use crate::modelling::progress::tell;
use crate::modelling::summary::DataTold;
use crate::modelling::train::{Streamed, TrainError, TrainPlan, Trained};
use crate::modelling::user_file::{TaskQuestion, UserFile};
use crate::plan::SigmaGrid;
use crate::run::Show;
use crate::run::prepare::median_of_some;
use robust_svm_core::model::Model;
use robust_svm_core::seed::CellSeed;
use robust_svm_core::uncertainty::{Factor, UncertaintySet};
use std::fmt::Display;
use std::path::Path;

/// Rows held out at most: more tell little more.
const MOST_HELD_OUT: f64 = 100_000.0;

/// What trains on a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StreamSolver {
    /// Steps on some rows at a time.
    Stochastic,
    /// The interior-point method: some passes for each iteration, and numbers of each row in memory.
    InteriorPoint,
}

impl StreamSolver {
    /// Its name in model files.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Stochastic => "stochastic",
            Self::InteriorPoint => "interior-point",
        }
    }
}

/// How a model is trained on a stream.
pub(crate) struct StreamPlan<'a> {
    /// Without candidates for λ, one that grows with the rows is taken; a share held out is of at most 100,000 rows.
    pub(crate) train: TrainPlan,
    pub(crate) solver: StreamSolver,
    /// `None` for the solver's own; those of the stochastic method.
    pub(crate) epochs: Option<usize>,
    pub(crate) tolerance: Option<f64>,
    /// Blocks between two checkpoints; `None` for some checkpoints in a training of any size.
    pub(crate) checkpoint_every: Option<usize>,
    /// The folder for the copy of the rows.
    pub(crate) scratch: &'a Path,
    /// The model file.
    pub(crate) out: &'a Path,
    pub(crate) show: Show,
    /// Called with the folder of the copy once there is one: if the process ends, training goes on from it.
    pub(crate) begun: &'a dyn Fn(&Path),
}

/// A model and what is told of its data.
#[derive(Debug)]
pub(crate) struct StreamTrained {
    pub(crate) trained: Trained,
    pub(crate) data: DataTold,
}

/// Why there is no model.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StreamTrainError {
    /// What is wrong with the file.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The copy of the rows failed.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// As of training in memory.
    #[error(transparent)]
    Train(#[from] TrainError),
}

impl StreamTrainError {
    /// The numbers failed.
    pub(super) fn numerical(error: impl Display) -> Self {
        Self::Train(TrainError::Failed(error.to_string()))
    }
}

impl From<ScatterError> for StreamTrainError {
    fn from(error: ScatterError) -> Self {
        match error {
            ScatterError::Data(error) => Self::Data(error),
            ScatterError::Scratch(error) => Self::Scratch(error),
        }
    }
}

/// Trains a model of the rows of `file`, which is read three times: for its digest, for a survey, and to be copied. The
/// same file, plan and program give the same model to the bit, for any number of threads, and if it was killed and goes
/// on.
///
/// # Errors
/// [`StreamTrainError`]; then nothing is left but, where nothing could be written after the copy of the rows was whole, that copy and the last
/// checkpoint.
pub(crate) fn train(
    file: &UserFile,
    question: &TaskQuestion<'_>,
    plan: &StreamPlan<'_>,
) -> Result<StreamTrained, StreamTrainError> {
    let stamp = stamp(&file.path)?;
    let (sha256, line_ends) = digest_of_file(&file.path)?;
    let job = job(&sha256, file, question, plan);
    let mut scratch = Scratch::open(plan.scratch, plan.out, &job)?;
    (plan.begun)(scratch.path());
    let trained = train_in(
        &scratch,
        file,
        question,
        plan,
        &Read {
            stamp,
            sha256,
            line_ends,
        },
    );
    let is_of_writing = |error: &ScratchError| match error {
        ScratchError::Io { action, .. } => *action == "write",
        ScratchError::NoSpace { .. } => true,
        _ => false,
    };
    if let Err(StreamTrainError::Scratch(error)) = &trained
        && is_of_writing(error)
        && scratch.file(SURVEY).exists()
    {
        scratch.keep();
    }
    trained
}

/// What the first reading of the file has told.
struct Read {
    stamp: Stamp,
    sha256: String,
    line_ends: usize,
}

/// As [`train`], with what is on disk in `scratch`.
fn train_in(
    scratch: &Scratch,
    file: &UserFile,
    question: &TaskQuestion<'_>,
    plan: &StreamPlan<'_>,
    read: &Read,
) -> Result<StreamTrained, StreamTrainError> {
    if scratch.file(SURVEY).exists() {
        let folder = scratch.path().display();
        tell(
            plan.show,
            &format!("going on with the copy of the rows in {folder}"),
        );
    }
    let seeds = CellSeed::new(plan.train.seed, &read.sha256, 0);
    let most = match file.format {
        Format::Parquet => size_of(&file.path, file.format, file.first_index)?.rows,
        Format::Csv | Format::Svmlight => read.line_ends + 1,
    };
    let share = plan
        .train
        .validation
        .min(MOST_HELD_OUT / most.max(1) as f64);
    let apart = Apart::new(share, &mut seeds.stream("held-out"));
    let input = Input {
        file,
        question,
        plan,
        seeds: &seeds,
        apart,
        most,
        stamp: read.stamp,
    };
    let (survey, classes, copy) = input.prepare(scratch)?;
    let scaler = survey.scaler().map_err(StreamTrainError::numerical)?;
    let sample = scaler.apply(survey.sample().view());
    let set = UncertaintySet::new(plan.train.norm, Factor::Identity);
    let set = set.map_err(StreamTrainError::numerical)?;
    let data = Data {
        rows: &copy.training,
        sample: &sample,
        set: &set,
        seeds: &seeds,
        scratch,
    };
    let median = median_of_some(sample.view(), &mut seeds.stream("median-distance"));
    let candidates = candidates(&plan.train, survey.rows_of(0, |_| true), median)?;
    if candidates.len() > 1 && survey.rows_of(1, |_| true) == 0 {
        return Err(TrainError::NothingHeldOut.into());
    }
    let (chosen, failures) = choose(plan, &data, &candidates, &copy)?;
    let times_median = match (&plan.train.grid.sigma, chosen.candidate.sigma, median) {
        (SigmaGrid::TimesMedian(_), Some(sigma), Some(median)) => Some(sigma / median),
        _ => None,
    };
    let data = survey.told(&classes);
    let model = SavedModel {
        columns: survey.columns.clone(),
        label: question.label.to_owned(),
        missing: question.missing,
        classes,
        scaling: plan.train.scaling,
        scaler,
        set,
        sigma: chosen.candidate.sigma,
        training: Training {
            program: concat!("robust-svm ", env!("CARGO_PKG_VERSION")).to_owned(),
            data_sha256: read.sha256.clone(),
            seed: plan.train.seed,
            rows: survey.rows_of(0, |_| true),
            validation_rows: survey.rows_of(1, |_| true),
            solver: plan.solver.name().to_owned(),
            bound: plan.train.robustness.name().map(str::to_owned),
            gamma: plan.train.gamma,
            lambda: chosen.candidate.lambda,
            relative_gap: chosen.fit.relative_gap,
        },
        model: Model::Feature(chosen.fit.model),
    };
    let feature_dim = match &model.model {
        Model::Feature(model) => Some(model.zeta.len()),
        Model::Kernel(_) | Model::Radial(_) => None,
    };
    Ok(StreamTrained {
        trained: Trained {
            model,
            candidates: candidates.len(),
            failures,
            feature_dim,
            times_median,
            streamed: Some(Streamed {
                tolerance: tolerance(plan),
                ended: chosen.fit.ended,
            }),
            training: None,
            validation: chosen.held_out,
        },
        data,
    })
}
