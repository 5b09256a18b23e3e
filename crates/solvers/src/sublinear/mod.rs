//! Robust SVMs whose penalty is any sublinear function of the weights, one for each sample:
//!
//! ```text
//! min P(ζ, b) = λ/2 ‖ζ‖² + Σ_i max{0, 1 − y_i(⟨ζ, φ_i⟩ + b) + h_i(ζ)},   b as [`Intercept`](crate::Intercept) says.
//! ```
//!
//! `h_i(ζ) = max_{δ∈U_i} ⟨ζ, −y_iΔφ_i⟩` or a bound on it: a norm `Γ_i‖A_iζ‖_q̄` [Couellan & Jan (10), corrected:
//! `A = R^{−⊤}`], the support function of a linear model's uncertainty set [Couellan & Jan (4)], or the model's
//! gradient at the sample with a bound on its curvature ([`LocalPenalty`]).

mod curvature;
mod feature;
mod local;
mod penalty;
mod problem;
mod support;

pub use local::LocalPenalty;
pub use penalty::{NormForm, SublinearPenalty};
pub use problem::SublinearProblem;
pub use support::SupportPenalty;
