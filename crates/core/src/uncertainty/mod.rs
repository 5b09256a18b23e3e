//! Uncertainty sets of the inputs: norms, their duals, and what a solver, a bound or an attack asks of
//! a set.

mod factor;
mod norm;
mod operator_norm;
mod rows;
mod set;
mod sets;

pub use factor::Factor;
pub use norm::Norm;
pub use operator_norm::operator_norm;
pub use set::UncertaintySet;
pub use sets::UncertaintySets;
