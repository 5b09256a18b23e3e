//! Fitting every hyper-parameter candidate of a method at one training level.

use super::blocks::Block;
use super::failure::Failure;
use super::normal_inputs::on_mean_features;
use super::penalty::{Penalty, Training};
use super::prepare::Prepared;
use super::solve::solve_block;
use super::stopwatch::Stopwatch;
use robust_svm_bounds::BoundError;
use robust_svm_bounds::certify::{Certifier, PointCertificates};
use robust_svm_core::model::Model;
use robust_svm_solvers::TracePoint;

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
    /// What the solver knew after each iteration; empty where it does not tell.
    pub(crate) trace: Vec<TracePoint>,
    /// The certificates of the validation rows.
    pub(crate) validation: PointCertificates,
}

/// The candidates that were solved, and what became of the others.
#[derive(Debug, Default)]
pub(crate) struct Fits {
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) failures: Vec<Failure>,
}

/// Fits every (block, λ) as `training` says.
pub(crate) fn fit_all(
    blocks: &[Block],
    lambdas: &[f64],
    training: &Training<'_>,
    prepared: &Prepared,
    watch: &mut Stopwatch,
) -> Fits {
    let mut fits = Fits::default();
    for block in blocks {
        let block = match on_mean_features(block, training, prepared) {
            Ok(block) => block,
            Err(failure) => {
                fits.failures.push(failure);
                continue;
            }
        };
        let block = &*block;
        let penalty = watch.time(|s| &mut s.solve, || Penalty::new(block, training, prepared));
        for &lambda in lambdas {
            let fitted = match &penalty {
                Ok(penalty) => fit(block, lambda, penalty, training, prepared, watch),
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

fn fit(
    block: &Block,
    lambda: f64,
    penalty: &Penalty,
    training: &Training<'_>,
    prepared: &Prepared,
    watch: &mut Stopwatch,
) -> Result<Candidate, Failure> {
    let solved = watch.time(
        |s| &mut s.solve,
        || solve_block(block, lambda, penalty, training, prepared),
    )?;
    let (sigma, size) = match block {
        Block::Feature { sigma, size, .. } => (*sigma, *size),
        Block::Kernel(kernel) => (Some(kernel.sigma()), 0),
    };
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
        sigma,
        size,
        feature_dim: solved.feature_dim,
        model: solved.model,
        iterations: solved.iterations,
        objective: solved.objective,
        dual_objective: solved.dual_objective,
        relative_gap: solved.relative_gap,
        nominal_equivalent: solved.nominal_equivalent,
        trace: solved.trace,
    })
}
