//! What every cell of a group starts from.

use crate::plan::{GroupKey, MapPlan, Plan};
use crate::spec::PerSample;
use ndarray::{Array1, ArrayView2, Axis};
use rand::Rng;
use robust_svm_core::CoreError;
use robust_svm_core::data::{Dataset, Scaler, nearest_neighbour_distances, stratified_split};
use robust_svm_core::kernel::median_distance;
use robust_svm_core::uncertainty::{UncertaintySet, UncertaintySets};

/// The median distance is taken over at most this many training rows.
const MEDIAN_ROWS: usize = 2000;

/// The scaled parts of one split and what follows from its training rows.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) train: Dataset,
    pub(super) validation: Dataset,
    pub(super) test: Dataset,
    /// The shape of the uncertainty sets on the features kept: of size `level` around validation and test
    /// rows.
    pub(super) set: UncertaintySet,
    /// The sets around the training rows: that shape, and g_i with `γ_i = level · g_i`, mean 1.
    pub(super) train_sets: UncertaintySets,
    /// The median distance between training rows; `None` where it is 0 or no method needs it.
    pub(super) median_distance: Option<f64>,
}

impl Prepared {
    /// The mean of the training sets' sizes at level 1.
    pub(super) fn mean_size(&self) -> f64 {
        let sizes = self.train_sets.sizes();
        sizes.map_or(1.0, |sizes| sizes.mean().unwrap_or(0.0))
    }
}

/// Splits, scales and measures the dataset of `group`.
pub(super) fn prepare(plan: &Plan, group: GroupKey) -> Result<Prepared, CoreError> {
    let seeds = plan.seeds(group);
    let data = &plan.tasks[group.task].loaded.data;
    let split = stratified_split(data, plan.shares, plan.cap, &mut seeds.stream("split"))?;
    let train = data.select(&split.train);
    let scaler = Scaler::fit(train.x().view(), plan.scaling);
    let scaled = |part: &Dataset| Dataset::new(scaler.apply(part.x().view()), part.y().clone());
    let train = scaled(&train)?;
    let set = plan.uncertainty_set(scaler.kept());
    let relative = relative_gamma(plan.per_sample, train.x().view());
    let has_kernel = plan.methods.iter().any(|m| m.map != MapPlan::Identity);
    Ok(Prepared {
        validation: scaled(&data.select(&split.validation))?,
        test: scaled(&data.select(&split.test))?,
        train_sets: UncertaintySets::from(set.clone()).with_sizes(relative)?,
        set,
        median_distance: has_kernel
            .then(|| median_of_some(train.x().view(), &mut seeds.stream("median-distance")))
            .flatten(),
        train,
    })
}

/// g_i: 1 each, or the distance to the nearest other training row over the mean of these distances
/// (1 each where all are 0).
fn relative_gamma(rule: PerSample, x: ArrayView2<'_, f64>) -> Array1<f64> {
    let ones = || Array1::ones(x.nrows());
    match rule {
        PerSample::Uniform => ones(),
        PerSample::NearestNeighbour => {
            let distances = nearest_neighbour_distances(x);
            match distances.mean() {
                Some(mean) if mean > 0.0 => distances / mean,
                _ => ones(),
            }
        }
    }
}

/// The median distance over at most [`MEDIAN_ROWS`] rows, drawn by `rng` where there are more.
pub(crate) fn median_of_some(x: ArrayView2<'_, f64>, rng: &mut impl Rng) -> Option<f64> {
    if x.nrows() <= MEDIAN_ROWS {
        return median_distance(x);
    }
    let rows = rand::seq::index::sample(rng, x.nrows(), MEDIAN_ROWS).into_vec();
    median_distance(x.select(Axis(0), &rows).view())
}
