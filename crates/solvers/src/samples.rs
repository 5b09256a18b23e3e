//! The features of the training samples: dense, sparse or streamed.

use crate::SolverError;
use crate::stream::StreamSamples;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, CowArray, Ix2};
use sprs::CsMatView;

/// The features Φ (L × D), one sample a row.
#[derive(Debug, Clone, Copy)]
pub enum Samples<'a> {
    /// Every value stored.
    Dense(ArrayView2<'a, f64>),
    /// Compressed sparse rows: only the values that are not 0.
    Sparse(CsMatView<'a, f64>),
    /// None: computed from rows in blocks whenever they are needed; of [`solve_stream`](crate::stream::solve_stream).
    Streamed(&'a StreamSamples<'a>),
}

impl<'a> From<ArrayView2<'a, f64>> for Samples<'a> {
    fn from(features: ArrayView2<'a, f64>) -> Self {
        Self::Dense(features)
    }
}

impl<'a> From<CsMatView<'a, f64>> for Samples<'a> {
    fn from(features: CsMatView<'a, f64>) -> Self {
        Self::Sparse(features)
    }
}

impl<'a> From<&'a StreamSamples<'a>> for Samples<'a> {
    fn from(samples: &'a StreamSamples<'a>) -> Self {
        Self::Streamed(samples)
    }
}

impl Samples<'_> {
    /// The same features for a shorter time.
    pub fn reborrow(&self) -> Samples<'_> {
        match self {
            Self::Dense(phi) => Samples::Dense(phi.reborrow()),
            Self::Sparse(phi) => Samples::Sparse(phi.view()),
            Self::Streamed(samples) => Samples::Streamed(samples),
        }
    }

    /// (L, D).
    pub fn dim(&self) -> (usize, usize) {
        match self {
            Self::Dense(phi) => phi.dim(),
            Self::Sparse(phi) => (phi.rows(), phi.cols()),
            Self::Streamed(samples) => samples.dim(),
        }
    }

    /// `Φζ` (L).
    ///
    /// # Panics
    /// If `zeta` is not D long.
    pub fn scores(&self, zeta: ArrayView1<'_, f64>) -> Array1<f64> {
        match self {
            Self::Dense(phi) => phi.dot(&zeta),
            Self::Sparse(phi) => {
                assert_eq!(zeta.len(), phi.cols(), "one weight a feature");
                let row_score = |row: sprs::CsVecView<'_, f64>| {
                    row.iter().map(|(k, value)| value * zeta[k]).sum::<f64>()
                };
                phi.outer_iterator().map(row_score).collect()
            }
            Self::Streamed(samples) => samples.scores(zeta),
        }
    }

    /// `Φᵀr = Σ r_iφ_i` (D).
    ///
    /// # Panics
    /// If `r` is not L long.
    pub fn weighted_sum(&self, r: ArrayView1<'_, f64>) -> Array1<f64> {
        match self {
            // Columns in one piece of memory each.
            Self::Dense(phi) if phi.strides()[0] == 1 => phi.t().dot(&r),
            Self::Dense(phi) => {
                assert_eq!(r.len(), phi.nrows(), "one factor a sample");
                let mut sum = Array1::zeros(phi.ncols());
                for (row, r) in phi.outer_iter().zip(r) {
                    sum.scaled_add(*r, &row);
                }
                sum
            }
            Self::Sparse(phi) => {
                assert_eq!(r.len(), phi.rows(), "one factor a sample");
                let mut sum = Array1::zeros(phi.cols());
                for (row, r) in phi.outer_iterator().zip(r) {
                    for (k, value) in row.iter() {
                        sum[k] += r * value;
                    }
                }
                sum
            }
            Self::Streamed(samples) => samples.weighted_sum(r),
        }
    }

    /// Φ with every value stored; a copy if it is sparse or streamed.
    pub fn to_dense(&self) -> CowArray<'_, f64, Ix2> {
        match self {
            Self::Dense(phi) => CowArray::from(phi.reborrow()),
            Self::Sparse(phi) => CowArray::from(dense(phi.view())),
            Self::Streamed(samples) => CowArray::from(samples.to_dense()),
        }
    }

    /// That every value is finite and that sparse ones are stored row after row; `what` names them in errors.
    pub(crate) fn check(&self, what: &'static str) -> Result<(), SolverError> {
        let not_finite = |row, column| SolverError::NotFinite { what, row, column };
        match self {
            Self::Dense(phi) => {
                // Without a way out early, which would keep the compiler from looking at many at once.
                let finite =
                    |row: &ArrayView1<'_, f64>| row.fold(true, |all, v| all & v.is_finite());
                let mut rows = phi.outer_iter().enumerate();
                match rows.find(|(_, values)| !finite(values)) {
                    Some((row, values)) => {
                        let column = values.iter().position(|v| !v.is_finite());
                        Err(not_finite(row, column.expect("one of the row")))
                    }
                    None => Ok(()),
                }
            }
            // Every pass checks them.
            Self::Streamed(_) => Ok(()),
            Self::Sparse(phi) if !phi.is_csr() => Err(SolverError::Setting {
                name: "features",
                expected: "compressed sparse rows",
                found: "compressed sparse columns".into(),
            }),
            Self::Sparse(phi) => match phi.iter().find(|(v, _)| !v.is_finite()) {
                Some((_, (row, column))) => Err(not_finite(row, column)),
                None => Ok(()),
            },
        }
    }
}

fn dense(phi: CsMatView<'_, f64>) -> Array2<f64> {
    let mut dense = Array2::zeros((phi.rows(), phi.cols()));
    for (value, (row, column)) in &phi {
        dense[(row, column)] = *value;
    }
    dense
}

#[cfg(test)]
mod tests {
    use super::Samples;
    use crate::SolverError;
    use ndarray::{Array1, Array2, ShapeBuilder as _, s};
    use sprs::CsMat;

    #[test]
    fn sparse_products_are_the_dense_ones() {
        let phi = Array2::from_shape_fn((7, 5), |(i, k)| {
            if (3 * i + k) % 4 == 0 {
                (i + 2 * k) as f64 - 3.5
            } else {
                0.0
            }
        });
        let csr = CsMat::csr_from_dense(phi.view(), 0.0);
        let (dense, sparse) = (Samples::from(phi.view()), Samples::from(csr.view()));
        let zeta = Array1::from_shape_fn(5, |k| (k as f64).sin());
        let r = Array1::from_shape_fn(7, |i| (i as f64).cos());
        let close = |a: Array1<f64>, b: Array1<f64>| (a - b).iter().all(|d| d.abs() < 1e-14);
        assert!(close(dense.scores(zeta.view()), sparse.scores(zeta.view())));
        assert!(close(
            dense.weighted_sum(r.view()),
            sparse.weighted_sum(r.view())
        ));
        assert_eq!(sparse.to_dense(), phi);
        assert_eq!(sparse.dim(), (7, 5));
    }

    /// Rows in one piece, columns in one piece, and neither: to the bit.
    #[test]
    fn weighted_sums_are_the_products_of_any_layout() {
        let cell = |(i, k): (usize, usize)| ((7 * i + 3 * k) as f64).sin();
        for (rows, dim) in [(1, 1), (40, 1), (1, 5), (40, 6)] {
            let r = Array1::from_shape_fn(rows, |i| (i as f64).cos());
            let by_rows = Array2::from_shape_fn((2 * rows, 2 * dim), cell);
            let by_columns = Array2::from_shape_fn((2 * rows, 2 * dim).f(), cell);
            for phi in [&by_rows, &by_columns] {
                for phi in [
                    phi.slice(s![..rows, ..dim]),
                    phi.slice(s![..;2, ..;2]),
                    phi.slice(s![..rows, ..]),
                ] {
                    let found = Samples::from(phi).weighted_sum(r.view());
                    assert_eq!(found, phi.t().dot(&r), "{rows} {dim} {:?}", phi.strides());
                }
            }
        }
    }

    #[test]
    fn faults_of_sparse_features_are_named() {
        let csr = CsMat::new((2, 2), vec![0, 1, 2], vec![1, 0], vec![1.0, f64::NAN]);
        let fault = SolverError::NotFinite {
            what: "features",
            row: 1,
            column: 0,
        };
        assert_eq!(Samples::from(csr.view()).check("features"), Err(fault));
        let csc = csr.to_csc();
        let fault = Samples::from(csc.view()).check("features");
        assert!(matches!(fault, Err(SolverError::Setting { .. })));
    }
}
