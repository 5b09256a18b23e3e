//! k nearest neighbours of inputs.

use super::Fitted;
use super::fitted::{Candidate, Chosen, Selection};
use crate::run::failure::Failure;
use crate::study::classifiers::prepare::Prepared;
use robust_svm_solvers::KNearest;

/// The classifier; there is nothing to choose.
pub(super) fn fit(k: usize, prepared: &Prepared) -> Result<Fitted, Failure> {
    let train = &prepared.train;
    let (x, labels) = (train.x().clone(), train.labels().to_vec());
    let candidate = KNearest::new(x, labels, train.classes(), k).map(Candidate::plain);
    let mut selection = Selection::new(prepared);
    selection.offer(Chosen::default(), candidate.map_err(Failure::from));
    selection.finish()
}
