//! The two graphs of marginal Fisher analysis.

use super::laplacian::Laplacian;
use crate::SolverError;
use crate::multiclass::check_all_finite;
use crate::problem::check_length;
use ndarray::{Array2, ArrayView2};

/// The squared distances `K_ii + K_jj − 2K_ij` (N × N) in the space of the kernel with the Gram matrix `gram`, 0 where rounding
/// makes them negative.
///
/// # Panics
/// If `gram` is not square.
pub fn gram_distances(gram: ArrayView2<'_, f64>) -> Array2<f64> {
    let norms = gram.diag();
    Array2::from_shape_fn(gram.dim(), |(i, j)| {
        (norms[i] + norms[j] - 2.0 * gram[(i, j)]).max(0.0)
    })
}

pub(super) fn check(
    distances: ArrayView2<'_, f64>,
    labels: &[usize],
    (k1, k2): (usize, usize),
) -> Result<(), SolverError> {
    let sides = [
        ("rows of squared distances", distances.nrows()),
        ("columns of squared distances", distances.ncols()),
    ];
    for (what, found) in sides {
        check_length(what, labels.len(), found)?;
    }
    check_all_finite("squared distances", distances)?;
    for (name, k) in [("k1", k1), ("k2", k2)] {
        if k == 0 {
            return Err(SolverError::Setting {
                name,
                expected: "at least 1",
                found: k.to_string(),
            });
        }
    }
    Ok(())
}

/// Each input with the `k` nearest of its class.
pub(super) fn within(distances: ArrayView2<'_, f64>, labels: &[usize], k: usize) -> Laplacian {
    let mut pairs = Vec::new();
    for (i, row) in distances.outer_iter().enumerate() {
        let of_class = |(j, _): &(usize, &f64)| *j != i && labels[*j] == labels[i];
        let mut others: Vec<(f64, usize, usize)> = row
            .iter()
            .enumerate()
            .filter(of_class)
            .map(|(j, d)| (*d, i, j))
            .collect();
        keep_nearest(&mut others, k);
        pairs.extend(others);
    }
    neighbours(labels.len(), &pairs)
}

/// For each class the `k` nearest pairs of an input in it and one outside.
pub(super) fn between(
    distances: ArrayView2<'_, f64>,
    labels: &[usize],
    classes: usize,
    k: usize,
) -> Laplacian {
    let mut pairs = Vec::new();
    for class in 0..classes {
        let mut nearest: Vec<(f64, usize, usize)> = Vec::new();
        for (i, row) in distances.outer_iter().enumerate() {
            if labels[i] != class {
                continue;
            }
            let outside = row.iter().enumerate().filter(|(j, _)| labels[*j] != class);
            nearest.extend(outside.map(|(j, d)| (*d, i, j)));
            keep_nearest(&mut nearest, k);
        }
        pairs.extend(nearest);
    }
    neighbours(labels.len(), &pairs)
}

/// The `k` nearest pairs, of equally near ones those of lower indices.
fn keep_nearest(pairs: &mut Vec<(f64, usize, usize)>, k: usize) {
    if pairs.len() > k {
        pairs.select_nth_unstable_by(k - 1, |a, b| {
            a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2)))
        });
        pairs.truncate(k);
    }
}

/// The graph of the pairs, each an edge in both directions and counted once.
fn neighbours(inputs: usize, pairs: &[(f64, usize, usize)]) -> Laplacian {
    let mut lists = vec![Vec::new(); inputs];
    for (_, i, j) in pairs {
        lists[*i].push(*j);
        lists[*j].push(*i);
    }
    for list in &mut lists {
        list.sort_unstable();
        list.dedup();
    }
    Laplacian::Neighbours { lists }
}

#[cfg(test)]
mod tests {
    use super::super::Graph;
    use super::{Laplacian, gram_distances};
    use ndarray::array;
    use robust_svm_core::kernel::squared_distances;

    /// On a line: class 0 at 0, 1, 3 and class 1 at 4, 6, 10.
    #[test]
    fn graphs_worked_by_hand() {
        let x = array![[0.0], [1.0], [3.0], [4.0], [6.0], [10.0]];
        let labels = [0, 0, 0, 1, 1, 1];
        let distances = squared_distances(x.view(), x.view());
        let graph = |k1, k2| Graph::mfa(distances.view(), &labels, 2, k1, k2).unwrap();
        let lists = |laplacian: &Laplacian| match laplacian {
            Laplacian::Neighbours { lists } => lists.clone(),
            other => panic!("{other:?}"),
        };
        let one = graph(1, 1);
        let within = lists(one.together().unwrap());
        assert_eq!(
            within,
            [vec![1], vec![0, 2], vec![1], vec![4], vec![3, 5], vec![4]]
        );
        assert_eq!(
            lists(one.apart()),
            [vec![], vec![], vec![3], vec![2], vec![], vec![]]
        );
        // Both classes have 3–4 nearest; then 1–4 and 3–6, both of distance 3: the lower.
        let two = graph(1, 2);
        let apart = [vec![], vec![3], vec![3], vec![1, 2], vec![], vec![]];
        assert_eq!(lists(two.apart()), apart);
        // More than there are: all.
        let all = graph(9, 99);
        assert_eq!(lists(all.together().unwrap())[4], [3, 5]);
        assert_eq!(lists(all.apart())[4], [0, 1, 2]);
    }

    #[test]
    fn distances_of_a_linear_kernel_are_those_of_the_inputs() {
        let x = array![[0.0, 1.0], [2.0, 1.0], [3.0, -4.0]];
        let found = gram_distances(x.dot(&x.t()).view());
        assert_eq!(found, squared_distances(x.view(), x.view()));
    }
}
