//! Features of many rows in blocks, cut in the same way whoever works on them.

use crate::memory::Lines;
use crate::vector_math::Real;
use ndarray::{ArrayView2, ArrayViewMut2, Axis, s};
use rayon::prelude::*;

/// Rows of a block: few enough for features to stay in the cache, enough for the products of Nyström maps to run at full speed.
pub const BLOCK_ROWS: usize = 64;

/// Rows that a thread takes at a time.
const THREAD_ROWS: usize = 8 * BLOCK_ROWS;

/// `visit` with the first row and the `dim` features that `transform` writes of each block of rows of `x`, in order.
pub(super) fn for_each<T: Real>(
    x: ArrayView2<'_, T>,
    dim: usize,
    transform: impl Fn(ArrayView2<'_, T>, ArrayViewMut2<'_, T>),
    visit: &mut dyn FnMut(usize, ArrayView2<'_, T>),
) {
    let mut features = Lines::zeros(BLOCK_ROWS.min(x.nrows()) * dim);
    for (block, x) in x.axis_chunks_iter(Axis(0), BLOCK_ROWS).enumerate() {
        let mut features = of_rows(&mut features, (x.nrows(), dim));
        transform(x, features.view_mut());
        visit(block * BLOCK_ROWS, features.view());
    }
}

/// The first numbers of `features` as a matrix of this shape.
fn of_rows<T>(features: &mut [T], (rows, dim): (usize, usize)) -> ArrayViewMut2<'_, T> {
    ArrayViewMut2::from_shape((rows, dim), &mut features[..rows * dim]).expect("whole rows")
}

/// What `work` makes of the blocks of [`for_each`], in their order, on the rayon pool of the calling thread.
pub(super) fn map_parallel<T: Real, R: Send>(
    x: ArrayView2<'_, T>,
    dim: usize,
    transform: impl Fn(ArrayView2<'_, T>, ArrayViewMut2<'_, T>) + Sync,
    work: impl Fn(usize, ArrayView2<'_, T>) -> R + Sync,
) -> Vec<R> {
    (0..x.nrows().div_ceil(BLOCK_ROWS))
        .into_par_iter()
        .map_init(
            || Lines::zeros(BLOCK_ROWS.min(x.nrows()) * dim),
            |features, block| {
                let first = block * BLOCK_ROWS;
                let x = x.slice(s![first..x.nrows().min(first + BLOCK_ROWS), ..]);
                let mut features = of_rows(features, (x.nrows(), dim));
                transform(x, features.view_mut());
                work(first, features.view())
            },
        )
        .collect()
}

/// `transform` of the rows of `x` into `out`, on the rayon pool of the calling thread, each thread several blocks at a time. Few rows
/// at the end are no part of their own: products of Nyström maps with few rows differ in their last bits.
///
/// # Panics
/// If `out` has another number of rows than `x`, or they are not in one piece of memory.
pub(super) fn transform_parallel<T: Real>(
    x: ArrayView2<'_, T>,
    mut out: ArrayViewMut2<'_, T>,
    transform: impl Fn(ArrayView2<'_, T>, ArrayViewMut2<'_, T>) + Sync,
) {
    let (rows, dim) = out.dim();
    assert_eq!(x.nrows(), rows, "one row of features a point");
    let mut out = out.as_slice_mut().expect("rows of out in one piece");
    let mut parts = Vec::with_capacity(rows / THREAD_ROWS + 1);
    let mut first = 0;
    while first < rows {
        let last = first + 2 * THREAD_ROWS > rows;
        let count = if last { rows - first } else { THREAD_ROWS };
        let (part, rest) = out.split_at_mut(count * dim);
        parts.push((x.slice(s![first..first + count, ..]), part));
        out = rest;
        first += count;
    }
    parts.into_par_iter().with_max_len(1).for_each(|(x, part)| {
        let part = ArrayViewMut2::from_shape((x.nrows(), dim), part);
        transform(x, part.expect("whole rows"));
    });
}

#[cfg(test)]
mod tests {
    use super::{BLOCK_ROWS, THREAD_ROWS};
    use crate::features::{FeatureMap, Features, Identity, Nystrom, Rff};
    use crate::kernel::GaussianKernel;
    use ndarray::{Array2, s};
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;
    use rand_distr::{Distribution, StandardNormal};
    use std::sync::Arc;

    fn normal(rows: usize, n: usize, seed: u64) -> Array2<f64> {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        Array2::from_shape_simple_fn((rows, n), || StandardNormal.sample(&mut rng))
    }

    fn maps() -> [Features; 7] {
        let kernel = GaussianKernel::new(2.0).unwrap();
        let rng = &mut ChaCha20Rng::seed_from_u64(8);
        let triangular = |m: usize| {
            Features::Nystrom(Arc::new(
                Nystrom::triangular(kernel, normal(m, 9, 3)).unwrap(),
            ))
        };
        [
            Features::Identity(Identity::new(9)),
            Features::Rff(Arc::new(Rff::draw(kernel, 9, 22, rng).unwrap())),
            Features::Rff(Arc::new(Rff::draw_phased(kernel, 9, 15, rng).unwrap())),
            Features::Rff(Arc::new(Rff::draw_structured(kernel, 9, 22, rng).unwrap())),
            Features::Nystrom(Arc::new(Nystrom::new(kernel, normal(20, 9, 3)).unwrap())),
            triangular(20),
            // One feature more than are computed together.
            triangular(129),
        ]
    }

    fn pool(threads: usize) -> rayon::ThreadPool {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap()
    }

    /// The same bits on one thread, on three and without a pool, whatever the number of rows and what was in the memory.
    #[test]
    fn threads_do_not_change_a_bit() {
        let (one, three) = (pool(1), pool(3));
        for map in maps() {
            for rows in [
                0,
                1,
                BLOCK_ROWS + 1,
                THREAD_ROWS,
                2 * THREAD_ROWS + 1,
                3 * THREAD_ROWS + 65,
            ] {
                let x = normal(rows, 9, 4);
                let expected = map.transform(x.view());
                for pool in [&one, &three] {
                    let mut out = Array2::from_elem((rows, map.dim()), f64::NAN);
                    pool.install(|| map.transform_parallel_into(x.view(), out.view_mut()));
                    assert_eq!(out, expected, "{rows} rows");
                }
            }
        }
    }

    /// Blocks are visited in order, each row once, with the features of the whole to the rounding of products in other
    /// blocks, and random Fourier features to the bit.
    #[test]
    fn blocks_are_the_whole_in_parts() {
        for map in maps() {
            for rows in [0, 1, BLOCK_ROWS, 3 * BLOCK_ROWS + 1] {
                let x = normal(rows, 9, 5);
                let expected = map.transform(x.view());
                let mut seen = Array2::from_elem((rows, map.dim()), f64::NAN);
                let mut next = 0;
                map.for_each_block(x.view(), &mut |first, block| {
                    assert_eq!(first, next);
                    next += block.nrows();
                    seen.slice_mut(s![first..next, ..]).assign(&block);
                });
                assert_eq!(next, rows);
                let change = (&seen - &expected).fold(0.0_f64, |m, d| m.max(d.abs()));
                let room = if matches!(map, Features::Nystrom(_)) {
                    1e-12
                } else {
                    0.0
                };
                assert!(change <= room, "{change}");
                let blocks = pool(3)
                    .install(|| map.map_blocks(x.view(), |first, block| (first, block.to_owned())));
                assert_eq!(blocks.len(), rows.div_ceil(BLOCK_ROWS));
                for (first, block) in blocks {
                    assert_eq!(seen.slice(s![first..first + block.nrows(), ..]), block);
                }
            }
        }
    }
}
