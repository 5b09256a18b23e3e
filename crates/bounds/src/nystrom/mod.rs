//! Bounds for Nyström features.

pub(crate) mod landmark;
mod matrix;
pub(crate) mod paper;
pub(crate) mod projection;

use matrix::inverse_root;
