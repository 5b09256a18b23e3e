//! Objectives against LIBSVM's, from `scripts/reference_svm.py`.
//!
//! LIBSVM keeps kernel values in single precision, so its primal value is up to 1e−5 above the optimum; its
//! dual value, whose error is of second order, is good to 1e−9. The optimum lies between the two.

use approx::assert_relative_eq;
use ndarray::{Array1, Array2, s};
use robust_svm_core::data::{Scaler, Scaling};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::penalty::FeaturePenalty;
use robust_svm_solvers::{InteriorPointSettings, KernelSettings, Problem, fit_kernel_svm, solve};
use std::path::Path;

/// Standardised inputs and labels −1 or +1 of a dataset whose last column is the label, 0 or 1.
fn read(name: &str) -> (Array2<f64>, Array1<f64>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../datasets/{name}.csv"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let values: Vec<Vec<f64>> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|v| v.trim().parse().unwrap()).collect())
        .collect();
    let width = values[0].len();
    let table = Array2::from_shape_vec((values.len(), width), values.concat()).unwrap();
    let x = table.slice(s![.., ..width - 1]);
    let scaled = Scaler::fit(x, Scaling::Standardize).apply(x);
    (
        scaled,
        table.column(width - 1).mapv(|label| 2.0 * label - 1.0),
    )
}

/// One row of the reference: dataset, σ (`None` for the linear kernel), λ, primal and dual value.
fn reference() -> Vec<(&'static str, Option<f64>, f64, [f64; 2])> {
    include_str!("reference/libsvm.csv")
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let number = |k: usize| fields[k].parse::<f64>().unwrap();
            let sigma = (fields[1] == "rbf").then(|| number(2));
            (fields[0], sigma, number(3), [number(4), number(5)])
        })
        .collect()
}

#[test]
fn objectives_agree_with_libsvm() {
    let rows = reference();
    assert_eq!(rows.len(), 27);
    for (name, sigma, lambda, [primal, dual]) in rows {
        let (x, y) = read(name);
        let (objective, lower, tolerance) = if let Some(sigma) = sigma {
            let kernel = GaussianKernel::new(sigma).unwrap();
            let settings = KernelSettings::default();
            let solution = fit_kernel_svm(kernel, x.view(), y.view(), lambda, &settings).unwrap();
            (solution.objective, solution.dual_objective, 1e-6)
        } else {
            let penalty = FeaturePenalty::none(y.len());
            let problem = Problem::new(x.view(), y.view(), &penalty, lambda).unwrap();
            let solution = solve(&problem, &InteriorPointSettings::default()).unwrap();
            (solution.objective, solution.dual_objective, 1e-8)
        };
        let gap = (objective - lower) / objective;
        assert!(
            gap <= tolerance,
            "{name}, sigma {sigma:?}, lambda {lambda}: gap {gap:e}"
        );
        assert_relative_eq!(objective, dual, max_relative = 1e-6);
        // Weak duality across the two programs.
        assert!(lower <= primal * (1.0 + 1e-11), "{lower} above {primal}");
        assert!(
            dual <= objective * (1.0 + 1e-11),
            "{dual} above {objective}"
        );
    }
}
