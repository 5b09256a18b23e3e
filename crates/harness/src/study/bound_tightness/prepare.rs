//! What every cell of a group starts from: scaled rows, and maps of some of their features.

use super::plan::{Point, TightnessPlan};
use super::spec::MapName;
use crate::plan::GroupKey;
use crate::run::prepare::median_of_some;
use ndarray::{Array2, Axis};
use rand::seq::SliceRandom;
use robust_svm_core::CoreError;
use robust_svm_core::data::Scaler;
use robust_svm_core::features::{Features, Nystrom, Rff, uniform_landmarks};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::seed::CellSeed;
use std::sync::Arc;

/// The scaled rows of one split.
#[derive(Debug)]
pub(super) struct Prepared {
    seeds: CellSeed,
    train: Array2<f64>,
    test: Array2<f64>,
    /// The features in the order in which subsets take them: the first n.
    order: Vec<usize>,
    /// The median distance between training rows in all features.
    median_distance: f64,
}

/// The points at which a map is studied, and the map.
#[derive(Debug)]
pub(super) struct Mapped {
    pub(super) features: Features,
    /// Test rows in n of their features.
    pub(super) x: Array2<f64>,
    pub(super) sigma: f64,
}

impl Prepared {
    /// Splits and scales the dataset of `group`.
    pub(super) fn new(plan: &TightnessPlan, group: GroupKey) -> Result<Self, CoreError> {
        let seeds = plan.seeds(group);
        let task = &plan.tasks[group.task];
        let data = &task.loaded.data;
        let split = task.split(&seeds)?;
        let train = data.select(&split.train);
        let scaler = Scaler::fit(train.x().view(), task.parts.scaling);
        let train = scaler.apply(train.x().view());
        let test = scaler.apply(data.select(&split.test).x().view());
        let mut order: Vec<usize> = (0..train.ncols()).collect();
        order.shuffle(&mut seeds.stream("features"));
        let median = median_of_some(train.view(), &mut seeds.stream("median-distance"));
        let median_distance = median.ok_or_else(|| {
            let message = "the median distance between training rows is 0: more than half of the pairs are equal";
            CoreError::Numerical(message.into())
        })?;
        Ok(Self {
            seeds,
            train,
            test,
            order,
            median_distance,
        })
    }

    /// The random streams of the group.
    pub(super) fn seeds(&self) -> &CellSeed {
        &self.seeds
    }

    /// `map` at `point`. σ is a multiple of the median distance in all N features times `sqrt(n/N)`, by which
    /// distances between scaled rows shrink in the mean; the median in n features may be 0.
    pub(super) fn map(&self, map: MapName, point: Point) -> Result<Mapped, CoreError> {
        let n = point.n.of(self.order.len());
        let mut columns = self.order[..n].to_vec();
        columns.sort_unstable();
        let train = self.train.select(Axis(1), &columns);
        let share = n as f64 / self.order.len() as f64;
        let kernel = GaussianKernel::new(point.sigma * self.median_distance * share.sqrt())?;
        let size = point.size;
        let stream = |purpose| self.seeds.stream(purpose);
        let features = match map {
            MapName::Rff => rff(Rff::draw(kernel, n, size, &mut stream("rff"))),
            MapName::OrthogonalRff => {
                let mut rng = stream("orthogonal rff");
                rff(Rff::draw_orthogonal(kernel, n, size, &mut rng))
            }
            MapName::PhasedRff => rff(Rff::draw_phased(kernel, n, size, &mut stream("phased rff"))),
            MapName::Nystrom => {
                let landmarks = uniform_landmarks(train.view(), size, &mut stream("landmarks"))?;
                Nystrom::new(kernel, landmarks).map(|map| Features::Nystrom(Arc::new(map)))
            }
        };
        Ok(Mapped {
            features: features?,
            x: self.test.select(Axis(1), &columns),
            sigma: kernel.sigma(),
        })
    }
}

fn rff(map: Result<Rff, CoreError>) -> Result<Features, CoreError> {
    map.map(|map| Features::Rff(Arc::new(map)))
}
