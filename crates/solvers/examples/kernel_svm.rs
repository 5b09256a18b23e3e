//! The SVM of the exact Gaussian kernel, certified afterwards.
#![allow(clippy::print_stdout, reason = "examples print")]

mod data;

use robust_svm_core::kernel::{GaussianKernel, median_distance};
use robust_svm_core::model::Model;
use robust_svm_core::uncertainty::UncertaintySet;
use robust_svm_solvers::{KernelSettings, fit_kernel_svm};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (train, test) = (data::rings(1, 200), data::rings(2, 1000));
    let median = median_distance(train.x.view()).ok_or("all rows are equal")?;
    let (x, y) = (train.x.view(), train.y.view());
    for times in [0.25, 0.5, 1.0] {
        let kernel = GaussianKernel::new(times * median)?;
        println!("σ = {:.2}", kernel.sigma());
        let solution = fit_kernel_svm(kernel, x, y, 0.1, &KernelSettings::default())?;
        data::print_solution(solution.objective, solution.relative_gap);
        let model = Model::Kernel(solution.model);
        data::print_errors(&model, UncertaintySet::sphere(), 0.15, &test)?;
    }
    Ok(())
}
