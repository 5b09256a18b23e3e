//! The families by their files.

use super::{Fitted, neighbours};
use crate::run::failure::Failure;
use crate::study::classifiers::plan_method::{Family, Method};
use crate::study::classifiers::prepare::Prepared;

/// The best of `method`'s grid on `prepared`, trained for `level` where it is of a level.
pub(in crate::study::classifiers) fn fit(
    method: &Method,
    prepared: &Prepared,
    level: f64,
) -> Result<Fitted, Failure> {
    let _ = level;
    match &method.family {
        Family::Neighbours { k } => neighbours::fit(*k, prepared),
        _ => Err(Failure::failed("not there yet")),
    }
}
