//! From an uncertainty set and a feature map to a radius of feature movement; from a trained model to a
//! certificate of its robust error, and to the attack that brackets it from below.
//!
//! - [`FeatureBound`]: `Γ_i` and `A_i` with `⟨ζ, φ(x_i+δ) − φ(x_i)⟩ ≤ Γ_i ‖A_i ζ‖_q̄`, for the training
//!   problem; [`BOUNDS`] lists them, [`find`] finds one by its name;
//! - [`lipschitz`](mod@lipschitz): the same for perturbations of all points that share one budget;
//! - [`chance`]: the size of a set that noise keeps to with a given probability;
//! - [`bandwidth`]: the least σ that keeps random Fourier features where their bounds are tight;
//! - [`risk`]: Rademacher complexities and the excess risk, bounds of the average case;
//! - [`certify`]: an upper bound on how far uncertainty lowers `y f(x)`, so on the robust error;
//! - [`attack`](mod@attack): perturbations that lower it, so a lower bound on the robust error.

pub mod attack;
pub mod bandwidth;
mod bound;
pub mod certify;
pub mod chance;
mod check;
mod error;
mod kernel_change;
pub mod linear;
pub mod lipschitz;
mod map_kind;
pub mod nystrom;
mod question;
mod registry;
pub mod rff;
pub mod risk;

pub use bound::FeatureBound;
pub use error::BoundError;
pub use map_kind::MapKind;
pub use question::Question;
pub use registry::{BOUNDS, all_names, bounds_for, find, names};
