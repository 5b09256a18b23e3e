//! Inputs that are distributions, not points: the average case of uncertainty, where [`crate::uncertainty`] has the worst.

mod gaussian;

pub use gaussian::{Covariances, GaussianInputs};
