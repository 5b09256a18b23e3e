//! What people look at of an experiment, made from its rows.

mod classification;
mod error;
mod model;
mod viewed;
mod write;

pub use classification::{axes, classification};
pub use error::ViewsError;
pub use model::Views;
pub use viewed::Viewed;
