//! The k-nearest-neighbour classifier.

use crate::classifier::first_largest;
use crate::multiclass::{check_all_finite, check_rows};
use crate::{Classifier, SolverError};
use ndarray::{Array2, ArrayView1, ArrayView2, Axis};
use robust_svm_core::data::LabelledDataset;
use robust_svm_core::kernel::squared_distances;

/// Rows whose distances are in memory at a time.
const BLOCK: usize = 256;

/// The majority among the k training inputs nearest in Euclidean distance, each with one vote.
///
/// Of inputs equally far the one given first is the nearer; of classes with as many votes the lowest wins, as in
/// scikit-learn's `KNeighborsClassifier`. Distances are those of [`squared_distances`], so that inputs closer than
/// 1e−8 of their norms are told apart by rounding only.
#[derive(Debug, Clone)]
pub struct KNearest {
    training: LabelledDataset,
    k: usize,
}

impl KNearest {
    /// The classifier of the training inputs `x` (N × n) of the classes `labels` (N), each below `classes`.
    ///
    /// # Errors
    /// [`SolverError::Setting`] unless 1 ≤ k ≤ N; [`SolverError`] for shapes that disagree, values that are not
    /// finite, fewer than two classes and labels that are none of them.
    pub fn new(
        x: Array2<f64>,
        labels: Vec<usize>,
        classes: usize,
        k: usize,
    ) -> Result<Self, SolverError> {
        let training = LabelledDataset::new(x, labels, classes)?;
        if k == 0 || k > training.rows() {
            return Err(SolverError::Setting {
                name: "k",
                expected: "from 1 to the number of training rows",
                found: k.to_string(),
            });
        }
        Ok(Self { training, k })
    }

    /// The class most of the k nearest have, from the squared distances to all training inputs.
    fn vote(&self, distances: ArrayView1<'_, f64>, nearest: &mut Vec<(f64, usize)>) -> usize {
        nearest.clear();
        nearest.extend(distances.iter().copied().zip(0..));
        let nearer = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        nearest.select_nth_unstable_by(self.k - 1, nearer);
        let mut votes = vec![0_usize; self.training.classes()];
        for (_, row) in &nearest[..self.k] {
            votes[self.training.labels()[*row]] += 1;
        }
        first_largest(votes)
    }
}

impl Classifier for KNearest {
    fn predict(&self, x: ArrayView2<'_, f64>) -> Result<Vec<usize>, SolverError> {
        check_rows(x, self.training.features())?;
        let mut classes = Vec::with_capacity(x.nrows());
        let mut nearest = Vec::with_capacity(self.training.rows());
        for block in x.axis_chunks_iter(Axis(0), BLOCK) {
            let distances = squared_distances(block, self.training.x().view());
            check_all_finite("squared distances", distances.view())?;
            classes.extend(
                distances
                    .outer_iter()
                    .map(|row| self.vote(row, &mut nearest)),
            );
        }
        Ok(classes)
    }
}

#[cfg(test)]
mod tests {
    use super::KNearest;
    use crate::{Classifier, SolverError};
    use ndarray::{Array2, array};

    /// On a line: one neighbour, three, and ties of distance and of votes.
    #[test]
    fn votes_worked_by_hand() {
        let x = array![[0.0], [1.0], [2.0], [3.0], [10.0]];
        let of = |k, at: f64| {
            let nearest = KNearest::new(x.clone(), vec![2, 1, 1, 0, 0], 3, k).unwrap();
            nearest.predict(array![[at]].view()).unwrap()[0]
        };
        assert_eq!([of(1, 0.2), of(3, 0.2), of(3, 9.0)], [2, 1, 0]);
        // Halfway between rows 0 and 1: the first. One vote each for classes 2 and 1: the lowest.
        assert_eq!([of(1, 0.5), of(2, 0.4)], [2, 1]);
        // All five: two votes each for 0 and 1.
        assert_eq!(of(5, 0.0), 0);
    }

    /// More rows than a block, against the definition.
    #[test]
    fn blocks_make_no_difference() {
        let value = |i: usize, k: usize| ((i * 12 + k * 7) as f64 * 0.37).sin();
        let x = Array2::from_shape_fn((90, 3), |(i, k)| value(i, k));
        let labels: Vec<usize> = (0..90).map(|i| (i * i / 7) % 4).collect();
        let queries = Array2::from_shape_fn((600, 3), |(i, k)| value(i + 1000, k + 1));
        let nearest = KNearest::new(x.clone(), labels.clone(), 4, 7).unwrap();
        let found = nearest.predict(queries.view()).unwrap();
        for (query, found) in queries.outer_iter().zip(found) {
            let mut order: Vec<usize> = (0..90).collect();
            let far = |i: usize| (&x.row(i) - &query).mapv(|d| d * d).sum();
            order.sort_by(|a, b| far(*a).total_cmp(&far(*b)));
            let votes = |class| order[..7].iter().filter(|i| labels[**i] == class).count();
            let beaten = |class| votes(class) < votes(found) + usize::from(class > found);
            assert!((0..4).all(|class| class == found || beaten(class)));
        }
    }

    #[test]
    fn what_is_no_input_is_refused() {
        let new = |k| KNearest::new(array![[0.0], [1.0]], vec![0, 1], 2, k);
        assert!(matches!(
            new(0),
            Err(SolverError::Setting { name: "k", .. })
        ));
        assert!(matches!(
            new(3),
            Err(SolverError::Setting { name: "k", .. })
        ));
        let nearest = new(1).unwrap();
        let wide = nearest.predict(array![[0.0, 1.0]].view()).unwrap_err();
        assert!(matches!(
            wide,
            SolverError::Shape {
                expected: 1,
                found: 2,
                ..
            }
        ));
        let nan = nearest.predict(array![[f64::NAN]].view()).unwrap_err();
        assert!(matches!(nan, SolverError::NotFinite { row: 0, .. }));
        let far = KNearest::new(array![[0.0], [1e200]], vec![0, 1], 2, 1).unwrap();
        let overflow = far.predict(array![[1.0], [1e200]].view()).unwrap_err();
        assert!(matches!(overflow, SolverError::NotFinite { .. }));
    }
}
