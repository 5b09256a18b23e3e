//! Defects of linfa-trees 0.8.1, for which the decision tree is this crate's own. When one of these tests fails, linfa has mended it.

use linfa::DatasetBase;
use linfa::traits::{Fit, Predict};
use ndarray::{Array1, Array2, array};
use robust_svm_core::data::LabelledDataset;
use robust_svm_solvers::Classifier;
use robust_svm_solvers::baselines::{DecisionTree, TreeSettings};

fn linfa(x: &Array2<f64>, labels: &[usize]) -> Vec<usize> {
    let data = DatasetBase::new(x.view(), Array1::from_vec(labels.to_vec()));
    let tree = linfa_trees::DecisionTree::params().fit(&data).unwrap();
    tree.predict(x).to_vec()
}

fn own(x: &Array2<f64>, labels: &[usize]) -> Vec<usize> {
    let data = LabelledDataset::new(x.clone(), labels.to_vec(), 3).unwrap();
    let tree = DecisionTree::fit(&data, &TreeSettings::default()).unwrap();
    tree.predict(x.view()).unwrap()
}

/// Of equally frequent classes it takes the last in the order of a hash map, which is another one at each fit.
#[test]
fn the_same_data_gives_different_trees() {
    let (x, labels) = (array![[1.0], [1.0]], [0, 1]);
    let fits: Vec<_> = (0..200).map(|_| linfa(&x, &labels)).collect();
    assert!(fits.contains(&vec![0, 0]) && fits.contains(&vec![1, 1]));
    assert!((0..200).all(|_| own(&x, &labels) == [0, 0]));
}

/// The first split is by the first feature, as class 2 is frequent. In the node of classes 0 and 1 the second feature parts them,
/// but the value 0 of the one row has rows of the other node behind it, and so is never a place to split.
#[test]
fn splits_between_values_of_other_nodes_are_missed() {
    let mut rows = vec![[0.0, 0.0], [0.0, 1.0]];
    rows.extend((0..10).map(|i| [1.0, f64::from(i % 2)]));
    let x = Array2::from(rows);
    let labels: Vec<usize> = (0..12).map(|i: usize| i.min(2)).collect();
    assert_eq!(own(&x, &labels), labels);
    let found = linfa(&x, &labels);
    assert_eq!(found[0], found[1]);
}
