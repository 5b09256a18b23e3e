//! Graph Laplacians `L = D − W`, never stored as dense matrices.

use ndarray::{Array1, Array2, ArrayView2};

/// The Laplacian `L = D − W` of a graph of N inputs with weights `W_ij ≥ 0`, `D_ii = Σ_{j≠i} W_ij`: `uᵀLu = ½ Σ_ij
/// W_ij (u_i − u_j)²`. An input is no neighbour of its own, which changes no Laplacian.
#[derive(Debug, Clone, PartialEq)]
pub enum Laplacian {
    /// `W_ij = 1/N`: `L = I − 11ᵀ/N`, the total scatter.
    Complete {
        /// N.
        inputs: usize,
    },
    /// `W_ij = 1/N_c` within each class c: the scatter within classes.
    Classes {
        /// The class of each input (N).
        labels: Vec<usize>,
        /// N_c, the inputs of each class (C).
        sizes: Vec<usize>,
    },
    /// `W_ij = 1` for neighbours.
    Neighbours {
        /// Of each input (N) its neighbours, in increasing order; j is i's as i is j's.
        lists: Vec<Vec<usize>>,
    },
}

impl Laplacian {
    /// N.
    pub fn inputs(&self) -> usize {
        match self {
            Self::Complete { inputs } => *inputs,
            Self::Classes { labels, .. } => labels.len(),
            Self::Neighbours { lists } => lists.len(),
        }
    }

    /// The r on the right side of the eigenproblem, where that on the left is `ridge`: the same if this graph contains
    /// every graph of classes, and their scatter its.
    pub(super) fn own_ridge(&self, ridge: f64) -> f64 {
        match self {
            Self::Complete { .. } => ridge,
            Self::Classes { .. } | Self::Neighbours { .. } => 0.0,
        }
    }

    /// The degrees `L_ii = D_ii` (N).
    pub fn degrees(&self) -> Array1<f64> {
        match self {
            Self::Complete { inputs } => Array1::from_elem(*inputs, 1.0 - 1.0 / *inputs as f64),
            Self::Classes { labels, sizes } => {
                let degree = |class: &usize| 1.0 - 1.0 / sizes[*class] as f64;
                labels.iter().map(degree).collect()
            }
            Self::Neighbours { lists } => lists.iter().map(|list| list.len() as f64).collect(),
        }
    }

    /// `L u` for each row u of `rows` (r × N).
    ///
    /// # Panics
    /// If the rows are not of N values.
    pub fn apply(&self, rows: ArrayView2<'_, f64>) -> Array2<f64> {
        assert_eq!(rows.ncols(), self.inputs(), "a value for each input");
        let mut out = rows.as_standard_layout().into_owned();
        match self {
            Self::Complete { .. } => {
                for mut row in out.outer_iter_mut() {
                    let mean = row.mean().unwrap_or(0.0);
                    row -= mean;
                }
            }
            Self::Classes { labels, sizes } => {
                let mut means = vec![0.0; sizes.len()];
                for mut row in out.outer_iter_mut() {
                    means.fill(0.0);
                    for (value, class) in row.iter().zip(labels) {
                        means[*class] += value / sizes[*class] as f64;
                    }
                    for (value, class) in row.iter_mut().zip(labels) {
                        *value -= means[*class];
                    }
                }
            }
            Self::Neighbours { lists } => {
                for (row, mut out) in rows.outer_iter().zip(out.outer_iter_mut()) {
                    for (i, (value, list)) in out.iter_mut().zip(lists).enumerate() {
                        *value = list.iter().map(|j| row[i] - row[*j]).sum();
                    }
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::Laplacian;
    use approx::assert_relative_eq;
    use ndarray::{Array1, Array2, array};

    /// Against D − W written out.
    #[test]
    fn laplacians_worked_by_hand() {
        let third = 1.0 / 3.0;
        let complete = array![
            [2.0 * third, -third, -third],
            [-third, 2.0 * third, -third],
            [-third, -third, 2.0 * third]
        ];
        let classes = array![[0.5, 0.0, -0.5], [0.0, 0.0, 0.0], [-0.5, 0.0, 0.5]];
        let path = array![[1.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]];
        for (laplacian, expected) in [
            (Laplacian::Complete { inputs: 3 }, complete),
            (
                Laplacian::Classes {
                    labels: vec![1, 0, 1],
                    sizes: vec![1, 2],
                },
                classes,
            ),
            (
                Laplacian::Neighbours {
                    lists: vec![vec![1], vec![0, 2], vec![1]],
                },
                path,
            ),
        ] {
            let found = laplacian.apply(Array2::eye(3).view());
            assert_relative_eq!(found, expected, epsilon = 1e-15);
            let degrees: Array1<f64> = expected.diag().to_owned();
            assert_relative_eq!(laplacian.degrees(), degrees, epsilon = 1e-15);
        }
    }
}
