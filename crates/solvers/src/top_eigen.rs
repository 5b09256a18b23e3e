//! The largest eigenvalues of a symmetric operator, by a block Krylov method.
//!
//! Blocks `X, TX, T²X, …` are orthogonalised against all before them, twice; the eigenvalues of the operator on their
//! span approach the largest ones from below, and a pair (θ, v) is taken once `‖Tv − θv‖` is small. Of a small
//! operator, and of one that will not converge on the largest span allowed, the whole decomposition is made.

use crate::SolverError;
use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate, s};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_core::linalg::{matmul, matmul_transposed, symmetric_eigen};

/// Up to this dimension the whole decomposition is made.
const SMALL: usize = 200;
/// Vectors in a block beyond those asked for.
const MORE: usize = 8;
/// Blocks the span has at most.
const BLOCKS: usize = 14;
/// Residuals are this small next to the largest eigenvalue.
const RESIDUAL: f64 = 1e-10;
/// Directions this small next to the largest eigenvalue are rounding.
const ROUNDING: f64 = 1e-13;

/// The `count` largest eigenvalues in decreasing order, and their eigenvectors in rows (count × N), of the symmetric
/// operator on `R^n` that `apply` does to each row of its argument. The same bits for the same operator.
pub(crate) fn largest(
    n: usize,
    count: usize,
    apply: impl Fn(ArrayView2<'_, f64>) -> Array2<f64>,
) -> Result<(Array1<f64>, Array2<f64>), SolverError> {
    let count = count.min(n);
    let block = count + MORE;
    if n > SMALL
        && n > 2 * block
        && let Some(found) = krylov(n, count, block, &apply)?
    {
        return Ok(found);
    }
    let matrix = apply(Array2::eye(n).view());
    let (values, vectors) = symmetric_eigen(((&matrix + &matrix.t()) * 0.5).view())?;
    Ok(last(values, vectors.t(), count))
}

/// The last `count` pairs, the last first.
fn last(
    values: Array1<f64>,
    vectors: ArrayView2<'_, f64>,
    count: usize,
) -> (Array1<f64>, Array2<f64>) {
    let first = values.len() - count;
    let values = values.slice_move(s![first..;-1]);
    let vectors = vectors.slice(s![first..;-1, ..]);
    (values, vectors.as_standard_layout().into_owned())
}

type Pairs = (Array1<f64>, Array2<f64>);

/// [`largest`] if it converges within the span allowed.
fn krylov(
    n: usize,
    count: usize,
    block: usize,
    apply: &impl Fn(ArrayView2<'_, f64>) -> Array2<f64>,
) -> Result<Option<Pairs>, SolverError> {
    let mut rng = ChaCha20Rng::seed_from_u64(0);
    let start = Array2::from_shape_simple_fn((block, n), || rng.gen_range(-1.0..1.0));
    let mut basis = Array2::zeros((0, n));
    let mut images = Array2::zeros((0, n));
    let mut scale = 0.0;
    let mut next = new_directions(start, &basis, scale)?;
    for _ in 0..BLOCKS {
        if basis.nrows() + next.nrows() > n {
            return Ok(None);
        }
        let image = apply(next.view());
        basis = concatenate![Axis(0), basis, next];
        images = concatenate![Axis(0), images, image];
        let on_span = matmul_transposed(basis.view(), images.view());
        let (values, vectors) = symmetric_eigen(((&on_span + &on_span.t()) * 0.5).view())?;
        scale = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        next = new_directions(image, &basis, scale)?;
        let (values, weights) = last(values, vectors.t(), count.min(basis.nrows()));
        let pairs = matmul(weights.view(), basis.view());
        let residuals =
            matmul(weights.view(), images.view()) - &pairs * &values.view().insert_axis(Axis(1));
        let small = |row: ndarray::ArrayView1<'_, f64>| row.dot(&row).sqrt() <= RESIDUAL * scale;
        if residuals.outer_iter().all(small) || next.is_empty() {
            return Ok((values.len() == count).then_some((values, pairs)));
        }
    }
    Ok(None)
}

/// Orthonormal rows that span with `basis` what `rows` and `basis` do, but for what is rounding next to `scale`.
fn new_directions(
    mut rows: Array2<f64>,
    basis: &Array2<f64>,
    scale: f64,
) -> Result<Array2<f64>, SolverError> {
    let mut smallest = (ROUNDING * scale).powi(2);
    for _ in 0..2 {
        rows = rows.as_standard_layout().into_owned();
        for _ in 0..2 {
            let along = matmul_transposed(rows.view(), basis.view());
            rows -= &matmul(along.view(), basis.view());
        }
        let gram = matmul_transposed(rows.view(), rows.view());
        let (values, vectors) = symmetric_eigen(gram.view())?;
        let largest = values.last().copied().unwrap_or(0.0);
        let kept = (0..values.len())
            .filter(|k| values[*k] > smallest.max(1e-24 * largest))
            .collect::<Vec<_>>();
        let mut turn = vectors.select(Axis(1), &kept).reversed_axes();
        for (mut row, k) in turn.outer_iter_mut().zip(&kept) {
            row /= values[*k].sqrt();
        }
        rows = matmul(turn.view(), rows.view());
        smallest = 0.25;
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::{krylov, largest};
    use approx::assert_relative_eq;
    use ndarray::{Array1, Array2, Axis};
    use robust_svm_core::linalg::{matmul, symmetric_eigen};

    /// A symmetric matrix with the given eigenvalues, by reflections.
    fn with_eigenvalues(values: &Array1<f64>) -> Array2<f64> {
        let n = values.len();
        let mut matrix = Array2::from_diag(values);
        for turn in 1..4 {
            let v: Array1<f64> = (0..n)
                .map(|i| ((i * i + turn) as f64 * 0.7).sin())
                .collect();
            let v = &v / v.dot(&v).sqrt();
            let along = v.view().insert_axis(Axis(1));
            let reflection = Array2::eye(n) - along.dot(&along.t()) * 2.0;
            matrix = reflection.dot(&matrix).dot(&reflection);
        }
        (&matrix + &matrix.t()) * 0.5
    }

    /// Slow and fast decay: the method converges on its span, to the whole decomposition's pairs.
    #[test]
    fn the_largest_pairs_are_those_of_the_whole_decomposition() {
        for decay in [0.8_f64, 0.98] {
            let matrix = with_eigenvalues(&(0..400).map(|k| decay.powi(k) - 0.01).collect());
            let apply = |rows: ndarray::ArrayView2<'_, f64>| matmul(rows, matrix.view());
            let (values, vectors) = krylov(400, 10, 18, &apply).unwrap().expect("converges");
            let (all, basis) = symmetric_eigen(matrix.view()).unwrap();
            for k in 0..10 {
                assert_relative_eq!(values[k], all[399 - k], max_relative = 1e-12);
                let cosine = vectors.row(k).dot(&basis.column(399 - k)).abs();
                assert_relative_eq!(cosine, 1.0, max_relative = 1e-12);
            }
        }
    }

    /// Eigenvalues that are all one, and more pairs than the rank.
    #[test]
    fn repeated_and_vanishing_eigenvalues_are_found() {
        let of =
            |matrix: &Array2<f64>| largest(300, 10, |rows| matmul(rows, matrix.view())).unwrap();
        let (values, vectors) = of(&Array2::eye(300));
        assert_relative_eq!(values, Array1::ones(10), epsilon = 1e-12);
        assert_relative_eq!(vectors.dot(&vectors.t()), Array2::eye(10), epsilon = 1e-12);
        let three: Array1<f64> = (0..300)
            .map(|k| [5.0, 5.0, 2.0].get(k).copied().unwrap_or(0.0))
            .collect();
        let matrix = with_eigenvalues(&three);
        let (values, vectors) = of(&matrix);
        assert_relative_eq!(values, three.slice(ndarray::s![..10]), epsilon = 1e-12);
        let images = vectors.dot(&matrix);
        assert_relative_eq!(
            images,
            &vectors * &values.insert_axis(Axis(1)),
            epsilon = 1e-9
        );
    }

    /// Evenly spread eigenvalues do not converge on the span, and are found all the same.
    #[test]
    fn what_does_not_converge_is_decomposed_whole() {
        let matrix = with_eigenvalues(&(0..900).map(|k| 1.0 - 1e-9 * f64::from(k)).collect());
        let apply = |rows: ndarray::ArrayView2<'_, f64>| matmul(rows, matrix.view());
        let (values, _) = largest(900, 2, apply).unwrap();
        assert_relative_eq!(values, ndarray::array![1.0, 1.0 - 1e-9], epsilon = 1e-12);
    }
}
