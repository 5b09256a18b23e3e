//! Support measure machines, with the exact kernel or in random Fourier features.

use super::Fitted;
use super::fitted::{Candidate, Capacity, Chosen, Selection};
use super::margin::{TwoSided, checked};
use crate::run::failure::Failure;
use crate::study::classifiers::grid::KernelGrid;
use crate::study::classifiers::prepare::Prepared;
use ndarray::Array1;
use robust_svm_core::distribution::{Covariances, GaussianInputs, InputKernel};
use robust_svm_core::features::{Features, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::{FeatureModel, KernelModel, Model};
use robust_svm_solvers::{GramSettings, InteriorPointSettings, SmmSolution, fit_smm, fit_smm_rff};
use std::sync::Arc;

/// Solutions with a larger certified gap are no candidates.
const LARGEST_GAP: f64 = 1e-4;

/// The best of the grid, kernels outermost, for normal inputs of variance `γ²/(n+2)` in each feature at the level γ; `features` is D of
/// random Fourier features.
pub(super) fn fit(
    kernels: &[KernelGrid],
    lambdas: &[f64],
    features: Option<usize>,
    prepared: &Prepared,
    level: f64,
) -> Result<Fitted, Failure> {
    let variance = prepared.variance(level);
    let variances = Array1::from_elem(prepared.train.rows(), variance);
    let x = prepared.train.x().clone();
    let inputs = GaussianInputs::new(x, Covariances::Isotropic(variances));
    let inputs = inputs.map_err(Failure::failed)?;
    let mut selection = Selection::new(prepared);
    for kernel in kernels {
        let kernel = kernel.gaussian(prepared)?;
        for &lambda in lambdas {
            let chosen = Chosen {
                lambda: Some(lambda),
                width: Some(variance),
                ..Chosen::of_kernel(InputKernel::Gaussian(kernel))
            };
            let candidate = match features {
                None => exact(kernel, &inputs, variance, lambda, prepared),
                Some(dim) => in_features(kernel, dim, &inputs, lambda, prepared),
            };
            selection.offer(chosen, candidate);
        }
    }
    selection.finish()
}

fn exact(
    kernel: GaussianKernel,
    inputs: &GaussianInputs,
    variance: f64,
    lambda: f64,
    prepared: &Prepared,
) -> Result<Candidate, Failure> {
    let (y, input_kernel) = (prepared.sides(), InputKernel::Gaussian(kernel));
    let solution = fit_smm(
        input_kernel,
        inputs,
        y.view(),
        lambda,
        &GramSettings::default(),
    )?;
    let gap = solution.relative_gap.value();
    // A gap that is NaN is no small gap.
    let is_solved = gap <= LARGEST_GAP;
    if !is_solved {
        return Err(Failure::failed(format!(
            "certified relative gap {gap:.1e} is above {LARGEST_GAP:.0e}"
        )));
    }
    let gram = input_kernel.gram(inputs).map_err(Failure::failed)?;
    let capacity = Capacity {
        norm: solution.model.norm(),
        trace: gram.diag().sum(),
        uncertain: None,
        // Test rows are points, whose k(x, x) is 1; mean embeddings are shorter.
        hinge: Some(1.0),
    };
    let model = Model::Kernel(over_points(&solution, kernel, variance)?);
    Ok(Candidate {
        classifier: Box::new(TwoSided(model.clone())),
        model: Some(model),
        capacity: Some(capacity),
    })
}

/// The same decision function as an expansion over points: for `Σ_j = vI` the mean `E k(X_j, x)` is the kernel of bandwidth
/// `sqrt(σ² + v)` at m_j, times `(1 + v/σ²)^{−n/2}`, by its closed form at a point x.
fn over_points(
    solution: &SmmSolution,
    kernel: GaussianKernel,
    variance: f64,
) -> Result<KernelModel, Failure> {
    let model = &solution.model;
    let means = model.inputs().means();
    let (square, n) = (kernel.sigma() * kernel.sigma(), means.ncols() as f64);
    let wider = GaussianKernel::new((square + variance).sqrt()).map_err(Failure::failed)?;
    let factor = (-0.5 * n * (variance / square).ln_1p()).exp();
    let beta = model.coefficients().mapv(|beta| beta * factor);
    Ok(KernelModel::new(
        wider,
        means,
        beta.view(),
        model.intercept(),
    ))
}

fn in_features(
    kernel: GaussianKernel,
    dim: usize,
    inputs: &GaussianInputs,
    lambda: f64,
    prepared: &Prepared,
) -> Result<Candidate, Failure> {
    let n = prepared.features();
    let map = Rff::draw(kernel, n, dim, &mut prepared.seeds.stream("rff"));
    let map = map.map_err(Failure::failed)?;
    let (y, settings) = (prepared.sides(), InteriorPointSettings::default());
    let solution = checked(fit_smm_rff(&map, inputs, y.view(), lambda, &settings)?)?;
    let model = Model::Feature(FeatureModel {
        features: Features::Rff(Arc::new(map)),
        zeta: solution.zeta,
        intercept: solution.intercept,
    });
    Ok(Candidate {
        classifier: Box::new(TwoSided(model.clone())),
        model: Some(model),
        capacity: None,
    })
}

#[cfg(test)]
mod tests {
    use super::{InputKernel, over_points};
    use crate::study::classifiers::prepare::signs;
    use approx::assert_relative_eq;
    use ndarray::{Array1, Array2};
    use robust_svm_core::distribution::{Covariances, GaussianInputs};
    use robust_svm_core::kernel::GaussianKernel;
    use robust_svm_core::model::DecisionFunction;
    use robust_svm_solvers::{GramSettings, fit_smm};

    #[test]
    fn the_expansion_over_points_is_the_same_function() {
        let x = Array2::from_shape_fn((20, 3), |(i, k)| ((i * (k + 2)) as f64 * 0.37).sin());
        let labels: Vec<usize> = (0..20).map(|i| usize::from(i % 3 == 0)).collect();
        let variances = Covariances::Isotropic(Array1::from_elem(20, 0.3));
        let inputs = GaussianInputs::new(x, variances).unwrap();
        let kernel = GaussianKernel::new(0.8).unwrap();
        let (gaussian, settings) = (InputKernel::Gaussian(kernel), GramSettings::default());
        let y = signs(&labels);
        let solution = fit_smm(gaussian, &inputs, y.view(), 0.2, &settings).unwrap();
        let points = over_points(&solution, kernel, 0.3).unwrap();
        let at = Array2::from_shape_fn((7, 3), |(i, k)| ((i + k) as f64 * 0.9).cos());
        let (one, other) = (
            solution.model.decision(at.view()),
            points.decision(at.view()),
        );
        for (one, other) in one.iter().zip(&other) {
            assert_relative_eq!(one, other, max_relative = 1e-10);
        }
    }
}
