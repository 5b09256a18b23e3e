//! Nearest-neighbour distances: how uncertain each training point is taken to be.

use crate::kernel::distance;
use ndarray::{Array1, ArrayView2};

/// The distance of each row of `x` (L × n) to the nearest other row, by differences, so that equal
/// rows are at distance exactly 0. Infinite for a single row. O(L² n).
pub fn nearest_neighbour_distances(x: ArrayView2<'_, f64>) -> Array1<f64> {
    let mut nearest = Array1::from_elem(x.nrows(), f64::INFINITY);
    for i in 1..x.nrows() {
        for j in 0..i {
            let d = distance(x.row(i), x.row(j));
            nearest[i] = nearest[i].min(d);
            nearest[j] = nearest[j].min(d);
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::nearest_neighbour_distances;
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
}
