//! Dual coordinate descent for large problems, sparse ones above all, with a penalised intercept or none.
//!
//! Without a free intercept no constraint couples the multipliers, and the dual can be maximised in one α_i after the other
//! [C.-J. Hsieh, K.-W. Chang, C.-J. Lin, S. Keerthi, S. Sundararajan, *A dual coordinate descent method for large-scale
//! linear SVM*, ICML 2008, with the L1 loss]. With `v = Σα_iy_iφ_i`, `β = Σα_iy_i` and `G = c + ΓΣα_i` it is (derived, see
//! [`crate::certificate::dual_value`])
//!
//! ```text
//! max D(α) = Σα_i − ((‖v‖ − G)₊² + β²)/2λ,   0 ≤ α_i ≤ 1,
//! ```
//!
//! where all Γ_i are equal and A is orthogonal, or without uncertainty; β² only where b is penalised, as if by a constant feature.
//! A step needs `⟨v, φ_i⟩`, and changes v by a multiple of φ_i: what a row stores, twice. Without uncertainty it is
//! `α_i − g_iλ/(‖φ_i‖² + 1)` brought into [0, 1], with a gradient `g_i = (y_i⟨v, φ_i⟩ + y_iβ)/λ − 1` of −D; with it, the minimum of a
//! convex function of one variable. D is smooth, for `(‖v‖ − G)₊` is the distance of a cone, so that the maximum in every
//! coordinate is the maximum.
//!
//! Samples at a bound are set aside while their gradients keep them there; every certificate looks at all of them again.
//! Where epochs are seen to take longer than proximal steps would, which happens at small λ and small gaps, these finish the solve.
//! The stopping rule is the certified gap of [`crate::certificate`].

// Code gets the instructions of the dispatch only where it is inlined into it.
#![allow(clippy::inline_always)]

mod active;
mod best;
mod check;
mod dense;
mod epoch;
mod finish;
mod line;
mod pace;
mod rows;
mod settings;
mod solve;
mod sparse;
mod state;

pub use settings::DualCoordinateSettings;
pub use solve::solve_dual_coordinate;
