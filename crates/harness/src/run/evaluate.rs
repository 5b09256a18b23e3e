//! The measurements of a selected model on the test rows.

use super::exact::{Outcome, decide};
use super::failure::Failure;
use super::fit::Candidate;
use super::paper;
use super::prepare::Prepared;
use super::stopwatch::Stopwatch;
use crate::plan::{Evaluation, TestNoise};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, concatenate};
use robust_svm_bounds::BoundError;
use robust_svm_bounds::attack::attack;
use robust_svm_bounds::certify::{BranchAndBound, Certifier};
use robust_svm_core::data::{noisy_copies, normal_copies};
use robust_svm_core::features::Features;
use robust_svm_core::metrics::{accuracy, error_rate};
use robust_svm_core::model::{DecisionFunction, Model};
use robust_svm_core::seed::CellSeed;
use robust_svm_core::uncertainty::UncertaintySet;

/// What is measured on the test rows; errors and accuracies are fractions.
#[derive(Debug, Clone, Copy)]
pub(super) struct TestErrors {
    pub(super) accuracy: f64,
    pub(super) noisy_accuracy: f64,
    pub(super) attack_error: f64,
    pub(super) certified_error: f64,
    /// The two, after the search.
    pub(super) exact: Option<(f64, f64)>,
    pub(super) paper_certified_error: Option<f64>,
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
        noise: TestNoise,
        evaluation: &Evaluation,
        seeds: &CellSeed,
    ) -> Self {
        let (x, y, set) = (prepared.test.x().view(), prepared.test.y(), &prepared.set);
        let draws = evaluation.noise_draws;
        let mut rng = seeds.stream("noise");
        Self {
            x: match noise {
                TestNoise::Uniform(size) => noisy_copies(x, set, size, draws, &mut rng),
                TestNoise::Normal(scale) => normal_copies(x, set, scale, draws, &mut rng),
            },
            y: concatenate(Axis(0), &vec![y.view(); draws]).expect("labels are vectors"),
        }
    }
}

/// Measures `candidate` on sets of size `level`. The attack's starts are the same for every method and, scaled, for
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
    let set = &prepared.set;
    let (clean, noisy_accuracy, verdicts, certified_error, paper_certified_error) = watch.time(
        |s| &mut s.evaluate,
        || -> Result<_, Failure> {
            let certificates = Certifier::new(model, set)?.points(x, y)?;
            let noisy_decision = model.decision(noisy.x.view());
            let verdicts = certificates.verdicts(level);
            let certified_error = share_without(&verdicts);
            let paper = match model {
                // The certificate of a linear model is the paper's (4).
                Model::Feature(linear) if matches!(linear.features, Features::Identity(_)) => {
                    Some(certified_error)
                }
                _ => paper::verdicts(model, set, level, x, certificates.margins())?
                    .map(|verdicts| share_without(&verdicts)),
            };
            Ok((
                accuracy(model.decision(x).view(), y),
                accuracy(noisy_decision.view(), noisy.y.view()),
                verdicts,
                certified_error,
                paper,
            ))
        },
    )?;
    let sets = set.clone().into();
    let (attacked, exact) = watch.time(
        |s| &mut s.attack,
        || -> Result<_, Failure> {
            let mut rng = seeds.stream("attack");
            let attacked = attack(model, &sets, level, x, y, evaluation.attack, &mut rng)?;
            let search = |options| {
                let margins = attacked.margins.clone();
                searched(model, set, level, (x, y), verdicts, margins, options)
            };
            let exact = evaluation.exact.map(search).transpose()?;
            Ok((attacked, exact))
        },
    )?;
    Ok(TestErrors {
        accuracy: clean,
        noisy_accuracy,
        attack_error: attacked.error(),
        certified_error,
        exact,
        paper_certified_error,
    })
}

/// Attacked and certified error after a search of the points that attack, with its `margins`, and certificate,
/// with its `verdicts`, leave open.
fn searched(
    model: &Model,
    set: &UncertaintySet,
    level: f64,
    (x, y): (ArrayView2<'_, f64>, ArrayView1<'_, f64>),
    mut verdicts: Vec<bool>,
    mut margins: Array1<f64>,
    options: BranchAndBound,
) -> Result<(f64, f64), BoundError> {
    let is_open = |&i: &usize| !verdicts[i] && margins[i] > 0.0;
    let open: Vec<usize> = (0..verdicts.len()).filter(is_open).collect();
    let (rows, labels) = (x.select(Axis(0), &open), y.select(Axis(0), &open));
    let reached = margins.select(Axis(0), &open);
    let points = (rows.view(), labels.view());
    let outcomes = decide(model, set, level, points, reached.view(), options)?;
    for (point, outcome) in open.into_iter().zip(outcomes) {
        match outcome {
            Outcome::Broken => margins[point] = 0.0,
            Outcome::Certified => verdicts[point] = true,
            Outcome::Open => (),
        }
    }
    let ones = Array1::ones(margins.len());
    let attack_error = error_rate(margins.view(), ones.view());
    Ok((attack_error, share_without(&verdicts)))
}

/// The share of points without a certificate.
fn share_without(verdicts: &[bool]) -> f64 {
    let verdicts: Array1<f64> = verdicts.iter().map(|&v| f64::from(v)).collect();
    error_rate(verdicts.view(), Array1::ones(verdicts.len()).view())
}

#[cfg(test)]
mod tests {
    use super::{Evaluation, NoisyTest, Prepared, TestNoise};
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
            exact: None,
        };
        let seeds = CellSeed::new(1, "dataset", 0);
        for level in [0.0, 0.25, 2.0] {
            let noisy = NoisyTest::draw(&prepared, TestNoise::Uniform(level), &evaluation, &seeds);
            assert_eq!(noisy.x.dim(), (10, n));
            for (row, point) in noisy.x.outer_iter().enumerate() {
                let length = distance(point, x.row(row % 2));
                assert!(length <= level * (1.0 + 1e-12) && length >= 0.8 * level);
                assert_eq!(noisy.y[row], part().y()[row % 2]);
            }
        }
        // Normal noise of deviation 0.25 has a length of about 0.25 √40.
        let noisy = NoisyTest::draw(&prepared, TestNoise::Normal(0.25), &evaluation, &seeds);
        let lengths = (0..10).map(|row| distance(noisy.x.row(row), x.row(row % 2)));
        let mean = lengths.sum::<f64>() / 10.0;
        assert!(
            (mean / (0.25 * 40.0_f64.sqrt()) - 1.0).abs() < 0.15,
            "{mean}"
        );
    }
}
