//! Models from and to their entries.

use super::ModelFault;
use super::format::FeaturesEntry;
use ndarray::{Array1, Array2, ArrayView2};
use robust_svm_core::features::{FeatureMap, Features, Identity, Nystrom, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::{FeatureModel, KernelModel, Model, RadialModel};
use std::sync::Arc;

/// The entries `features`, `weights` and `intercept` of `model`, whose kernel has the bandwidth `sigma` where it
/// has one.
pub(super) fn entries_of(model: &Model, sigma: Option<f64>) -> (FeaturesEntry, Vec<f64>, f64) {
    match model {
        Model::Kernel(model) => {
            let entry = FeaturesEntry::ExactKernel {
                sigma: model.kernel().sigma(),
                support_points: rows_of(model.centres()),
                variances: None,
            };
            (entry, model.coefficients().to_vec(), model.intercept())
        }
        Model::Radial(model) => {
            let entry = FeaturesEntry::ExactKernel {
                sigma: model.kernel().sigma(),
                support_points: rows_of(model.centres()),
                variances: Some(model.variances().to_vec()),
            };
            (entry, model.beta().to_vec(), model.intercept())
        }
        Model::Feature(model) => {
            let entry = match &model.features {
                Features::Identity(_) => FeaturesEntry::Identity,
                Features::Rff(map) => FeaturesEntry::Rff {
                    sigma: sigma.unwrap_or(f64::NAN),
                    phases: map.phases().map(|phases| phases.to_vec()),
                    frequencies: rows_of(map.frequencies()),
                },
                Features::Nystrom(map) => FeaturesEntry::Nystrom {
                    sigma: map.kernel().sigma(),
                    eigenvalues: map.eigenvalues().map(|values| values.to_vec()),
                    landmarks: rows_of(map.landmarks()),
                    projection: rows_of(map.projection()),
                },
            };
            (entry, model.zeta.to_vec(), model.intercept)
        }
    }
}

/// The model of the three entries on inputs of width `n`, and its kernel's bandwidth.
pub(super) fn model_of(
    entry: FeaturesEntry,
    weights: Vec<f64>,
    intercept: f64,
    n: usize,
) -> Result<(Model, Option<f64>), ModelFault> {
    let weights = Array1::from(weights);
    if let Some(bad) = weights.iter().chain([&intercept]).find(|v| !v.is_finite()) {
        return Err(ModelFault::entry("weights", format!("{bad} is not finite")));
    }
    let (features, sigma) = match entry {
        FeaturesEntry::ExactKernel {
            sigma,
            support_points,
            variances,
        } => {
            let kernel = kernel(sigma)?;
            let points = matrix("support_points", &support_points, n)?;
            check_weights(points.nrows(), weights.len())?;
            if let Some(variances) = variances {
                let variances = Array1::from(variances);
                let (x, beta) = (points.view(), weights.view());
                let model = RadialModel::new(kernel, x, variances.view(), beta, intercept);
                let model = model.map_err(ModelFault::core("variances"))?;
                return Ok((Model::Radial(model), Some(sigma)));
            }
            let model = KernelModel::new(kernel, points.view(), weights.view(), intercept);
            return Ok((Model::Kernel(model), Some(sigma)));
        }
        FeaturesEntry::Identity => (Features::Identity(Identity::new(n)), None),
        FeaturesEntry::Rff {
            sigma,
            phases,
            frequencies,
        } => {
            kernel(sigma)?;
            let frequencies = matrix("frequencies", &frequencies, n)?;
            let map = Rff::from_parts(frequencies, phases.map(Array1::from));
            let map = map.map_err(ModelFault::core("frequencies"))?;
            (Features::Rff(Arc::new(map)), Some(sigma))
        }
        FeaturesEntry::Nystrom {
            sigma,
            eigenvalues,
            landmarks,
            projection,
        } => {
            let landmarks = matrix("landmarks", &landmarks, n)?;
            let projection = matrix("projection", &projection, landmarks.nrows())?;
            let eigenvalues = eigenvalues.map(Array1::from);
            let map = Nystrom::from_parts(kernel(sigma)?, landmarks, projection, eigenvalues);
            let map = map.map_err(ModelFault::core("projection"))?;
            (Features::Nystrom(Arc::new(map)), Some(sigma))
        }
    };
    check_weights(features.dim(), weights.len())?;
    let model = FeatureModel {
        features,
        zeta: weights,
        intercept,
    };
    Ok((Model::Feature(model), sigma))
}

/// The rows of `matrix`.
pub(super) fn rows_of(matrix: ArrayView2<'_, f64>) -> Vec<Vec<f64>> {
    matrix.outer_iter().map(|row| row.to_vec()).collect()
}

/// The finite matrix with these rows, each `width` long.
pub(super) fn matrix(
    entry: &'static str,
    rows: &[Vec<f64>],
    width: usize,
) -> Result<Array2<f64>, ModelFault> {
    for (row, number) in rows.iter().zip(1..) {
        if row.len() != width {
            let problem = format!(
                "expected {width} numbers a row, row {number} has {}",
                row.len()
            );
            return Err(ModelFault::entry(entry, problem));
        }
        if let Some(bad) = row.iter().find(|v| !v.is_finite()) {
            let problem = format!("{bad} in row {number} is not finite");
            return Err(ModelFault::entry(entry, problem));
        }
    }
    Ok(Array2::from_shape_fn((rows.len(), width), |(i, j)| {
        rows[i][j]
    }))
}

fn kernel(sigma: f64) -> Result<GaussianKernel, ModelFault> {
    GaussianKernel::new(sigma).map_err(ModelFault::core("features"))
}

fn check_weights(expected: usize, found: usize) -> Result<(), ModelFault> {
    if expected == found {
        return Ok(());
    }
    let problem = format!("expected {expected}, one a feature, found {found}");
    Err(ModelFault::entry("weights", problem))
}
