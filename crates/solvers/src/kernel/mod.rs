//! Exact-kernel classifiers.

mod gram;
mod input;
mod primal;
mod ridge;
mod ridge_multiclass;
mod smo;
mod svm;

pub use gram::{GramSettings, GramSolution, fit_gram_svm};
pub use primal::fit_kernel_svm_primal;
pub use ridge::{RidgeSolution, fit_kernel_ridge};
pub use ridge_multiclass::{MulticlassRidge, fit_multiclass_ridge};
pub use svm::{KernelSettings, KernelSolution, fit_kernel_svm};
