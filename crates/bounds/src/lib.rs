//! From an uncertainty set and a feature map to a radius of feature movement; from a trained model to a
//! certificate of its robust error, and to the attack that brackets it from below.
//!
//! - [`Bound`]: `Γ_i` and `A` with `⟨ζ, φ(x_i+δ) − φ(x_i)⟩ ≤ Γ_i ‖A ζ‖₂`, for the training problem;
//! - [`rff`]: radii of random Fourier features in other norms p̄, for comparison;
//! - [`certify`]: an upper bound on how far uncertainty lowers `y f(x)`, so on the robust error;
//! - [`attack`](mod@attack): perturbations that lower it, so a lower bound on the robust error.

pub mod attack;
mod bound;
pub mod certify;
mod check;
mod error;
mod kernel_change;
mod linear;
mod nystrom;
pub mod rff;

pub use bound::{Bound, MapKind};
pub use error::BoundError;
