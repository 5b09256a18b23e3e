//! What every crate of robust-svm speaks of: datasets, uncertainty sets, kernels, feature maps,
//! models, metrics and seeds. Nothing here solves a problem or reads a file.
//!
//! Notation follows the papers: inputs `x_i ∈ R^n`, labels `y_i ∈ {−1, +1}`, `i = 1..L`; feature map
//! `φ: R^n → R^D`; decision function `f(x) = ⟨ζ, φ(x)⟩ + b`; Gaussian kernel of bandwidth `σ`.

mod check;
pub mod data;
pub mod distribution;
pub mod error;
pub mod features;
pub mod kernel;
pub mod linalg;
pub mod memory;
pub mod metrics;
pub mod model;
pub mod penalty;
pub mod seed;
pub mod uncertainty;
pub mod vector_math;

pub use error::CoreError;
