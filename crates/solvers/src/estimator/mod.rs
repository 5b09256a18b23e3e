//! Robust SVMs through the traits of linfa: [`RobustSvm`] names the parameters, `fit` takes a
//! [`linfa::Dataset`] with targets of `bool`, and [`FittedRobustSvm`] predicts and certifies.
//!
//! ```
//! use linfa::prelude::*;
//! use ndarray::array;
//! use robust_svm_core::uncertainty::UncertaintySet;
//! use robust_svm_solvers::{FeatureChoice, RobustSvm};
//!
//! let x = array![[2.0, 0.3], [1.5, -0.4], [1.1, 0.9], [-2.0, 0.2], [-1.4, -0.8], [-1.2, 0.7]];
//! let dataset = Dataset::new(x, array![true, true, true, false, false, false]);
//! let model = RobustSvm::params()
//!     .features(FeatureChoice::Linear)
//!     .uncertainty(UncertaintySet::sphere(), 0.5)
//!     .lambda(0.1)
//!     .fit(&dataset)?;
//! assert_eq!(model.predict(&dataset), *dataset.targets());
//! assert!(model.relative_gap().value() <= 1e-9);
//! // However the inputs move by up to 0.5, no point leaves its class.
//! assert_eq!(model.certified_error(&dataset, 0.5)?, 0.0);
//! # Ok::<(), robust_svm_solvers::FitError>(())
//! ```

mod error;
mod fit;
mod fitted;
mod params;

pub use error::FitError;
pub use fitted::FittedRobustSvm;
pub use params::{
    Bandwidth, FeatureChoice, RobustSvm, RobustSvmParams, RobustSvmValidParams, Robustness,
};
