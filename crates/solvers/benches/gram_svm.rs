//! The support vector machine on a kernel matrix, at sizes and λ from easy to hard.

use divan::Bencher;
use ndarray::{Array1, Array2};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_solvers::{GramSettings, fit_gram_svm};

fn main() {
    divan::main();
}

/// Overlapping classes in 20 dimensions.
fn problem(rows: usize) -> (Array2<f64>, Array1<f64>) {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let y = Array1::from_shape_simple_fn(rows, || if rng.r#gen() { 1.0 } else { -1.0 });
    let mut x = Array2::from_shape_simple_fn((rows, 20), || StandardNormal.sample(&mut rng));
    for (mut row, y) in x.outer_iter_mut().zip(&y) {
        row[0] += 1.2 * y;
    }
    let kernel = GaussianKernel::new(5.0).unwrap();
    (kernel.matrix(x.view(), x.view()), y)
}

#[divan::bench(args = [(600, 0.1), (600, 10.0), (6000, 0.01), (6000, 1.0), (6000, 10.0)], sample_count = 3)]
fn to_a_gap_of_1e_6(bencher: Bencher, (rows, lambda): (usize, f64)) {
    let (gram, y) = problem(rows);
    bencher.bench(|| {
        let solution = fit_gram_svm(gram.view(), y.view(), lambda, &GramSettings::default());
        let solution = solution.unwrap();
        assert!(solution.relative_gap.value() <= 1e-6);
        solution.iterations
    });
}

/// Overlapping classes in 10 dimensions, on a matrix of rank 10.
#[divan::bench(args = [(300, 1e-2), (1000, 1e-2), (1000, 1e-3)], sample_count = 3)]
fn of_rank_10_to_1e_8(bencher: Bencher, (rows, lambda): (usize, f64)) {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let y = Array1::from_shape_simple_fn(rows, || if rng.r#gen() { 1.0 } else { -1.0 });
    let mut x = Array2::from_shape_simple_fn((rows, 10), || StandardNormal.sample(&mut rng));
    x.column_mut(0).scaled_add(0.5, &y);
    let gram = x.dot(&x.t());
    let settings = GramSettings {
        tolerance: 1e-8,
        ..GramSettings::default()
    };
    bencher.bench(|| {
        let solution = fit_gram_svm(gram.view(), y.view(), lambda, &settings).unwrap();
        assert!(solution.relative_gap.value() <= 1e-8);
        solution.iterations
    });
}
