//! Feature maps of the training rows, one for each point of the (D, σ) grid, shared by the methods that
//! use the same map.

use super::prepare::Prepared;
use crate::plan::{Grid, MapPlan, SigmaGrid};
use crate::spec::{ChooseName, FormName, FrequenciesName};
use ndarray::{Array2, ArrayView2};
use robust_svm_bounds::BoundError;
use robust_svm_bounds::bandwidth::least_bandwidth;
use robust_svm_core::CoreError;
use robust_svm_core::features::{
    FeatureMap, Features, Identity, Nystrom, Rff, kmeans_landmarks, leverage_landmarks,
    uniform_landmarks,
};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::seed::CellSeed;
use std::sync::Arc;

/// The ridge of leverage scores: directions with less kernel mass than one training row count little.
const LEVERAGE_RIDGE: f64 = 1.0;

/// A point of the (D, σ) grid.
#[derive(Debug, Clone)]
pub(crate) enum Block {
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

/// Random Fourier features of `R^n`, D = `dim`.
///
/// # Errors
/// As the draws; [`CoreError::Parameter`] for structured frequencies in the phased form.
pub(crate) fn draw_rff(
    (form, frequencies): (FormName, FrequenciesName),
    kernel: GaussianKernel,
    (n, dim): (usize, usize),
    seeds: &CellSeed,
) -> Result<Rff, CoreError> {
    let stream = |purpose| seeds.stream(purpose);
    match (form, frequencies) {
        (FormName::Paired, FrequenciesName::Gaussian) => {
            Rff::draw(kernel, n, dim, &mut stream("rff"))
        }
        (FormName::Paired, FrequenciesName::Orthogonal) => {
            Rff::draw_orthogonal(kernel, n, dim, &mut stream("orthogonal rff"))
        }
        (FormName::Paired, FrequenciesName::Structured) => {
            Rff::draw_structured(kernel, n, dim, &mut stream("structured rff"))
        }
        (FormName::Phased, FrequenciesName::Gaussian) => {
            Rff::draw_phased(kernel, n, dim, &mut stream("phased rff"))
        }
        (FormName::Phased, FrequenciesName::Orthogonal) => {
            Rff::draw_orthogonal_phased(kernel, n, dim, &mut stream("orthogonal phased rff"))
        }
        (FormName::Phased, FrequenciesName::Structured) => Err(CoreError::parameter(
            "frequencies",
            "gaussian or orthogonal in the phased form",
            frequencies.name(),
        )),
    }
}

/// The blocks of `map` on `prepared`.
pub(crate) fn blocks(
    map: &MapPlan,
    grid: &Grid,
    prepared: &Prepared,
    seeds: &CellSeed,
) -> Result<Vec<Block>, BoundError> {
    let x = prepared.train.x().view();
    let n = x.ncols();
    let kernels = || kernels(map, grid, prepared);
    let feature = |features: Features, sigma, size| Block::Feature {
        train: features.transform(x),
        features,
        sigma,
        size,
    };
    match map {
        MapPlan::Identity => Ok(vec![feature(Features::Identity(Identity::new(n)), None, n)]),
        MapPlan::ExactKernel => Ok(kernels()?.into_iter().map(Block::Kernel).collect()),
        MapPlan::Rff {
            dims,
            form,
            frequencies,
        } => each_size(dims, &kernels()?, |kernel, dim| {
            let map = draw_rff((*form, *frequencies), kernel, (n, dim), seeds)?;
            let features = Features::Rff(Arc::new(map));
            Ok(feature(features, Some(kernel.sigma()), dim))
        }),
        MapPlan::Nystrom { landmarks, choose } => {
            let mut centres = Centres::default();
            each_size(landmarks, &kernels()?, |kernel, m| {
                let points = match choose {
                    ChooseName::Uniform => uniform_landmarks(x, m, &mut seeds.stream("landmarks"))?,
                    ChooseName::KMeans => centres.of(x, m, seeds)?,
                    ChooseName::Leverage => {
                        let mut rng = seeds.stream("leverage landmarks");
                        leverage_landmarks(x, kernel, m, LEVERAGE_RIDGE, &mut rng)?
                    }
                };
                let features = Features::Nystrom(Arc::new(Nystrom::new(kernel, points)?));
                Ok(feature(features, Some(kernel.sigma()), m))
            })
        }
    }
}

/// The centres of k-means last found: they do not depend on the bandwidth.
#[derive(Default)]
struct Centres(Array2<f64>);

impl Centres {
    /// `m` centres of the rows of `x`.
    fn of(
        &mut self,
        x: ArrayView2<'_, f64>,
        m: usize,
        seeds: &CellSeed,
    ) -> Result<Array2<f64>, CoreError> {
        if self.0.nrows() != m {
            self.0 = kmeans_landmarks(x, m, &mut seeds.stream("k-means landmarks"))?;
        }
        Ok(self.0.clone())
    }
}

/// A block for each size and bandwidth.
fn each_size(
    sizes: &[usize],
    kernels: &[GaussianKernel],
    mut block: impl FnMut(GaussianKernel, usize) -> Result<Block, CoreError>,
) -> Result<Vec<Block>, BoundError> {
    let blocks = sizes
        .iter()
        .flat_map(|&size| kernels.iter().map(move |&kernel| (kernel, size)))
        .map(|(kernel, size)| block(kernel, size))
        .collect::<Result<_, _>>()?;
    Ok(blocks)
}

/// The kernels of the σ grid.
fn kernels(
    map: &MapPlan,
    grid: &Grid,
    prepared: &Prepared,
) -> Result<Vec<GaussianKernel>, BoundError> {
    let sigmas: Vec<f64> = match &grid.sigma {
        SigmaGrid::None => Vec::new(),
        SigmaGrid::Given(sigmas) => sigmas.clone(),
        SigmaGrid::TimesMedian(times) => {
            let median = prepared.median_distance.ok_or_else(|| {
                CoreError::Numerical(
                    "the median distance between training rows is 0: more than half of the pairs are equal"
                        .into(),
                )
            })?;
            times.iter().map(|times| times * median).collect()
        }
        SigmaGrid::Rule(rule) => {
            let (set, n) = (&prepared.set, prepared.train.features());
            let least =
                |&theta_max| least_bandwidth(set, n, rule.gamma, theta_max, rule.promise(map));
            rule.theta_max.iter().map(least).collect::<Result<_, _>>()?
        }
    };
    let kernels = sigmas.into_iter().map(GaussianKernel::new);
    Ok(kernels.collect::<Result<_, _>>()?)
}
