//! Kernel machines of any number of classes: support vector machines, and ridge regression on the classes' indicators.

use super::Fitted;
use super::fitted::{Candidate, Chosen, Selection};
use crate::run::failure::Failure;
use crate::study::classifiers::grid::KernelGrid;
use crate::study::classifiers::prepare::Prepared;
use robust_svm_core::distribution::InputKernel;
use robust_svm_solvers::{GramSettings, MulticlassSvm, Scheme, SolverError, fit_multiclass_ridge};

/// Solutions with a larger certified gap are no candidates.
const LARGEST_GAP: f64 = 1e-4;
/// The gap that the solver aims at.
const TOLERANCE: f64 = 1e-5;

/// The best support vector machines of the grid, kernels outermost.
pub(super) fn svm(
    kernels: &[KernelGrid],
    lambdas: &[f64],
    one_vs_all: bool,
    prepared: &Prepared,
) -> Result<Fitted, Failure> {
    let scheme = if one_vs_all {
        Scheme::OneVsAll
    } else {
        Scheme::OneVsOne
    };
    let settings = GramSettings {
        tolerance: TOLERANCE,
        ..GramSettings::default()
    };
    best(kernels, lambdas, prepared, |kernel, lambda| {
        let machines = MulticlassSvm::fit(kernel, &prepared.train, lambda, scheme, &settings)?;
        // A gap that is NaN is no small gap.
        let is_solved = |gap: f64| gap <= LARGEST_GAP;
        let mut gaps = machines.gaps().iter().map(|gap| gap.value());
        match gaps.find(|gap| !is_solved(*gap)) {
            None => Ok(Candidate::plain(machines)),
            Some(gap) => Err(Failure::failed(format!(
                "certified relative gap {gap:.1e} is above {LARGEST_GAP:.0e}"
            ))),
        }
    })
}

/// The best ridge classifier of the grid, kernels outermost.
pub(super) fn ridge(
    kernels: &[KernelGrid],
    lambdas: &[f64],
    prepared: &Prepared,
) -> Result<Fitted, Failure> {
    best(kernels, lambdas, prepared, |kernel, lambda| {
        let fitted: Result<_, SolverError> = fit_multiclass_ridge(kernel, &prepared.train, lambda);
        Ok(Candidate::plain(fitted?))
    })
}

fn best(
    kernels: &[KernelGrid],
    lambdas: &[f64],
    prepared: &Prepared,
    fit: impl Fn(InputKernel, f64) -> Result<Candidate, Failure>,
) -> Result<Fitted, Failure> {
    let mut selection = Selection::new(prepared);
    for kernel in kernels {
        let kernel = match kernel.kernel(prepared) {
            Ok(kernel) => kernel,
            Err(failure) => {
                selection.fail(&Chosen::default(), &failure);
                continue;
            }
        };
        for &lambda in lambdas {
            let chosen = Chosen {
                lambda: Some(lambda),
                ..Chosen::of_kernel(kernel)
            };
            selection.offer(chosen, fit(kernel, lambda));
        }
    }
    selection.finish()
}
