//! The problems as cone programs, solved by Clarabel: a reference that shares nothing with this crate's own methods
//! but the objective.
//!
//! - [`solve_one_cone`]: one cone `‖Aζ‖₂ ≤ t` for all samples, where one matrix serves them (derived; see
//!   [`crate::interior_point`]).
//! - [`solve_many_cones`]: a cone `‖M_iζ‖_q ≤ t_i` for each sample [Couellan & Jan (4), (5)], for every p, Σ_i, p̄ and A_i. With
//!   q = 1 and ∞ the cones are linear inequalities.
//!
//! Only with the feature `clarabel`.

mod many_cones;
mod one_cone;
mod program;
mod solution;

pub use clarabel::solver::SolverStatus;
pub use many_cones::solve_many_cones;
pub use one_cone::solve_one_cone;
pub use solution::ReferenceSolution;
