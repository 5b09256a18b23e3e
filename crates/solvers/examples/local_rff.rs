//! Random Fourier features, robust by the model's own gradient and curvature instead of a bound of the features.
#![allow(clippy::print_stdout, reason = "examples print")]

mod data;

use robust_svm_core::features::FeatureMap;
use robust_svm_core::uncertainty::UncertaintySet;
use robust_svm_solvers::{Intercept, InteriorPointSettings, LocalPenalty, solve_local};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (train, test) = (data::rings(1, 200), data::rings(2, 1000));
    let (features, sphere) = (data::fourier(2, 128)?, UncertaintySet::sphere());
    let phi = features.transform(train.x.view());
    let settings = InteriorPointSettings::default();
    for gamma in [0.0, 0.15] {
        println!("trained at γ = {gamma}");
        let penalty = LocalPenalty::new(&features, &(&sphere).into(), train.x.view(), gamma)?;
        let (phi, y, rule) = (phi.view(), train.y.view(), Intercept::Free);
        let solution = solve_local(phi, y, &penalty, 0.1, rule, &settings)?;
        data::print_solution(solution.objective, solution.relative_gap);
        let model = data::model(&features, solution.zeta, solution.intercept);
        data::print_errors(&model, &sphere, 0.15, &test)?;
    }
    Ok(())
}
