//! Graph embedding in the space of a kernel: of points (GE) and of distributions (NGEU).

use super::classes::discriminants;
use super::pencil::{signed_columns, smallest_ratios};
use super::{EmbeddingSettings, Graph, Laplacian};
use crate::SolverError;
use crate::kernel::principal_components;
use crate::multiclass::check_gram;
use crate::problem::check_length;
use ndarray::{Array1, Array2, ArrayView2};
use robust_svm_core::linalg::{CholeskyFactor, matmul, matmul_transposed};

/// `K + δ tr(K)/N I` is factorised where K itself has to be: each training input is given that little variance of its own.
const OWN_VARIANCE: f64 = 1e-11;

/// Directions `Σ_i a_i k(x_i, ·)` in the space of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelEmbedding {
    coefficients: Array2<f64>,
    ratios: Array1<f64>,
}

impl KernelEmbedding {
    /// At most `dims` directions for the inputs with the Gram matrix `gram` (N × N, symmetric positive semi-definite):
    /// the kernel of points (GE) or of mean embeddings (NGEU). Fewer if the graph or the kernel has no more
    /// ([`Self::dims`]). The first directions of many are those of few.
    ///
    /// LDA takes one Cholesky factorisation, O(N³/3), PCA O(N²) a direction, MFA two factorisations and a product.
    ///
    /// # Errors
    /// [`SolverError::Setting`] for `dims` of 0 and a ridge that is not positive, [`SolverError::Shape`] unless `gram` is
    /// N × N, [`SolverError::NotFinite`], [`SolverError::Backend`] if `gram` is not positive semi-definite or is 0.
    pub fn fit(
        graph: &Graph,
        gram: ArrayView2<'_, f64>,
        dims: usize,
        settings: &EmbeddingSettings,
    ) -> Result<Self, SolverError> {
        settings.check()?;
        check_square(gram, graph.inputs())?;
        let count = check_dims(dims)?.min(graph.most);
        let (ratios, rows) = match (&graph.together, &graph.apart) {
            (None, _) => principal_components(gram, count)?,
            (Some(together), apart) => {
                let ridge = ridge(together, gram.diag().sum(), settings.ridge)?;
                match (together, apart) {
                    (Laplacian::Classes { labels, sizes }, Laplacian::Complete { .. }) => {
                        discriminants((labels, sizes), gram, ridge, count)?
                    }
                    _ => by_factors((together, apart), gram, ridge, count)?,
                }
            }
        };
        some_directions(&ratios)?;
        Ok(Self {
            coefficients: signed_columns(rows),
            ratios,
        })
    }

    /// The directions' values (M × d) at M inputs, `cross` (M × N) their kernel with the N training inputs. For the training
    /// inputs themselves that is the Gram matrix.
    ///
    /// # Errors
    /// [`SolverError::Shape`] unless `cross` has N columns.
    pub fn project(&self, cross: ArrayView2<'_, f64>) -> Result<Array2<f64>, SolverError> {
        check_length("kernel columns", self.coefficients.nrows(), cross.ncols())?;
        Ok(matmul(cross, self.coefficients.view()))
    }

    /// The same directions, each divided by √ρ: `pᵀ(S_L + r I)p = 1` in the place of `pᵀMp = 1`, so that what is kept together has
    /// equal extent along all of them, as linear discriminant analysis is mostly written. Not of use for PCA, where ρ is something else.
    #[must_use]
    pub fn with_unit_together(mut self) -> Self {
        self.coefficients /= &self.ratios.mapv(f64::sqrt);
        self
    }

    /// The coefficients a in columns (N × d).
    pub fn coefficients(&self) -> ArrayView2<'_, f64> {
        self.coefficients.view()
    }

    /// The ratios ρ (d), increasing; of PCA the variances `N` times over, decreasing.
    pub fn ratios(&self) -> &Array1<f64> {
        &self.ratios
    }

    /// d, the number of directions.
    pub fn dims(&self) -> usize {
        self.ratios.len()
    }
}

/// The eigenproblem in the coordinates p of `K = RRᵀ`, `p = Rᵀa`: scatters are `RᵀLR`.
fn by_factors(
    (together, apart): (&Laplacian, &Laplacian),
    gram: ArrayView2<'_, f64>,
    ridge: f64,
    count: usize,
) -> Result<(Array1<f64>, Array2<f64>), SolverError> {
    let n = gram.nrows();
    let mut own = gram.as_standard_layout().into_owned();
    let variance = OWN_VARIANCE * gram.diag().sum() / n as f64;
    own.diag_mut().mapv_inplace(|value| value + variance);
    let root = CholeskyFactor::new(own)?;
    let mut scatter = matmul_transposed(together.apply(root.upper()).view(), root.upper());
    scatter.diag_mut().mapv_inplace(|value| value + ridge);
    let own = apart.own_ridge(ridge);
    let (ratios, p) = smallest_ratios(&CholeskyFactor::new(scatter)?, count, |rows| {
        let spread = apart.apply(root.lower_times(rows).view());
        root.upper_times(spread.view()) + &rows * own
    })?;
    Ok((ratios, root.solve_upper(p)))
}

/// `r = ε · tr(K)/N · tr(L)/N`.
pub(super) fn ridge(
    together: &Laplacian,
    gram_trace: f64,
    epsilon: f64,
) -> Result<f64, SolverError> {
    let n = together.inputs() as f64;
    let ridge = epsilon * (gram_trace / n) * (together.degrees().sum() / n);
    if ridge > 0.0 && ridge.is_finite() {
        return Ok(ridge);
    }
    let text = "the Gram matrix is 0 (of uncertain inputs it may underflow: use less uncertainty or a larger sigma), \
                or no two inputs are of one class: there is nothing to keep together";
    Err(SolverError::Backend(text.into()))
}

/// That there is a direction.
pub(super) fn some_directions(ratios: &Array1<f64>) -> Result<(), SolverError> {
    if !ratios.is_empty() {
        return Ok(());
    }
    let text = "the inputs vary in no direction that the graph keeps apart";
    Err(SolverError::Backend(text.into()))
}

pub(super) fn check_dims(dims: usize) -> Result<usize, SolverError> {
    if dims == 0 {
        return Err(SolverError::Setting {
            name: "dims",
            expected: "at least 1",
            found: "0".into(),
        });
    }
    Ok(dims)
}

fn check_square(gram: ArrayView2<'_, f64>, expected: usize) -> Result<(), SolverError> {
    check_length("rows of the kernel matrix", expected, gram.nrows())?;
    check_length("columns of the kernel matrix", expected, gram.ncols())?;
    check_gram(gram)
}

#[cfg(test)]
mod tests {
    use super::super::classes::discriminants;
    use super::{Graph, Laplacian, by_factors};
    use approx::assert_relative_eq;
    use ndarray::Array2;
    use robust_svm_core::kernel::GaussianKernel;
    use robust_svm_core::linalg::matmul_transposed;

    /// Discriminants by their own derivation and by the eigenproblem of all other graphs; a class may be empty.
    #[test]
    fn discriminants_by_two_ways() {
        let x = Array2::from_shape_fn((80, 3), |(i, k)| ((i * i + 31 * k) as f64 * 0.61).sin());
        let labels: Vec<usize> = (0..80).map(|i| [0, 1, 3, 4, 1][i % 5]).collect();
        let graph = Graph::lda(&labels, 5).unwrap();
        let together = graph.together().unwrap();
        let Laplacian::Classes { sizes, .. } = together else {
            panic!("classes");
        };
        let gram = GaussianKernel::new(0.6).unwrap().matrix(x.view(), x.view());
        for ridge in [1e-3, 0.1, 10.0] {
            let (ratios, a) = discriminants((&labels, sizes), gram.view(), ridge, 3).unwrap();
            let pair = (together, graph.apart());
            let (others, b) = by_factors(pair, gram.view(), ridge, 3).unwrap();
            assert_relative_eq!(ratios, others, max_relative = 1e-6);
            let (u, v) = (
                matmul_transposed(a.view(), gram.view()),
                matmul_transposed(b.view(), gram.view()),
            );
            for (u, v) in u.outer_iter().zip(v.outer_iter()) {
                let sign = u.dot(&v).signum();
                assert_relative_eq!(u.to_owned() * sign, v, epsilon = 1e-5);
            }
        }
    }
}
