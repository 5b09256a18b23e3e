//! Trained models on disk: a versioned JSON file with all that predictions and certificates of raw data need.

mod classes;
mod error;
mod features;
mod format;
mod json;
mod saved;

pub use classes::{ClassSide, Classes};
pub use error::{ModelFault, ModelFileError};
pub use saved::{SavedModel, Training};
