//! Fitting every hyper-parameter candidate of a method at one training level.

use super::blocks::Block;
use super::failure::Failure;
use super::prepare::Prepared;
use super::stopwatch::Stopwatch;
use crate::store::Status;
use robust_svm_bounds::certify::{Certifier, PointCertificates};
use robust_svm_bounds::{BoundError, FeatureBound};
use robust_svm_core::model::{FeatureModel, Model};
use robust_svm_core::penalty::FeaturePenalty;
use robust_svm_solvers::{
    InteriorPointSettings, KernelSettings, Problem, RelativeGap, fit_kernel_svm,
    nominal_equivalent, solve,
};

/// A model whose certified relative gap is above this is no result of the interior-point method.
const INTERIOR_POINT_GAP: f64 = 1e-8;
/// The same for linfa-svm, whose stopping rule is not a gap.
const LINFA_GAP: f64 = 1e-4;

/// A trained candidate.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) lambda: f64,
    pub(crate) sigma: Option<f64>,
    /// D or m as listed.
    pub(crate) size: usize,
    /// D as it came out; `None` for exact kernels.
    pub(crate) feature_dim: Option<usize>,
    pub(crate) model: Model,
    pub(crate) iterations: Option<usize>,
    pub(crate) objective: f64,
    pub(crate) dual_objective: f64,
    pub(crate) relative_gap: f64,
    /// λ′ and the certified gap there, where uniform radii make the robust model a nominal one.
    pub(crate) nominal_equivalent: Option<(f64, f64)>,
    /// The certificates of the validation rows.
    pub(crate) validation: PointCertificates,
}

/// The candidates that were solved, and what became of the others.
#[derive(Debug, Default)]
pub(crate) struct Fits {
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) failures: Vec<Failure>,
}

/// Fits every (block, λ) with `γ_i = train_level · g_i` under `bound`, nominal where `bound` is `None` or
/// the level is 0.
pub(crate) fn fit_all(
    blocks: &[Block],
    lambdas: &[f64],
    bound: Option<&dyn FeatureBound>,
    train_level: f64,
    prepared: &Prepared,
    watch: &mut Stopwatch,
) -> Fits {
    let mut fits = Fits::default();
    for block in blocks {
        let penalty = watch.time(
            |s| &mut s.solve,
            || penalty(block, bound, train_level, prepared),
        );
        for &lambda in lambdas {
            let fitted = match &penalty {
                Ok(penalty) => fit(block, lambda, penalty, prepared, watch),
                Err(failure) => Err(failure.clone()),
            };
            match fitted {
                Ok(candidate) => fits.candidates.push(candidate),
                Err(failure) => fits.failures.push(Failure {
                    reason: format!("λ = {lambda}{}: {}", sigma_text(block), failure.reason),
                    ..failure
                }),
            }
        }
    }
    fits
}

fn sigma_text(block: &Block) -> String {
    match block {
        Block::Feature { sigma: None, .. } => String::new(),
        Block::Feature {
            sigma: Some(sigma), ..
        } => format!(", σ = {sigma:.4}"),
        Block::Kernel(kernel) => format!(", σ = {:.4}", kernel.sigma()),
    }
}

fn penalty(
    block: &Block,
    bound: Option<&dyn FeatureBound>,
    train_level: f64,
    prepared: &Prepared,
) -> Result<FeaturePenalty, Failure> {
    match (block, bound) {
        (Block::Feature { features, .. }, Some(bound)) if train_level > 0.0 => {
            let x = prepared.train.x().view();
            Ok(bound.penalty(features, &prepared.train_sets, x, train_level)?)
        }
        _ => Ok(FeaturePenalty::none(prepared.train.rows())),
    }
}

fn fit(
    block: &Block,
    lambda: f64,
    penalty: &FeaturePenalty,
    prepared: &Prepared,
    watch: &mut Stopwatch,
) -> Result<Candidate, Failure> {
    let y = prepared.train.y().view();
    let solved = watch.time(
        |s| &mut s.solve,
        || match block {
            Block::Feature {
                features,
                train,
                sigma,
                size,
            } => {
                let problem = Problem::new(train.view(), y, penalty, lambda)?;
                let solution = solve(&problem, &InteriorPointSettings::default())?;
                let gap = check_gap(solution.relative_gap, INTERIOR_POINT_GAP)?;
                let nominal = nominal_equivalent(&problem, &solution);
                Ok::<_, Failure>(Solved {
                    sigma: *sigma,
                    size: *size,
                    feature_dim: Some(solution.zeta.len()),
                    model: Model::Feature(FeatureModel {
                        features: features.clone(),
                        zeta: solution.zeta,
                        intercept: solution.intercept,
                    }),
                    iterations: Some(solution.iterations),
                    objective: solution.objective,
                    dual_objective: solution.dual_objective,
                    relative_gap: gap,
                    nominal_equivalent: nominal.map(|n| (n.lambda, n.relative_gap.value())),
                })
            }
            Block::Kernel(kernel) => {
                let x = prepared.train.x().view();
                let solution = fit_kernel_svm(*kernel, x, y, lambda, &KernelSettings::default())?;
                let gap = check_gap(solution.relative_gap, LINFA_GAP)?;
                Ok(Solved {
                    sigma: Some(kernel.sigma()),
                    size: 0,
                    feature_dim: None,
                    model: Model::Kernel(solution.model),
                    iterations: solution.iterations,
                    objective: solution.objective,
                    dual_objective: solution.dual_objective,
                    relative_gap: gap,
                    nominal_equivalent: None,
                })
            }
        },
    )?;
    let validation = watch.time(
        |s| &mut s.select,
        || -> Result<PointCertificates, BoundError> {
            let part = &prepared.validation;
            let certifier = Certifier::new(&solved.model, &prepared.set)?;
            certifier.points(part.x().view(), part.y().view())
        },
    )?;
    Ok(Candidate {
        lambda,
        validation,
        sigma: solved.sigma,
        size: solved.size,
        feature_dim: solved.feature_dim,
        model: solved.model,
        iterations: solved.iterations,
        objective: solved.objective,
        dual_objective: solved.dual_objective,
        relative_gap: solved.relative_gap,
        nominal_equivalent: solved.nominal_equivalent,
    })
}

/// What either solver gives.
struct Solved {
    sigma: Option<f64>,
    size: usize,
    feature_dim: Option<usize>,
    model: Model,
    iterations: Option<usize>,
    objective: f64,
    dual_objective: f64,
    relative_gap: f64,
    nominal_equivalent: Option<(f64, f64)>,
}

/// `gap`, if it is finite and within `limit`.
fn check_gap(gap: RelativeGap, limit: f64) -> Result<f64, Failure> {
    let gap = gap.value();
    if !gap.is_finite() {
        return Err(Failure {
            status: Status::Diverged,
            reason: "the solver's iterates left the finite range".into(),
        });
    }
    if gap > limit {
        return Err(Failure::failed(format!(
            "certified relative gap {gap:.1e} is above {limit:.0e}"
        )));
    }
    Ok(gap)
}

#[cfg(test)]
mod tests {
    use super::{INTERIOR_POINT_GAP, RelativeGap, Status, check_gap};

    #[test]
    fn models_without_a_small_gap_are_no_results() {
        let status = |primal, dual| {
            let gap = RelativeGap::new(primal, dual);
            check_gap(gap, INTERIOR_POINT_GAP).map_err(|failure| failure.status)
        };
        assert_eq!(status(1.0, 1.0), Ok(0.0));
        assert!(status(1.0, 1.0 - 5e-9).is_ok());
        assert_eq!(status(1.0, 1.0 - 2e-8), Err(Status::Failed));
        assert_eq!(status(1.0, f64::NAN), Err(Status::Diverged));
        assert_eq!(status(f64::INFINITY, 1.0), Err(Status::Diverged));
    }
}
