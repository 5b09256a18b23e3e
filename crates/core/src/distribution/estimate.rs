//! How uncertain inputs are taken to be where nothing is known but the inputs.

use super::Covariances;
use crate::CoreError;
use crate::data::nearest_neighbour_distances;
use ndarray::{Array1, ArrayView2};

/// `Σ_i = a d_i² I`, d_i the distance of row i of `x` (L × n) to the nearest other row [Laakom et al., NGEU]; a ≥ 0, two rows or
/// more. O(L² n).
///
/// # Errors
/// [`CoreError::Parameter`] for an `a` that is negative or not finite, [`CoreError::Shape`] for fewer than two rows.
pub fn nearest_neighbour_variances(
    x: ArrayView2<'_, f64>,
    a: f64,
) -> Result<Covariances, CoreError> {
    check_width("a", a)?;
    if x.nrows() < 2 {
        let (what, expected, found) = ("rows", 2, x.nrows());
        return Err(CoreError::Shape {
            what,
            expected,
            found,
        });
    }
    Ok(Covariances::Isotropic(
        nearest_neighbour_distances(x).mapv(|d| a * d * d),
    ))
}

/// `Σ_i = αI` for `inputs` inputs, the 'basic' uncertainty [Laakom et al., NGEU-N]; α ≥ 0.
///
/// # Errors
/// [`CoreError::Parameter`] for an α that is negative or not finite.
pub fn basic(inputs: usize, alpha: f64) -> Result<Covariances, CoreError> {
    check_width("alpha", alpha)?;
    Ok(Covariances::Isotropic(Array1::from_elem(inputs, alpha)))
}

fn check_width(name: &'static str, value: f64) -> Result<(), CoreError> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(CoreError::parameter(name, "finite and ≥ 0", value))
}

#[cfg(test)]
mod tests {
    use super::{basic, nearest_neighbour_variances};
    use crate::distribution::Covariances;
    use ndarray::array;

    #[test]
    fn variances_worked_by_hand() {
        let x = array![[0.0, 0.0], [3.0, 4.0], [3.0, 5.0]];
        let found = nearest_neighbour_variances(x.view(), 0.5).unwrap();
        assert_eq!(found, Covariances::Isotropic(array![12.5, 0.5, 0.5]));
        assert!(nearest_neighbour_variances(x.view(), -1.0).is_err());
        assert!(nearest_neighbour_variances(array![[1.0]].view(), 1.0).is_err());
        let all = basic(2, 0.25).unwrap();
        assert_eq!(all, Covariances::Isotropic(array![0.25, 0.25]));
        assert!(basic(2, f64::NAN).is_err());
    }
}
