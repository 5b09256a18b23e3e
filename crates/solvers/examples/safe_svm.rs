//! The safe SVM: the ellipsoid itself is learnt from validation rows.
#![allow(clippy::print_stdout, reason = "examples print")]

mod data;

use ndarray::Array2;
use robust_svm_core::features::{Features, Identity};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
use robust_svm_solvers::{SafeProblem, SafeSettings, solve_safe};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (train, validation) = (data::clouds(1, (60, 4)), data::clouds(3, (200, 4)));
    let test = data::clouds(2, (1000, 4));
    let problem = SafeProblem::new(
        (train.x.view(), train.y.view()),
        (validation.x.view(), validation.y.view()),
        1.0,
    )?;
    // Descents from two spheres.
    let starts = Array2::from_shape_fn((2, 4), |(i, _)| [0.1, 0.5][i]);
    let solution = solve_safe(&problem, starts.view(), &SafeSettings::default())?;
    let (loss, status) = (solution.upper_objective, solution.status.name());
    println!(
        "half-axes {:.3}, validation loss {loss:.3}, {status}",
        solution.s
    );
    data::print_solution(solution.lower.objective, solution.lower.relative_gap);
    let linear = Features::Identity(Identity::new(4));
    let model = data::model(&linear, solution.lower.zeta, solution.lower.intercept);
    let learnt = UncertaintySet::new(Norm::Two, Factor::Diagonal(solution.s))?;
    data::print_errors(&model, learnt, 1.0, &test)
}
