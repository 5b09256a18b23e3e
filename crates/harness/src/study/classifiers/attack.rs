//! The worst case for classifiers of any sort, by transfer: perturbations that hold for many classifiers are tried on each.
//!
//! A point is broken if any of them changes its class to a wrong one, so that the share of broken points is never above the
//! robust error: an honest lower bound, close to it for models with a gradient, whose own attack is among them.

use super::plan::NoisePlan;
use super::prepare::{Prepared, signs};
use crate::run::failure::Failure;
use ndarray::{Array2, ArrayView1, ArrayViewMut1, Axis};
use robust_svm_bounds::attack::{AttackOptions, attack};
use robust_svm_core::kernel::squared_distances;
use robust_svm_core::model::Model;
use robust_svm_core::uncertainty::{UncertaintySet, UncertaintySets};
use robust_svm_solvers::Classifier;

/// The gradient attack's effort.
const STEPS: usize = 40;
const RESTARTS: usize = 5;
/// Rows of other classes that a point is moved towards.
const TOWARDS: usize = 3;
/// How far, as shares of the radius.
const SHARES: [f64; 2] = [1.0, 0.5];
/// Test rows whose distances to the training rows are looked at together.
const BLOCK: usize = 512;

/// Perturbations of test rows in the ball of a radius.
#[derive(Debug)]
pub(super) struct Candidates {
    /// Each a perturbation of every test row (p × n).
    perturbations: Vec<Array2<f64>>,
}

impl Candidates {
    /// Those that no model is asked for: towards the nearest training rows of other classes, and random directions.
    pub(super) fn of_data(prepared: &Prepared, radius: f64, noise: &NoisePlan) -> Self {
        let mut perturbations = towards_other_classes(prepared, radius);
        let ball = UncertaintySet::sphere();
        let mut rng = prepared.seeds.stream("worst-case directions");
        let (rows, n) = prepared.test.x().dim();
        for _ in 0..noise.directions {
            let mut moved = Array2::zeros((rows, n));
            for row in moved.outer_iter_mut() {
                let direction = ball.sample(1.0, n, &mut rng);
                assign_of_length(row, direction.view(), radius);
            }
            perturbations.push(moved);
        }
        Self { perturbations }
    }

    /// Adds what the gradient attack finds on `model`.
    pub(super) fn add(
        &mut self,
        model: &Model,
        prepared: &Prepared,
        radius: f64,
    ) -> Result<(), Failure> {
        let sets = UncertaintySets::from(UncertaintySet::sphere());
        let options = AttackOptions::new(STEPS, RESTARTS).expect("both are positive");
        let (x, y) = (prepared.test.x().view(), signs(prepared.test.labels()));
        let mut rng = prepared.seeds.stream("attack");
        let found = attack(model, &sets, radius, x, y.view(), options, &mut rng)?;
        self.perturbations.push(found.perturbations);
        Ok(())
    }

    /// The class of each test row after the first perturbation that breaks it; of rows that none breaks, without any.
    pub(super) fn worst(
        &self,
        classifier: &dyn Classifier,
        prepared: &Prepared,
    ) -> Result<Vec<usize>, Failure> {
        let (x, labels) = (prepared.test.x(), prepared.test.labels());
        let mut predicted = classifier.predict(x.view())?;
        for moved in &self.perturbations {
            let is_right = |row: &usize| predicted[*row] == labels[*row];
            let standing: Vec<usize> = (0..labels.len()).filter(is_right).collect();
            if standing.is_empty() {
                break;
            }
            let rows = x.select(Axis(0), &standing) + moved.select(Axis(0), &standing);
            for (row, class) in standing.iter().zip(classifier.predict(rows.view())?) {
                predicted[*row] = class;
            }
        }
        Ok(predicted)
    }
}

/// For each of the nearest training rows of other classes and each share of the radius, the way towards it.
fn towards_other_classes(prepared: &Prepared, radius: f64) -> Vec<Array2<f64>> {
    let (test, train) = (&prepared.test, &prepared.train);
    let mut found = vec![Array2::zeros(test.x().raw_dim()); TOWARDS * SHARES.len()];
    for first in (0..test.rows()).step_by(BLOCK) {
        let rows: Vec<usize> = (first..(first + BLOCK).min(test.rows())).collect();
        let distances = squared_distances(test.x().select(Axis(0), &rows).view(), train.x().view());
        for (row, distances) in rows.iter().zip(distances.outer_iter()) {
            let class = test.labels()[*row];
            let mut others: Vec<usize> = (0..train.rows())
                .filter(|other| train.labels()[*other] != class)
                .collect();
            others.sort_by(|a, b| distances[*a].total_cmp(&distances[*b]));
            for (place, other) in others.iter().take(TOWARDS).enumerate() {
                let way = &train.x().row(*other) - &test.x().row(*row);
                for (share, share_of) in SHARES.iter().enumerate() {
                    let target = found[place * SHARES.len() + share].row_mut(*row);
                    assign_of_length(target, way.view(), share_of * radius);
                }
            }
        }
    }
    found
}

/// `direction` scaled to `length`; 0 where it has none.
fn assign_of_length(mut row: ArrayViewMut1<'_, f64>, direction: ArrayView1<'_, f64>, length: f64) {
    let own = direction.dot(&direction).sqrt();
    if own > 0.0 {
        row.assign(&direction);
        row *= length / own;
    }
}

#[cfg(test)]
mod tests {
    use super::{Candidates, Prepared, TOWARDS};
    use crate::study::classifiers::plan::NoisePlan;
    use ndarray::{Array2, ArrayView2, array};
    use robust_svm_core::data::LabelledDataset;
    use robust_svm_core::features::{Features, Identity};
    use robust_svm_core::model::{FeatureModel, Model};
    use robust_svm_core::seed::CellSeed;
    use robust_svm_solvers::{Classifier, SolverError};

    /// Class 1 where the first feature is above 0.
    struct Half;

    impl Classifier for Half {
        fn predict(&self, x: ArrayView2<'_, f64>) -> Result<Vec<usize>, SolverError> {
            Ok(x.column(0).iter().map(|x| usize::from(*x > 0.0)).collect())
        }
    }

    fn prepared() -> Prepared {
        let x = Array2::from_shape_fn((8, 2), |(i, k)| [(i as f64 - 3.5), 0.3][k]);
        let data = LabelledDataset::new(x, (0..8).map(|i| i / 4).collect(), 2).unwrap();
        Prepared {
            label: "line".to_owned(),
            train: data.clone(),
            validation: data.clone(),
            test: data,
            median_distance: None,
            seeds: CellSeed::new(1, "line", 0),
        }
    }

    fn plan() -> NoisePlan {
        NoisePlan {
            kinds: Vec::new(),
            levels: Vec::new(),
            draws: 1,
            directions: 4,
        }
    }

    /// Points at ±0.5 and ±1.5 from the boundary are in reach of radius 1.6, the others not; the gradient attack of the same
    /// boundary finds them too.
    #[test]
    fn what_is_in_reach_is_broken_and_no_more() {
        let prepared = prepared();
        let labels = prepared.test.labels();
        let model = Model::Feature(FeatureModel {
            features: Features::Identity(Identity::new(2)),
            zeta: array![1.0, 0.0],
            intercept: 0.0,
        });
        let mut of_data = Candidates::of_data(&prepared, 1.6, &plan());
        let mut of_model = Candidates {
            perturbations: Vec::new(),
        };
        of_model.add(&model, &prepared, 1.6).unwrap();
        of_data.add(&model, &prepared, 1.6).unwrap();
        assert_eq!(of_data.perturbations.len(), 2 * TOWARDS + 4 + 1);
        for candidates in [&of_data, &of_model] {
            let predicted = candidates.worst(&Half, &prepared).unwrap();
            let broken: Vec<usize> = (0..8).filter(|i| predicted[*i] != labels[*i]).collect();
            assert_eq!(broken, [2, 3, 4, 5]);
            for moved in candidates.perturbations.iter().flat_map(Array2::outer_iter) {
                assert!(moved.dot(&moved).sqrt() <= 1.6 + 1e-12);
            }
        }
        let none = Candidates::of_data(&prepared, 0.4, &plan());
        assert_eq!(none.worst(&Half, &prepared).unwrap(), labels);
    }
}
