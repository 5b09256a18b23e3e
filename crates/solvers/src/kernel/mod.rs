//! Exact-kernel classifiers.

mod input;
mod ridge;
mod svm;

pub use ridge::{RidgeSolution, fit_kernel_ridge};
pub use svm::{KernelSettings, KernelSolution, fit_kernel_svm};
