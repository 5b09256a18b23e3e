//! Exact-kernel methods.

mod input;
mod pca;
mod ridge;
mod svm;

pub(crate) use pca::principal_components;

pub use pca::KernelPca;
pub use ridge::{RidgeSolution, fit_kernel_ridge};
pub use svm::{KernelSettings, KernelSolution, fit_kernel_svm};
