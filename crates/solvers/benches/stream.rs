//! Training on blocks of rows in memory: rows a second of the stochastic method, of its parts, and of the interior point beside
//! that on features in memory. Plain figures, as one run compares them: `cargo bench -p robust-svm-solvers --bench stream`.
#![allow(clippy::print_stdout, reason = "it reports")]

use ndarray::{Array1, Array2};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_core::features::{FeatureMap, Features, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_solvers::stream::{
    BlockFeatures, MemoryBlocks, Radii, StreamProblem, StreamSettings, StreamState, solve_stream,
    train_stream,
};
use robust_svm_solvers::{
    InteriorPointSettings, Problem, StochasticSettings, SublinearProblem, solve, solve_stochastic,
};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

const N: usize = 50;
const D: usize = 512;
const GAMMA: f64 = 0.02;

/// Uniform inputs, and labels by the sign of a wave with a tenth turned.
fn draw(rows: usize) -> (Array2<f32>, Array1<f32>) {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let x = Array2::from_shape_simple_fn((rows, N), || rng.gen_range(-1.7_f32..1.7));
    let y = x.outer_iter().map(|x| {
        let side = (1.5 * x[0]).sin() + 0.7 * x[1] * x[2] + 0.3 * x[3];
        let turned = rng.r#gen::<f32>() < 0.1;
        if (side > 0.0) == turned { -1.0 } else { 1.0 }
    });
    let y = y.collect();
    (x, y)
}

/// Seconds of the fastest of some runs.
fn seconds(runs: usize, mut run: impl FnMut()) -> f64 {
    let timed = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..runs).map(timed).fold(f64::INFINITY, f64::min)
}

fn main() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let kernel = GaussianKernel::new(6.0).unwrap();
    let rff = Features::Rff(Arc::new(Rff::draw(kernel, N, D, &mut rng).unwrap()));
    let features = BlockFeatures::new(rff.clone()).unwrap();
    let pool = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
    };

    let rows = 1_000_000;
    let (x, y) = draw(rows);
    let source = MemoryBlocks::new(x.view(), y.view()).unwrap();
    let penalty = PenaltyMatrix::Orthogonal;
    let problem = StreamProblem::new(&source, &features, 1e-5 * rows as f64).unwrap();
    let problem = problem.with_penalty(Radii::Equal(GAMMA), &penalty).unwrap();

    println!("one epoch of {rows} × {N}, D = {D}, robust, without a certificate");
    let one = |epochs: usize, certify_every: usize| StreamSettings {
        steps: StochasticSettings {
            epochs,
            certify_every,
            ..StreamSettings::default().steps
        },
        parallel: true,
        ..StreamSettings::default()
    };
    let mut least = [f64::INFINITY; 2];
    for _ in 0..3 {
        for (threads, least) in [1, 2].into_iter().zip(&mut least) {
            let took = pool(threads).install(|| {
                let settings = one(2, 9);
                let mut state =
                    StreamState::new(&problem, &settings, &mut ChaCha20Rng::seed_from_u64(3))
                        .unwrap();
                let start = Instant::now();
                let mut took = f64::INFINITY;
                // Stops at the end of the first epoch.
                let ended = train_stream(&problem, &settings, &mut state, &mut |progress| {
                    if progress.rows_done as usize == rows {
                        took = start.elapsed().as_secs_f64();
                        return ControlFlow::Break(());
                    }
                    ControlFlow::Continue(())
                });
                assert!(ended.is_err());
                took
            });
            *least = least.min(took);
        }
    }
    for (threads, least) in [1, 2].into_iter().zip(least) {
        println!("  {threads} threads: {:.0} rows/s", rows as f64 / least);
    }
    println!(
        "  two threads are {:.2} times as fast as one",
        least[0] / least[1]
    );

    pool(2).install(|| {
        for (epochs, certify_every) in [(1, 1), (2, 2), (4, 4), (8, 8)] {
            let settings = one(epochs, certify_every);
            let mut state = StreamState::new(&problem, &settings, &mut ChaCha20Rng::seed_from_u64(3)).unwrap();
            let start = Instant::now();
            let found = train_stream(&problem, &settings, &mut state, &mut |_| ControlFlow::Continue(())).unwrap();
            println!(
                "  {epochs} epochs and a certificate: {:.2} s, relative gap {}, mean objective {:.5}",
                start.elapsed().as_secs_f64(), found.relative_gap, found.objective / rows as f64
            );
        }
    });

    let rows = 50_000;
    let (x, y) = draw(rows);
    let source = MemoryBlocks::new(x.view(), y.view()).unwrap();
    let lambda = 1e-5 * rows as f64;
    let problem = StreamProblem::new(&source, &features, lambda).unwrap();
    let problem = problem.with_penalty(Radii::Equal(GAMMA), &penalty).unwrap();
    let phi = rff.transform(x.mapv(f64::from).view());
    let y = y.mapv(f64::from);
    let radii = Array1::from_elem(rows, GAMMA);
    let penalty = FeaturePenalty {
        radii,
        matrix: PenaltyMatrix::Orthogonal,
    };

    println!("stochastic on {rows} rows, one thread, 8 epochs and a certificate");
    let settings = StochasticSettings {
        epochs: 8,
        certify_every: 8,
        tolerance: 1e-9,
        ..StreamSettings::default().steps
    };
    let in_memory = SublinearProblem::new(phi.view(), y.view(), &penalty, lambda).unwrap();
    let memory = seconds(2, || {
        solve_stochastic(&in_memory, &settings, &mut ChaCha20Rng::seed_from_u64(3)).unwrap();
    });
    let on_blocks = StreamSettings {
        steps: settings,
        ..StreamSettings::default()
    };
    let streamed = seconds(2, || {
        let mut state =
            StreamState::new(&problem, &on_blocks, &mut ChaCha20Rng::seed_from_u64(3)).unwrap();
        train_stream(&problem, &on_blocks, &mut state, &mut |_| {
            ControlFlow::Continue(())
        })
        .unwrap();
    });
    println!(
        "  features in memory: {memory:.2} s, on blocks: {streamed:.2} s, ratio {:.2}",
        streamed / memory
    );

    println!("interior point on {rows} rows to 1e-6");
    let in_memory = Problem::new(phi.view(), y.view(), &penalty, lambda).unwrap();
    for threads in [1, 2] {
        pool(threads).install(|| {
            let settings = InteriorPointSettings { tolerance: 1e-6, parallel: true, ..InteriorPointSettings::default() };
            let mut iterations = [0; 2];
            let memory = seconds(1, || iterations[0] = solve(&in_memory, &settings).unwrap().iterations);
            let streamed = seconds(1, || iterations[1] = solve_stream(&problem, &settings).unwrap().iterations);
            println!(
                "  {threads} threads: features in memory {memory:.2} s ({} iterations), on blocks {streamed:.2} s ({}), ratio {:.2}",
                iterations[0], iterations[1], streamed / memory
            );
        });
    }
}
