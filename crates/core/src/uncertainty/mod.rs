//! Uncertainty sets of the inputs: norms, their duals, and what a solver, a bound or an attack asks of
//! a set.

mod norm;
mod set;

pub use norm::Norm;
pub use set::{Factor, UncertaintySet};
