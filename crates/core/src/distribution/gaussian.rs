//! Normally distributed inputs, `P_i = N(m_i, Σ_i)` [Laakom et al., NGEU].

use crate::CoreError;
use crate::check::{check_finite, check_length};
use crate::linalg::into_standard_layout;
use ndarray::{Array1, Array2, ArrayView2, Axis};

/// The covariances Σ_i of L inputs in `R^n`.
#[derive(Debug, Clone, PartialEq)]
pub enum Covariances {
    /// Σ_i = 0: the inputs are points.
    Zero,
    /// `Σ_i = v_i I`, variances v (L), each finite and ≥ 0.
    Isotropic(Array1<f64>),
    /// `Σ_i = diag(V_i)`, variances V (L × n), each finite and ≥ 0.
    Diagonal(Array2<f64>),
    /// Any symmetric positive semi-definite Σ_i (n × n), L of them.
    Full(Vec<Array2<f64>>),
}

/// Normally distributed inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct GaussianInputs {
    means: Array2<f64>,
    covariances: Covariances,
}

impl GaussianInputs {
    /// Inputs with the means m_i in the rows of `means` (L × n) and `covariances`. That a full Σ_i has no negative
    /// eigenvalue is not looked at.
    ///
    /// # Errors
    /// [`CoreError::Shape`] if the shapes disagree, [`CoreError::NotFinite`] for a value that is not finite,
    /// [`CoreError::Parameter`] for a negative variance and a full Σ_i that is not symmetric.
    pub fn new(means: Array2<f64>, covariances: Covariances) -> Result<Self, CoreError> {
        check_finite("means", means.view())?;
        check_covariances(means.dim(), &covariances)?;
        Ok(Self { means, covariances })
    }

    /// The points in the rows of `x` (L × n), each its own distribution.
    ///
    /// # Errors
    /// [`CoreError::NotFinite`] for a value that is not finite.
    pub fn points(x: Array2<f64>) -> Result<Self, CoreError> {
        Self::new(x, Covariances::Zero)
    }

    /// The means m_i (L × n).
    pub fn means(&self) -> ArrayView2<'_, f64> {
        self.means.view()
    }

    /// The covariances Σ_i.
    pub fn covariances(&self) -> &Covariances {
        &self.covariances
    }

    /// L, the number of inputs.
    pub fn len(&self) -> usize {
        self.means.nrows()
    }

    /// Whether there is no input.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The total variances `tr Σ_i` (L).
    pub fn traces(&self) -> Array1<f64> {
        match &self.covariances {
            Covariances::Zero => Array1::zeros(self.len()),
            Covariances::Isotropic(variances) => variances * self.means.ncols() as f64,
            Covariances::Diagonal(variances) => variances.sum_axis(Axis(1)),
            Covariances::Full(matrices) => matrices.iter().map(|Σ| Σ.diag().sum()).collect(),
        }
    }

    /// The inputs of the given rows, in the order given.
    ///
    /// # Panics
    /// If a row does not exist.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        let covariances = match &self.covariances {
            Covariances::Zero => Covariances::Zero,
            Covariances::Isotropic(variances) => {
                Covariances::Isotropic(variances.select(Axis(0), rows))
            }
            Covariances::Diagonal(variances) => {
                // The last bits of sums depend on how memory is laid out.
                Covariances::Diagonal(into_standard_layout(variances.select(Axis(0), rows)))
            }
            Covariances::Full(matrices) => {
                Covariances::Full(rows.iter().map(|row| matrices[*row].clone()).collect())
            }
        };
        let means = into_standard_layout(self.means.select(Axis(0), rows));
        Self { means, covariances }
    }

    /// The points in the rows of `x`, finite or not.
    pub(crate) fn at(x: ArrayView2<'_, f64>) -> Self {
        Self {
            means: x.as_standard_layout().into_owned(),
            covariances: Covariances::Zero,
        }
    }

    /// Whether the Σ_i may have entries off their diagonals.
    pub(crate) fn has_full_covariances(&self) -> bool {
        matches!(self.covariances, Covariances::Full(_))
    }

    /// v (L) where every `Σ_i = v_i I`.
    pub(crate) fn common_variances(&self) -> Option<Array1<f64>> {
        match &self.covariances {
            Covariances::Zero => Some(Array1::zeros(self.len())),
            Covariances::Isotropic(variances) => Some(variances.clone()),
            Covariances::Diagonal(_) | Covariances::Full(_) => None,
        }
    }

    /// The diagonals of Σ_i as rows (L × n).
    pub(crate) fn variances(&self) -> Array2<f64> {
        match &self.covariances {
            Covariances::Zero => Array2::zeros(self.means.dim()),
            Covariances::Isotropic(variances) => {
                Array2::from_shape_fn(self.means.dim(), |(i, _)| variances[i])
            }
            Covariances::Diagonal(variances) => variances.as_standard_layout().into_owned(),
            Covariances::Full(matrices) => {
                Array2::from_shape_fn(self.means.dim(), |(i, k)| matrices[i][(k, k)])
            }
        }
    }

    /// Adds `scale · Σ_i` to `target` (n × n).
    pub(crate) fn add_covariance(&self, i: usize, scale: f64, target: &mut Array2<f64>) {
        match &self.covariances {
            Covariances::Zero => {}
            Covariances::Isotropic(variances) => {
                target.diag_mut().mapv_inplace(|t| t + scale * variances[i]);
            }
            Covariances::Diagonal(variances) => {
                target.diag_mut().scaled_add(scale, &variances.row(i));
            }
            Covariances::Full(matrices) => target.scaled_add(scale, &matrices[i]),
        }
    }

    /// Whether Σ_i = Σ_j.
    pub(crate) fn same_covariance(&self, i: usize, j: usize) -> bool {
        match &self.covariances {
            Covariances::Zero => true,
            Covariances::Isotropic(variances) => variances[i] == variances[j],
            Covariances::Diagonal(variances) => variances.row(i) == variances.row(j),
            Covariances::Full(matrices) => matrices[i] == matrices[j],
        }
    }
}

/// That there are covariances for `inputs` inputs in `R^width`.
fn check_covariances(
    (inputs, width): (usize, usize),
    covariances: &Covariances,
) -> Result<(), CoreError> {
    let number = |found| check_length("covariances", inputs, found);
    let columns = |found| check_length("width of the covariances", width, found);
    match covariances {
        Covariances::Zero => Ok(()),
        Covariances::Isotropic(variances) => {
            number(variances.len())?;
            check_variances(variances.view().insert_axis(Axis(1)))
        }
        Covariances::Diagonal(variances) => {
            number(variances.nrows())?;
            columns(variances.ncols())?;
            check_variances(variances.view())
        }
        Covariances::Full(matrices) => {
            number(matrices.len())?;
            for Σ in matrices {
                check_length("height of a covariance", width, Σ.nrows())?;
                columns(Σ.ncols())?;
                check_finite("covariance", Σ.view())?;
                check_variances(Σ.diag().insert_axis(Axis(1)))?;
                if Σ.t() != Σ {
                    return Err(CoreError::parameter("covariance", "symmetric", Σ));
                }
            }
            Ok(())
        }
    }
}

fn check_variances(variances: ArrayView2<'_, f64>) -> Result<(), CoreError> {
    check_finite("variances", variances)?;
    match variances.iter().find(|v| **v < 0.0) {
        Some(negative) => Err(CoreError::parameter("variances", "≥ 0", negative)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Covariances, GaussianInputs};
    use crate::CoreError;
    use ndarray::{Array1, array};

    #[test]
    fn total_variances_worked_by_hand() {
        let means = array![[0.0, 1.0], [2.0, 3.0]];
        let of = |covariances| GaussianInputs::new(means.clone(), covariances).unwrap();
        assert_eq!(of(Covariances::Zero).traces(), Array1::zeros(2));
        let isotropic = of(Covariances::Isotropic(array![0.5, 0.0]));
        assert_eq!(isotropic.traces(), array![1.0, 0.0]);
        let diagonal = of(Covariances::Diagonal(array![[1.0, 2.0], [0.0, 4.0]]));
        assert_eq!(diagonal.traces(), array![3.0, 4.0]);
        let full = vec![
            array![[2.0, 1.0], [1.0, 3.0]],
            array![[0.0, 0.0], [0.0, 1.0]],
        ];
        assert_eq!(of(Covariances::Full(full)).traces(), array![5.0, 1.0]);
    }

    #[test]
    fn what_is_no_covariance_is_refused() {
        let refused =
            |covariances| GaussianInputs::new(array![[0.0, 1.0]], covariances).unwrap_err();
        let parameter = |error| matches!(error, CoreError::Parameter { .. });
        assert!(parameter(refused(Covariances::Isotropic(array![-1.0]))));
        assert!(parameter(refused(Covariances::Diagonal(array![[
            1.0, -1.0
        ]]))));
        let lopsided = array![[1.0, 0.5], [0.0, 1.0]];
        assert!(parameter(refused(Covariances::Full(vec![lopsided]))));
        let shape = |error| matches!(error, CoreError::Shape { .. });
        assert!(shape(refused(Covariances::Isotropic(array![1.0, 1.0]))));
        assert!(shape(refused(Covariances::Diagonal(array![[1.0]]))));
        assert!(shape(refused(Covariances::Full(vec![]))));
        let nan = refused(Covariances::Isotropic(array![f64::NAN]));
        assert!(matches!(nan, CoreError::NotFinite { .. }));
    }
}
