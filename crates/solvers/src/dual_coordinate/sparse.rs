//! Sparse rows.

use super::rows::Rows;
use crate::SolverError;
use crate::linear_system::LinearSystem;
use pulp::Simd;
use sprs::CsMatView;

/// Rows of which only some values are stored, copied with narrow column numbers: a row takes fewer cache lines.
pub(super) struct SparseRows {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    dim: usize,
}

impl SparseRows {
    /// The rows of `phi`, which is stored row after row.
    ///
    /// # Errors
    /// [`SolverError::Setting`] for 2³² columns or more.
    pub(super) fn new(phi: CsMatView<'_, f64>) -> Result<Self, SolverError> {
        let dim = phi.cols();
        if u32::try_from(dim).is_err() {
            return Err(SolverError::Setting {
                name: "features",
                expected: "fewer than 2^32 columns",
                found: dim.to_string(),
            });
        }
        let mut rows = Self {
            starts: vec![0],
            columns: Vec::with_capacity(phi.nnz()),
            values: Vec::with_capacity(phi.nnz()),
            dim,
        };
        for row in phi.outer_iterator() {
            rows.columns.extend(row.indices().iter().map(|&k| k as u32));
            rows.values.extend_from_slice(row.data());
            rows.starts.push(rows.values.len());
        }
        Ok(rows)
    }

    #[inline(always)]
    fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.starts[i]..self.starts[i + 1];
        (&self.columns[range.clone()], &self.values[range])
    }
}

impl Rows for SparseRows {
    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn dim(&self) -> usize {
        self.dim
    }

    #[inline(always)]
    fn entries(&self, i: usize) -> usize {
        self.starts[i + 1] - self.starts[i]
    }

    #[inline(always)]
    fn dot<S: Simd>(&self, _: S, i: usize, x: &[f64]) -> f64 {
        let (columns, values) = self.row(i);
        // Two sums hide half the latency of the additions.
        let mut sums = [0.0; 2];
        let (columns, last_column) = columns.as_chunks::<2>();
        let (values, last_value) = values.as_chunks::<2>();
        for (columns, values) in columns.iter().zip(values) {
            sums[0] += values[0] * x[columns[0] as usize];
            sums[1] += values[1] * x[columns[1] as usize];
        }
        for (&column, value) in last_column.iter().zip(last_value) {
            sums[0] += value * x[column as usize];
        }
        sums[0] + sums[1]
    }

    #[inline(always)]
    fn add<S: Simd>(&self, _: S, factor: f64, i: usize, x: &mut [f64]) {
        let (columns, values) = self.row(i);
        for (&column, value) in columns.iter().zip(values) {
            x[column as usize] += factor * value;
        }
    }

    fn square(&self, i: usize) -> f64 {
        self.row(i).1.iter().map(|v| v * v).sum()
    }

    fn assign_gram(&self, chosen: &[u32], with_one: bool, system: &mut LinearSystem) {
        let width = self.dim + usize::from(with_one);
        system.matrix.fill(0.0);
        for &i in chosen {
            let (columns, values) = self.row(i as usize);
            for (k, (&column, value)) in columns.iter().zip(values).enumerate() {
                let start = column as usize * width;
                let below = &mut system.matrix[start..start + width];
                // Columns ascend in a row, so these are of the lower half.
                for (&row, other) in columns[k..].iter().zip(&values[k..]) {
                    below[row as usize] += value * other;
                }
                if with_one {
                    below[self.dim] += value;
                }
            }
        }
        if with_one {
            system.matrix[width * width - 1] = chosen.len() as f64;
        }
    }

    fn gram_cost(&self) -> f64 {
        let mean = self.values.len() as f64 / self.len().max(1) as f64;
        mean * mean / 2.0
    }
}
