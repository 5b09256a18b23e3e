//! Training on the exact kernel, and on distributions.

use super::row::Trained;
use super::solver::TrainerName;
use super::train::Task;
use crate::run::failure::Failure;
use crate::spec::MapName;
use ndarray::{Array1, Array2};
use robust_svm_core::distribution::{Covariances, GaussianInputs, InputKernel};
use robust_svm_core::features::Features;
use robust_svm_solvers::{
    GramSettings, KernelSettings, fit_gram_svm, fit_kernel_ridge, fit_kernel_svm,
    fit_kernel_svm_primal, fit_smm, fit_smm_rff,
};

/// Trains on the inputs `x` with labels `y`.
pub(super) fn train(task: &Task<'_>, x: Array2<f64>, y: &Array1<f64>) -> Result<Trained, Failure> {
    let (kernel, lambda, labels) = (task.kernel()?, task.lambda, y.view());
    let settings = GramSettings {
        tolerance: task.plan.tolerance,
        ..GramSettings::default()
    };
    match task.solver {
        TrainerName::Smm => {
            let variance = task.plan.gamma * task.plan.gamma;
            let variances = Array1::from_elem(y.len(), variance);
            let inputs = GaussianInputs::new(x, Covariances::Isotropic(variances));
            let inputs = inputs.map_err(Failure::failed)?;
            if task.map == MapName::Rff {
                let Features::Rff(map) = task.features()? else {
                    return Err(Failure::failed(
                        "random Fourier features are of another map",
                    ));
                };
                let settings = task.interior_point();
                let found = fit_smm_rff(&map, &inputs, labels, lambda, &settings)?;
                let values = (found.objective, found.dual_objective);
                return task.trained(Some(found.iterations), values, found.relative_gap);
            }
            let kernel = InputKernel::Gaussian(kernel);
            let found = fit_smm(kernel, &inputs, labels, lambda, &settings)?;
            let values = (found.objective, found.dual_objective);
            task.trained(Some(found.iterations), values, found.relative_gap)
        }
        TrainerName::LinfaSvm => {
            let settings = KernelSettings::default();
            let found = fit_kernel_svm(kernel, x.view(), labels, lambda, &settings)?;
            let values = (found.objective, found.dual_objective);
            task.trained(found.iterations, values, found.relative_gap)
        }
        TrainerName::KernelPrimal => {
            let settings = task.interior_point();
            let found = fit_kernel_svm_primal(kernel, x.view(), labels, lambda, &settings)?;
            let values = (found.objective, found.dual_objective);
            task.trained(found.iterations, values, found.relative_gap)
        }
        TrainerName::KernelRidge => {
            let found = fit_kernel_ridge(kernel, x.view(), labels, lambda)?;
            let values = (found.objective, found.dual_objective);
            task.trained(None, values, found.relative_gap)
        }
        _ => {
            let gram = kernel.matrix(x.view(), x.view());
            let found = fit_gram_svm(gram.view(), labels, lambda, &settings)?;
            let values = (found.objective, found.dual_objective);
            task.trained(Some(found.iterations), values, found.relative_gap)
        }
    }
}
