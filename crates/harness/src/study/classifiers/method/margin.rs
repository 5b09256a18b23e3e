//! Support vector machines of two classes, linear in inputs or features, nominal or robust.

use super::Fitted;
use super::fitted::{Candidate, Capacity, Chosen, Selection};
use crate::run::failure::Failure;
use crate::study::classifiers::grid::KernelGrid;
use crate::study::classifiers::plan_method::MarginMap;
use crate::study::classifiers::prepare::Prepared;
use ndarray::{ArrayView2, Axis};
use robust_svm_bounds::{FeatureBound, MapKind, find};
use robust_svm_core::features::{FeatureMap, Features, Identity, Nystrom, Rff, uniform_landmarks};
use robust_svm_core::model::{DecisionFunction, FeatureModel, Model};
use robust_svm_core::penalty::FeaturePenalty;
use robust_svm_core::uncertainty::{UncertaintySet, UncertaintySets};
use robust_svm_solvers::{
    Classifier, InteriorPointSettings, Problem, Solution, SolverError, solve,
};
use std::sync::Arc;

/// Solutions with a larger certified gap are no candidates.
const LARGEST_GAP: f64 = 1e-6;

/// The best of the grid, kernels outermost. A robust one is trained against the worst case in the ball of radius `level` around each
/// training row, by the bound `exact` for inputs and `best` for features.
pub(super) fn fit(
    map: &MarginMap,
    lambdas: &[f64],
    robust: bool,
    prepared: &Prepared,
    level: f64,
) -> Result<Fitted, Failure> {
    let mut selection = Selection::new(prepared);
    for (chosen, features) in each_map(map, prepared)? {
        let train = features.transform(prepared.train.x().view());
        let penalty = penalty(&features, robust, prepared, level)?;
        for &lambda in lambdas {
            let chosen = Chosen {
                lambda: Some(lambda),
                ..chosen.clone()
            };
            let candidate = trained(&features, train.view(), &penalty, lambda, prepared);
            selection.offer(chosen, candidate);
        }
    }
    selection.finish()
}

/// The map for each kernel of the grid; of inputs one without a kernel.
fn each_map(map: &MarginMap, prepared: &Prepared) -> Result<Vec<(Chosen, Features)>, Failure> {
    let n = prepared.features();
    let each = |kernels: &[KernelGrid], make: &dyn Fn(_) -> Result<Features, Failure>| {
        let of = |kernel: &KernelGrid| {
            let gaussian = kernel.gaussian(prepared)?;
            let chosen = Chosen::of_kernel(kernel.kernel(prepared)?);
            Ok((chosen, make(gaussian)?))
        };
        kernels.iter().map(of).collect()
    };
    match map {
        MarginMap::Identity => Ok(vec![(
            Chosen::default(),
            Features::Identity(Identity::new(n)),
        )]),
        MarginMap::Rff(dim, kernels) => each(kernels, &|kernel| {
            let map = Rff::draw(kernel, n, *dim, &mut prepared.seeds.stream("rff"));
            Ok(Features::Rff(Arc::new(map.map_err(Failure::failed)?)))
        }),
        MarginMap::Nystrom(landmarks, kernels) => each(kernels, &|kernel| {
            let mut rng = prepared.seeds.stream("landmarks");
            let x = prepared.train.x().view();
            let points = uniform_landmarks(x, *landmarks, &mut rng).map_err(Failure::failed)?;
            let map = Nystrom::new(kernel, points).map_err(Failure::failed)?;
            Ok(Features::Nystrom(Arc::new(map)))
        }),
    }
}

fn penalty(
    features: &Features,
    robust: bool,
    prepared: &Prepared,
    level: f64,
) -> Result<FeaturePenalty, Failure> {
    if !robust {
        return Ok(FeaturePenalty::none(prepared.train.rows()));
    }
    let kind = MapKind::of(features);
    let name = match features {
        Features::Identity(_) => "exact",
        Features::Rff(_) | Features::Nystrom(_) => "best",
    };
    let bound: &dyn FeatureBound =
        find(name, kind).ok_or_else(|| Failure::failed(format!("there is no bound `{name}`")))?;
    let sets = UncertaintySets::from(UncertaintySet::sphere());
    Ok(bound.penalty(features, &sets, prepared.train.x().view(), level)?)
}

fn trained(
    features: &Features,
    train: ArrayView2<'_, f64>,
    penalty: &FeaturePenalty,
    lambda: f64,
    prepared: &Prepared,
) -> Result<Candidate, Failure> {
    let y = prepared.sides();
    let problem = Problem::new(train.view(), y.view(), penalty, lambda)?;
    let solution = checked(solve(&problem, &InteriorPointSettings::default())?)?;
    let trace = train.iter().map(|v| v * v).sum();
    let largest = train
        .outer_iter()
        .map(|row| row.dot(&row))
        .fold(0.0, f64::max);
    let norm = solution.zeta.dot(&solution.zeta).sqrt();
    let model = Model::Feature(FeatureModel {
        features: features.clone(),
        zeta: solution.zeta,
        intercept: solution.intercept,
    });
    Ok(Candidate {
        classifier: Box::new(TwoSided(model.clone())),
        model: Some(model),
        capacity: Some(Capacity {
            norm,
            trace,
            uncertain: None,
            hinge: Some(largest),
        }),
    })
}

/// `solution`, if its certified gap is small.
pub(super) fn checked(solution: Solution) -> Result<Solution, Failure> {
    let gap = solution.relative_gap.value();
    // A gap that is NaN is no small gap.
    if gap <= LARGEST_GAP {
        return Ok(solution);
    }
    Err(Failure::failed(format!(
        "certified relative gap {gap:.1e} is above {LARGEST_GAP:.0e}"
    )))
}

/// Class 1 where the decision function is above 0, else class 0.
pub(super) struct TwoSided(pub(super) Model);

/// Rows whose features are in memory at a time.
const BLOCK: usize = 4096;

impl Classifier for TwoSided {
    fn predict(&self, x: ArrayView2<'_, f64>) -> Result<Vec<usize>, SolverError> {
        let blocks = x.axis_chunks_iter(Axis(0), BLOCK);
        let side = |block: ArrayView2<'_, f64>| self.0.decision(block);
        Ok(blocks
            .flat_map(|block| side(block).into_iter().map(|f| usize::from(f > 0.0)))
            .collect())
    }
}
