//! One candidate: its features, its penalty, and the solver.

use super::row_file::RowFile;
use super::scratch::Scratch;
use super::solve::{Solved, interior_point, stochastic};
use super::train::{StreamPlan, StreamSolver, StreamTrainError};
use crate::modelling::train::{StreamEnd, TrainError, TrainPlan};
use crate::plan::method::reason;
use crate::plan::{MapPlan, Robustness};
use crate::run::blocks::draw_rff;
use ndarray::Array2;
use robust_svm_core::features::{Features, Identity, Nystrom, uniform_landmarks};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::FeatureModel;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::seed::CellSeed;
use robust_svm_core::uncertainty::UncertaintySet;
use robust_svm_solvers::stream::{BlockFeatures, BlockSource as _, Radii, StreamProblem};
use std::sync::Arc;

/// λ and σ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) number: usize,
    pub(super) lambda: f64,
    pub(super) sigma: Option<f64>,
}

/// A trained candidate.
#[derive(Debug)]
pub(super) struct Fit {
    pub(super) model: FeatureModel,
    pub(super) relative_gap: f64,
    pub(super) ended: StreamEnd,
}

/// What all candidates are fitted to.
pub(super) struct Data<'a> {
    pub(super) rows: &'a RowFile,
    /// Some training rows, scaled.
    pub(super) sample: &'a Array2<f64>,
    pub(super) set: &'a UncertaintySet,
    pub(super) seeds: &'a CellSeed,
    pub(super) scratch: &'a Scratch,
}

/// The features of a candidate.
pub(super) fn features(
    plan: &TrainPlan,
    data: &Data<'_>,
    candidate: &Candidate,
) -> Result<Features, StreamTrainError> {
    let n = data.rows.width();
    let Some(sigma) = candidate.sigma else {
        return Ok(Features::Identity(Identity::new(n)));
    };
    let kernel = GaussianKernel::new(sigma).map_err(StreamTrainError::numerical)?;
    match &plan.map {
        MapPlan::Rff {
            dims,
            form,
            frequencies,
        } => {
            let map = draw_rff((*form, *frequencies), kernel, (n, dims[0]), data.seeds);
            let map = map.map_err(StreamTrainError::numerical)?;
            Ok(Features::Rff(Arc::new(map)))
        }
        MapPlan::Nystrom { landmarks, .. } => {
            let mut rng = data.seeds.stream("landmarks");
            let points = uniform_landmarks(data.sample.view(), landmarks[0], &mut rng)
                .and_then(|points| Nystrom::triangular(kernel, points));
            let map = points.map_err(StreamTrainError::numerical)?;
            Ok(Features::Nystrom(Arc::new(map)))
        }
        MapPlan::Identity | MapPlan::ExactKernel => Ok(Features::Identity(Identity::new(n))),
    }
}

/// Γ and A of the bound, the same for all rows.
fn penalty(
    plan: &TrainPlan,
    data: &Data<'_>,
    features: &Features,
) -> Result<(f64, PenaltyMatrix), StreamTrainError> {
    let Robustness::Bound(bound) = plan.robustness else {
        return Ok((0.0, PenaltyMatrix::Orthogonal));
    };
    let refused = |reason| TrainError::Bound {
        bound: bound.name(),
        reason,
    };
    let sets = data.set.into();
    bound
        .holds_for(&sets)
        .map_err(|error| refused(reason(error)))?;
    let x = data.sample.view();
    let FeaturePenalty { radii, matrix } = bound
        .penalty(features, &sets, x, plan.gamma)
        .map_err(StreamTrainError::numerical)?;
    // Where the radius depends on the row, so it does in the sample.
    let first = radii.first().copied().unwrap_or(0.0);
    let common = matches!(
        matrix,
        PenaltyMatrix::Orthogonal | PenaltyMatrix::Diagonal(_)
    );
    if !common || radii.iter().any(|radius| *radius != first) {
        let help = "on rows that do not fit into memory, bounds with one radius for all rows are trained on: \
                    geodesic or arcs of rff, projection of nystrom, exact of identity; or --stream never";
        return Err(refused(help.to_owned()).into());
    }
    Ok((first, matrix))
}

/// Trains a candidate, from its last checkpoint where there is one.
///
/// # Errors
/// [`StreamTrainError`] if rows cannot be read, a checkpoint cannot be written, or the numbers fail.
pub(super) fn fit(
    plan: &StreamPlan<'_>,
    data: &Data<'_>,
    candidate: &Candidate,
) -> Result<Fit, StreamTrainError> {
    let features = features(&plan.train, data, candidate)?;
    let (radius, matrix) = penalty(&plan.train, data, &features)?;
    let map = BlockFeatures::new(features.clone()).map_err(StreamTrainError::numerical)?;
    let problem = StreamProblem::new(data.rows, &map, candidate.lambda)
        .and_then(|problem| problem.with_penalty(Radii::Equal(radius), &matrix))
        .map_err(StreamTrainError::numerical)?;
    let Solved {
        zeta,
        intercept,
        gap,
        ended,
    } = match plan.solver {
        StreamSolver::Stochastic => stochastic(plan, data, candidate.number, &problem)?,
        StreamSolver::InteriorPoint => interior_point(plan, data, candidate.number, &problem)?,
    };
    if !gap.value().is_finite() {
        let reason = "the solver's iterates left the finite range".to_owned();
        return Err(TrainError::Failed(reason).into());
    }
    Ok(Fit {
        model: FeatureModel {
            features,
            zeta,
            intercept,
        },
        relative_gap: gap.value(),
        ended,
    })
}
