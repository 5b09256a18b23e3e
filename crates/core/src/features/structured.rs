//! Frequencies of structured orthogonal random features [Yu, Suresh, Choromanski, Holtmann-Rice & Kumar, NeurIPS 2016,
//! "Orthogonal Random Features", §4]: `W = (√n/σ) H D₁ H D₂ H D₃` with H the normalised Hadamard matrix and D_k diagonal of
//! random signs, which takes `3 log₂ n` additions a frequency and point.
//!
//! Where n is no power of two, inputs are padded by zeros to the next one, m: W is m × m, and its rows without the columns of the
//! zeros are the frequencies of R^n, no longer orthogonal to each other.

use crate::kernel::GaussianKernel;
use crate::vector_math::{Real, hadamard_product};
use ndarray::{Array2, ArrayView2};
use rand::Rng;

/// From this m on products with the signs are the faster.
const FROM: usize = 128;

/// Blocks of m frequencies each.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Structured<T> {
    /// m.
    width: usize,
    /// The diagonals of D₁, D₂ and D₃ of the first block, then of the next.
    signs: Vec<T>,
    /// `1/(mσ)`: √m/σ, and 1/√m for each of three Hadamard matrices.
    scale: T,
}

impl Structured<f64> {
    /// Draws signs for `rows` frequencies of `R^n`, n ≥ 1. Fewer rows from the same stream are the first of more.
    pub(super) fn draw(kernel: GaussianKernel, n: usize, rows: usize, rng: &mut impl Rng) -> Self {
        let width = n.next_power_of_two();
        let count = rows.div_ceil(width) * 3 * width;
        let sign = |turned: bool| if turned { -1.0 } else { 1.0 };
        Self {
            width,
            signs: (0..count).map(|_| sign(rng.r#gen())).collect(),
            scale: 1.0 / (width as f64 * kernel.sigma()),
        }
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
        Structured {
            width: self.width,
            signs: self.signs.iter().copied().map(f32::nearest).collect(),
            scale: f32::nearest(self.scale),
        }
    }
}

impl<T: Real> Structured<T> {
    /// Whether these products take less time than those with the dense frequencies.
    pub(super) fn is_faster(&self) -> bool {
        self.width >= FROM
    }

    /// The products `ω_jᵀx_i` of the first `count` frequencies and the rows of `x`, at the beginnings of rows of `out` that are
    /// `stride` long, the last one at least `count`.
    pub(super) fn write_phases(
        &self,
        x: ArrayView2<'_, T>,
        out: &mut [T],
        count: usize,
        stride: usize,
    ) {
        let mut memory = vec![T::zero(); self.width];
        for (x, out) in x.outer_iter().zip(out.chunks_mut(stride)) {
            let x = x.as_standard_layout();
            let x = x.as_slice().expect("standard layout");
            let blocks = self.signs.chunks_exact(3 * self.width);
            for (out, signs) in out[..count].chunks_mut(self.width).zip(blocks) {
                let (first, rest) = signs.split_at(self.width);
                let (second, third) = rest.split_at(self.width);
                hadamard_product(x, [first, second, third], self.scale, &mut memory, out);
            }
        }
    }
}
