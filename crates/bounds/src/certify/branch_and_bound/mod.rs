//! The worst margin of a point to a stated tolerance: branch and bound over its uncertainty set, with
//! quadratics below the model as the bounding functions.

mod node;
mod options;
mod search;

pub use options::{BranchAndBound, Goal};
pub use search::MarginBracket;
