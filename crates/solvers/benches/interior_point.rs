//! The interior-point method at L = 2000, beside a plain product of the same cost, and the kernel SVM.
//!
//! `cargo bench -p robust-svm-solvers`. The dominant cost of an iteration is the lower half of a weighted
//! Gram matrix, L D² multiplications and additions: `gram_product` times one, so that the time of a solve
//! over its number of iterations (12 to 17 here) shows what everything else costs.

#![allow(missing_docs, reason = "benchmarks are read, not called")]

use divan::Bencher;
use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::{Accum, Mat, Par};
use ndarray::{Array1, Array2};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rand_distr::StandardNormal;
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_solvers::{
    InteriorPointSettings, KernelSettings, Problem, Solution, fit_kernel_svm, solve,
};

const ROWS: usize = 2000;
const DIMENSIONS: [usize; 3] = [64, 256, 512];

fn main() {
    divan::main();
}

/// Rows of about unit length with the classes 0.6 apart along the first feature: overlapping, and far enough
/// apart that ζ = 0 is not the robust optimum.
fn data(rows: usize, dim: usize, gamma: f64) -> (Array2<f64>, Array1<f64>, FeaturePenalty) {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let y = Array1::from_shape_fn(rows, |i| if i % 2 == 0 { 1.0 } else { -1.0 });
    let scale = 1.0 / (dim as f64).sqrt();
    let mut phi =
        Array2::from_shape_simple_fn((rows, dim), || scale * rng.sample::<f64, _>(StandardNormal));
    phi.column_mut(0).scaled_add(0.3, &y);
    let radii = Array1::from_shape_simple_fn(rows, || gamma * rng.r#gen::<f64>());
    let penalty = FeaturePenalty {
        radii,
        matrix: PenaltyMatrix::Orthogonal,
    };
    (phi, y, penalty)
}

fn solve_one(dim: usize, gamma: f64) -> impl Fn() -> Solution {
    let (phi, y, penalty) = data(ROWS, dim, gamma);
    move || {
        let problem = Problem::new(phi.view(), y.view(), &penalty, 1.0).expect("a valid problem");
        solve(&problem, &InteriorPointSettings::default()).expect("valid settings")
    }
}

#[divan::bench(args = DIMENSIONS, sample_count = 3, sample_size = 1)]
fn nominal(bencher: Bencher, dim: usize) {
    bencher.bench_local(solve_one(dim, 0.0));
}

#[divan::bench(args = DIMENSIONS, sample_count = 3, sample_size = 1)]
fn robust(bencher: Bencher, dim: usize) {
    bencher.bench_local(solve_one(dim, 0.2));
}

/// L = 600 × D = 256, the usual size of a cell of an experiment.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn robust_cell(bencher: Bencher) {
    let (phi, y, penalty) = data(600, 256, 0.2);
    bencher.bench_local(|| {
        let problem = Problem::new(phi.view(), y.view(), &penalty, 1.0).expect("a valid problem");
        solve(&problem, &InteriorPointSettings::default()).expect("valid settings")
    });
}

/// One lower half of `BᵀB` by faer: the floor under one iteration.
#[divan::bench(args = DIMENSIONS, sample_count = 10, sample_size = 1)]
fn gram_product(bencher: Bencher, dim: usize) {
    let b = Mat::from_fn(dim, ROWS, |i, j| ((i + 3 * j) % 17) as f64);
    let mut gram = Mat::zeros(dim, dim);
    bencher.bench_local(|| {
        matmul(
            &mut gram,
            BlockStructure::TriangularLower,
            Accum::Replace,
            &b,
            BlockStructure::Rectangular,
            b.transpose(),
            BlockStructure::Rectangular,
            1.0,
            Par::Seq,
        );
    });
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn kernel_svm(bencher: Bencher) {
    let (x, y, _) = data(500, 20, 0.0);
    let kernel = GaussianKernel::new(1.0).expect("a positive bandwidth");
    let settings = KernelSettings::default();
    bencher.bench_local(|| fit_kernel_svm(kernel, x.view(), y.view(), 1.0, &settings));
}
