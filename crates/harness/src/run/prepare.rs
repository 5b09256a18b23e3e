//! What every cell of a group starts from.

use super::sets::{shared_set, training_sets};
use crate::plan::{GroupKey, MapPlan, Plan, SigmaGrid};
use ndarray::{ArrayView2, Axis};
use rand::Rng;
use robust_svm_core::CoreError;
use robust_svm_core::data::{Dataset, Scaler};
use robust_svm_core::kernel::median_distance;
use robust_svm_core::uncertainty::{UncertaintySet, UncertaintySets};

/// The median distance is taken over at most this many training rows.
pub(crate) const MEDIAN_ROWS: usize = 2000;

/// The scaled parts of one split and what follows from its training rows.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) train: Dataset,
    pub(crate) validation: Dataset,
    pub(crate) test: Dataset,
    /// The shape of the uncertainty sets on the features kept: of size `level` around validation and test
    /// rows.
    pub(crate) set: UncertaintySet,
    /// The sets around the training rows: that shape, and g_i with `γ_i = level · g_i`, mean 1; or a shape
    /// each.
    pub(crate) train_sets: UncertaintySets,
    /// The median distance between training rows; `None` where it is 0 or no method needs it.
    pub(crate) median_distance: Option<f64>,
}

impl Prepared {
    /// The mean of the training sets' sizes at level 1.
    pub(crate) fn mean_size(&self) -> f64 {
        let sizes = self.train_sets.sizes();
        sizes.map_or(1.0, |sizes| sizes.mean().unwrap_or(0.0))
    }
}

/// Splits, scales and measures the dataset of `group`.
pub(crate) fn prepare(plan: &Plan, group: GroupKey) -> Result<Prepared, CoreError> {
    let seeds = plan.seeds(group);
    let task = &plan.tasks[group.task];
    let data = &task.loaded.data;
    let split = task.split(&seeds)?;
    let train = data.select(&split.train);
    let scaler = Scaler::fit(train.x().view(), task.parts.scaling);
    let scaled = |part: &Dataset| Dataset::new(scaler.apply(part.x().view()), part.y().clone());
    let train = scaled(&train)?;
    let sets = &plan.uncertainty;
    let set = shared_set(sets, scaler.kept(), train.x().view())?;
    let needs_median = matches!(plan.grids[group.task].sigma, SigmaGrid::TimesMedian(_))
        && plan.methods.iter().any(|m| m.map != MapPlan::Identity);
    Ok(Prepared {
        validation: scaled(&data.select(&split.validation))?,
        test: scaled(&data.select(&split.test))?,
        train_sets: training_sets(sets.per_sample, &set, train.x().view())?,
        set,
        median_distance: needs_median
            .then(|| median_of_some(train.x().view(), &mut seeds.stream("median-distance")))
            .flatten(),
        train,
    })
}

/// The median distance over at most [`MEDIAN_ROWS`] rows, drawn by `rng` where there are more.
pub(crate) fn median_of_some(x: ArrayView2<'_, f64>, rng: &mut impl Rng) -> Option<f64> {
    if x.nrows() <= MEDIAN_ROWS {
        return median_distance(x);
    }
    let rows = rand::seq::index::sample(rng, x.nrows(), MEDIAN_ROWS).into_vec();
    median_distance(x.select(Axis(0), &rows).view())
}
