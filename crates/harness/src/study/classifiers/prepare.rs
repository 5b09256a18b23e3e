//! What every cell of a group starts from: scaled parts.

use super::plan::{ClassifiersGroup, ClassifiersPlan};
use crate::run::failure::Failure;
use crate::run::prepare::median_of_some;
use crate::store::Status;
use ndarray::Array1;
use robust_svm_core::CoreError;
use robust_svm_core::data::{LabelledDataset, Scaler, Scaling};
use robust_svm_core::seed::CellSeed;

/// The scaled parts of one split.
#[derive(Debug)]
pub(super) struct Prepared {
    /// The dataset's name in results.
    pub(super) label: String,
    pub(super) train: LabelledDataset,
    pub(super) validation: LabelledDataset,
    pub(super) test: LabelledDataset,
    /// The median distance between training rows; `None` where it is 0.
    pub(super) median_distance: Option<f64>,
    /// The group's streams.
    pub(super) seeds: CellSeed,
}

impl Prepared {
    /// Parts and scales the dataset of `group`.
    pub(super) fn new(plan: &ClassifiersPlan, group: ClassifiersGroup) -> Result<Self, Failure> {
        let task = &plan.tasks[group.task];
        let loaded = task.loaded.as_ref().map_err(|reason| Failure {
            status: Status::Skipped,
            reason: reason.clone(),
        })?;
        let split = plan.split_of(group.task, group.repeat);
        let split = split
            .expect("the rows are at hand")
            .map_err(Failure::failed)?;
        let train = loaded.data.select(&split.train);
        let scaler = match task.scaling {
            Scaling::None => None,
            scaling => Some(Scaler::fit(train.x().view(), scaling)),
        };
        let scaled = |part: LabelledDataset| -> Result<LabelledDataset, CoreError> {
            match &scaler {
                Some(scaler) => LabelledDataset::new(
                    scaler.apply(part.x().view()),
                    part.labels().to_vec(),
                    part.classes(),
                ),
                None => Ok(part),
            }
        };
        let part = |rows: &[usize]| scaled(loaded.data.select(rows)).map_err(Failure::failed);
        let seeds = plan.seeds(group);
        let train = scaled(train).map_err(Failure::failed)?;
        let mut rng = seeds.stream("median-distance");
        Ok(Self {
            label: task.label.clone(),
            validation: part(&split.validation)?,
            test: part(&split.test)?,
            median_distance: median_of_some(train.x().view(), &mut rng),
            train,
            seeds,
        })
    }

    /// n, the features that are left.
    pub(super) fn features(&self) -> usize {
        self.train.features()
    }

    /// `γ²/(n+2)`: the variance in each coordinate of the uniform distribution in the ball of radius γ in n dimensions, whose
    /// expected squared length is `γ² n/(n+2)`.
    pub(super) fn variance(&self, gamma: f64) -> f64 {
        gamma * gamma / (self.features() as f64 + 2.0)
    }

    /// The labels ±1 of training rows of two classes.
    pub(super) fn sides(&self) -> Array1<f64> {
        signs(self.train.labels())
    }
}

/// +1 for class 1, −1 for class 0.
pub(super) fn signs(labels: &[usize]) -> Array1<f64> {
    labels
        .iter()
        .map(|label| 2.0 * *label as f64 - 1.0)
        .collect()
}
