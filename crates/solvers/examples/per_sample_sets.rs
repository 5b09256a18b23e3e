//! A linear SVM with a box of its own around each input, by cutting planes.

mod data;

use ndarray::array;
use robust_svm_core::features::{Features, Identity};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet, UncertaintySets};
use robust_svm_solvers::{BundleSettings, SublinearProblem, SupportPenalty, solve_bundle};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (train, test) = (data::clouds(1, (200, 3)), data::clouds(2, (1000, 3)));
    // Every other input is uncertain in the first feature, the rest in the last.
    let boxes = (0..200).map(|i| {
        let sides = if i % 4 < 2 {
            array![1.0, 0.1, 0.1]
        } else {
            array![0.1, 0.1, 1.0]
        };
        UncertaintySet::new(Norm::Infinity, Factor::Diagonal(sides))
    });
    let sets = UncertaintySets::each(boxes.collect::<Result<_, _>>()?)?;
    let penalty = SupportPenalty { sets, gamma: 0.3 };
    let problem = SublinearProblem::new(train.x.view(), train.y.view(), &penalty, 1.0)?;
    let solution = solve_bundle(&problem, &BundleSettings::default())?;
    data::print_solution(solution.objective, solution.relative_gap);
    let linear = Features::Identity(Identity::new(3));
    let model = data::model(&linear, solution.zeta, solution.intercept);
    let sides = Factor::Diagonal(array![0.5, 0.1, 0.5]);
    data::print_errors(
        &model,
        UncertaintySet::new(Norm::Infinity, sides)?,
        0.3,
        &test,
    )
}
