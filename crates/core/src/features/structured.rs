//! Frequencies of structured orthogonal random features [Yu, Suresh, Choromanski, Holtmann-Rice & Kumar, NeurIPS 2016,
//! "Orthogonal Random Features", §4]: `W = (√n/σ) H D₁ H D₂ H D₃` with H the normalised Hadamard matrix and D_k diagonal of
//! random signs, which takes `3 log₂ n` additions a frequency and point.
//!
//! Where n is no power of two, or below 32, inputs are padded by zeros to the next one, m ≥ 32: W is m × m, and its rows without the
//! columns of the zeros are the frequencies of R^n, no longer orthogonal to each other. Without the least width an entry would have few
//! values, ±1/σ alone for n = 1, whose features do not estimate the kernel.

use crate::kernel::GaussianKernel;
use crate::vector_math::{Real, SignedHadamard};
use ndarray::{Array2, ArrayView2};
use rand::Rng;

/// The least m: entries of W are sums of so many signs, near enough to normal.
const LEAST_WIDTH: usize = 32;

/// Blocks of m frequencies each.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Structured<T> {
    /// m.
    width: usize,
    /// The diagonals of D₁, D₂ and D₃ of the first block, then of the next.
    signs: Vec<bool>,
    /// σ.
    sigma: f64,
    product: SignedHadamard<T>,
}

impl Structured<f64> {
    /// Draws signs for `rows` frequencies of `R^n`, n ≥ 1. Fewer rows from the same stream are the first of more.
    pub(super) fn draw(kernel: GaussianKernel, n: usize, rows: usize, rng: &mut impl Rng) -> Self {
        let width = n.next_power_of_two().max(LEAST_WIDTH);
        let count = rows.div_ceil(width) * 3 * width;
        let signs = (0..count).map(|_| rng.r#gen()).collect();
        Self::new(width, signs, kernel.sigma())
    }

    /// The frequencies as rows (`rows` × n).
    pub(super) fn frequencies(&self, rows: usize, n: usize) -> Array2<f64> {
        // The images of the unit vectors, one a row.
        let mut columns = Array2::zeros((n, rows));
        let out = columns.as_slice_mut().expect("standard layout");
        self.write_phases(Array2::eye(n).view(), out, rows, rows);
        columns.reversed_axes().as_standard_layout().into_owned()
    }

    /// The same at single precision.
    pub(super) fn to_f32(&self) -> Structured<f32> {
        Structured::new(self.width, self.signs.clone(), self.sigma)
    }
}

impl<T: Real> Structured<T> {
    fn new(width: usize, signs: Vec<bool>, sigma: f64) -> Self {
        let sign = |turned: &bool| if *turned { -T::one() } else { T::one() };
        // √m/σ, and 1/√m for each of three Hadamard matrices.
        let scale = T::nearest(T::PER_RADIAN / (width as f64 * sigma));
        let product = SignedHadamard::new(width, signs.iter().map(sign).collect(), scale);
        Self {
            width,
            signs,
            sigma,
            product,
        }
    }

    /// Whether products with `count` of these frequencies take less time than those with the dense ones of `R^n`. Measured: a block of m
    /// takes as long as 50 m multiplications of a dense product, at both precisions.
    pub(super) fn is_faster(&self, count: usize, n: usize) -> bool {
        n * count > 50 * self.width * count.div_ceil(self.width)
    }

    /// The products `ω_jᵀx_i` of the first `count` frequencies and the rows of `x`, [`Vectors::PER_RADIAN`] times, at the beginnings of rows
    /// of `out` that are `stride` long, the last one at least `count`.
    pub(super) fn write_phases(
        &self,
        x: ArrayView2<'_, T>,
        out: &mut [T],
        count: usize,
        stride: usize,
    ) {
        let (n, x) = (x.ncols(), x.as_standard_layout());
        let x = x.as_slice().expect("standard layout");
        self.product.multiply(x, n, out, (count, stride));
    }
}

#[cfg(test)]
mod tests {
    use super::Structured;
    use crate::features::{FeatureMap, Rff};
    use crate::kernel::GaussianKernel;
    use ndarray::{Array2, Axis, array};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;
    use rand_distr::{Distribution, StandardNormal};

    fn kernel(sigma: f64) -> GaussianKernel {
        GaussianKernel::new(sigma).unwrap()
    }

    proptest! {
        /// The fast products are those with the dense frequencies, written where they are asked for and nowhere else.
        #[test]
        fn fast_products_are_the_dense_ones(
            (n, rows, count) in (1..70_usize, 1..4_usize, 1..200_usize),
            (gap, seed, sigma) in (0..3_usize, any::<u64>(), 0.2..5.0_f64),
        ) {
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let map = Structured::draw(kernel(sigma), n, count, &mut rng);
            let x = Array2::from_shape_simple_fn((rows, n), || StandardNormal.sample(&mut rng));
            let dense = x.dot(&map.frequencies(count, n).t());
            let stride = count + gap;
            let mut out = vec![f64::NAN; rows * stride];
            map.write_phases(x.view(), &mut out, count, stride);
            for (out, dense) in out.chunks(stride).zip(dense.outer_iter()) {
                for (out, dense) in out.iter().zip(dense) {
                    prop_assert!((out - dense).abs() < 1e-12 / sigma);
                }
                prop_assert!(out[count..].iter().all(|v| v.is_nan()));
            }
        }
    }

    /// Where n is a power of two from 32 on, blocks of n frequencies are orthogonal and `√n/σ` long; where it is not, all entries have
    /// the variance 1/σ² on average still.
    #[test]
    fn frequencies_of_a_block_are_orthogonal() {
        for n in [32, 64, 256] {
            let rng = &mut ChaCha20Rng::seed_from_u64(n as u64);
            let w = Structured::draw(kernel(0.5), n, 2 * n + 1, rng).frequencies(2 * n + 1, n);
            for block in w.axis_chunks_iter(Axis(0), n) {
                let gram = block.dot(&block.t());
                let expected = Array2::<f64>::eye(block.nrows()) * (4.0 * n as f64);
                assert!((gram - expected).iter().all(|d| d.abs() < 1e-9), "{n}");
            }
        }
        let rng = &mut ChaCha20Rng::seed_from_u64(5);
        let w = Structured::draw(kernel(0.5), 40, 6400, rng).frequencies(6400, 40);
        let mean = w.mapv(|v| v * v).mean().unwrap();
        assert!((mean / 4.0 - 1.0).abs() < 1e-2, "{mean}");
    }

    #[test]
    fn fewer_rows_are_the_first_of_more() {
        let draw = |rows| {
            let rng = &mut ChaCha20Rng::seed_from_u64(5);
            Structured::draw(kernel(1.0), 12, rows, rng).frequencies(rows, 12)
        };
        assert_eq!(draw(7), draw(50).slice(ndarray::s![..7, ..]));
    }

    /// The mean estimate over independent maps is near the kernel, along an axis and along the diagonal, and its error is less
    /// than that of independent frequencies.
    #[test]
    fn the_kernel_is_estimated_nearly_without_bias() {
        let n = 32;
        let along = array![[1.0; 32]] / (n as f64).sqrt();
        let mut axis = Array2::zeros((1, n));
        axis[(0, 3)] = 1.0;
        for direction in [along, axis] {
            let x = direction * 1.2;
            let exact = kernel(1.0).at_distance(1.2);
            let origin = Array2::zeros((1, n));
            let mut rng = ChaCha20Rng::seed_from_u64(11);
            let mut errors = |structured: bool| -> (f64, f64) {
                let draws = 2000;
                let (mut sum, mut squares) = (0.0, 0.0);
                for _ in 0..draws {
                    let map = if structured {
                        Rff::draw_structured(kernel(1.0), n, 2 * n, &mut rng)
                    } else {
                        Rff::draw(kernel(1.0), n, 2 * n, &mut rng)
                    };
                    let map = map.unwrap();
                    let features = [x.view(), origin.view()].map(|x| map.transform(x));
                    let error = features[0].row(0).dot(&features[1].row(0)) - exact;
                    sum += error;
                    squares += error * error;
                }
                (sum / f64::from(draws), (squares / f64::from(draws)).sqrt())
            };
            let (bias, spread) = errors(true);
            let (_, independent) = errors(false);
            // Standard error 1e−3; vectors of one length have the bias −z⁴κ(z)/4n = −0.008 to first order.
            assert!(bias.abs() < 0.02, "{bias}");
            assert!(spread < 0.8 * independent, "{spread} against {independent}");
        }
    }

    /// Few inputs too: the mean estimate is near the kernel at distances of the order of σ and beyond.
    #[test]
    fn few_inputs_are_padded_to_an_estimate_of_the_kernel() {
        for n in [1, 2, 3, 9, 40] {
            let along = Array2::from_elem((1, n), 1.0 / (n as f64).sqrt());
            let mut axis = Array2::zeros((1, n));
            axis[(0, n - 1)] = 1.0;
            for (direction, distance) in [(&along, 1.2), (&along, 3.0), (&axis, 1.2), (&axis, 3.0)]
            {
                let x = direction * distance;
                let origin = Array2::zeros((1, n));
                let mut rng = ChaCha20Rng::seed_from_u64(3);
                let mut sum = 0.0;
                let draws = 400;
                for _ in 0..draws {
                    let map = Rff::draw_structured(kernel(1.0), n, 128, &mut rng).unwrap();
                    let features = [x.view(), origin.view()].map(|x| map.transform(x));
                    sum += features[0].row(0).dot(&features[1].row(0));
                }
                let bias = sum / f64::from(draws) - kernel(1.0).at_distance(distance);
                assert!(bias.abs() < 0.05, "n = {n}, distance {distance}: {bias}");
            }
        }
    }

    /// Whichever way the products are computed, features are those of the parts.
    #[test]
    fn parts_of_a_structured_map_make_the_same_features() {
        let rng = &mut ChaCha20Rng::seed_from_u64(2);
        let map = Rff::draw_structured(kernel(9.0), 200, 700, rng).unwrap();
        let x = Array2::from_shape_simple_fn((70, 200), || StandardNormal.sample(rng));
        let parts = Rff::from_parts(map.frequencies().to_owned(), None).unwrap();
        let change = map.transform(x.view()) - parts.transform(x.view());
        let largest = change.iter().fold(0.0_f64, |m, d| m.max(d.abs()));
        assert!(largest > 0.0 && largest < 1e-14, "{largest}");
    }
}
