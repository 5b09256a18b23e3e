//! Features of given points, timed one task at a time: the part of `scripts/bench_features.py` that is ours.
//!
//! ```text
//! feature_times FILE INPUTS
//! ```
//!
//! FILE holds the points as little-endian f64, INPUTS of them a row. Each line `TASK THREADS ROWS COMPONENTS SIGMA` of the standard
//! input is answered by a line with the seconds it took.
#![allow(clippy::print_stdout, reason = "its output is its result")]

use ndarray::{Array1, Array2, ArrayView2, s};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_core::features::{FeatureMap, Nystrom, Rff, uniform_landmarks};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::vector_math::Real;
use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().filter(|a| a != "--bench").collect();
    let [_, file, inputs] = arguments.as_slice() else {
        eprintln!("feature_times FILE INPUTS: called by scripts/bench_features.py");
        return;
    };
    let inputs: usize = inputs.parse().expect("a number of inputs");
    let bytes = std::fs::read(file).expect("the file of points");
    let numbers = bytes
        .chunks_exact(8)
        .map(|b| f64::from_le_bytes(b.try_into().unwrap()));
    let numbers: Vec<f64> = numbers.collect();
    let x = Array2::from_shape_vec((numbers.len() / inputs, inputs), numbers).expect("whole rows");
    let x32 = x.mapv(f32::nearest);
    let mut kept = (Array2::zeros((0, 0)), Array2::zeros((0, 0)));
    for line in std::io::stdin().lines() {
        let line = line.expect("a line");
        let words: Vec<&str> = line.split_whitespace().collect();
        let [task, threads, rows, components, sigma] = words.as_slice() else {
            panic!("TASK THREADS ROWS COMPONENTS SIGMA, found {line}");
        };
        let number = |word: &str| word.parse::<usize>().expect("a number");
        let kernel = GaussianKernel::new(sigma.parse().expect("a number")).expect("a bandwidth");
        let (rows, components) = (number(rows), number(components));
        let (x, x32) = (x.slice(s![..rows, ..]), x32.slice(s![..rows, ..]));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(number(threads));
        let pool = pool.build().expect("a pool");
        let seconds = pool.install(|| time(task, x, x32, kernel, components, &mut kept));
        println!("{seconds}");
        std::io::stdout().flush().expect("the standard output");
    }
}

/// The seconds of one task.
fn time(
    task: &str,
    x: ArrayView2<'_, f64>,
    x32: ArrayView2<'_, f32>,
    kernel: GaussianKernel,
    components: usize,
    (kept, kept32): &mut (Array2<f64>, Array2<f32>),
) -> f64 {
    let rng = &mut ChaCha20Rng::seed_from_u64(1);
    let shape = (x.nrows(), components);
    if let "nystrom" | "nystrom-triangular" = task {
        let start = Instant::now();
        let landmarks = uniform_landmarks(x, components, rng).expect("landmarks");
        let map = match task {
            "nystrom" => Nystrom::new(kernel, landmarks),
            _ => Nystrom::triangular(kernel, landmarks),
        };
        let map = map.expect("a map");
        black_box(map.transform_parallel(x));
        return start.elapsed().as_secs_f64();
    }
    let map = Rff::draw(kernel, x.ncols(), components, rng).expect("a map");
    let map32 = map.to_f32().expect("a map");
    let zeta = Array1::from_elem(components, 0.5);
    let zeta32 = zeta.mapv(f32::nearest);
    // Memory that was written before, as that of a caller who transforms part after part.
    if task == "stored" && kept.dim() != shape {
        *kept = Array2::from_elem(shape, 1.0);
    }
    if task == "stored-f32" && kept32.dim() != shape {
        *kept32 = Array2::from_elem(shape, 1.0);
    }
    let start = Instant::now();
    match task {
        "new" => {
            black_box(map.transform_parallel(x));
        }
        "new-f32" => {
            black_box(map32.transform_parallel(x32));
        }
        "stored" => map.transform_parallel_into(x, kept.view_mut()),
        "stored-f32" => map32.transform_parallel_into(x32, kept32.view_mut()),
        "consumed" => {
            black_box(map.map_blocks(x, |_, block| block.dot(&zeta)));
        }
        "consumed-f32" => {
            black_box(map32.map_blocks(x32, |_, block| block.dot(&zeta32)));
        }
        _ => panic!("no task {task}"),
    }
    start.elapsed().as_secs_f64()
}
