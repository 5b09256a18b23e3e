//! The master problem, by a primal–dual interior-point method.
//!
//! With `x = (ζ, b)`, pieces G (M × (D+1)) and E the M × L matrix that says whose piece is which, the
//! optimality conditions are
//!
//! ```text
//! Qx − Gᵀβ = 0,   Eᵀβ + μ = 1,   s = Gx + Eξ − 1,   s_kβ_k = 0,   ξ_iμ_i = 0,   Q = diag(λI, 0 or λ).
//! ```
//!
//! The last entry of Q is 0 for a free intercept. Without one b is in no piece, and λ keeps it at 0.
//!
//! Mehrotra's predictor and corrector, as in [`crate::interior_point`].

mod newton;
mod solve;
mod variables;

pub(super) use solve::{Master, MasterEnd, solve_master};
