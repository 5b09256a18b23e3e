//! Bounds for random Fourier features.

pub(crate) mod geodesic;
pub(crate) mod paper;
