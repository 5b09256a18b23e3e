//! Linear graph embedding of normally distributed inputs (GEU), and of points.

use super::kernel::{check_dims, ridge, some_directions};
use super::pencil::{signed_columns, smallest_ratios};
use super::{EmbeddingSettings, Graph, Laplacian};
use crate::SolverError;
use crate::problem::check_length;
use crate::top_eigen::largest;
use ndarray::{Array1, Array2, ArrayView2, Axis};
use robust_svm_core::distribution::{Covariances, GaussianInputs};
use robust_svm_core::linalg::{CholeskyFactor, matmul, matmul_transposed};

/// Variances this small next to the largest are those of directions the inputs do not have.
const NOTHING: f64 = 1e-12;

/// Directions p in the space of the inputs.
///
/// The scatter of a Laplacian L is `Xᵀ L X + Σ_i L_ii Σ_i` (GEU), the expectation of `½ Σ_ij W_ij (x_i − x_j)(x_i − x_j)ᵀ` for
/// independent `x_i ~ N(m_i, Σ_i)` (derived: for i ≠ j it is `(m_i − m_j)(m_i − m_j)ᵀ + Σ_i + Σ_j`, and there is no pair i = j).
#[derive(Debug, Clone, PartialEq)]
pub struct LinearEmbedding {
    directions: Array2<f64>,
    ratios: Array1<f64>,
}

impl LinearEmbedding {
    /// At most `dims` directions for `inputs` (N inputs in `R^n`); fewer if the graph or the inputs have no more
    /// ([`Self::dims`]). The first directions of many are those of few. O(Nn² + n³).
    ///
    /// # Errors
    /// [`SolverError::Setting`] for `dims` of 0 and a ridge that is not positive, [`SolverError::Shape`] unless the graph is of
    /// N inputs, [`SolverError::Backend`] for inputs that are all 0 and for covariances that are not positive semi-definite.
    pub fn fit(
        graph: &Graph,
        inputs: &GaussianInputs,
        dims: usize,
        settings: &EmbeddingSettings,
    ) -> Result<Self, SolverError> {
        settings.check()?;
        check_length("inputs", graph.inputs(), inputs.len())?;
        let (_, width) = inputs.means().dim();
        if width == 0 {
            check_length("input columns", 1, 0)?;
        }
        let count = check_dims(dims)?.min(graph.most).min(width);
        let mut apart = scatter(&graph.apart, inputs);
        let (ratios, rows) = if let Some(together) = &graph.together {
            let trace = inputs.means().iter().map(|m| m * m).sum::<f64>() + inputs.traces().sum();
            let ridge = ridge(together, trace, settings.ridge)?;
            let mut together = scatter(together, inputs);
            let own = graph.apart.own_ridge(ridge);
            for (scatter, ridge) in [(&mut together, ridge), (&mut apart, own)] {
                scatter.diag_mut().mapv_inplace(|value| value + ridge);
            }
            let factor = CholeskyFactor::new(together)?;
            smallest_ratios(&factor, count, |rows| matmul(rows, apart.view()))?
        } else {
            let (values, rows) = largest(width, count, |rows| matmul(rows, apart.view()))?;
            let kept: Vec<usize> = (0..count)
                .filter(|k| values[*k] > NOTHING * values[0])
                .collect();
            (values.select(Axis(0), &kept), rows.select(Axis(0), &kept))
        };
        some_directions(&ratios)?;
        Ok(Self {
            directions: signed_columns(rows),
            ratios,
        })
    }

    /// The directions' values (M × d) at the rows of `x` (M × n), points or means.
    ///
    /// # Errors
    /// [`SolverError::Shape`] unless `x` has n columns.
    pub fn project(&self, x: ArrayView2<'_, f64>) -> Result<Array2<f64>, SolverError> {
        check_length("width of the inputs", self.directions.nrows(), x.ncols())?;
        Ok(matmul(x, self.directions.view()))
    }

    /// The same directions, each divided by √ρ: `pᵀ(S_L + r I)p = 1` in the place of `pᵀMp = 1`, so that what is kept together has
    /// equal extent along all of them, as linear discriminant analysis is mostly written. Not of use for PCA, where ρ is something else.
    #[must_use]
    pub fn with_unit_together(mut self) -> Self {
        self.directions /= &self.ratios.mapv(f64::sqrt);
        self
    }

    /// The directions p in columns (n × d).
    pub fn directions(&self) -> ArrayView2<'_, f64> {
        self.directions.view()
    }

    /// The ratios ρ (d), increasing; of PCA the variances N times over, decreasing.
    pub fn ratios(&self) -> &Array1<f64> {
        &self.ratios
    }

    /// d, the number of directions.
    pub fn dims(&self) -> usize {
        self.ratios.len()
    }
}

/// `Xᵀ L X + Σ_i L_ii Σ_i` (n × n), symmetric to the last bit.
fn scatter(laplacian: &Laplacian, inputs: &GaussianInputs) -> Array2<f64> {
    let columns = inputs.means().reversed_axes();
    let scattered = matmul_transposed(laplacian.apply(columns).view(), columns);
    let mut sum = (&scattered + &scattered.t()) * 0.5;
    let degrees = laplacian.degrees();
    match inputs.covariances() {
        Covariances::Zero => {}
        Covariances::Isotropic(variances) => {
            let all = degrees.dot(variances);
            sum.diag_mut().mapv_inplace(|value| value + all);
        }
        Covariances::Diagonal(variances) => {
            let mut diagonal = sum.diag_mut();
            diagonal += &degrees.dot(variances);
        }
        Covariances::Full(matrices) => {
            for (degree, Σ) in degrees.iter().zip(matrices) {
                sum.scaled_add(*degree, Σ);
            }
        }
    }
    sum
}
