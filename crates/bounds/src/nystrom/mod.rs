//! Bounds for Nyström features.

mod best;
mod landmark;
mod matrix;
mod paper;
mod projection;

pub use best::Best;
pub use landmark::Landmark;
use matrix::inverse_root;
pub use paper::{Paper, Rank};
pub use projection::Projection;
