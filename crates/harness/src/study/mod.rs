//! Experiments that measure the theory itself: one folder a kind.

mod axis;
mod axis_spec;
pub mod bandwidth_rule;
pub mod bound_tightness;
pub mod classifiers;
mod identity;
pub mod safe_ellipsoid;
pub mod scaling;
