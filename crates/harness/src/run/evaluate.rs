//! The measurements of a selected model on the test rows.

use super::failure::Failure;
use super::fit::Candidate;
use super::prepare::Prepared;
use super::stopwatch::Stopwatch;
use crate::plan::Evaluation;
use ndarray::{Array1, Array2, Axis, concatenate};
use robust_svm_bounds::attack::attack;
use robust_svm_bounds::certify::Certifier;
use robust_svm_core::data::noisy_copies;
use robust_svm_core::metrics::accuracy;
use robust_svm_core::model::DecisionFunction;
use robust_svm_core::seed::CellSeed;

/// What is measured on the test rows; errors and accuracies are fractions.
#[derive(Debug, Clone, Copy)]
pub(super) struct TestErrors {
    pub(super) accuracy: f64,
    pub(super) noisy_accuracy: f64,
    pub(super) attack_error: f64,
    pub(super) certified_error: f64,
}

/// The noisy test rows of one level, shared by every method.
#[derive(Debug)]
pub(super) struct NoisyTest {
    x: Array2<f64>,
    y: Array1<f64>,
}

impl NoisyTest {
    /// Draws the copies. Every level uses the same directions, scaled.
    pub(super) fn draw(
        prepared: &Prepared,
        level: f64,
        evaluation: &Evaluation,
        seeds: &CellSeed,
    ) -> Self {
        let (x, y) = (prepared.test.x(), prepared.test.y());
        let draws = evaluation.noise_draws;
        let mut rng = seeds.stream("noise");
        Self {
            x: noisy_copies(x.view(), &prepared.set, level, draws, &mut rng),
            y: concatenate(Axis(0), &vec![y.view(); draws]).expect("labels are vectors"),
        }
    }
}

/// Measures `candidate` at `level`. The attack's starts are the same for every method and, scaled, for
/// every level.
pub(super) fn evaluate(
    candidate: &Candidate,
    level: f64,
    prepared: &Prepared,
    noisy: &NoisyTest,
    evaluation: &Evaluation,
    seeds: &CellSeed,
    watch: &mut Stopwatch,
) -> Result<TestErrors, Failure> {
    let (x, y) = (prepared.test.x().view(), prepared.test.y().view());
    let model = &candidate.model;
    let (clean, noisy_accuracy, certified_error) = watch.time(
        |s| &mut s.evaluate,
        || -> Result<_, Failure> {
            let certificates = Certifier::new(model, &prepared.set)?.points(x, y)?;
            let noisy_decision = model.decision(noisy.x.view());
            Ok((
                accuracy(model.decision(x).view(), y),
                accuracy(noisy_decision.view(), noisy.y.view()),
                certificates.error(level),
            ))
        },
    )?;
    let sets = prepared.set.clone().into();
    let attacked = watch.time(
        |s| &mut s.attack,
        || {
            let mut rng = seeds.stream("attack");
            attack(model, &sets, level, x, y, evaluation.attack, &mut rng)
        },
    )?;
    Ok(TestErrors {
        accuracy: clean,
        noisy_accuracy,
        attack_error: attacked.error(),
        certified_error,
    })
}

#[cfg(test)]
mod tests {
    use super::{Evaluation, NoisyTest, Prepared};
    use ndarray::{Array2, array};
    use robust_svm_bounds::attack::AttackOptions;
    use robust_svm_core::data::Dataset;
    use robust_svm_core::kernel::distance;
    use robust_svm_core::seed::CellSeed;
    use robust_svm_core::uncertainty::UncertaintySet;

    /// In 40 dimensions nearly all of a ball is at its surface, so the lengths tell its size.
    #[test]
    fn noise_is_of_the_level_asked_for() {
        let n = 40;
        let x = Array2::from_shape_fn((2, n), |(i, k)| (i * n + k) as f64);
        let part = || Dataset::new(x.clone(), array![1.0, -1.0]).unwrap();
        let prepared = Prepared {
            train: part(),
            validation: part(),
            test: part(),
            set: UncertaintySet::sphere(),
            train_sets: UncertaintySet::sphere().into(),
            median_distance: None,
        };
        let evaluation = Evaluation {
            noise_draws: 5,
            attack: AttackOptions::new(1, 1).unwrap(),
        };
        let seeds = CellSeed::new(1, "dataset", 0);
        for level in [0.0, 0.25, 2.0] {
            let noisy = NoisyTest::draw(&prepared, level, &evaluation, &seeds);
            assert_eq!(noisy.x.dim(), (10, n));
            for (row, point) in noisy.x.outer_iter().enumerate() {
                let length = distance(point, x.row(row % 2));
                assert!(length <= level * (1.0 + 1e-12) && length >= 0.8 * level);
                assert_eq!(noisy.y[row], part().y()[row % 2]);
            }
        }
    }
}
