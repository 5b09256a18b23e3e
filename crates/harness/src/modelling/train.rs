//! From a task to a model: rows held out, features scaled, every candidate fitted, one chosen.

use super::user_file::UserTask;
use crate::model_file::{SavedModel, Training};
use crate::plan::method::reason;
use crate::plan::{Grid, MapPlan, Robustness, SigmaGrid};
use crate::run::Bytes;
use crate::run::blocks::blocks;
use crate::run::failure::{Failure, guarded};
use crate::run::fit::{Candidate, fit_all};
use crate::run::penalty;
use crate::run::prepare::{Prepared, median_of_some};
use crate::run::select::select;
use crate::run::stopwatch::Stopwatch;
use crate::spec::SolverName;
use robust_svm_bounds::certify::{Certifier, PointCertificates};
use robust_svm_core::CoreError;
use robust_svm_core::data::{Dataset, Holdout, Scaler, Scaling, holdout_split};
use robust_svm_core::metrics::error_rate;
use robust_svm_core::seed::CellSeed;
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
use robust_svm_solvers::Intercept;

/// How a model is trained.
#[derive(Debug, Clone)]
pub(crate) struct TrainPlan {
    /// The feature map, of one size.
    pub(crate) map: MapPlan,
    /// What is guarded against.
    pub(crate) robustness: Robustness,
    /// γ: trained against with a bound, and candidates are compared at it.
    pub(crate) gamma: f64,
    /// The norm p of the uncertainty sets.
    pub(crate) norm: Norm,
    /// λ and σ of the candidates.
    pub(crate) grid: Grid,
    pub(crate) scaling: Scaling,
    /// The share of the rows that candidates are compared on; 0 for none, where there is one candidate.
    pub(crate) validation: f64,
    pub(crate) seed: u64,
}

/// How training on streamed rows went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Streamed {
    /// The certified relative gap that was asked for.
    pub(crate) tolerance: f64,
    pub(crate) ended: StreamEnd,
}

/// What ended training on streamed rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StreamEnd {
    /// The gap is within the tolerance.
    Tolerance,
    /// The stochastic solver has gone over the rows as often as it may: so many times.
    Epochs(usize),
    /// The interior-point method has made as many iterations as it may.
    Iterations,
    /// The gap fell no more: the limit of the arithmetic.
    Stalled,
    /// The steps left the finite range; the model is the best before.
    NotFinite,
}

impl StreamEnd {
    /// Its name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Tolerance => "tolerance",
            Self::Epochs(_) => "epochs",
            Self::Iterations => "iterations",
            Self::Stalled => "stalled",
            Self::NotFinite => "not-finite",
        }
    }
}

/// A trained model and what is told of it.
#[derive(Debug)]
pub(crate) struct Trained {
    pub(crate) model: SavedModel,
    /// How many candidates there were, and why some have no numbers.
    pub(crate) candidates: usize,
    pub(crate) failures: Vec<Failure>,
    /// D as it came out; `None` for the exact kernel.
    pub(crate) feature_dim: Option<usize>,
    /// σ as a multiple of the median distance, where it was chosen so.
    pub(crate) times_median: Option<f64>,
    /// `None` where the rows were held in memory.
    pub(crate) streamed: Option<Streamed>,
    /// `None` where they were streamed.
    pub(crate) training: Option<PartErrors>,
    /// `None` where no rows were held out.
    pub(crate) validation: Option<PartErrors>,
}

/// The errors on a part of the rows, as fractions.
#[derive(Debug, Clone, Copy, serde::Serialize)]
pub(crate) struct PartErrors {
    pub(crate) rows: usize,
    pub(crate) clean: f64,
    /// The certified error at the plan's γ.
    pub(crate) certified: f64,
}

/// Training rows of an exact kernel at most: 10⁹ numbers, as of a table.
const MOST_KERNEL_ROWS: usize = 31_622;

/// Why there is no model.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TrainError {
    /// The rows cannot be held out.
    #[error("the rows cannot be split: {0}")]
    Split(CoreError),
    /// No feature has two values.
    #[error("every feature is constant on the training rows: there is nothing to learn from")]
    Constant,
    /// More landmarks than rows.
    #[error(
        "{landmarks} landmarks, and there are {rows} training rows\n  \
         = help: landmarks are training rows: use --dim {rows} or less"
    )]
    Landmarks {
        /// Landmarks asked for.
        landmarks: usize,
        /// Training rows.
        rows: usize,
    },
    /// A kernel matrix beyond what is held in memory.
    #[error(
        "the exact kernel of {rows} training rows is a matrix of {}: at most {} rows have one\n  \
         = help: use --features nystrom or --features rff, which come near it",
        Bytes((8.0 * (*rows as f64).powi(2)) as u64), MOST_KERNEL_ROWS
    )]
    Kernel {
        /// Training rows.
        rows: usize,
    },
    /// Several candidates, and no row is held out.
    #[error(
        "no row is held out to compare candidates on, as there are so few\n  \
         = help: give one --lambda and one --sigma, or none"
    )]
    NothingHeldOut,
    /// The bound does not hold for the sets.
    #[error("bound `{bound}` does not hold for these uncertainty sets\n  = help: {reason}")]
    Bound {
        /// The bound.
        bound: &'static str,
        /// Why, and what to use.
        reason: String,
    },
    /// No candidate has numbers.
    #[error("no candidate could be trained, the first: {0}")]
    Failed(String),
}

impl TrainError {
    /// Whether the request was good and the numbers failed.
    pub(crate) fn is_numerical(&self) -> bool {
        matches!(self, Self::Failed(_))
    }
}

impl From<Failure> for TrainError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure.reason)
    }
}

/// Trains a model of `task`. The same task, plan and program give the same model to the bit.
pub(crate) fn train(task: &UserTask, plan: &TrainPlan) -> Result<Trained, TrainError> {
    let seeds = CellSeed::new(plan.seed, &task.sha256, 0);
    let data = &task.task.data;
    let parts = if plan.validation > 0.0 {
        holdout_split(data, plan.validation, &mut seeds.stream("split"))
    } else {
        Ok(Holdout {
            train: (0..data.rows()).collect(),
            validation: Vec::new(),
        })
    };
    let parts = parts.map_err(TrainError::Split)?;
    let raw = data.select(&parts.train);
    let scaler = Scaler::fit(raw.x().view(), plan.scaling);
    if scaler.kept().is_empty() {
        return Err(TrainError::Constant);
    }
    let prepared = prepare(data, &parts, &scaler, plan, &seeds).map_err(Failure::failed)?;
    check(plan, &prepared)?;
    let (chosen, candidates, failures) = choose(&prepared, plan, &seeds)?;
    let training = guarded(|| {
        let part = &prepared.train;
        let certifier = Certifier::new(&chosen.model, &prepared.set)?;
        let points = certifier.points(part.x().view(), part.y().view())?;
        Ok(errors(&points, plan.gamma))
    })?;
    let validation = (!parts.validation.is_empty()).then(|| errors(&chosen.validation, plan.gamma));
    let times_median = match (&plan.grid.sigma, chosen.sigma, prepared.median_distance) {
        (SigmaGrid::TimesMedian(_), Some(sigma), Some(median)) => Some(sigma / median),
        _ => None,
    };
    let solver = match plan.map {
        MapPlan::ExactKernel => SolverName::LinfaSvm,
        _ => SolverName::InteriorPoint,
    };
    Ok(Trained {
        model: SavedModel {
            columns: task.task.feature_names.clone(),
            label: task.label.clone(),
            missing: task.missing,
            classes: task.classes.clone(),
            scaling: plan.scaling,
            scaler,
            set: prepared.set,
            model: chosen.model,
            sigma: chosen.sigma,
            training: Training {
                program: concat!("robust-svm ", env!("CARGO_PKG_VERSION")).to_owned(),
                data_sha256: task.sha256.clone(),
                seed: plan.seed,
                rows: parts.train.len(),
                validation_rows: parts.validation.len(),
                solver: solver.name().to_owned(),
                bound: plan.robustness.name().map(str::to_owned),
                gamma: plan.gamma,
                lambda: chosen.lambda,
                relative_gap: chosen.relative_gap,
            },
        },
        candidates,
        failures,
        feature_dim: chosen.feature_dim,
        times_median,
        streamed: None,
        training: Some(training),
        validation,
    })
}

/// The scaled parts, and the sets around their points.
fn prepare(
    data: &Dataset,
    parts: &Holdout,
    scaler: &Scaler,
    plan: &TrainPlan,
    seeds: &CellSeed,
) -> Result<Prepared, CoreError> {
    let scaled = |rows: &[usize]| {
        let part = data.select(rows);
        Dataset::new(scaler.apply(part.x().view()), part.y().clone())
    };
    let train = scaled(&parts.train)?;
    let set = UncertaintySet::new(plan.norm, Factor::Identity)?;
    let median = || median_of_some(train.x().view(), &mut seeds.stream("median-distance"));
    let needs_median = matches!(plan.grid.sigma, SigmaGrid::TimesMedian(_));
    Ok(Prepared {
        median_distance: needs_median.then(median).flatten(),
        validation: scaled(&parts.validation)?,
        test: scaled(&[])?,
        train_sets: (&set).into(),
        set,
        train,
    })
}

/// What can only be known with the rows at hand.
fn check(plan: &TrainPlan, prepared: &Prepared) -> Result<(), TrainError> {
    let rows = prepared.train.rows();
    if plan.map == MapPlan::ExactKernel && rows > MOST_KERNEL_ROWS {
        return Err(TrainError::Kernel { rows });
    }
    if let MapPlan::Nystrom { landmarks, .. } = &plan.map
        && let Some(&landmarks) = landmarks.iter().find(|landmarks| **landmarks > rows)
    {
        return Err(TrainError::Landmarks { landmarks, rows });
    }
    let Robustness::Bound(bound) = plan.robustness else {
        return Ok(());
    };
    bound
        .holds_for(&prepared.train_sets)
        .map_err(|error| TrainError::Bound {
            bound: bound.name(),
            reason: reason(error),
        })
}

/// The candidate with the lowest certified error of the validation rows, how many there were, and what became
/// of the others.
fn choose(
    prepared: &Prepared,
    plan: &TrainPlan,
    seeds: &CellSeed,
) -> Result<(Candidate, usize, Vec<Failure>), TrainError> {
    let mut fits = guarded(|| {
        let blocks = blocks(&plan.map, &plan.grid, prepared, seeds).map_err(Failure::failed)?;
        let training = penalty::Training {
            robustness: plan.robustness,
            solver: match plan.map {
                MapPlan::ExactKernel => SolverName::LinfaSvm,
                _ => SolverName::InteriorPoint,
            },
            intercept: Intercept::Free,
            gamma: plan.gamma,
            seeds,
            parallel: true,
        };
        let mut watch = Stopwatch::default();
        let lambdas = &plan.grid.lambda;
        Ok(fit_all(&blocks, lambdas, &training, prepared, &mut watch))
    })?;
    let candidates = fits.candidates.len() + fits.failures.len();
    let chosen = guarded(|| {
        let chosen = select(&fits.candidates, plan.gamma);
        Ok(chosen.map(|chosen| (chosen.lambda, chosen.sigma)))
    })?;
    let Some((lambda, sigma)) = chosen else {
        let first = fits.failures.first().map(|failure| failure.reason.clone());
        return Err(TrainError::Failed(first.unwrap_or_default()));
    };
    let is_chosen = |candidate: &Candidate| candidate.lambda == lambda && candidate.sigma == sigma;
    let index = fits.candidates.iter().position(is_chosen);
    let chosen = fits
        .candidates
        .swap_remove(index.expect("it was chosen among them"));
    Ok((chosen, candidates, fits.failures))
}

/// Clean and certified error.
fn errors(points: &PointCertificates, gamma: f64) -> PartErrors {
    let margins = points.margins();
    let ones = ndarray::Array1::ones(margins.len());
    PartErrors {
        rows: margins.len(),
        clean: error_rate(margins, ones.view()),
        certified: points.error(gamma),
    }
}
