//! Decision trees.

use super::Fitted;
use super::fitted::{Candidate, Chosen, Selection};
use crate::run::failure::Failure;
use crate::study::classifiers::prepare::Prepared;
use robust_svm_solvers::baselines::{DecisionTree, TreeSettings};

/// The best depth.
pub(super) fn fit(depths: &[usize], prepared: &Prepared) -> Result<Fitted, Failure> {
    let mut selection = Selection::new(prepared);
    for &depth in depths {
        let settings = TreeSettings {
            max_depth: Some(depth),
            ..TreeSettings::default()
        };
        let chosen = Chosen {
            depth: Some(depth as u32),
            ..Chosen::default()
        };
        let tree = DecisionTree::fit(&prepared.train, &settings).map(Candidate::plain);
        selection.offer(chosen, tree.map_err(Failure::from));
    }
    selection.finish()
}
