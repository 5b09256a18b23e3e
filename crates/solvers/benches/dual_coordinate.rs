//! Dual coordinate descent on one-hot rows of the shape of adult and on dense ones, to 1e−4 and 1e−6, and what an epoch costs.
//!
//! `cargo bench -p robust-svm-solvers --bench dual_coordinate`. `epoch` takes ten epochs of D = 64 … 1024: its times should at most
//! double with D, up to what the caches add.

#![allow(missing_docs, reason = "benchmarks are read, not called")]

use divan::Bencher;
use ndarray::{Array1, Array2};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rand_distr::StandardNormal;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_solvers::{
    DualCoordinateSettings, Intercept, InteriorPointSettings, Problem, Samples, Solution, solve,
    solve_dual_coordinate,
};
use sprs::CsMat;

const TOLERANCES: [f64; 2] = [1e-4, 1e-6];

fn main() {
    divan::main();
}

fn normal(rng: &mut ChaCha20Rng) -> f64 {
    rng.sample(StandardNormal)
}

/// 48,842 rows of 14 groups, 108 columns in all, earlier ones of a group more frequent; classes by noisy scores.
fn one_hot() -> (CsMat<f64>, Array1<f64>) {
    const GROUPS: [usize; 14] = [9, 16, 7, 14, 6, 5, 2, 30, 4, 3, 4, 3, 3, 2];
    const ROWS: usize = 48_842;
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let columns: usize = GROUPS.iter().sum();
    let weights: Vec<f64> = (0..columns).map(|_| normal(&mut rng)).collect();
    let (mut indices, mut y) = (Vec::new(), Array1::zeros(ROWS));
    for label in &mut y {
        let (mut first, mut score) = (0, 0.0);
        for size in GROUPS {
            let place = rng.r#gen::<f64>() * rng.r#gen::<f64>() * size as f64;
            let column = first + place as usize;
            score += weights[column];
            indices.push(column);
            first += size;
        }
        *label = if score + 2.0 * normal(&mut rng) > 1.0 {
            1.0
        } else {
            -1.0
        };
    }
    let starts = (0..=ROWS).map(|i| i * GROUPS.len()).collect();
    let values = vec![1.0; indices.len()];
    (CsMat::new((ROWS, columns), starts, indices, values), y)
}

/// Rows of about unit length with the classes 0.6 apart along the first feature.
fn dense(rows: usize, dim: usize) -> (Array2<f64>, Array1<f64>) {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let y = Array1::from_shape_fn(rows, |i| if i % 2 == 0 { 1.0 } else { -1.0 });
    let scale = 1.0 / (dim as f64).sqrt();
    let mut phi = Array2::from_shape_simple_fn((rows, dim), || scale * normal(&mut rng));
    phi.column_mut(0).scaled_add(0.3, &y);
    (phi, y)
}

fn uniform(rows: usize, gamma: f64) -> FeaturePenalty {
    FeaturePenalty {
        radii: Array1::from_elem(rows, gamma),
        matrix: PenaltyMatrix::Orthogonal,
    }
}

fn descend(
    samples: Samples<'_>,
    y: &Array1<f64>,
    gamma: f64,
    (tolerance, max_epochs): (f64, usize),
) -> Solution {
    let penalty = uniform(y.len(), gamma);
    let problem =
        Problem::new(samples.reborrow(), y.view(), &penalty, 1.0).expect("a valid problem");
    let settings = DualCoordinateSettings {
        tolerance,
        max_epochs,
        rng: ChaCha20Rng::seed_from_u64(1),
    };
    solve_dual_coordinate(&problem.with_intercept(Intercept::Penalised), &settings)
        .expect("a problem it takes")
}

#[divan::bench(args = TOLERANCES, sample_count = 5, sample_size = 1)]
fn one_hot_like_adult(bencher: Bencher, tolerance: f64) {
    let (phi, y) = one_hot();
    bencher.bench_local(|| descend(Samples::from(phi.view()), &y, 0.0, (tolerance, 100_000)));
}

#[divan::bench(args = TOLERANCES, sample_count = 5, sample_size = 1)]
fn dense_50_000_by_50(bencher: Bencher, tolerance: f64) {
    let (phi, y) = dense(50_000, 50);
    bencher.bench_local(|| descend(Samples::from(phi.view()), &y, 0.0, (tolerance, 100_000)));
}

#[divan::bench(args = TOLERANCES, sample_count = 5, sample_size = 1)]
fn dense_50_000_by_50_uniform_radii(bencher: Bencher, tolerance: f64) {
    let (phi, y) = dense(50_000, 50);
    bencher.bench_local(|| descend(Samples::from(phi.view()), &y, 0.05, (tolerance, 100_000)));
}

#[divan::bench(args = TOLERANCES, sample_count = 3, sample_size = 1)]
fn dense_20_000_by_512(bencher: Bencher, tolerance: f64) {
    let (phi, y) = dense(20_000, 512);
    bencher.bench_local(|| descend(Samples::from(phi.view()), &y, 0.0, (tolerance, 100_000)));
}

/// The interior-point method on the same 50,000 × 50 problem.
#[divan::bench(args = TOLERANCES, sample_count = 3, sample_size = 1)]
fn interior_point_50_000_by_50(bencher: Bencher, tolerance: f64) {
    let (phi, y) = dense(50_000, 50);
    let penalty = uniform(50_000, 0.0);
    bencher.bench_local(|| {
        let problem = Problem::new(phi.view(), y.view(), &penalty, 1.0).expect("a valid problem");
        let settings = InteriorPointSettings {
            tolerance,
            ..InteriorPointSettings::default()
        };
        solve(&problem.with_intercept(Intercept::Penalised), &settings).expect("valid settings")
    });
}

#[divan::bench(args = [64, 128, 256, 512, 1024], sample_count = 5, sample_size = 1)]
fn epoch(bencher: Bencher, dim: usize) {
    let (phi, y) = dense(10_000, dim);
    bencher.bench_local(|| descend(Samples::from(phi.view()), &y, 0.0, (1e-12, 10)));
}
