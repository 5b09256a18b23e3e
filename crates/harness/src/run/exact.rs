//! The points that attack and certificate leave open, searched by branch and bound.

use ndarray::{ArrayView1, ArrayView2, Axis};
use robust_svm_bounds::BoundError;
use robust_svm_bounds::certify::{BranchAndBound, Certifier};
use robust_svm_core::model::{DecisionFunction, Model};
use robust_svm_core::uncertainty::UncertaintySet;

/// What the search says of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A perturbation that makes it wrong is at hand.
    Broken,
    /// No perturbation does.
    Certified,
    /// Neither is known after all cells.
    Open,
}

/// Searches the sets of size `level` around the rows of `x` (p × n) with labels `y` (p), whose attacks came as
/// far as the margins `reached` (p). A point counts as broken only if the model, evaluated at x + δ, is wrong
/// there.
pub(super) fn decide(
    model: &Model,
    set: &UncertaintySet,
    level: f64,
    (x, y): (ArrayView2<'_, f64>, ArrayView1<'_, f64>),
    reached: ArrayView1<'_, f64>,
    options: BranchAndBound,
) -> Result<Vec<Outcome>, BoundError> {
    if x.nrows() == 0 {
        return Ok(Vec::new());
    }
    let points = Certifier::new(model, set)?.points(x, y)?;
    let brackets = points.worst_margins(level, reached, options)?;
    let outcomes = x.outer_iter().zip(y).zip(brackets);
    Ok(outcomes
        .map(|((x, y), bracket)| {
            let breaks = bracket.perturbation.is_some_and(|perturbation| {
                let moved = (&x + &perturbation).insert_axis(Axis(0));
                y * model.decision(moved.view())[0] <= 0.0
            });
            if breaks {
                Outcome::Broken
            } else if bracket.lower > 0.0 {
                Outcome::Certified
            } else {
                Outcome::Open
            }
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::{Outcome, decide};
    use ndarray::{Array1, Array2, Axis};
    use robust_svm_bounds::certify::{BranchAndBound, Certifier, Goal};
    use robust_svm_core::features::{Features, Rff};
    use robust_svm_core::kernel::GaussianKernel;
    use robust_svm_core::model::{DecisionFunction, FeatureModel, Model};
    use robust_svm_core::seed::CellSeed;
    use robust_svm_core::uncertainty::UncertaintySet;
    use std::sync::Arc;

    /// Waves over the line, where a fine grid tells the truth.
    #[test]
    fn what_is_decided_is_true() {
        let mut rng = CellSeed::new(3, "line", 0).stream("rff");
        let map = Rff::draw(GaussianKernel::new(0.1).unwrap(), 1, 16, &mut rng).unwrap();
        let model = Model::Feature(FeatureModel {
            zeta: Array1::from_shape_fn(16, |j| (1.7 * j as f64).sin()),
            features: Features::Rff(Arc::new(map)),
            intercept: 0.5,
        });
        let x = Array2::from_shape_fn((60, 1), |(i, _)| 0.1 * i as f64 - 3.0);
        let y = model.decision(x.view()).mapv(f64::signum);
        let (level, set) = (0.2, UncertaintySet::sphere());
        let broken = |i: usize| {
            let at = |k: usize| x[[i, 0]] + level * (k as f64 / 500.0 - 1.0);
            let line = Array2::from_shape_fn((1001, 1), |(k, _)| at(k));
            model.decision(line.view()).iter().any(|f| y[i] * f <= 0.0)
        };
        let truth: Vec<Outcome> = (0..60)
            .map(|i| {
                if broken(i) {
                    Outcome::Broken
                } else {
                    Outcome::Certified
                }
            })
            .collect();
        let count = truth.iter().filter(|o| **o == Outcome::Broken).count();
        assert!(count > 5 && count < 55, "{count} says nothing");
        let margins = Certifier::new(&model, &set)
            .unwrap()
            .points(x.view(), y.view())
            .unwrap()
            .margins()
            .to_owned();
        let options = |cells| BranchAndBound::new(cells, 1e-9, Goal::Verdict).unwrap();
        let decided = |cells| {
            let points = (x.view(), y.view());
            decide(&model, &set, level, points, margins.view(), options(cells)).unwrap()
        };
        assert_eq!(decided(5000), truth);
        // Few cells decide less, and nothing wrongly.
        let few = decided(1);
        let differ: Vec<_> = few.iter().zip(&truth).filter(|(a, b)| a != b).collect();
        assert!(!differ.is_empty() && differ.iter().all(|(few, _)| **few == Outcome::Open));
        let none = x.select(Axis(0), &[]);
        let empty = Array1::zeros(0);
        let points = (none.view(), empty.view());
        let nothing = decide(&model, &set, level, points, empty.view(), options(1));
        assert_eq!(nothing.unwrap(), []);
    }
}
