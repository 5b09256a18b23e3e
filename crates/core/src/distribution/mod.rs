//! Inputs that are distributions, not points: the average case of uncertainty, where [`crate::uncertainty`] has the worst.

mod empirical;
mod estimate;
mod forms;
mod fourier;
mod gaussian;
mod gaussian_kernel;
mod input_kernel;
mod noise;
mod pairs;
mod quadratic;

pub use empirical::{EmpiricalInputs, KernelEstimate};
pub use estimate::{basic, nearest_neighbour_variances};
pub use fourier::mean_features;
pub use gaussian::{Covariances, GaussianInputs};
pub use input_kernel::InputKernel;
pub use noise::NoiseDistribution;
