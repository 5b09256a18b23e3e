//! Bounds for Nyström features.

pub(crate) mod paper;
pub(crate) mod projection;
