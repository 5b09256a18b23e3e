//! The factor Σ^{1/2} of an uncertainty set, and the one of a covariance matrix.

use super::{Norm, operator_norm};
use crate::CoreError;
use crate::linalg::{matmul_transposed, symmetric_eigen};
use ndarray::{Array1, Array2, ArrayView2};

/// Asymmetry and negative eigenvalues of a covariance matrix are rounding up to this share of its
/// largest entry or eigenvalue.
const ROUNDING: f64 = 1e-12;

/// The factor Σ^{1/2} of an uncertainty set on `R^n`.
#[derive(Debug, Clone, PartialEq)]
pub enum Factor {
    /// Σ = I: a ball.
    Identity,
    /// Σ^{1/2} = diag(s): axes along the features. Entries ≥ 0; 0 means that a feature is certain.
    Diagonal(Array1<f64>),
    /// Σ^{1/2} = F, any n × n matrix: the set is `{F u : ‖u‖_p ≤ γ}` and Σ = FFᵀ. F may be singular: then
    /// directions outside its range are certain.
    Full(Array2<f64>),
}

impl Factor {
    /// That the entries are in their range, and a full factor square.
    pub(super) fn check(&self) -> Result<(), CoreError> {
        match self {
            Self::Identity => Ok(()),
            Self::Diagonal(scales) => {
                match scales.iter().find(|s| !(s.is_finite() && **s >= 0.0)) {
                    Some(bad) => Err(CoreError::parameter("scales", "finite and ≥ 0", bad)),
                    None => Ok(()),
                }
            }
            Self::Full(f) => check_square(f.view(), "factor of the uncertainty set"),
        }
    }

    /// `‖F‖_{p→2}` of a full factor, never below the true value.
    pub(super) fn full_norm(&self, p: Norm) -> Result<Option<f64>, CoreError> {
        let Self::Full(f) = self else {
            return Ok(None);
        };
        let norm = operator_norm(f.view(), p)?;
        if norm.is_finite() {
            Ok(Some(norm))
        } else {
            Err(CoreError::Numerical(
                "the norm of the uncertainty set's factor overflows".into(),
            ))
        }
    }
}

/// That `matrix` is square and finite.
fn check_square(matrix: ArrayView2<'_, f64>, what: &'static str) -> Result<(), CoreError> {
    let (rows, columns) = matrix.dim();
    if rows != columns {
        return Err(CoreError::Shape {
            what,
            expected: rows,
            found: columns,
        });
    }
    match matrix.indexed_iter().find(|(_, v)| !v.is_finite()) {
        Some(((row, column), _)) => Err(CoreError::NotFinite { what, row, column }),
        None => Ok(()),
    }
}

/// The symmetric positive semi-definite square root `V Λ^{1/2} Vᵀ` of `sigma = V Λ Vᵀ` (n × n).
pub(super) fn square_root(sigma: ArrayView2<'_, f64>) -> Result<Array2<f64>, CoreError> {
    check_square(sigma, "covariance matrix")?;
    let largest_entry = sigma.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    for ((i, j), value) in sigma.indexed_iter() {
        if (value - sigma[(j, i)]).abs() > ROUNDING * largest_entry {
            let found = format!("{value} at ({i}, {j}) and {} at ({j}, {i})", sigma[(j, i)]);
            return Err(CoreError::parameter(
                "covariance matrix",
                "symmetric",
                found,
            ));
        }
    }
    let (values, vectors) = symmetric_eigen(sigma)?;
    let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    if let Some(negative) = values.iter().find(|λ| **λ < -ROUNDING * largest) {
        let found = format!("the eigenvalue {negative}");
        return Err(CoreError::parameter(
            "covariance matrix",
            "positive semi-definite",
            found,
        ));
    }
    let stretched = &vectors * &values.mapv(|λ| λ.max(0.0).sqrt());
    Ok(matmul_transposed(stretched.view(), vectors.view()))
}

#[cfg(test)]
mod tests {
    use super::{Factor, square_root};
    use crate::CoreError;
    use crate::uncertainty::{Norm, UncertaintySet};
    use approx::assert_relative_eq;
    use ndarray::{Array2, array};
    use proptest::prelude::*;

    #[test]
    fn a_square_root_worked_by_hand() {
        // Eigenvalues 9 along (1, 1)/√2 and 1 along (1, −1)/√2: roots 3 and 1.
        let root = square_root(array![[5.0, 4.0], [4.0, 5.0]].view()).unwrap();
        assert_relative_eq!(root, array![[2.0, 1.0], [1.0, 2.0]], epsilon = 1e-14);
        // Singular: along (1, 1) only.
        let set = UncertaintySet::from_covariance(Norm::Two, array![[1.0, 1.0], [1.0, 1.0]].view());
        let set = set.unwrap();
        let support = set.support(array![[1.0, 1.0], [1.0, -1.0]].view());
        assert_relative_eq!(support, array![2.0, 0.0], epsilon = 1e-7);
        assert_relative_eq!(set.longest(2), 2.0_f64.sqrt(), max_relative = 1e-11);
    }

    proptest! {
        /// The root is symmetric, its square is Σ, and it has no negative direction.
        #[test]
        fn roots_multiply_out(entries in prop::collection::vec(-3.0..3.0_f64, 16), rank in 1..5_usize) {
            let half = Array2::from_shape_vec((4, 4), entries).unwrap();
            let half = half.slice(ndarray::s![.., ..rank]);
            let sigma = half.dot(&half.t());
            let root = square_root(sigma.view()).unwrap();
            assert_relative_eq!(root, root.t().to_owned(), epsilon = 1e-12);
            assert_relative_eq!(root.dot(&root), sigma, epsilon = 1e-11);
            let w = array![0.3, -1.0, 0.7, 2.0];
            prop_assert!(w.dot(&root.dot(&w)) >= -1e-12);
            // At p = 2 the support function is sqrt(wᵀΣw).
            let set = UncertaintySet::from_covariance(Norm::Two, sigma.view()).unwrap();
            let support = set.support(w.view().insert_axis(ndarray::Axis(0)))[0];
            assert_relative_eq!(support * support, w.dot(&sigma.dot(&w)), epsilon = 1e-10);
        }
    }

    #[test]
    fn what_is_no_covariance_or_factor_is_refused() {
        let refused = |sigma: Array2<f64>| {
            UncertaintySet::from_covariance(Norm::Two, sigma.view()).unwrap_err()
        };
        let indefinite = refused(array![[1.0, 2.0], [2.0, 1.0]]);
        assert!(
            matches!(&indefinite, CoreError::Parameter { found, .. } if found.contains("-1")
            || found.contains("-0.99"))
        );
        let lopsided = refused(array![[1.0, 0.5], [0.0, 1.0]]);
        assert!(matches!(lopsided, CoreError::Parameter { .. }));
        assert!(matches!(
            refused(Array2::zeros((2, 3))),
            CoreError::Shape { .. }
        ));
        let nan = array![[1.0, 0.0], [0.0, f64::NAN]];
        assert!(matches!(
            refused(nan.clone()),
            CoreError::NotFinite {
                row: 1,
                column: 1,
                ..
            }
        ));
        let full = |f| UncertaintySet::new(Norm::Infinity, Factor::Full(f));
        assert!(matches!(full(nan), Err(CoreError::NotFinite { .. })));
        assert!(matches!(
            full(Array2::zeros((3, 2))),
            Err(CoreError::Shape { .. })
        ));
        assert!(matches!(
            full(array![[1e200]]),
            Err(CoreError::Numerical(_))
        ));
    }
}
