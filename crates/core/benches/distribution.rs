//! Kernel matrices of normally distributed inputs beside that of points.

use divan::Bencher;
use ndarray::{Array1, Array2};
use robust_svm_core::distribution::{Covariances, GaussianInputs, InputKernel};
use robust_svm_core::kernel::GaussianKernel;

fn main() {
    divan::main();
}

const FORMS: [&str; 4] = ["points", "isotropic", "diagonal", "full"];

/// `rows` inputs of `R^n`.
fn inputs(form: &str, rows: usize, n: usize) -> GaussianInputs {
    let value = |i: usize, k: usize| ((i * 31 + k * 17) as f64 * 0.618).fract();
    let means = Array2::from_shape_fn((rows, n), |(i, k)| value(i, k));
    let covariances = match form {
        "points" => Covariances::Zero,
        "isotropic" => Covariances::Isotropic(Array1::from_shape_fn(rows, |i| value(i, 1))),
        "diagonal" => Covariances::Diagonal(means.clone()),
        _ => Covariances::Full(vec![Array2::eye(n) + 0.1; rows]),
    };
    GaussianInputs::new(means, covariances).unwrap()
}

fn gaussian() -> InputKernel {
    InputKernel::Gaussian(GaussianKernel::new(4.0).unwrap())
}

/// As many as USPS has for training, and its pixels.
#[divan::bench(args = &FORMS[..3], sample_count = 3)]
fn training_matrix_6000_of_256(bencher: Bencher, form: &str) {
    let inputs = inputs(form, 6000, 256);
    bencher.bench(|| gaussian().gram(&inputs).unwrap());
}

#[divan::bench(args = FORMS, sample_count = 5)]
fn training_matrix_300_of_30(bencher: Bencher, form: &str) {
    let inputs = inputs(form, 300, 30);
    bencher.bench(|| gaussian().gram(&inputs).unwrap());
}
