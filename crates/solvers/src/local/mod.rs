//! Primal–dual interior-point method for SVMs trained on the local bound ([`LocalPenalty`](crate::LocalPenalty)) with
//! p = 2 and one shape Σ for all samples, whose sets may differ in size.
//!
//! Each sample has a second-order cone, and the curvature R is shared (derived):
//!
//! ```text
//! min λ/2‖ζ‖² + Σξ_i   s.t.   y_i(⟨ζ,φ_i⟩+b) − ½γ_i² r + ξ_i − 1 ≥ ‖γ_iC_iζ‖₂,   ξ ≥ 0,   r ≥ R(ζ),   C_i = Σ^{⊤/2}J_iᵀ,
//! ```
//!
//! where `r ≥ R(ζ)` is `Σ_j a_jω̃_jω̃_jᵀ ⪯ rI`, `sqrt(2/D)‖ζ_j‖ ≤ a_j` for random Fourier features and `√3(ρ/σ)²‖ζ‖ ≤ r` for
//! Nyström ones. With x = (ζ, b, r, a), M the linear map from x to the slacks of all cones and the hinge as the head of
//! its cone, the optimality conditions are
//!
//! ```text
//! Qx − Mᵀz = 0,   α_i + μ_i = 1,   s = Mx + ξ − 1,   s ∘ z = 0,   ξ_iμ_i = 0,   Q = diag(λI, 0 or λ, 0),
//! ```
//!
//! α_i the head of z_i, and the entry of Q at b 0 where b is free. Without b its column of M is 0, and λ keeps it at 0. The predictor, corrector and scaling are those of [`crate::interior_point`]. Eliminating all but x
//! leaves for each sample two rank-one terms and `η_i⁻²γ_i²C_iᵀC_i` (`sample.rs`), and the sum of the latter needs no n-fold
//! work (`waves.rs`, `kernels.rs`): three weighted Gram matrices an iteration for random Fourier features.
//!
//! The stopping rule is the certified gap of [`crate::certificate`], not the iterates' own residuals.

mod best;
mod blocks;
mod cones;
mod curvature;
mod data;
mod jacobians;
mod kernels;
mod kkt;
mod newton;
mod one_cone;
mod psd;
mod sample;
mod scalings;
mod solution;
mod solve;
mod variables;
mod waves;

pub use solution::LocalSolution;
pub use solve::solve_local;
