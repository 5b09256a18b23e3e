//! The shortest vector of the convex hull of some gradients.

use ndarray::{Array1, ArrayView1};

/// Exchanges at most, and the share of the squared length that an exchange must promise.
const EXCHANGES: usize = 100_000;
const SMALL: f64 = 1e-10;

/// The point nearest 0 of the convex hull of `vectors` (at least one, all of one length), by exchanges of weight between
/// the vector that is worst and the one that is best along it [B. Mitchell, V. Dem'yanov, V. Malozemov, SIAM J. Control 12
/// (1974)]. `⟨g, h⟩ ≥ ‖h‖² − 10⁻¹⁰ max‖g‖²` for every vector g and the result h, but where the exchanges run out.
pub(super) fn shortest_of_hull(vectors: &[ArrayView1<'_, f64>]) -> Array1<f64> {
    let product = |i: usize, j: usize| vectors[i].dot(&vectors[j]);
    let count = vectors.len();
    let gram: Vec<Vec<f64>> = (0..count)
        .map(|i| (0..count).map(|j| product(i, j)).collect())
        .collect();
    let largest = (0..count).map(|i| gram[i][i]).fold(0.0, f64::max);
    let mut weights = vec![0.0; count];
    weights[count - 1] = 1.0;
    // ⟨g_i, h⟩.
    let mut along: Vec<f64> = gram[count - 1].clone();
    for _ in 0..EXCHANGES {
        let least = extreme((0..count).map(|i| (i, -along[i])));
        let used = (0..count).filter(|&i| weights[i] > 0.0);
        let most = extreme(used.map(|i| (i, along[i])));
        let gain = along[most] - along[least];
        let squares = gram[most][most] + gram[least][least] - 2.0 * gram[most][least];
        if gain <= SMALL * largest || squares <= 0.0 {
            break;
        }
        let shifted = (gain / squares).min(weights[most]);
        weights[most] -= shifted;
        weights[least] += shifted;
        for (i, along) in along.iter_mut().enumerate() {
            *along += shifted * (gram[least][i] - gram[most][i]);
        }
    }
    let mut shortest = Array1::zeros(vectors[0].len());
    for (vector, weight) in vectors.iter().zip(&weights) {
        shortest.scaled_add(*weight, vector);
    }
    shortest
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

    proptest! {
        /// The condition that h is the projection of 0 onto the hull: ⟨g, h⟩ ≥ ⟨h, h⟩ for all g.
        #[test]
        fn no_vector_is_shorter(
            vectors in prop::collection::vec(prop::collection::vec(-3.0..5.0_f64, 4), 1..12),
        ) {
            let vectors: Vec<Array1<f64>> = vectors.into_iter().map(Array1::from_vec).collect();
            let views: Vec<_> = vectors.iter().map(Array1::view).collect();
            let h = shortest_of_hull(&views);
            for g in &vectors {
                prop_assert!(g.dot(&h) >= h.dot(&h) - 1e-6);
            }
        }
    }
}
