//! The candidates of a training, and what they are judged by.

use super::error::ScratchError;
use super::fit::{Candidate, Data, Fit, features, fit};
use super::held_out::errors;
use super::scatter::Copy;
use super::train::{StreamPlan, StreamTrainError};
use crate::modelling::train::{PartErrors, StreamEnd, TrainError, TrainPlan};
use crate::plan::SigmaGrid;
use crate::run::failure::Failure;
use crate::store::write_atomically;
use robust_svm_core::model::{FeatureModel, Model};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fs;

/// λ for each training row, where none is given.
const LAMBDA: f64 = 1e-4;

/// Every λ with every σ; a λ that grows with the `rows`, where none is given.
pub(super) fn candidates(
    plan: &TrainPlan,
    rows: usize,
    median: Option<f64>,
) -> Result<Vec<Candidate>, StreamTrainError> {
    let sigmas: Vec<Option<f64>> = match &plan.grid.sigma {
        SigmaGrid::Given(sigmas) => sigmas.iter().copied().map(Some).collect(),
        SigmaGrid::TimesMedian(times) => {
            let median = median.ok_or_else(|| {
                StreamTrainError::numerical(
                    "the median distance between training rows is 0: more than half of the pairs are equal",
                )
            })?;
            times.iter().map(|times| Some(times * median)).collect()
        }
        SigmaGrid::None | SigmaGrid::Rule(_) => vec![None],
    };
    let lambdas = match plan.grid.lambda.as_slice() {
        [] => vec![LAMBDA * rows as f64],
        given => given.to_vec(),
    };
    let pairs = sigmas
        .iter()
        .flat_map(|sigma| lambdas.iter().map(move |lambda| (*lambda, *sigma)));
    let candidate = |(number, (lambda, sigma))| Candidate {
        number,
        lambda,
        sigma,
    };
    Ok(pairs.enumerate().map(candidate).collect())
}

/// A candidate with its errors on the rows held out.
pub(super) struct Judged {
    pub(super) candidate: Candidate,
    pub(super) fit: Fit,
    pub(super) held_out: Option<PartErrors>,
}

impl Judged {
    /// Whether its certified error is lower; ties go to the larger λ, then the larger σ.
    fn is_better(&self, other: &Self) -> bool {
        let error = |judged: &Self| judged.held_out.map_or(0.0, |errors| errors.certified);
        error(self)
            .total_cmp(&error(other))
            .then(other.candidate.lambda.total_cmp(&self.candidate.lambda))
            .then(
                other
                    .candidate
                    .sigma
                    .partial_cmp(&self.candidate.sigma)
                    .unwrap_or(Ordering::Equal),
            )
            .is_lt()
    }
}

/// The best of the candidates, and why others have no numbers.
///
/// # Errors
/// As of the first, if none has numbers; else what is no fault of a candidate.
pub(super) fn choose(
    plan: &StreamPlan<'_>,
    data: &Data<'_>,
    candidates: &[Candidate],
    copy: &Copy,
) -> Result<(Judged, Vec<Failure>), StreamTrainError> {
    let (mut chosen, mut failures): (Option<Judged>, _) = (None, Vec::new());
    for candidate in candidates {
        match judge(plan, data, candidate, copy) {
            Ok(judged) => {
                if chosen.as_ref().is_none_or(|best| judged.is_better(best)) {
                    chosen = Some(judged);
                }
            }
            Err(StreamTrainError::Train(TrainError::Failed(reason))) => {
                failures.push(Failure::failed(reason));
            }
            Err(other) => return Err(other),
        }
    }
    let first = failures.first().map(|failure| failure.reason.clone());
    match chosen {
        Some(chosen) => Ok((chosen, failures)),
        None => Err(TrainError::Failed(first.unwrap_or_default()).into()),
    }
}

/// What is kept of a candidate that was trained.
#[derive(Serialize, Deserialize)]
struct Kept {
    weights: Vec<f64>,
    intercept: f64,
    relative_gap: f64,
    ended: StreamEnd,
}

/// Trains a candidate, unless that was done before a kill, and looks at the rows held out.
fn judge(
    plan: &StreamPlan<'_>,
    data: &Data<'_>,
    candidate: &Candidate,
    copy: &Copy,
) -> Result<Judged, StreamTrainError> {
    let path = data
        .scratch
        .file(&format!("candidate-{}.json", candidate.number));
    let kept = fs::read(&path)
        .ok()
        .and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
    let fit = if let Some(kept) = kept {
        Fit {
            model: FeatureModel {
                features: features(&plan.train, data, candidate)?,
                zeta: kept.weights.into(),
                intercept: kept.intercept,
            },
            relative_gap: kept.relative_gap,
            ended: kept.ended,
        }
    } else {
        let fit = fit(plan, data, candidate)?;
        let kept = Kept {
            weights: fit.model.zeta.to_vec(),
            intercept: fit.model.intercept,
            relative_gap: fit.relative_gap,
            ended: fit.ended,
        };
        let text = serde_json::to_vec(&kept).map_err(StreamTrainError::numerical)?;
        write_atomically(&path, &text).map_err(ScratchError::io("write", &path))?;
        fit
    };
    let model = Model::Feature(fit.model.clone());
    let held_out = errors(&model, data.set, plan.train.gamma, &copy.held_out)?;
    Ok(Judged {
        candidate: *candidate,
        fit,
        held_out,
    })
}
