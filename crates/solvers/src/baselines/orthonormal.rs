//! Matrices with orthonormal columns: points of the Stiefel manifold.

use crate::SolverError;
use ndarray::{Array2, ArrayView2, s};
use robust_svm_core::linalg::{matmul, symmetric_eigen};

/// A column shorter than this share of its length before projection depends on those in front of it.
const DEPENDENT: f64 = 1e-10;
/// Singular values up to this share of the largest are 0.
const SMALLEST: f64 = 1e-8;

/// Makes the columns of `w` (n × d, d ≤ n) orthonormal, spanning the same space, by the modified Gram-Schmidt process done twice
/// for each column. A column that depends on those in front of it is replaced by the unit vector furthest from them.
pub(super) fn orthonormalise(w: &mut Array2<f64>) {
    for k in 0..w.ncols() {
        let length = norm(w, k);
        if length > 0.0 {
            w.column_mut(k).mapv_inplace(|v| v / length);
        }
        if length == 0.0 || project_out(w, k) <= DEPENDENT {
            let furthest = furthest_unit(w.slice(s![.., ..k]));
            w.column_mut(k).fill(0.0);
            w[(furthest, k)] = 1.0;
            project_out(w, k);
        }
        project_out(w, k);
    }
}

/// Takes from column k what is along those in front of it and scales it to length 1; returns the length before scaling.
fn project_out(w: &mut Array2<f64>, k: usize) -> f64 {
    let (front, mut rest) = w.multi_slice_mut((s![.., ..k], s![.., k..=k]));
    let mut column = rest.column_mut(0);
    for other in front.columns() {
        let along = other.dot(&column);
        column.scaled_add(-along, &other);
    }
    let length = column.dot(&column).sqrt();
    if length > 0.0 {
        column.mapv_inplace(|v| v / length);
    }
    length
}

fn norm(w: &Array2<f64>, k: usize) -> f64 {
    w.column(k).dot(&w.column(k)).sqrt()
}

/// The coordinate whose unit vector has the least part in the span of orthonormal columns.
fn furthest_unit(columns: ArrayView2<'_, f64>) -> usize {
    let inside = |row: usize| columns.row(row).dot(&columns.row(row));
    let rows = 0..columns.nrows();
    rows.min_by(|&a, &b| inside(a).total_cmp(&inside(b)))
        .expect("more rows than columns")
}

/// The orthonormal P (n × d) of largest `tr PᵀG`: the polar factor `LRᵀ` of `G = LSRᵀ` (orthogonal Procrustes problem) [P. Schönemann,
/// Psychometrika 31 (1966)]. Where G has not full rank, one of several.
pub(super) fn polar_factor(g: ArrayView2<'_, f64>) -> Result<Array2<f64>, SolverError> {
    let square = matmul(g.t(), g);
    let (values, vectors) = symmetric_eigen(square.view())?;
    let largest = values.last().map_or(0.0, |v| v.max(0.0).sqrt());
    // Largest first, so that those known best stay as they are.
    let vectors = vectors.slice(s![.., ..;-1]);
    let mut left = matmul(g, vectors);
    for (mut column, value) in left.columns_mut().into_iter().zip(values.iter().rev()) {
        if value.max(0.0).sqrt() <= SMALLEST * largest {
            column.fill(0.0);
        }
    }
    orthonormalise(&mut left);
    Ok(matmul(left.view(), vectors.t()))
}

#[cfg(test)]
mod tests {
    use super::{orthonormalise, polar_factor};
    use approx::assert_relative_eq;
    use ndarray::{Array2, array};
    use proptest::prelude::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha20Rng;
    use rand_distr::StandardNormal;

    fn normal(rng: &mut ChaCha20Rng, shape: (usize, usize)) -> Array2<f64> {
        Array2::from_shape_simple_fn(shape, || rng.sample(StandardNormal))
    }

    proptest! {
        /// Of products of rank r: orthonormal, a trace no other orthonormal matrix exceeds, and equal to the sum of singular
        /// values, which is that of the roots of the eigenvalues of GᵀG.
        #[test]
        fn the_polar_factor_is_the_best_rotation(seed in any::<u64>(), n in 1..9_usize, d in 1..9_usize, r in 0..9_usize) {
            let d = d.min(n);
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let g = normal(&mut rng, (n, r)).dot(&normal(&mut rng, (r, d)));
            let p = polar_factor(g.view()).unwrap();
            assert_relative_eq!(p.t().dot(&p), Array2::eye(d), epsilon = 1e-13);
            let best = (&p * &g).sum();
            let (values, _) = robust_svm_core::linalg::symmetric_eigen(g.t().dot(&g).view()).unwrap();
            let nuclear: f64 = values.iter().map(|v| v.max(0.0).sqrt()).sum();
            prop_assert!((best - nuclear).abs() <= 1e-6 * (1.0 + nuclear), "{best} {nuclear}");
            for _ in 0..20 {
                let mut other = normal(&mut rng, (n, d));
                orthonormalise(&mut other);
                prop_assert!((&other * &g).sum() <= best + 1e-9 * (1.0 + nuclear));
            }
        }
    }

    #[test]
    fn dependent_columns_are_replaced() {
        let mut w = array![[2.0, 4.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]];
        orthonormalise(&mut w);
        assert_eq!(w, Array2::<f64>::eye(3));
    }
}
