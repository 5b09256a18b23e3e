//! The decision tree: splits against a search over all of them, limits, and cases by hand.

mod common;

use common::normals;
use ndarray::{Array2, array};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_core::data::LabelledDataset;
use robust_svm_solvers::baselines::{DecisionTree, TreeSettings};
use robust_svm_solvers::{Classifier, SolverError};

fn fit(x: Array2<f64>, labels: Vec<usize>, settings: TreeSettings) -> DecisionTree {
    DecisionTree::fit(&LabelledDataset::new(x, labels, 3).unwrap(), &settings).unwrap()
}

/// `Σ_leaves N G` of the leaves that rows fall into, told apart by `leaf`.
fn impurity(labels: &[usize], leaf: impl Fn(usize) -> bool) -> f64 {
    let mut sum = 0.0;
    for side in [false, true] {
        let mut counts = [0.0; 3];
        for (i, &label) in labels.iter().enumerate() {
            if leaf(i) == side {
                counts[label] += 1.0;
            }
        }
        let rows: f64 = counts.iter().sum();
        if rows > 0.0 {
            sum += rows - counts.iter().map(|c| c * c).sum::<f64>() / rows;
        }
    }
    sum
}

proptest! {
    /// A tree of one split makes the errors of the best split there is; values repeat, so there are ties.
    #[test]
    fn one_split_is_the_best(seed in any::<u64>(), rows in 3..30_usize, n in 1..4_usize, min_leaf in 1..4_usize) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let x = Array2::from_shape_simple_fn((rows, n), || f64::from(rng.gen_range(0..6)));
        let labels: Vec<usize> = (0..rows).map(|_| rng.gen_range(0..3)).collect();
        let stump = TreeSettings { max_depth: Some(1), min_leaf, ..TreeSettings::default() };
        let tree = fit(x.clone(), labels.clone(), stump);
        prop_assert!(tree.leaves() <= 2 && tree.depth() <= 1);
        // In the order that breaks ties: features, then thresholds.
        let mut best: Option<(f64, usize, f64)> = None;
        for k in 0..n {
            for value in 0..5 {
                let threshold = f64::from(value);
                let below = (0..rows).filter(|&i| x[(i, k)] <= threshold).count();
                if below.min(rows - below) < min_leaf { continue; }
                let found = impurity(&labels, |i| x[(i, k)] <= threshold);
                if best.is_none_or(|best| found < best.0 - 1e-9) {
                    best = Some((found, k, threshold));
                }
            }
        }
        let pure = labels.iter().all(|label| *label == labels[0]);
        let Some((_, k, threshold)) = best.filter(|_| !pure) else {
            prop_assert_eq!(tree.leaves(), 1);
            return Ok(());
        };
        let most = |side: bool| {
            let count = |c: usize| (0..rows).filter(|&i| (x[(i, k)] <= threshold) == side && labels[i] == c).count();
            (0..3).rev().max_by_key(|&c| count(c)).unwrap()
        };
        let expected: Vec<usize> = (0..rows).map(|i| most(x[(i, k)] <= threshold)).collect();
        prop_assert_eq!(tree.predict(x.view()).unwrap(), expected);
    }

    /// Grown to the end it is right on rows that differ, in any order of the rows the same tree.
    #[test]
    fn a_full_tree_knows_its_rows(seed in any::<u64>(), rows in 2..60_usize, n in 1..4_usize) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let x = normals(&mut rng, (rows, n));
        let labels: Vec<usize> = (0..rows).map(|_| rng.gen_range(0..3)).collect();
        let tree = fit(x.clone(), labels.clone(), TreeSettings::default());
        prop_assert_eq!(tree.predict(x.view()).unwrap(), labels.clone());
        let order: Vec<usize> = (0..rows).rev().collect();
        let turned = LabelledDataset::new(x, labels, 3).unwrap().select(&order);
        let again = DecisionTree::fit(&turned, &TreeSettings::default()).unwrap();
        let fresh = normals(&mut rng, (50, n));
        prop_assert_eq!(tree.predict(fresh.view()).unwrap(), again.predict(fresh.view()).unwrap());
        let limited = TreeSettings { max_depth: Some(2), min_split: 5, min_leaf: 2 };
        let small = DecisionTree::fit(&turned, &limited).unwrap();
        prop_assert!(small.depth() <= 2 && small.leaves() <= 4 && small.leaves() <= rows.div_ceil(2));
    }
}

/// No single split of the corners of a square with crossed classes lowers the impurity; two do.
#[test]
fn crossed_classes_are_parted() {
    let x = array![[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]];
    let labels = vec![0, 1, 1, 0];
    let tree = fit(x.clone(), labels.clone(), TreeSettings::default());
    assert_eq!((tree.depth(), tree.leaves()), (2, 4));
    assert_eq!(tree.predict(x.view()).unwrap(), labels);
    // The threshold is the middle; on it a row goes below.
    let on = array![[0.5, 0.5], [0.5001, 0.5]];
    assert_eq!(tree.predict(on.view()).unwrap(), [0, 1]);
}

/// Four rows are split if four are enough, and a part of two only if two are.
#[test]
fn small_nodes_are_not_split() {
    let x = array![[0.0], [1.0], [2.0], [3.0]];
    let leaves = |min_split| {
        let settings = TreeSettings {
            min_split,
            ..TreeSettings::default()
        };
        fit(x.clone(), vec![0, 0, 1, 2], settings).leaves()
    };
    assert_eq!([2, 3, 4, 5].map(leaves), [3, 2, 2, 1]);
}

/// Values with no number between them, and values whose sum overflows.
#[test]
fn thresholds_part_neighbouring_numbers() {
    for (low, high) in [
        (1.0, 1.0 + f64::EPSILON),
        (-f64::MAX, f64::MAX),
        (0.9 * f64::MAX, f64::MAX),
    ] {
        let x = array![[low], [high]];
        let tree = fit(x.clone(), vec![0, 2], TreeSettings::default());
        assert_eq!(tree.predict(x.view()).unwrap(), [0, 2]);
    }
}

#[test]
fn bad_input_is_refused() {
    let data = LabelledDataset::new(array![[0.0], [1.0]], vec![0, 1], 2).unwrap();
    for settings in [
        TreeSettings {
            min_split: 1,
            ..TreeSettings::default()
        },
        TreeSettings {
            min_leaf: 0,
            ..TreeSettings::default()
        },
    ] {
        let refused = DecisionTree::fit(&data, &settings);
        assert!(matches!(refused, Err(SolverError::Setting { .. })));
    }
    let tree = DecisionTree::fit(&data, &TreeSettings::default()).unwrap();
    assert!(tree.predict(Array2::zeros((1, 3)).view()).is_err());
    assert!(tree.predict(array![[f64::NAN]].view()).is_err());
    let empty = LabelledDataset::new(Array2::zeros((0, 1)), vec![], 2).unwrap();
    assert!(DecisionTree::fit(&empty, &TreeSettings::default()).is_err());
}
