//! How many classes are told apart by machines that tell two.

use crate::classifier::first_largest;
use ndarray::{ArrayView1, ArrayView2};

/// How a task of C classes becomes tasks of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// A machine for each pair of classes, `C(C−1)/2` of them, trained on the rows of the two alone [U. Kreßel, in *Advances in
    /// Kernel Methods*, 1999]. Each votes for the class its decision value says, for none at 0; the most votes win.
    /// Of classes with as many votes the one with the largest sum of its decision values (f for the first class of a
    /// pair, −f for the second) wins, then the first.
    OneVsOne,
    /// A machine for each class against all others. The largest decision value wins, the first of equal ones
    /// [R. Rifkin, A. Klautau, JMLR 5 (2004)].
    OneVsAll,
}

/// A task of two classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pair {
    /// The class with label +1.
    pub positive: usize,
    /// The class with label −1; `None` for all others.
    pub negative: Option<usize>,
}

impl Scheme {
    /// The tasks for `classes`, in order.
    pub(super) fn pairs(self, classes: &[usize]) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (k, &positive) in classes.iter().enumerate() {
            match self {
                Self::OneVsAll => pairs.push(Pair {
                    positive,
                    negative: None,
                }),
                Self::OneVsOne => pairs.extend(classes[k + 1..].iter().map(|&negative| Pair {
                    positive,
                    negative: Some(negative),
                })),
            }
        }
        pairs
    }
}

impl Pair {
    /// The rows that take part, and their labels ±1.
    pub(super) fn rows(self, labels: &[usize]) -> (Vec<usize>, Vec<f64>) {
        let side = |label: usize| match self.negative {
            _ if label == self.positive => Some(1.0),
            Some(negative) if label != negative => None,
            _ => Some(-1.0),
        };
        let sided = labels.iter().enumerate();
        sided
            .filter_map(|(row, &label)| side(label).map(|y| (row, y)))
            .unzip()
    }
}

/// The class of each row from the decision values (p × machines) of `pairs`, of `classes` classes.
pub(super) fn winners(
    pairs: &[Pair],
    classes: usize,
    decisions: ArrayView2<'_, f64>,
) -> Vec<usize> {
    // Votes and sums of those that take part; a class without machines has −1 votes.
    let mut scores = vec![(0.0, 0.0); classes];
    let rows = decisions.outer_iter();
    rows.map(|row| {
        scores.fill((-1.0, 0.0));
        poll(pairs, row, &mut scores);
        first_largest(&scores)
    })
    .collect()
}

/// Counts the votes and sums the decision values of one row.
fn poll(pairs: &[Pair], decisions: ArrayView1<'_, f64>, scores: &mut [(f64, f64)]) {
    for pair in pairs {
        scores[pair.positive].0 = 0.0;
        if let Some(negative) = pair.negative {
            scores[negative].0 = 0.0;
        }
    }
    for (pair, &f) in pairs.iter().zip(decisions) {
        scores[pair.positive].1 += f;
        if let Some(negative) = pair.negative {
            scores[pair.positive].0 += f64::from(u8::from(f > 0.0));
            scores[negative].0 += f64::from(u8::from(f < 0.0));
            scores[negative].1 -= f;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Pair, Scheme, winners};
    use ndarray::array;

    fn pair(positive: usize, negative: Option<usize>) -> Pair {
        Pair { positive, negative }
    }

    #[test]
    fn tasks_of_three_classes() {
        // Class 1 has no rows.
        let pairs = Scheme::OneVsOne.pairs(&[0, 2, 3]);
        let expected = [(0, 2), (0, 3), (2, 3)].map(|(a, b)| pair(a, Some(b)));
        assert_eq!(pairs, expected);
        let labels = [3, 0, 2, 2];
        assert_eq!(
            pairs[0].rows(&labels),
            (vec![1, 2, 3], vec![1.0, -1.0, -1.0])
        );
        let all = Scheme::OneVsAll.pairs(&[0, 2]);
        assert_eq!(all, [pair(0, None), pair(2, None)]);
        let (rows, y) = all[1].rows(&labels);
        assert_eq!((rows, y), (vec![0, 1, 2, 3], vec![-1.0, -1.0, 1.0, 1.0]));
    }

    #[test]
    fn votes_worked_by_hand() {
        let pairs = Scheme::OneVsOne.pairs(&[0, 2, 3]);
        let decisions = array![
            // 0 beats 2 and 3, though 3 beats 2 by far.
            [0.1, 0.1, -9.0],
            // A circle, a vote each: 0 > 2 by 1, 3 > 0 by 2, 2 > 3 by 4: sums −1, 3, −2.
            [1.0, -2.0, 4.0],
            // Nobody votes and all sums are equal: the first class that takes part.
            [0.0, 0.0, 0.0],
            // 2 and 3 beat 0 and are equal otherwise: 3 by its sum.
            [-1.0, -2.0, 0.0],
        ];
        assert_eq!(winners(&pairs, 4, decisions.view()), [0, 2, 0, 3]);
        let all = Scheme::OneVsAll.pairs(&[1, 2]);
        let decisions = array![[-3.0, -2.0], [1.0, 1.0]];
        assert_eq!(winners(&all, 3, decisions.view()), [2, 1]);
    }
}
