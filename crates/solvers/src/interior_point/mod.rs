//! Primal–dual interior-point method for SVMs with one second-order cone.
//!
//! If one matrix A serves every sample, the robust SVM needs one cone, not L + 1 (derived; a dense A is made
//! diagonal by turning the features into its principal axes):
//!
//! ```text
//! min λ/2‖ζ‖² + ct + Σξ_i   s.t.  s_i = y_i(⟨ζ,φ_i⟩+b) − Γ_i t + ξ_i − 1 ≥ 0,  ξ ≥ 0,  ‖Aζ‖₂ ≤ t.
//! ```
//!
//! With x = (ζ, b, t), B the matrix of rows `(y_iφ_i, y_i, −Γ_i)` and `Cx = (t, Aζ)`, the optimality
//! conditions are
//!
//! ```text
//! Qx + (0, 0, c) − Bᵀα − Cᵀz = 0,   α + μ = 1,   s = Bx + ξ − 1,   s_c = Cx,
//! s_iα_i = 0,   ξ_iμ_i = 0,   s_c ∘ z = 0,   Q = diag(λI, 0 or λ, 0).
//! ```
//!
//! Each iteration is Mehrotra's predictor and corrector [S. Mehrotra, SIAM J. Optim. 2 (1992)] in the
//! Nesterov–Todd scaling W of the cone [Y. Nesterov, M. Todd, SIAM J. Optim. 8 (1998)], in the form of
//! L. Vandenberghe's *The CVXOPT linear and quadratic cone program solvers* (2010). Eliminating all but
//! x leaves `Q + Bᵀ diag(w) B + CᵀW⁻²C` with `w_i = 1/(ξ_i/μ_i + s_i/α_i)`: one weighted Gram matrix and
//! one Cholesky factorisation, O(L D² + D³).
//!
//! A wide problem whose ζ lies in the span of L < D rows is solved in L dimensions.
//!
//! What an iteration hands to the next is kept apart from its memory (`state.rs`), so that a solve can be stopped and go on, as
//! [`crate::stream::solve_stream`] does.
//!
//! The stopping rule is the certified gap of [`crate::certificate`], not the iterates' own residuals.

use crate::solution;

mod axes;
mod best;
pub(crate) mod cone;
mod data;
mod iterations;
mod kkt;
mod newton;
mod products;
mod progress;
mod settings;
mod solve;
mod span;
mod state;
mod step;
mod variables;
mod warm;

pub(crate) use axes::PrincipalAxes;
pub(crate) use iterations::Iterations;
pub(crate) use progress::Progress;
pub use settings::InteriorPointSettings;
pub use solution::{Solution, Status};
pub use solve::{solve, solve_from};
pub(crate) use state::State;
pub(crate) use variables::dot;
