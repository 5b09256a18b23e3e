//! Exact-kernel classifiers.

mod svm;

pub use svm::{KernelSettings, KernelSolution, fit_kernel_svm};
