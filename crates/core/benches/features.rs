//! Feature maps on one thread and two, kept or used block by block, at both precisions.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use ndarray::{Array1, Array2, ArrayViewMut2};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal};
use robust_svm_core::features::{FeatureMap, Nystrom, Rff, uniform_landmarks};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::memory::Lines;
use robust_svm_core::vector_math::Real;
use sprs::CsMat;

fn main() {
    divan::main();
}

const ROWS: usize = 20_000;
const INPUTS: usize = 50;
const FEATURES: usize = 1024;
const THREADS: [usize; 2] = [1, 2];

fn inputs(rows: usize, n: usize) -> Array2<f64> {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    Array2::from_shape_simple_fn((rows, n), || StandardNormal.sample(&mut rng))
}

fn rff() -> Rff {
    let kernel = GaussianKernel::new(7.0).unwrap();
    Rff::draw(kernel, INPUTS, FEATURES, &mut ChaCha20Rng::seed_from_u64(2)).unwrap()
}

fn nystrom() -> Nystrom {
    let kernel = GaussianKernel::new(7.0).unwrap();
    Nystrom::new(kernel, inputs(512, INPUTS)).unwrap()
}

fn pool(threads: usize) -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap()
}

/// Into a block of memory that is there.
fn stored<T: Real>(
    bencher: Bencher<'_, '_>,
    threads: usize,
    dim: usize,
    transform: impl Fn(ndarray::ArrayViewMut2<'_, T>) + Sync,
) {
    let mut out = Array2::from_elem((ROWS, dim), T::one());
    let pool = pool(threads);
    bencher
        .counter(ItemsCount::new(ROWS * dim))
        .bench_local(|| {
            pool.install(|| transform(out.view_mut()));
            black_box(&out);
        });
}

#[divan::bench(args = THREADS)]
fn rff_f64_stored(bencher: Bencher<'_, '_>, threads: usize) {
    let (map, x) = (rff(), inputs(ROWS, INPUTS));
    stored(bencher, threads, FEATURES, |out| {
        map.transform_parallel_into(x.view(), out);
    });
}

#[divan::bench(args = THREADS)]
fn rff_f32_stored(bencher: Bencher<'_, '_>, threads: usize) {
    let map = rff().to_f32().unwrap();
    let x = inputs(ROWS, INPUTS).mapv(f32::nearest);
    stored(bencher, threads, FEATURES, |out| {
        map.transform_parallel_into(x.view(), out);
    });
}

#[divan::bench(args = THREADS)]
fn nystrom_stored(bencher: Bencher<'_, '_>, threads: usize) {
    let (map, x) = (nystrom(), inputs(ROWS, INPUTS));
    stored(bencher, threads, map.dim(), |out| {
        map.transform_parallel_into(x.view(), out);
    });
}

/// The scores of a model from the blocks.
#[divan::bench(args = THREADS)]
fn rff_f64_consumed(bencher: Bencher<'_, '_>, threads: usize) {
    let (map, x) = (rff(), inputs(ROWS, INPUTS));
    let (zeta, pool) = (Array1::from_elem(FEATURES, 0.5), pool(threads));
    bencher
        .counter(ItemsCount::new(ROWS * FEATURES))
        .bench_local(|| pool.install(|| map.map_blocks(x.view(), |_, block| block.dot(&zeta))));
}

#[divan::bench(args = THREADS)]
fn rff_f32_consumed(bencher: Bencher<'_, '_>, threads: usize) {
    let map = rff().to_f32().unwrap();
    let x = inputs(ROWS, INPUTS).mapv(f32::nearest);
    let (zeta, pool) = (Array1::from_elem(FEATURES, 0.5_f32), pool(threads));
    bencher
        .counter(ItemsCount::new(ROWS * FEATURES))
        .bench_local(|| pool.install(|| map.map_blocks(x.view(), |_, block| block.dot(&zeta))));
}

/// The map of frequencies as they come or structured, and points.
fn of_frequencies((n, structured): (usize, bool)) -> (Rff, Array2<f64>) {
    let kernel = GaussianKernel::new((n as f64).sqrt()).unwrap();
    let rng = &mut ChaCha20Rng::seed_from_u64(2);
    let map = if structured {
        Rff::draw_structured(kernel, n, FEATURES, rng)
    } else {
        Rff::draw(kernel, n, FEATURES, rng)
    };
    (map.unwrap(), inputs(200_000 / n, n))
}

fn bench_written<T: Real>(
    bencher: Bencher<'_, '_>,
    rows: usize,
    transform: impl Fn(ArrayViewMut2<'_, T>),
) {
    let mut memory = Lines::zeros(rows * FEATURES);
    let mut out = ArrayViewMut2::from_shape((rows, FEATURES), &mut memory).unwrap();
    let features = ItemsCount::new(rows * FEATURES);
    bencher.counter(features).bench_local(|| {
        transform(out.view_mut());
        black_box(&out);
    });
}

const STRUCTURED: [(usize, bool); 10] = [
    (16, false),
    (16, true),
    (32, false),
    (32, true),
    (50, false),
    (50, true),
    (120, false),
    (120, true),
    (784, false),
    (784, true),
];

#[divan::bench(args = STRUCTURED)]
fn structured_f64(bencher: Bencher<'_, '_>, case: (usize, bool)) {
    let (map, x) = of_frequencies(case);
    bench_written(bencher, x.nrows(), |out| map.transform_into(x.view(), out));
}

#[divan::bench(args = STRUCTURED)]
fn structured_f32(bencher: Bencher<'_, '_>, case: (usize, bool)) {
    let (map, x) = of_frequencies(case);
    let (map, x) = (map.to_f32().unwrap(), x.mapv(f32::nearest));
    bench_written(bencher, x.nrows(), |out| map.transform_into(x.view(), out));
}

/// One entry in twenty of 784.
#[divan::bench(args = [false, true])]
fn rff_of_784_inputs_sparse(bencher: Bencher<'_, '_>, sparse: bool) {
    let kernel = GaussianKernel::new(28.0).unwrap();
    let map = Rff::draw(kernel, 784, FEATURES, &mut ChaCha20Rng::seed_from_u64(2)).unwrap();
    let mut x = inputs(4000, 784);
    x.mapv_inplace(|v| if v.abs() > 1.96 { v } else { 0.0 });
    let rows = CsMat::csr_from_dense(x.view(), 0.0);
    let mut out = Array2::zeros((4000, FEATURES));
    bencher
        .counter(ItemsCount::new(4000 * FEATURES))
        .bench_local(|| {
            if sparse {
                map.transform_sparse_into(rows.view(), out.view_mut());
            } else {
                map.transform_into(x.view(), out.view_mut());
            }
            black_box(&out);
        });
}

/// Landmarks, their decomposition and the features.
#[divan::bench(args = THREADS)]
fn nystrom_fit_and_transform(bencher: Bencher<'_, '_>, threads: usize) {
    let (x, pool) = (inputs(ROWS, INPUTS), pool(threads));
    let kernel = GaussianKernel::new(7.0).unwrap();
    let mut out = Array2::zeros((ROWS, 512));
    bencher.bench_local(|| {
        let rng = &mut ChaCha20Rng::seed_from_u64(3);
        let landmarks = uniform_landmarks(x.view(), 512, rng).unwrap();
        let map = Nystrom::new(kernel, landmarks).unwrap();
        pool.install(|| map.transform_parallel_into(x.view(), out.view_mut()));
        black_box(&out);
    });
}
