//! A decision tree by the Gini impurity [L. Breiman, J. Friedman, R. Olshen, C. Stone, *Classification and Regression Trees*,
//! 1984].
//!
//! A node of several classes is split at the feature k and threshold s that minimise `(N_l G_l + N_r G_r)/N`, `G = 1 − Σ_c (N_c/N)²`, over
//! `x_k ≤ s` and `x_k > s`; s is the middle between neighbouring values of the node's rows. As `N G = N − Σ_c N_c²/N`, that maximises
//! `Σ_c N_lc²/N_l + Σ_c N_rc²/N_r`, whose sums are whole numbers, compared as fractions and so without rounding. Of equally good splits the first feature and the lowest
//! threshold are taken, of equally frequent classes the first.
//!
//! It is this crate's own, as the tree of linfa-trees 0.8.1 is not fit for results that can be repeated (`tests/linfa_trees.rs` shows it):
//! it sums impurities in single precision, and breaks ties between classes, in the random order of a hash map; it compares a value with its
//! successor among all rows of the data, not of the node, and so misses splits between values that another node's rows have too.

use super::projection::{check_setting, check_training_rows};
use crate::classifier::first_largest;
use crate::multiclass::check_rows;
use crate::{Classifier, SolverError};
use ndarray::{ArrayView1, ArrayView2};
use robust_svm_core::data::LabelledDataset;

/// Settings of a decision tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeSettings {
    /// Splits on the way to a leaf at most; `None` for any number. Default none.
    pub max_depth: Option<usize>,
    /// Rows of a node that is split, at least; at least 2. Default 2.
    pub min_split: usize,
    /// Rows of a leaf, at least; at least 1. Default 1.
    pub min_leaf: usize,
}

impl Default for TreeSettings {
    fn default() -> Self {
        Self {
            max_depth: None,
            min_split: 2,
            min_leaf: 1,
        }
    }
}

/// A trained decision tree.
#[derive(Debug, Clone, PartialEq)]
pub struct DecisionTree {
    nodes: Vec<Node>,
    features: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Node {
    Leaf {
        class: usize,
    },
    /// To `below` if the feature is at most the threshold, else to `above`.
    Split {
        feature: usize,
        threshold: f64,
        below: usize,
        above: usize,
    },
}

impl DecisionTree {
    /// Grows a tree on the rows of `data`.
    ///
    /// # Errors
    /// [`SolverError`] if there are no rows or columns, or a setting is out of its range.
    pub fn fit(data: &LabelledDataset, settings: &TreeSettings) -> Result<Self, SolverError> {
        check_training_rows(data.x().view(), 1)?;
        let (split, leaf) = (settings.min_split, settings.min_leaf);
        check_setting("min_split", "at least 2", split >= 2, &split)?;
        check_setting("min_leaf", "at least 1", leaf >= 1, &leaf)?;
        Ok(Self {
            nodes: Growth::new(data, *settings).grow(),
            features: data.features(),
        })
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        let leaf = |node: &&Node| matches!(node, Node::Leaf { .. });
        self.nodes.iter().filter(leaf).count()
    }

    /// The most splits on the way to a leaf.
    pub fn depth(&self) -> usize {
        // Children come after their parents.
        let mut depths = vec![0; self.nodes.len()];
        for (k, node) in self.nodes.iter().enumerate() {
            if let Node::Split { below, above, .. } = *node {
                (depths[below], depths[above]) = (depths[k] + 1, depths[k] + 1);
            }
        }
        depths.into_iter().max().unwrap_or(0)
    }

    fn class(&self, x: ArrayView1<'_, f64>) -> usize {
        let mut at = 0;
        loop {
            match self.nodes[at] {
                Node::Leaf { class } => return class,
                Node::Split {
                    feature,
                    threshold,
                    below,
                    above,
                } => {
                    at = if x[feature] <= threshold {
                        below
                    } else {
                        above
                    }
                }
            }
        }
    }
}

impl Classifier for DecisionTree {
    fn predict(&self, x: ArrayView2<'_, f64>) -> Result<Vec<usize>, SolverError> {
        check_rows(x, self.features)?;
        Ok(x.outer_iter().map(|row| self.class(row)).collect())
    }
}

/// A node to be made: its rows are `first..end` of the order by each feature.
struct Pending {
    node: usize,
    first: usize,
    end: usize,
    depth: usize,
}

/// A split and its merit `Σ_c N_lc²/N_l + Σ_c N_rc²/N_r`, as a fraction of whole numbers: equal merits are equal.
#[derive(Clone, Copy)]
struct Candidate {
    feature: usize,
    threshold: f64,
    merit: (u128, u128),
}

impl Candidate {
    fn is_better(self, than: Option<Self>) -> bool {
        let (n, d) = self.merit;
        than.is_none_or(|than| n * than.merit.1 > than.merit.0 * d)
    }
}

/// A tree being grown.
struct Growth<'a> {
    data: &'a LabelledDataset,
    settings: TreeSettings,
    /// The rows in the order of each feature; those of a node are side by side in all.
    orders: Vec<Vec<usize>>,
    /// Whether a row goes below the present split, and memory to part the rows by that.
    goes_below: Vec<bool>,
    above: Vec<usize>,
    /// Rows of each class in the node, and below and above a threshold.
    counts: Vec<u64>,
    left: Vec<u64>,
    right: Vec<u64>,
}

impl<'a> Growth<'a> {
    fn new(data: &'a LabelledDataset, settings: TreeSettings) -> Self {
        let orders = data.x().columns().into_iter().map(|column| {
            let mut order: Vec<usize> = (0..data.rows()).collect();
            order.sort_by(|&a, &b| column[a].total_cmp(&column[b]));
            order
        });
        Self {
            data,
            settings,
            orders: orders.collect(),
            goes_below: vec![false; data.rows()],
            above: Vec::with_capacity(data.rows()),
            counts: vec![0; data.classes()],
            left: vec![0; data.classes()],
            right: vec![0; data.classes()],
        }
    }

    fn grow(mut self) -> Vec<Node> {
        let mut nodes = vec![Node::Leaf { class: 0 }];
        let mut pending = vec![Pending {
            node: 0,
            first: 0,
            end: self.data.rows(),
            depth: 0,
        }];
        while let Some(at) = pending.pop() {
            self.count(&at);
            let Some(split) = self.best_split(&at) else {
                nodes[at.node] = Node::Leaf {
                    class: first_largest(&self.counts),
                };
                continue;
            };
            let middle = self.part(&at, split);
            let below = nodes.len();
            nodes[at.node] = Node::Split {
                feature: split.feature,
                threshold: split.threshold,
                below,
                above: below + 1,
            };
            nodes.extend([Node::Leaf { class: 0 }; 2]);
            for (node, first, end) in [(below, at.first, middle), (below + 1, middle, at.end)] {
                let depth = at.depth + 1;
                pending.push(Pending {
                    node,
                    first,
                    end,
                    depth,
                });
            }
        }
        nodes
    }

    /// Counts the classes of a node.
    fn count(&mut self, at: &Pending) {
        self.counts.fill(0);
        for &row in &self.orders[0][at.first..at.end] {
            self.counts[self.data.labels()[row]] += 1;
        }
    }

    fn best_split(&mut self, at: &Pending) -> Option<Candidate> {
        let rows = at.end - at.first;
        let pure = self.counts.iter().filter(|count| **count > 0).count() < 2;
        let deep = self.settings.max_depth.is_some_and(|most| at.depth >= most);
        if pure || deep || rows < self.settings.min_split {
            return None;
        }
        let mut best: Option<Candidate> = None;
        for feature in 0..self.orders.len() {
            if let Some(found) = self.best_threshold(at, feature)
                && found.is_better(best)
            {
                best = Some(found);
            }
        }
        best
    }

    /// The best threshold of one feature, if its values differ.
    fn best_threshold(&mut self, at: &Pending, feature: usize) -> Option<Candidate> {
        let order = &self.orders[feature][at.first..at.end];
        let column = self.data.x().column(feature);
        self.left.fill(0);
        self.right.copy_from_slice(&self.counts);
        let mut left_squares = 0;
        let mut right_squares: u64 = self.counts.iter().map(|count| count * count).sum();
        let mut best: Option<Candidate> = None;
        for (k, pair) in order.windows(2).enumerate() {
            let class = self.data.labels()[pair[0]];
            // (N+1)² − N² and (N−1)² − N².
            left_squares += 2 * self.left[class] + 1;
            right_squares -= 2 * self.right[class] - 1;
            self.left[class] += 1;
            self.right[class] -= 1;
            let (value, next) = (column[pair[0]], column[pair[1]]);
            let (below, above) = (k + 1, order.len() - k - 1);
            if value >= next || below.min(above) < self.settings.min_leaf {
                continue;
            }
            let (l, r) = (below as u128, above as u128);
            let found = Candidate {
                feature,
                threshold: between(value, next),
                merit: (
                    u128::from(left_squares) * r + u128::from(right_squares) * l,
                    l * r,
                ),
            };
            if found.is_better(best) {
                best = Some(found);
            }
        }
        best
    }

    /// Parts the rows of a node, in every order; returns where those above begin.
    fn part(&mut self, at: &Pending, split: Candidate) -> usize {
        let column = self.data.x().column(split.feature);
        for &row in &self.orders[split.feature][at.first..at.end] {
            self.goes_below[row] = column[row] <= split.threshold;
        }
        let mut middle = at.first;
        for order in &mut self.orders {
            self.above.clear();
            middle = at.first;
            for k in at.first..at.end {
                let row = order[k];
                if self.goes_below[row] {
                    order[middle] = row;
                    middle += 1;
                } else {
                    self.above.push(row);
                }
            }
            order[middle..at.end].copy_from_slice(&self.above);
        }
        middle
    }
}

/// The middle of `low` and `high`, at least `low` and below `high`.
fn between(low: f64, high: f64) -> f64 {
    let middle = 0.5 * low + 0.5 * high;
    if middle >= low && middle < high {
        middle
    } else {
        low
    }
}
