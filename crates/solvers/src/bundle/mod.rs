//! Cutting planes with a certified gap, for robust SVMs with any sublinear penalty (derived).
//!
//! Every sub-gradient z of `h_i` gives a lower bound of its loss, `1 − ⟨y_iφ_i − z, ζ⟩ − y_ib`: a piece. With
//! pieces `z_ik` the master problem
//!
//! ```text
//! min λ/2‖ζ‖² + Σξ_i   s.t.  s_ik = ⟨y_iφ_i − z_ik, ζ⟩ + y_ib + ξ_i − 1 ≥ 0,  ξ ≥ 0
//! ```
//!
//! is a lower bound of the whole. Its multipliers β_ik give `α_i = Σ_kβ_ik` and `z_i = Σ_kβ_ikz_ik/α_i`, a feasible
//! point of the dual in [`crate::certificate`]; its ζ is a candidate, and where the penalty there is above
//! the model, a place for new pieces. Pieces without a multiplier are dropped, which leaves the bound as it is;
//! an optimum needs no more than about L + D.
//!
//! The master problem is solved by an interior-point method, early ones loosely. New pieces are also made
//! near the best point of the way from the incumbent to the candidate [V. Franc, S. Sonnenburg, J. Mach. Learn.
//! Res. 10 (2009): OCAS], which keeps the candidates from jumping.
//!
//! 10 to 80 master problems are usual. Norms that are curved (q = 2) and large beside λ take the most, for then
//! a piece is good only near its own ζ: where one A serves all samples, [`crate::interior_point`] is the method.

mod incumbent;
mod master;
mod pieces;
mod settings;
mod solution;
mod solve;

pub(crate) use incumbent::Point;
pub use settings::BundleSettings;
pub use solution::BundleSolution;
pub use solve::solve_bundle;
