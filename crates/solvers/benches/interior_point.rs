//! Facts about the time of the interior-point method: `cargo bench -p robust-svm-solvers --bench interior_point`, and after
//! `--` the parts wanted: `gram`, `solves`, `rows`, `columns`, `threads`. The least of several runs is printed.

#![allow(missing_docs, reason = "benchmarks are read, not called")]
#![allow(clippy::print_stdout, reason = "what it is for")]

use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{BlockStructure, matmul as triangular_matmul};
use faer::{Accum, Mat, Par};
use ndarray::{Array1, Array2};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rand_distr::StandardNormal;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_solvers::{InteriorPointSettings, Problem, Solution, solve};
use std::time::Instant;

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    let parts: [(&str, fn()); 5] = [
        ("gram", gram),
        ("solves", solves),
        ("rows", rows),
        ("columns", columns),
        ("threads", threads),
    ];
    for (name, part) in parts {
        if wanted.is_empty() || wanted.iter().any(|w| w == name) {
            println!("\n{name}");
            part();
        }
    }
}

/// The least time of `runs`, in seconds.
fn least(runs: usize, mut f: impl FnMut()) -> f64 {
    let times = (0..runs).map(|_| {
        let start = Instant::now();
        f();
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
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

/// The least time of a solve, and its result.
fn timed(
    (phi, y, penalty): &(Array2<f64>, Array1<f64>, FeaturePenalty),
    settings: &InteriorPointSettings,
    runs: usize,
) -> (f64, Solution) {
    let problem = Problem::new(phi.view(), y.view(), penalty, 1.0).expect("a valid problem");
    let mut solution = None;
    let time = least(runs, || {
        solution = Some(solve(&problem, settings).expect("valid settings"));
    });
    (time, solution.expect("solved at least once"))
}

/// An iteration, whose cost is that of a weighted Gram matrix and little else at L = 8D, as flops of the Gram matrix
/// alone: a lower bound on its share of the peak, that of a square product. Beside it faer's own triangular product.
fn gram() {
    for dim in [512, 1024, 2048] {
        let a = Mat::<f64>::from_fn(dim, dim, |i, j| ((i + 3 * j) % 17) as f64);
        let mut c = Mat::<f64>::zeros(dim, dim);
        let time = least(5, || matmul(&mut c, Accum::Replace, &a, &a, 1.0, Par::Seq));
        let peak = 2.0 * (dim as f64).powi(3) / time;
        let rows = 8 * dim;
        let flops = (rows * dim * (dim + 1)) as f64;
        let b = Mat::<f64>::from_fn(dim, rows, |i, j| ((i + 3 * j) % 17) as f64);
        let time = least(3, || {
            triangular_matmul(
                &mut c,
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
        let settings = InteriorPointSettings {
            max_iterations: 4,
            ..InteriorPointSettings::default()
        };
        let (iterations, solution) = timed(&data(rows, dim, 0.2), &settings, 1);
        let iteration = iterations / solution.iterations as f64;
        println!(
            "D = {dim}: product {:.0} GFLOP/s; Gram by faer {:.0} %, a whole iteration {:.0} % of it",
            1e-9 * peak,
            100.0 * flops / time / peak,
            100.0 * flops / iteration / peak,
        );
    }
}

fn solves() {
    for (rows, dim, runs) in [
        (5000, 50, 5),
        (5000, 200, 3),
        (50_000, 50, 3),
        (5000, 2000, 1),
    ] {
        for gamma in [0.0, 0.2] {
            let data = data(rows, dim, gamma);
            for tolerance in [1e-6, 1e-8] {
                let settings = InteriorPointSettings {
                    tolerance,
                    ..InteriorPointSettings::default()
                };
                let (time, solution) = timed(&data, &settings, runs);
                println!(
                    "{rows} × {dim}, Γ ≤ {gamma}, {tolerance:e}: {:.1} ms, {} iterations, gap {}",
                    1e3 * time,
                    solution.iterations,
                    solution.relative_gap
                );
            }
        }
    }
}

/// The time of an iteration for each row at D = 50: constant if cost is linear in L.
fn rows() {
    for rows in [10_000, 100_000, 1_000_000] {
        let (time, solution) = timed(&data(rows, 50, 0.2), &six(false), 1);
        let each = time / solution.iterations as f64 / rows as f64;
        println!("L = {rows}: {:.0} ns for a row and iteration", 1e9 * each);
    }
}

/// The time of an iteration at L = 4000, and over that at half the D.
fn columns() {
    let mut last = f64::NAN;
    for dim in [64, 128, 256, 512, 1024, 2048] {
        let (time, solution) = timed(&data(4000, dim, 0.2), &six(false), 2);
        let each = time / solution.iterations as f64;
        println!(
            "D = {dim}: {:.2} ms an iteration, × {:.2}",
            1e3 * each,
            each / last
        );
        last = each;
    }
}

/// Whole solves on one thread over those on the current rayon pool, by turns.
fn threads() {
    for (rows, dim) in [(100_000, 50), (4000, 512), (20_000, 512), (4000, 1024)] {
        let data = data(rows, dim, 0.2);
        let (mut alone, mut pool) = (f64::INFINITY, f64::INFINITY);
        let settings = |parallel| InteriorPointSettings {
            parallel,
            ..InteriorPointSettings::default()
        };
        for _ in 0..4 {
            let (time, one) = timed(&data, &settings(false), 1);
            alone = alone.min(time);
            let (time, other) = timed(&data, &settings(true), 1);
            pool = pool.min(time);
            assert!(one == other, "the same bits");
        }
        println!(
            "{rows} × {dim}: {:.0} ms on one thread, {:.2} times as fast on the pool",
            1e3 * alone,
            alone / pool
        );
    }
}

/// A few iterations, wherever they end.
fn six(parallel: bool) -> InteriorPointSettings {
    InteriorPointSettings {
        max_iterations: 6,
        parallel,
        ..InteriorPointSettings::default()
    }
}
