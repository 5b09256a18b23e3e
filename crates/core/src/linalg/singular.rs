//! Singular values.

use super::{contiguous, faer_ref};
use crate::CoreError;
use faer::Par;
use faer::linalg::svd::{ComputeSvdVectors, SvdParams, svd, svd_scratch};
use ndarray::{Array1, Array2, ArrayView2};

/// The singular values of `a` (p × q) in decreasing order, min(p, q) of them, and their right singular vectors as columns (q × min(p, q)), by
/// the thin decomposition `A = U diag(σ) Vᵀ` of faer: errors are of the order of `ε σ₁`, where eigenvalues of `AᵀA` leave `√ε σ₁` of small ones.
///
/// # Errors
/// [`CoreError::Numerical`] if an entry is not finite, or the iteration does not converge.
pub fn right_singular_vectors(
    a: ArrayView2<'_, f64>,
) -> Result<(Array1<f64>, Array2<f64>), CoreError> {
    if a.iter().any(|v| !v.is_finite()) {
        return Err(CoreError::Numerical(
            "singular values of a matrix that is not finite".into(),
        ));
    }
    let (p, q) = a.dim();
    let count = p.min(q);
    if count == 0 {
        return Ok((Array1::zeros(0), Array2::zeros((q, 0))));
    }
    let a = contiguous(a);
    let mut values = faer::diag::Diag::<f64>::zeros(count);
    let mut vectors = faer::Mat::<f64>::zeros(q, count);
    let parameters = faer::Spec::<SvdParams, f64>::default();
    let (left, right) = (ComputeSvdVectors::No, ComputeSvdVectors::Thin);
    let scratch = svd_scratch::<f64>(p, q, left, right, Par::Seq, parameters);
    let mut memory = faer::dyn_stack::MemBuffer::new(scratch);
    svd(
        faer_ref(&a),
        values.as_mut(),
        None,
        Some(vectors.as_mut()),
        Par::Seq,
        faer::dyn_stack::MemStack::new(&mut memory),
        parameters,
    )
    .map_err(|_| CoreError::Numerical("the singular value iteration did not converge".into()))?;
    Ok((
        Array1::from_iter((0..count).map(|k| values[k])),
        Array2::from_shape_fn((q, count), |(j, k)| vectors[(j, k)]),
    ))
}

#[cfg(test)]
mod tests {
    use super::right_singular_vectors;
    use crate::linalg::matmul_transposed;
    use approx::assert_relative_eq;
    use ndarray::{Array2, array};
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;
    use rand_distr::{Distribution, StandardNormal};

    /// 3 and 1e−9 between turned axes: of the eigenvalues 9 and 1e−18 of AᵀA the latter would be lost in the rounding of the former.
    #[test]
    fn small_values_are_found_to_rounding_of_the_largest() {
        let left = array![[0.6, -0.8], [0.8, 0.6]];
        let right = array![[2.0, 1.0, 2.0], [1.0, 2.0, -2.0]] / 3.0;
        let a = (left * array![3.0, 1e-9]).dot(&right);
        let (values, vectors) = right_singular_vectors(a.view()).unwrap();
        assert_relative_eq!(values, array![3.0, 1e-9], epsilon = 1e-14);
        let cosines = right.dot(&vectors).mapv(f64::abs);
        assert_relative_eq!(cosines, Array2::eye(2), epsilon = 1e-6);
    }

    /// `AᵀA = V diag(σ²) Vᵀ` and `VᵀV = 1`, of wide, tall and square matrices.
    #[test]
    fn they_make_the_gram_matrix() {
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        for (p, q) in [(1, 1), (2, 7), (40, 5), (200, 200), (300, 129)] {
            let a = Array2::from_shape_simple_fn((p, q), || StandardNormal.sample(&mut rng));
            let (values, v) = right_singular_vectors(a.view()).unwrap();
            assert!(values.windows(2).into_iter().all(|pair| pair[0] >= pair[1]));
            let squared = &v * &values.mapv(|s| s * s);
            let gram = matmul_transposed(squared.view(), v.view());
            assert_relative_eq!(gram, a.t().dot(&a), epsilon = 1e-11 * (p + q) as f64);
            assert_relative_eq!(
                v.t().dot(&v),
                Array2::eye(p.min(q)),
                epsilon = 1e-13 * q as f64
            );
        }
    }

    #[test]
    fn what_is_not_finite_is_refused_and_nothing_has_none() {
        assert!(right_singular_vectors(array![[f64::NAN]].view()).is_err());
        let (values, vectors) = right_singular_vectors(Array2::zeros((0, 4)).view()).unwrap();
        assert_eq!((values.len(), vectors.dim()), (0, (4, 0)));
    }
}
