//! A linear SVM without uncertainty, to nine digits.

mod data;

use robust_svm_core::features::{Features, Identity};
use robust_svm_core::penalty::FeaturePenalty;
use robust_svm_core::uncertainty::UncertaintySet;
use robust_svm_solvers::{InteriorPointSettings, Problem, solve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (train, test) = (data::clouds(1, (200, 5)), data::clouds(2, (1000, 5)));
    let none = FeaturePenalty::none(train.y.len());
    // C of LIBSVM is 1/λ.
    let problem = Problem::new(train.x.view(), train.y.view(), &none, 1.0)?;
    let solution = solve(&problem, &InteriorPointSettings::default())?;
    data::print_solution(solution.objective, solution.relative_gap);
    let linear = Features::Identity(Identity::new(5));
    let model = data::model(&linear, solution.zeta, solution.intercept);
    data::print_errors(&model, UncertaintySet::sphere(), 0.3, &test)
}
