//! What every cell of a group starts from: scaled parts, and the noise at level 1.

use super::plan::SafePlan;
use super::spec::NoiseShape;
use crate::plan::GroupKey;
use ndarray::{Array1, Array2, ArrayView1, Axis, concatenate};
use rand::Rng;
use rand::seq::index::sample;
use rand_distr::{Distribution, StandardNormal};
use robust_svm_core::CoreError;
use robust_svm_core::data::{Dataset, Scaler};

/// The scaled parts of one split, and their noise.
#[derive(Debug)]
pub(super) struct Prepared {
    train: Part,
    validation: Part,
    /// Its noise is of `draws` copies, one below the other.
    test: Part,
    /// 1 for features that the noise sits on, else 0 (n).
    pub(super) noisy: Array1<f64>,
}

/// Rows, and their noise at level 1.
#[derive(Debug)]
struct Part {
    rows: Dataset,
    noise: Array2<f64>,
}

/// Rows with noise of a level, and their labels.
#[derive(Debug)]
pub(super) struct Noisy {
    pub(super) x: Array2<f64>,
    pub(super) y: Array1<f64>,
}

impl Prepared {
    /// Splits and scales the dataset of `group` (training rows without noise give the scale, so that levels are in its
    /// unit) and draws the noise: normal, independent, of standard deviation 1 in the features that it sits on.
    pub(super) fn new(plan: &SafePlan, group: GroupKey) -> Result<Self, CoreError> {
        let seeds = plan.seeds(group);
        let task = &plan.tasks[group.task];
        let data = &task.loaded.data;
        let split = task.split(&seeds)?;
        let train = data.select(&split.train);
        let scaler = Scaler::fit(train.x().view(), task.parts.scaling);
        let n = scaler.kept().len();
        let noisy = noisy_features(plan.shape, n, &mut seeds.stream("noisy features"));
        let part = |rows: &[usize], draws: usize, purpose: &str| -> Result<Part, CoreError> {
            let rows = data.select(rows);
            let rows = Dataset::new(scaler.apply(rows.x().view()), rows.y().clone())?;
            let mut rng = seeds.stream(purpose);
            let mut noise = Array2::from_shape_simple_fn((draws * rows.rows(), n), || {
                let value: f64 = StandardNormal.sample(&mut rng);
                value
            });
            noise *= &noisy;
            Ok(Part { rows, noise })
        };
        Ok(Self {
            train: part(&split.train, 1, "training noise")?,
            validation: part(&split.validation, 1, "validation noise")?,
            test: part(&split.test, plan.draws, "test noise")?,
            noisy,
        })
    }

    /// Training rows with noise of `level`.
    pub(super) fn train(&self, level: f64) -> Noisy {
        self.train.noisy(level)
    }

    /// Validation rows with noise of `level`.
    pub(super) fn validation(&self, level: f64) -> Noisy {
        self.validation.noisy(level)
    }

    /// The copies of test rows with noise of `level`.
    pub(super) fn noisy_test(&self, level: f64) -> Noisy {
        self.test.noisy(level)
    }

    /// Test rows without noise.
    pub(super) fn test(&self) -> &Dataset {
        &self.test.rows
    }

    /// Rows of the training, validation and test part.
    pub(super) fn rows(&self) -> [usize; 3] {
        [&self.train, &self.validation, &self.test].map(|part| part.rows.rows())
    }
}

impl Part {
    fn noisy(&self, level: f64) -> Noisy {
        let draws = self.noise.nrows() / self.rows.rows();
        let copies = concatenate(Axis(0), &vec![self.rows.x().view(); draws]);
        let labels: Vec<ArrayView1<'_, f64>> = vec![self.rows.y().view(); draws];
        let mut x = copies.expect("copies are equally wide");
        x.scaled_add(level, &self.noise);
        Noisy {
            x,
            y: concatenate(Axis(0), &labels).expect("labels are vectors"),
        }
    }
}

fn noisy_features(shape: NoiseShape, n: usize, rng: &mut impl Rng) -> Array1<f64> {
    match shape {
        NoiseShape::All => Array1::ones(n),
        NoiseShape::Half => {
            let mut noisy = Array1::zeros(n);
            for feature in sample(rng, n, n.div_ceil(2)) {
                noisy[feature] = 1.0;
            }
            noisy
        }
    }
}
