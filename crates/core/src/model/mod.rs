//! Trained models: decision functions with gradients.

pub mod expansion;
mod feature;
mod kernel;
mod measure;
mod measure_gradient;
mod radial;
mod trained;

pub use feature::FeatureModel;
pub use kernel::KernelModel;
pub use measure::MeasureModel;
pub use radial::RadialModel;
pub use trained::{DecisionFunction, Model};
