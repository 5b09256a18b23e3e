//! Random Fourier features, robust by a bound on how far they move; and the nominal SVM that has the same classifier.
#![allow(clippy::print_stdout, reason = "examples print")]

mod data;

use robust_svm_bounds::{FeatureBound, rff::Best};
use robust_svm_core::features::FeatureMap;
use robust_svm_core::uncertainty::UncertaintySet;
use robust_svm_solvers::{InteriorPointSettings, Problem, nominal_equivalent, solve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (train, test) = (data::rings(1, 200), data::rings(2, 1000));
    let (features, sphere) = (data::fourier(2, 128)?, UncertaintySet::sphere());
    let phi = features.transform(train.x.view());
    for gamma in [0.0, 0.15] {
        println!("trained at γ = {gamma}");
        let sets = (&sphere).into();
        let penalty = Best.penalty(&features, &sets, train.x.view(), gamma)?;
        let problem = Problem::new(phi.view(), train.y.view(), &penalty, 0.1)?;
        let solution = solve(&problem, &InteriorPointSettings::default())?;
        data::print_solution(solution.objective, solution.relative_gap);
        if let Some(nominal) = nominal_equivalent(&problem, &solution) {
            println!(
                "the same classifier without uncertainty: λ = {:.3}",
                nominal.lambda
            );
        }
        let model = data::model(&features, solution.zeta, solution.intercept);
        data::print_errors(&model, &sphere, 0.15, &test)?;
    }
    Ok(())
}
