//! One call of a solver.

use super::blocks::Block;
use super::failure::Failure;
use super::normal_inputs::isotropic_variances;
use super::penalty::{Penalty, Training};
use super::prepare::Prepared;
use crate::spec::SolverName;
use crate::store::Status;
use ndarray::{Array1, Array2};
use robust_svm_core::distribution::{Covariances, GaussianInputs, InputKernel};
use robust_svm_core::features::Features;
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::{FeatureModel, Model};
use robust_svm_core::model::{KernelModel, RadialModel};
use robust_svm_solvers::fit_gram_svm;
use robust_svm_solvers::{
    BundleSettings, DualCoordinateSettings, GramSettings, Intercept, InteriorPointSettings,
    KernelSettings, LocalPenalty, Problem, RelativeGap, Solution, SolverError, SublinearPenalty,
    SublinearProblem, TracePoint, fit_kernel_svm, nominal_equivalent, solve, solve_bundle,
    solve_dual_coordinate, solve_local,
};

/// A model whose certified relative gap is above this is no result of the interior-point method.
const INTERIOR_POINT_GAP: f64 = 1e-8;
/// The same for dual coordinate descent, which aims at less.
const DUAL_COORDINATE_GAP: f64 = 1e-4;
const DUAL_COORDINATE_TOLERANCE: f64 = 1e-6;
/// The same for the bundle method, which aims at less.
const BUNDLE_GAP: f64 = 1e-4;
const BUNDLE_TOLERANCE: f64 = 1e-5;
/// The same for linfa-svm, whose stopping rule is not a gap.
const LINFA_GAP: f64 = 1e-4;
/// The same for sequential minimal optimisation on the kernel matrix, which aims at less.
const SMO_GAP: f64 = 1e-4;
const SMO_TOLERANCE: f64 = 1e-6;

/// What every solver gives.
#[derive(Debug)]
pub(super) struct Solved {
    /// D as it came out; `None` for exact kernels.
    pub(super) feature_dim: Option<usize>,
    pub(super) model: Model,
    pub(super) iterations: Option<usize>,
    pub(super) objective: f64,
    pub(super) dual_objective: f64,
    pub(super) relative_gap: f64,
    /// λ′ and the certified gap there, where uniform radii make the robust model a nominal one.
    pub(super) nominal_equivalent: Option<(f64, f64)>,
    /// What was known after each iteration; empty where the solver does not tell.
    pub(super) trace: Vec<TracePoint>,
}

/// The model of `block` at λ.
pub(super) fn solve_block(
    block: &Block,
    lambda: f64,
    penalty: &Penalty,
    training: &Training<'_>,
    prepared: &Prepared,
) -> Result<Solved, Failure> {
    match (block, training.solver) {
        (
            Block::Feature {
                features, train, ..
            },
            SolverName::InteriorPoint,
        ) => interior_point(features, train, lambda, penalty, training, prepared),
        (
            Block::Feature {
                features, train, ..
            },
            SolverName::DualCoordinate,
        ) => dual_coordinate(features, train, lambda, penalty, training, prepared),
        (
            Block::Feature {
                features, train, ..
            },
            SolverName::Bundle,
        ) => {
            let rule = training.intercept;
            bundle(features, train, lambda, penalty, rule, prepared)
        }
        (Block::Kernel(kernel), SolverName::LinfaSvm) => linfa_svm(*kernel, lambda, prepared),
        (Block::Kernel(kernel), SolverName::Smo) => smo(*kernel, lambda, training, prepared),
        (
            Block::Kernel(_),
            SolverName::InteriorPoint | SolverName::DualCoordinate | SolverName::Bundle,
        )
        | (Block::Feature { .. }, SolverName::LinfaSvm | SolverName::Smo) => {
            Err(Failure::failed(format!(
                "solver `{}` is not for this feature map",
                training.solver.name()
            )))
        }
    }
}

fn interior_point(
    features: &Features,
    train: &Array2<f64>,
    lambda: f64,
    penalty: &Penalty,
    training: &Training<'_>,
    prepared: &Prepared,
) -> Result<Solved, Failure> {
    let y = prepared.train.y().view();
    let rule = training.intercept;
    let settings = InteriorPointSettings {
        parallel: training.parallel,
        ..InteriorPointSettings::default()
    };
    let (penalty, c) = match penalty {
        Penalty::Feature { penalty, c } => (penalty, *c),
        Penalty::Local(penalty) => {
            return local(features, train, lambda, penalty, rule, prepared);
        }
        Penalty::Support(_) => return Err(SolverError::Penalty.into()),
    };
    let problem = Problem::new(train.view(), y, penalty, lambda)?
        .with_intercept(rule)
        .with_budget(c)?;
    let solution = solve(&problem, &settings)?;
    of_common_cone(features, &problem, solution, INTERIOR_POINT_GAP)
}

/// One multiplier at a time, in the order of the group's stream.
fn dual_coordinate(
    features: &Features,
    train: &Array2<f64>,
    lambda: f64,
    penalty: &Penalty,
    training: &Training<'_>,
    prepared: &Prepared,
) -> Result<Solved, Failure> {
    let Penalty::Feature { penalty, c } = penalty else {
        return Err(SolverError::PenaltyNotUniform.into());
    };
    let problem = Problem::new(train.view(), prepared.train.y().view(), penalty, lambda)?
        .with_intercept(training.intercept)
        .with_budget(*c)?;
    let settings = DualCoordinateSettings {
        tolerance: DUAL_COORDINATE_TOLERANCE,
        ..DualCoordinateSettings::new(training.seeds.stream("dual-coordinate"))
    };
    let solution = solve_dual_coordinate(&problem, &settings)?;
    of_common_cone(features, &problem, solution, DUAL_COORDINATE_GAP)
}

/// The model of `solution`, if its gap is within `limit`.
fn of_common_cone(
    features: &Features,
    problem: &Problem<'_>,
    solution: Solution,
    limit: f64,
) -> Result<Solved, Failure> {
    let gap = check_gap(solution.relative_gap, limit)?;
    let nominal = nominal_equivalent(problem, &solution);
    let solved = on_features(
        features,
        (solution.zeta, solution.intercept),
        (solution.iterations, solution.trace),
        (solution.objective, solution.dual_objective, gap),
    );
    Ok(Solved {
        nominal_equivalent: nominal.map(|n| (n.lambda, n.relative_gap.value())),
        ..solved
    })
}

/// On the local bound.
fn local(
    features: &Features,
    train: &Array2<f64>,
    lambda: f64,
    penalty: &LocalPenalty,
    rule: Intercept,
    prepared: &Prepared,
) -> Result<Solved, Failure> {
    let y = prepared.train.y().view();
    let settings = InteriorPointSettings::default();
    let solution = solve_local(train.view(), y, penalty, lambda, rule, &settings)?;
    let gap = check_gap(solution.relative_gap, INTERIOR_POINT_GAP)?;
    Ok(on_features(
        features,
        (solution.zeta, solution.intercept),
        (solution.iterations, solution.trace),
        (solution.objective, solution.dual_objective, gap),
    ))
}

/// By cutting planes.
fn bundle(
    features: &Features,
    train: &Array2<f64>,
    lambda: f64,
    penalty: &Penalty,
    rule: Intercept,
    prepared: &Prepared,
) -> Result<Solved, Failure> {
    let penalty: &dyn SublinearPenalty = match penalty {
        Penalty::Feature { c, .. } if *c > 0.0 => {
            return Err(Failure::failed("solver `bundle` takes no total budget"));
        }
        Penalty::Feature { penalty, .. } => penalty,
        Penalty::Support(penalty) => penalty,
        Penalty::Local(penalty) => penalty,
    };
    let y = prepared.train.y().view();
    let problem = SublinearProblem::new(train.view(), y, penalty, lambda)?.with_intercept(rule);
    let settings = BundleSettings {
        tolerance: BUNDLE_TOLERANCE,
        ..BundleSettings::default()
    };
    let solution = solve_bundle(&problem, &settings)?;
    let gap = check_gap(solution.relative_gap, BUNDLE_GAP)?;
    Ok(on_features(
        features,
        (solution.zeta, solution.intercept),
        (solution.iterations, solution.trace),
        (solution.objective, solution.dual_objective, gap),
    ))
}

/// The model with these weights and this intercept, found in `iterations`, with its primal and dual value and their gap.
fn on_features(
    features: &Features,
    (zeta, intercept): (Array1<f64>, f64),
    (iterations, trace): (usize, Vec<TracePoint>),
    (objective, dual_objective, relative_gap): (f64, f64, f64),
) -> Solved {
    Solved {
        feature_dim: Some(zeta.len()),
        model: Model::Feature(FeatureModel {
            features: features.clone(),
            zeta,
            intercept,
        }),
        iterations: Some(iterations),
        objective,
        dual_objective,
        relative_gap,
        nominal_equivalent: None,
        trace,
    }
}

fn linfa_svm(kernel: GaussianKernel, lambda: f64, prepared: &Prepared) -> Result<Solved, Failure> {
    let (x, y) = (prepared.train.x().view(), prepared.train.y().view());
    let solution = fit_kernel_svm(kernel, x, y, lambda, &KernelSettings::default())?;
    let gap = check_gap(solution.relative_gap, LINFA_GAP)?;
    Ok(Solved {
        feature_dim: None,
        model: Model::Kernel(solution.model),
        iterations: solution.iterations,
        objective: solution.objective,
        dual_objective: solution.dual_objective,
        relative_gap: gap,
        nominal_equivalent: None,
        trace: Vec::new(),
    })
}

/// On the kernel matrix of the training points, or of the normal distributions around them.
fn smo(
    kernel: GaussianKernel,
    lambda: f64,
    training: &Training<'_>,
    prepared: &Prepared,
) -> Result<Solved, Failure> {
    let (x, y) = (prepared.train.x(), prepared.train.y().view());
    let variances = isotropic_variances(training, prepared);
    let covariances = variances
        .clone()
        .map_or(Covariances::Zero, Covariances::Isotropic);
    let inputs = GaussianInputs::new(x.clone(), covariances).map_err(Failure::failed)?;
    let gram = InputKernel::Gaussian(kernel)
        .gram(&inputs)
        .map_err(Failure::failed)?;
    let settings = GramSettings {
        tolerance: SMO_TOLERANCE,
        ..GramSettings::default()
    };
    let solution = fit_gram_svm(gram.view(), y, lambda, &settings)?;
    let gap = check_gap(solution.relative_gap, SMO_GAP)?;
    let (x, beta, b) = (x.view(), solution.beta.view(), solution.intercept);
    let model = match variances {
        None => Model::Kernel(KernelModel::new(kernel, x, beta, b)),
        Some(variances) => {
            let model = RadialModel::new(kernel, x, variances.view(), beta, b);
            Model::Radial(model.map_err(Failure::failed)?)
        }
    };
    Ok(Solved {
        feature_dim: None,
        model,
        iterations: Some(solution.iterations),
        objective: solution.objective,
        dual_objective: solution.dual_objective,
        relative_gap: gap,
        nominal_equivalent: None,
        trace: Vec::new(),
    })
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
