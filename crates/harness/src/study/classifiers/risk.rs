//! Bounds from the norm of a decision function.

use super::method::{Capacity, Fitted};
use super::prepare::Prepared;
use super::row::RiskBounds;
use crate::run::failure::Failure;
use robust_svm_bounds::risk::{Surrogate, excess_risk, rademacher, split_rademacher};

/// The probability with which the excess risk's bound may fail.
const FAILURE: f64 = 0.05;

/// The bounds for the ball whose radius is the norm of `fitted`; none where it has no norm. The radius is taken from the data, not
/// fixed beforehand as the theorems ask: the numbers tell how large the bounds are, and are no certificates.
pub(super) fn bounds(fitted: &Fitted, prepared: &Prepared) -> Result<Option<RiskBounds>, Failure> {
    let Some(Capacity {
        norm,
        trace,
        uncertain,
        hinge,
    }) = fitted.capacity
    else {
        return Ok(None);
    };
    let rows = prepared.train.rows();
    let rademacher_split = match uncertain {
        Some(uncertain) => {
            let points = (trace - uncertain).max(0.0);
            Some(split_rademacher(norm, points, uncertain, rows)?.total())
        }
        None => None,
    };
    let excess_risk = match hinge {
        Some(largest) => {
            let terms = excess_risk(Surrogate::Hinge, norm, largest, rows, FAILURE)?;
            Some(terms.estimation + terms.deviation)
        }
        None => None,
    };
    Ok(Some(RiskBounds {
        rademacher: rademacher(norm, trace, rows)?,
        rademacher_split,
        excess_risk,
    }))
}
