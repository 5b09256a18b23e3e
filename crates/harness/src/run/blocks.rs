//! Feature maps of the training rows, one for each point of the (D, σ) grid, shared by the methods that
//! use the same map.

use super::prepare::Prepared;
use crate::plan::{Grid, MapPlan};
use ndarray::Array2;
use robust_svm_core::CoreError;
use robust_svm_core::features::{FeatureMap, Features, Identity, Nystrom, Rff, uniform_landmarks};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::seed::CellSeed;
use std::sync::Arc;

/// A point of the (D, σ) grid.
#[derive(Debug)]
pub(super) enum Block {
    /// Explicit features.
    Feature {
        /// The map.
        features: Features,
        /// Φ of the training rows (L × D).
        train: Array2<f64>,
        /// σ; `None` for linear models.
        sigma: Option<f64>,
        /// D or m as listed; ties go to the smaller.
        size: usize,
    },
    /// The exact kernel.
    Kernel(GaussianKernel),
}

/// The blocks of `map` on `prepared`.
pub(super) fn blocks(
    map: &MapPlan,
    grid: &Grid,
    prepared: &Prepared,
    seeds: &CellSeed,
) -> Result<Vec<Block>, CoreError> {
    let x = prepared.train.x().view();
    let n = x.ncols();
    let feature = |features: Features, sigma, size| Block::Feature {
        train: features.transform(x),
        features,
        sigma,
        size,
    };
    match map {
        MapPlan::Identity => Ok(vec![feature(Features::Identity(Identity::new(n)), None, n)]),
        MapPlan::ExactKernel => Ok(kernels(grid, prepared)?
            .into_iter()
            .map(Block::Kernel)
            .collect()),
        MapPlan::Rff { dims } => each_size(dims, grid, prepared, |kernel, dim| {
            let map = Rff::draw(kernel, n, dim, &mut seeds.stream("rff"))?;
            let features = Features::Rff(Arc::new(map));
            Ok(feature(features, Some(kernel.sigma()), dim))
        }),
        MapPlan::Nystrom { landmarks } => each_size(landmarks, grid, prepared, |kernel, m| {
            let points = uniform_landmarks(x, m, &mut seeds.stream("landmarks"))?;
            let features = Features::Nystrom(Arc::new(Nystrom::new(kernel, points)?));
            Ok(feature(features, Some(kernel.sigma()), m))
        }),
    }
}

/// A block for each size and bandwidth.
fn each_size(
    sizes: &[usize],
    grid: &Grid,
    prepared: &Prepared,
    block: impl Fn(GaussianKernel, usize) -> Result<Block, CoreError>,
) -> Result<Vec<Block>, CoreError> {
    let kernels = kernels(grid, prepared)?;
    sizes
        .iter()
        .flat_map(|&size| kernels.iter().map(move |&kernel| (kernel, size)))
        .map(|(kernel, size)| block(kernel, size))
        .collect()
}

/// The kernels of the σ grid.
fn kernels(grid: &Grid, prepared: &Prepared) -> Result<Vec<GaussianKernel>, CoreError> {
    let median = prepared.median_distance.ok_or_else(|| {
        CoreError::Numerical(
            "the median distance between training rows is 0: more than half of the pairs are equal"
                .into(),
        )
    })?;
    grid.sigma
        .iter()
        .map(|times| GaussianKernel::new(times * median))
        .collect()
}
