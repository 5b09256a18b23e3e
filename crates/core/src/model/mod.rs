//! Trained models: decision functions with gradients.

pub mod expansion;
mod feature;
mod kernel;
mod trained;

pub use feature::FeatureModel;
pub use kernel::KernelModel;
pub use trained::{DecisionFunction, Model};
