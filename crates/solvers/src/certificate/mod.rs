//! Certificates of optimality: primal values, dual values and the relative gap between them.
//!
//! These functions see a problem and a candidate, never a solver's state: a gap they report holds
//! whoever made the candidate.

mod budget;
mod dual;
mod gap;
mod primal;
mod sublinear;

pub use budget::worst_budget_loss;
pub use dual::{DualPoint, dual_value, make_feasible};
pub use gap::RelativeGap;
pub use primal::{objective, optimal_intercept};
pub use sublinear::{
    exceeds_penalty, sublinear_dual_value, sublinear_objective, sublinear_optimal_intercept,
    summed_dual_value,
};

pub(crate) use dual::{DualSums, DualTerms, evaluate_dual};
pub(crate) use primal::{hinge_sum, intercept_of_margins, regularisation};
pub(crate) use sublinear::{sublinear_regularisation, summed_dual_terms};
