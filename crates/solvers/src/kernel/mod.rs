//! Exact-kernel methods.

mod gram;
mod input;
mod pca;
mod primal;
mod ridge;
mod ridge_multiclass;
mod smo;
mod subspace;
mod svm;

pub(crate) use pca::principal_components;

pub use gram::{GramSettings, GramSolution, fit_gram_svm};
pub use pca::KernelPca;
pub use primal::fit_kernel_svm_primal;
pub use ridge::{RidgeSolution, fit_kernel_ridge};
pub use ridge_multiclass::{MulticlassRidge, fit_multiclass_ridge};
pub use svm::{KernelSettings, KernelSolution, fit_kernel_svm};
