//! A linear SVM against perturbations that share one budget: the losses and the price of the budget are the worst sum of
//! losses that they cause.
#![allow(clippy::print_stdout, reason = "examples print")]

mod data;

use ndarray::Array1;
use robust_svm_bounds::lipschitz::lipschitz;
use robust_svm_core::features::{Features, Identity};
use robust_svm_core::penalty::FeaturePenalty;
use robust_svm_core::uncertainty::UncertaintySet;
use robust_svm_solvers::certificate::worst_budget_loss;
use robust_svm_solvers::{InteriorPointSettings, Problem, solve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (train, test) = (data::clouds(1, (200, 5)), data::clouds(2, (1000, 5)));
    let (linear, sphere) = (
        Features::Identity(Identity::new(5)),
        UncertaintySet::sphere(),
    );
    let speed = lipschitz(&linear, &sphere)?;
    let penalty = FeaturePenalty {
        radii: Array1::zeros(200),
        matrix: speed.matrix,
    };
    // 0.1 for each of the 200 inputs, to be shared at will.
    let budget = 0.1 * 200.0 * speed.constant;
    let problem = Problem::new(train.x.view(), train.y.view(), &penalty, 1.0)?;
    let problem = problem.with_budget(budget)?;
    let solution = solve(&problem, &InteriorPointSettings::default())?;
    data::print_solution(solution.objective, solution.relative_gap);
    let worst = worst_budget_loss(&problem, solution.zeta.view(), solution.intercept);
    println!("worst sum of losses {worst:.4}");
    let model = data::model(&linear, solution.zeta, solution.intercept);
    data::print_errors(&model, sphere, 0.1, &test)
}
