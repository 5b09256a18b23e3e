//! Inputs that are distributions, not points: the average case of uncertainty, where [`crate::uncertainty`] has the worst.

mod estimate;
mod gaussian;

pub use estimate::{basic, nearest_neighbour_variances};
pub use gaussian::{Covariances, GaussianInputs};
