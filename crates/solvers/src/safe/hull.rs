//! The shortest vector of the convex hull of some gradients.

use ndarray::{Array1, Array2, ArrayView1};
use robust_svm_core::linalg::positive_definite_solve;

/// Exchanges at most, and the share of the squared length that an exchange must promise.
const EXCHANGES: usize = 100_000;
const SMALL: f64 = 1e-10;
/// A share of the squared length added to the squares of vectors that depend on each other.
const RIDGE: f64 = 1e-14;

/// The point nearest 0 of the convex hull of `vectors` (at least one, all of one length), by exchanges of weight between
/// the vector that is worst and the one that is best along it [B. Mitchell, V. Dem'yanov, V. Malozemov, SIAM J. Control 12
/// (1974)], which alone may take any number of steps where vectors are nearly balanced: so every few of them the weights move towards
/// those of the shortest combination of the vectors in use [P. Wolfe, Math. Programming 11 (1976)].
/// `⟨g, h⟩ ≥ ‖h‖² − 10⁻¹⁰ max‖g‖²` for every vector g and the result h, but where the exchanges run out.
pub(super) fn shortest_of_hull(vectors: &[ArrayView1<'_, f64>]) -> Array1<f64> {
    let count = vectors.len();
    let gram = Array2::from_shape_fn((count, count), |(i, j)| vectors[i].dot(&vectors[j]));
    let largest = gram.diag().fold(0.0_f64, |m, v| m.max(*v));
    let mut weights = Array1::zeros(count);
    weights[count - 1] = 1.0;
    // ⟨g_i, h⟩.
    let mut along = gram.row(count - 1).to_owned();
    for exchange in 1..=EXCHANGES {
        let least = extreme((0..count).map(|i| (i, -along[i])));
        let used = (0..count).filter(|&i| weights[i] > 0.0);
        let most = extreme(used.map(|i| (i, along[i])));
        let gain = along[most] - along[least];
        let squares = gram[(most, most)] + gram[(least, least)] - 2.0 * gram[(most, least)];
        if gain <= SMALL * largest || squares <= 0.0 {
            break;
        }
        let shifted = (gain / squares).min(weights[most]);
        weights[most] -= shifted;
        weights[least] += shifted;
        if exchange % (2 * count) == 0 {
            balance(&gram, largest, &mut weights);
            along = gram.dot(&weights);
            continue;
        }
        for (i, along) in along.iter_mut().enumerate() {
            *along += shifted * (gram[(least, i)] - gram[(most, i)]);
        }
    }
    let mut shortest = Array1::zeros(vectors[0].len());
    for (vector, weight) in vectors.iter().zip(&weights) {
        shortest.scaled_add(*weight, vector);
    }
    shortest
}

/// Moves `weights` towards those of the shortest combination of sum 1, of any signs, of the vectors in use, until one is 0;
/// not at all where that is not shorter. With S the vectors in use it is `u/Σu`, `(G_S + c11ᵀ)u = 1`, for any c > 0 (derived:
/// its optimality condition is that `G_S w` has equal entries).
fn balance(gram: &Array2<f64>, largest: f64, weights: &mut Array1<f64>) {
    let used: Vec<usize> = (0..weights.len()).filter(|&i| weights[i] > 0.0).collect();
    let shifted = Array2::from_shape_fn((used.len(), used.len()), |(k, l)| {
        let ridge = if k == l { RIDGE * largest } else { 0.0 };
        gram[(used[k], used[l])] + largest + ridge
    });
    let Ok(target) = positive_definite_solve(shifted, Array2::ones((used.len(), 1))) else {
        return;
    };
    let target = &target / target.sum();
    let mut step = 1.0_f64;
    for (&i, &to) in used.iter().zip(&target) {
        if to < 0.0 {
            step = step.min(weights[i] / (weights[i] - to));
        }
    }
    let mut moved = weights.clone();
    for (&i, &to) in used.iter().zip(&target) {
        moved[i] = (weights[i] + step * (to - weights[i])).max(0.0);
    }
    moved /= moved.sum();
    if moved.dot(&gram.dot(&moved)) < weights.dot(&gram.dot(weights)) {
        *weights = moved;
    }
}

/// The first index with the largest value; there is one.
fn extreme(values: impl Iterator<Item = (usize, f64)>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (index, value) in values {
        if value > best.1 {
            best = (index, value);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::shortest_of_hull;
    use ndarray::{Array1, array};
    use proptest::prelude::*;

    #[test]
    fn hand_worked_hulls() {
        let of = |vectors: &[Array1<f64>]| {
            let views: Vec<_> = vectors.iter().map(Array1::view).collect();
            shortest_of_hull(&views)
        };
        assert_eq!(of(&[array![3.0, 4.0]]), array![3.0, 4.0]);
        assert_eq!(of(&[array![1.0, 1.0], array![1.0, -1.0]]), array![1.0, 0.0]);
        assert_eq!(of(&[array![1.0, 0.0], array![3.0, 1.0]]), array![1.0, 0.0]);
        let around = of(&[array![1.0, 0.0], array![-1.0, 1.0], array![-1.0, -1.0]]);
        assert!(around.dot(&around) < 1e-9, "{around}");
    }

    /// Five vectors of which exchanges alone are still 10⁻⁵ from the condition after 100,000.
    #[test]
    fn nearly_balanced_vectors() {
        let vectors = [
            array![4.106_608, 1.122_379, -0.241_678, 1.637_932],
            array![1.002_141, 2.070_949, -0.649_549, -0.755_835],
            array![-1.887_608, -2.468_389, -2.787_369, 0.578_476],
            array![3.715_640, -2.687_537, 4.947_556, 3.866_163],
            array![-2.155_382, -0.084_210, -1.482_900, -1.143_509],
        ];
        let views: Vec<_> = vectors.iter().map(Array1::view).collect();
        let h = shortest_of_hull(&views);
        let least = vectors
            .iter()
            .map(|g| g.dot(&h))
            .fold(f64::INFINITY, f64::min);
        assert!(least >= h.dot(&h) - 1e-8, "{least} {}", h.dot(&h));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        /// The condition that h is the projection of 0 onto the hull: ⟨g, h⟩ ≥ ⟨h, h⟩ for all g.
        #[test]
        fn no_vector_is_shorter(
            vectors in prop::collection::vec(prop::collection::vec(-3.0..5.0_f64, 4), 1..12),
        ) {
            let vectors: Vec<Array1<f64>> = vectors.into_iter().map(Array1::from_vec).collect();
            let views: Vec<_> = vectors.iter().map(Array1::view).collect();
            let h = shortest_of_hull(&views);
            for g in &vectors {
                prop_assert!(g.dot(&h) >= h.dot(&h) - 2e-8);
            }
        }
    }
}
