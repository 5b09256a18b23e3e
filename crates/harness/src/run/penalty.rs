//! What guards against uncertainty in training: a method's penalty on one block.

use super::blocks::Block;
use super::failure::Failure;
use super::prepare::Prepared;
use crate::plan::Robustness;
use crate::spec::SolverName;
use ndarray::Array1;
use robust_svm_bounds::lipschitz::lipschitz;
use robust_svm_core::penalty::FeaturePenalty;
use robust_svm_core::seed::CellSeed;
use robust_svm_solvers::{Intercept, LocalPenalty, SupportPenalty};

/// How the models of a method are trained at one level.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Training<'a> {
    pub(crate) robustness: Robustness,
    pub(crate) solver: SolverName,
    pub(crate) intercept: Intercept,
    /// `γ_i = gamma · g_i`; a model of size 0 is nominal.
    pub(crate) gamma: f64,
    /// The streams of solvers that draw.
    pub(crate) seeds: &'a CellSeed,
    /// Whether the interior-point method takes all threads; cells take one each.
    pub(crate) parallel: bool,
}

/// What uncertainty adds to the objective.
#[derive(Debug)]
pub(super) enum Penalty {
    /// `Γ_i‖A_iζ‖_q̄` in the losses, and `c‖Aζ‖₂` beside them.
    Feature { penalty: FeaturePenalty, c: f64 },
    /// The support functions of a linear model's sets.
    Support(SupportPenalty),
    /// Gradient and largest curvature of the model at each point.
    Local(LocalPenalty),
}

impl Penalty {
    /// The penalty of `training` on the training rows.
    pub(super) fn new(
        block: &Block,
        training: &Training<'_>,
        prepared: &Prepared,
    ) -> Result<Self, Failure> {
        let rows = prepared.train.rows();
        let nominal = Self::Feature {
            penalty: FeaturePenalty::none(rows),
            c: 0.0,
        };
        let Block::Feature { features, .. } = block else {
            return Ok(nominal);
        };
        let (sets, gamma) = (&prepared.train_sets, training.gamma);
        match training.robustness {
            _ if gamma == 0.0 => Ok(nominal),
            Robustness::Nominal | Robustness::NormalInputs => Ok(nominal),
            Robustness::Bound(bound) => {
                let x = prepared.train.x().view();
                let penalty = bound.penalty(features, sets, x, gamma)?;
                Ok(Self::Feature { penalty, c: 0.0 })
            }
            Robustness::Support => {
                let sets = sets.clone();
                Ok(Self::Support(SupportPenalty { sets, gamma }))
            }
            Robustness::Local => {
                let x = prepared.train.x().view();
                Ok(Self::Local(LocalPenalty::new(features, sets, x, gamma)?))
            }
            Robustness::TotalBudget => {
                let bound = lipschitz(features, &prepared.set)?;
                let penalty = FeaturePenalty {
                    radii: Array1::zeros(rows),
                    matrix: bound.matrix,
                };
                // γ is the budget of a point, and L of them share.
                let c = gamma * rows as f64 * bound.constant;
                Ok(Self::Feature { penalty, c })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, Intercept, Penalty, Prepared, Robustness, SolverName, Training};
    use crate::run::solve::solve_block;
    use approx::assert_relative_eq;
    use ndarray::{Array1, Array2, array};
    use robust_svm_core::data::Dataset;
    use robust_svm_core::features::{Features, Identity};
    use robust_svm_core::model::{DecisionFunction, Model};
    use robust_svm_core::seed::CellSeed;
    use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
    use robust_svm_solvers::Problem;
    use robust_svm_solvers::certificate::worst_budget_loss;

    /// 30 points whose classes are `gap` apart in the first of two features.
    fn prepared(gap: f64) -> Prepared {
        let label = |i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        let x = Array2::from_shape_fn((30, 2), |(i, k)| {
            let spread = 2.0 * ((i + 1) as f64 * [2.0_f64, 3.0][k].sqrt()).fract() - 1.0;
            spread + if k == 0 { 0.5 * gap * label(i) } else { 0.0 }
        });
        let part = || Dataset::new(x.clone(), (0..30).map(label).collect()).unwrap();
        let factor = Factor::Diagonal(array![0.5, 2.0]);
        let set = UncertaintySet::new(Norm::Two, factor).unwrap();
        Prepared {
            train: part(),
            validation: part(),
            test: part(),
            train_sets: set.clone().into(),
            set,
            median_distance: None,
        }
    }

    /// The losses and the price of the budget are the worst sum of losses over perturbations that share it [H. Xu, C.
    /// Caramanis, S. Mannor, JMLR 10 (2009), Theorem 3], for a margin is at most 1: were all larger, a smaller w would cost less.
    /// Overlapping classes, and some that a plane separates.
    #[test]
    fn a_linear_model_is_trained_on_the_worst_case_of_its_budget() {
        for gap in [0.5, 4.0] {
            let prepared = prepared(gap);
            let (x, y) = (prepared.train.x(), prepared.train.y());
            let features = Features::Identity(Identity::new(2));
            let block = Block::Feature {
                train: x.clone(),
                features,
                sigma: None,
                size: 2,
            };
            let (gamma, lambda) = (0.02, 0.1);
            let training = Training {
                robustness: Robustness::TotalBudget,
                solver: SolverName::InteriorPoint,
                intercept: Intercept::Free,
                gamma,
                seeds: &CellSeed::new(1, "budget", 0),
                parallel: false,
            };
            let penalty = Penalty::new(&block, &training, &prepared).unwrap();
            let solved = solve_block(&block, lambda, &penalty, &training, &prepared).unwrap();
            let Model::Feature(model) = &solved.model else {
                panic!("explicit features");
            };
            let w = &model.zeta;
            let losses = solved.objective - 0.5 * lambda * w.dot(w);
            let Penalty::Feature { penalty, c } = &penalty else {
                panic!("a common cone");
            };
            assert_relative_eq!(*c, 0.02 * 30.0);
            let problem = Problem::new(x.view(), y.view(), penalty, lambda).unwrap();
            let problem = problem.with_budget(*c).unwrap();
            let worst = worst_budget_loss(&problem, w.view(), model.intercept);
            assert_relative_eq!(losses, worst, max_relative = 1e-6);

            // The whole budget on the point of the least margin, against its label.
            let margins: Array1<f64> = model.decision(x.view()) * y;
            let least = (0..30)
                .min_by(|&i, &j| margins[i].total_cmp(&margins[j]))
                .unwrap();
            assert!(margins[least] <= 1.0 + 1e-6);
            let pulled = w * &array![0.5, 2.0];
            let mut step = &pulled * (-y[least] * c / Norm::Two.of(pulled.view()));
            prepared.set.scale(step.view_mut());
            let mut moved = x.clone();
            let mut row = moved.row_mut(least);
            row += &step;
            let margins: Array1<f64> = model.decision(moved.view()) * y;
            let reached: f64 = margins.iter().map(|m| (1.0 - m).max(0.0)).sum();
            assert_relative_eq!(losses, reached, max_relative = 1e-6);
        }
    }
}
