//! Nearest neighbours: how uncertain each training point is taken to be.

use crate::kernel::distance;
use ndarray::{Array1, ArrayView2};

/// The distance of each row of `x` (L × n) to the nearest other row, by differences, so that equal
/// rows are at distance exactly 0. Infinite for a single row. O(L² n).
pub fn nearest_neighbour_distances(x: ArrayView2<'_, f64>) -> Array1<f64> {
    nearest(x).into_iter().map(|(d, _)| d).collect()
}

/// The index of the nearest other row to each row of `x` (L × n), the lowest of several. A single row is its
/// own neighbour. O(L² n).
pub fn nearest_neighbours(x: ArrayView2<'_, f64>) -> Vec<usize> {
    nearest(x).into_iter().map(|(_, j)| j).collect()
}

/// Distance and index of the nearest other row to each row.
fn nearest(x: ArrayView2<'_, f64>) -> Vec<(f64, usize)> {
    let mut nearest: Vec<(f64, usize)> = (0..x.nrows()).map(|i| (f64::INFINITY, i)).collect();
    for i in 1..x.nrows() {
        for j in 0..i {
            let d = distance(x.row(i), x.row(j));
            for (row, other) in [(i, j), (j, i)] {
                if d < nearest[row].0 {
                    nearest[row] = (d, other);
                }
            }
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::{nearest_neighbour_distances, nearest_neighbours};
    use ndarray::array;

    #[test]
    fn distances_worked_by_hand() {
        let x = array![[0.0, 0.0], [3.0, 4.0], [3.0, 5.0], [0.0, 0.0]];
        let nearest = nearest_neighbour_distances(x.view());
        assert_eq!(nearest, array![0.0, 1.0, 1.0, 0.0]);
        let pair = nearest_neighbour_distances(array![[0.0], [2.0]].view());
        assert_eq!(pair, array![2.0, 2.0]);
        let single = nearest_neighbour_distances(array![[7.0]].view());
        assert_eq!(single, array![f64::INFINITY]);
    }

    #[test]
    fn neighbours_worked_by_hand() {
        let x = array![[0.0, 0.0], [3.0, 4.0], [3.0, 5.0], [0.0, 0.0], [6.0, 4.0]];
        assert_eq!(nearest_neighbours(x.view()), [3, 2, 1, 0, 1]);
        // Row 1 is as near to 0 as to 2: the lowest.
        let line = array![[0.0], [1.0], [2.0]];
        assert_eq!(nearest_neighbours(line.view()), [1, 0, 1]);
        assert_eq!(nearest_neighbours(array![[7.0]].view()), [0]);
    }
}
