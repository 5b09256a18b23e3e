//! The kernel ridge classifier: λ chosen by leaving one out, in closed form.
#![allow(clippy::print_stdout, reason = "examples print")]

mod data;

use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::Model;
use robust_svm_core::uncertainty::UncertaintySet;
use robust_svm_solvers::fit_kernel_ridge;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (train, test) = (data::rings(1, 200), data::rings(2, 1000));
    let kernel = GaussianKernel::new(1.5)?;
    for lambda in [0.01, 0.1, 1.0, 10.0] {
        let solution = fit_kernel_ridge(kernel, train.x.view(), train.y.view(), lambda)?;
        let left_out = solution.leave_one_out_error;
        println!("λ = {lambda}: error of rows left out {left_out:.3}");
        data::print_solution(solution.objective, solution.relative_gap);
        let model = Model::Kernel(solution.model);
        data::print_errors(&model, UncertaintySet::sphere(), 0.15, &test)?;
    }
    Ok(())
}
