//! A linear SVM that is robust to an ellipsoid around each input, some of them more certain than others.
#![allow(clippy::print_stdout, reason = "examples print")]

mod data;

use ndarray::{Array1, array};
use robust_svm_bounds::{FeatureBound, linear::Exact};
use robust_svm_core::features::{Features, Identity};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet, UncertaintySets};
use robust_svm_solvers::{InteriorPointSettings, Problem, solve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (train, test) = (data::clouds(1, (200, 3)), data::clouds(2, (1000, 3)));
    // The half-axes of the ellipsoid of size 1.
    let axes = Factor::Diagonal(array![1.0, 0.5, 2.0]);
    let set = UncertaintySet::new(Norm::Two, axes)?;
    let sizes = Array1::from_shape_fn(200, |i| if i < 50 { 0.5 } else { 1.0 });
    let sets = UncertaintySets::from(&set).with_sizes(sizes)?;
    let linear = Features::Identity(Identity::new(3));
    for gamma in [0.0, 0.3] {
        println!("trained at γ = {gamma}");
        let penalty = Exact.penalty(&linear, &sets, train.x.view(), gamma)?;
        let problem = Problem::new(train.x.view(), train.y.view(), &penalty, 1.0)?;
        let solution = solve(&problem, &InteriorPointSettings::default())?;
        data::print_solution(solution.objective, solution.relative_gap);
        let model = data::model(&linear, solution.zeta, solution.intercept);
        data::print_errors(&model, &set, 0.3, &test)?;
    }
    Ok(())
}
