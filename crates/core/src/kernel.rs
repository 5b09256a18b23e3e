//! The Gaussian kernel `k(x, z) = κ(‖x − z‖)`, `κ(d) = exp(−d²/2σ²)`, and its bandwidth heuristic.

use crate::CoreError;
use crate::linalg::matmul_transposed;
use crate::vector_math::gaussian_in_place;
use ndarray::{Array2, ArrayView1, ArrayView2, s};

/// Rows whose distances from another are computed together.
const TILE: usize = 64;

/// A Gaussian kernel of bandwidth σ > 0, in units of the (scaled) inputs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GaussianKernel {
    sigma: f64,
}

impl GaussianKernel {
    /// The kernel of bandwidth `sigma`.
    ///
    /// # Errors
    /// [`CoreError::Parameter`] unless `sigma` is positive and finite.
    pub fn new(sigma: f64) -> Result<Self, CoreError> {
        if sigma > 0.0 && sigma.is_finite() {
            Ok(Self { sigma })
        } else {
            Err(CoreError::parameter("sigma", "positive and finite", sigma))
        }
    }

    /// The bandwidth σ.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    /// `κ(d)`, the kernel at distance `d`.
    pub fn at_distance(&self, d: f64) -> f64 {
        (-d * d / (2.0 * self.sigma * self.sigma)).exp()
    }

    /// `‖k(x+δ,·) − k(x,·)‖ = sqrt(2 − 2κ(‖δ‖))` in the kernel's Hilbert space, for `‖δ‖ = ρ`: how far
    /// a movement of length ρ moves a point's image. Uses `expm1`, so small ρ keep their digits.
    pub fn movement(&self, rho: f64) -> f64 {
        (-2.0 * (-rho * rho / (2.0 * self.sigma * self.sigma)).exp_m1()).sqrt()
    }

    /// The matrix `k(x_i, z_j)` for rows `x` (p × n) and `z` (q × n), p × q.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn matrix(&self, x: ArrayView2<'_, f64>, z: ArrayView2<'_, f64>) -> Array2<f64> {
        let mut matrix = matmul_transposed(x, z);
        let z_norms = squared_norms(z);
        let rows = matrix.as_slice_mut().expect("rows in one piece");
        let x_norms = x.outer_iter().map(|row| row.dot(&row));
        self.of_products(rows, x_norms, &z_norms);
        matrix
    }

    /// The kernel of points in the place of their products (a row for each of the points with the squared norms `x_norms`, an
    /// entry for each of those with `z_norms`).
    pub(crate) fn of_products(
        self,
        products: &mut [f64],
        x_norms: impl Iterator<Item = f64>,
        z_norms: &[f64],
    ) {
        let scale = -1.0 / (2.0 * self.sigma * self.sigma);
        // No points, no products.
        let rows = products.chunks_exact_mut(z_norms.len().max(1));
        for (row, x_norm) in rows.zip(x_norms) {
            gaussian_in_place(row, x_norm, z_norms, scale);
        }
    }
}

/// The squared distances `‖x_i − z_j‖²` for rows `x` (p × n) and `z` (q × n), p × q, by
/// `‖x‖² + ‖z‖² − 2⟨x, z⟩` clipped at 0: absolute error of the order 1e−16 (‖x‖² + ‖z‖²). NaN where an input is
/// NaN, or so large that its square overflows.
///
/// # Panics
/// If the widths differ.
pub fn squared_distances(x: ArrayView2<'_, f64>, z: ArrayView2<'_, f64>) -> Array2<f64> {
    let mut products = matmul_transposed(x, z);
    let z_norms = squared_norms(z);
    for (mut row, x) in products.outer_iter_mut().zip(x.outer_iter()) {
        let x_norm = x.dot(&x);
        for (value, &z_norm) in row.iter_mut().zip(&z_norms) {
            let square = x_norm + z_norm - 2.0 * *value;
            // Not `max`, which makes 0 of NaN: a point without a place would be on top of every other.
            *value = if square < 0.0 { 0.0 } else { square };
        }
    }
    products
}

/// `‖x_i‖²` of each row.
pub(crate) fn squared_norms(x: ArrayView2<'_, f64>) -> Vec<f64> {
    x.outer_iter().map(|row| row.dot(&row)).collect()
}

/// The distance `‖a − b‖₂`, by differences (no cancellation).
pub fn distance(a: ArrayView1<'_, f64>, b: ArrayView1<'_, f64>) -> f64 {
    a.iter()
        .zip(b)
        .map(|(p, q)| (p - q) * (p - q))
        .sum::<f64>()
        .sqrt()
}

/// The median distance between two different rows of `x` (p × n): the usual guess for σ. The lower of
/// the two middle values where the number of pairs is even; `None` for fewer than two rows or when
/// the median is 0 (more than half of the pairs are equal).
pub fn median_distance(x: ArrayView2<'_, f64>) -> Option<f64> {
    let x = x.as_standard_layout();
    let rows = x.nrows();
    let mut distances: Vec<f64> = Vec::with_capacity(rows * rows.saturating_sub(1) / 2);
    // A row and those of a tile that come before it, which lie column by column: their sums grow together.
    for first in (0..rows).step_by(TILE) {
        let tile = x.slice(s![first..rows.min(first + TILE), ..]);
        let columns = tile.t().as_standard_layout().into_owned();
        for (i, a) in x.outer_iter().enumerate().skip(first + 1) {
            let before = tile.nrows().min(i - first);
            let mut squares = [0.0; TILE];
            for (p, column) in a.iter().zip(columns.outer_iter()) {
                let column = column.to_slice().expect("standard layout");
                for (square, q) in squares.iter_mut().zip(column) {
                    *square += (p - q) * (p - q);
                }
            }
            distances.extend(squares[..before].iter().map(|square| square.sqrt()));
        }
    }
    let middle = distances.len().checked_sub(1)? / 2;
    let (_, median, _) = distances.select_nth_unstable_by(middle, f64::total_cmp);
    (*median > 0.0).then_some(*median)
}

#[cfg(test)]
mod tests {
    use super::{GaussianKernel, distance, median_distance};
    use approx::assert_relative_eq;
    use ndarray::{Array2, array};

    #[test]
    fn matrix_is_the_kernel_of_each_pair() {
        let kernel = GaussianKernel::new(1.5).unwrap();
        let x = array![[0.0, 1.0], [2.0, -1.0], [0.5, 0.5]];
        let z = array![[1.0, 1.0], [0.0, 1.0]];
        let k = kernel.matrix(x.view(), z.view());
        for i in 0..3 {
            for j in 0..2 {
                let d = distance(x.row(i), z.row(j));
                assert_relative_eq!(k[(i, j)], (-d * d / 4.5).exp(), epsilon = 1e-15);
            }
        }
    }

    #[test]
    fn a_point_without_a_place_is_near_nothing() {
        let kernel = GaussianKernel::new(1.0).unwrap();
        for value in [f64::NAN, 1e200] {
            let k = kernel.matrix(array![[value, 0.0]].view(), array![[1.0, 2.0]].view());
            assert!(k[(0, 0)].is_nan() || k[(0, 0)] == 0.0, "{value}: {k}");
        }
    }

    #[test]
    fn movement_keeps_its_digits_when_small() {
        let kernel = GaussianKernel::new(2.0).unwrap();
        // sqrt(2 − 2κ(ρ)) = ρ/σ (1 − ρ²/8σ² + …)
        assert_relative_eq!(kernel.movement(1e-9), 0.5e-9, max_relative = 1e-12);
        assert_relative_eq!(
            kernel.movement(3.0),
            (2.0 - 2.0 * (-9.0_f64 / 8.0).exp()).sqrt(),
            max_relative = 1e-14
        );
    }

    #[test]
    fn median_distance_of_a_hand_worked_case() {
        // Distances 1, 2, 3 between 0, 1 and 3.
        assert_eq!(
            median_distance(array![[0.0], [1.0], [3.0]].view()),
            Some(2.0)
        );
        assert_eq!(median_distance(array![[0.0]].view()), None);
        assert_eq!(median_distance(array![[1.0], [1.0]].view()), None);
    }

    /// Of rows in one tile and in several, to the bit.
    #[test]
    fn the_median_distance_is_that_of_all_pairs() {
        let value = |(i, k): (usize, usize)| ((7 * i * i + 13 * k + i * k) % 101) as f64 * 0.1;
        for rows in [2, 5, 64, 65, 150] {
            let x = Array2::from_shape_fn((rows, 3), value);
            let pairs = (0..rows).flat_map(|i| (0..i).map(move |j| (i, j)));
            let mut distances: Vec<f64> =
                pairs.map(|(i, j)| distance(x.row(i), x.row(j))).collect();
            distances.sort_by(f64::total_cmp);
            let expected = distances[(distances.len() - 1) / 2];
            assert_eq!(median_distance(x.view()), Some(expected), "{rows}");
            let by_columns = x.t().as_standard_layout().into_owned();
            assert_eq!(median_distance(by_columns.t()), Some(expected), "{rows}");
        }
    }

    #[test]
    fn bandwidth_must_be_positive() {
        assert!(GaussianKernel::new(0.0).is_err());
        assert!(GaussianKernel::new(f64::NAN).is_err());
    }
}
