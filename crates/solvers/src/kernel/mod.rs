//! Exact-kernel classifiers.

mod gram;
mod input;
mod ridge;
mod smo;
mod svm;

pub use gram::{GramSettings, GramSolution, fit_gram_svm};
pub use ridge::{RidgeSolution, fit_kernel_ridge};
pub use svm::{KernelSettings, KernelSolution, fit_kernel_svm};
