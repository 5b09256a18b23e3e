//! Bounds for random Fourier features.
//!
//! Paired form: with `R_i` the block-diagonal rotation by the angles `−ω_jᵀx_i`, the pair j of
//! `R_i (φ(x_i+δ) − φ(x_i))` is `sqrt(2/D) (cos t_j − 1, sin t_j)`, `t_j = ω_jᵀδ`. [`Paper`] and [`Arcs`] bound
//! its norm p̄ pair by pair from `|t_j| ≤ θ_ij = γ_i ‖Σ_i^{⊤/2} ω_j‖_q`; [`Geodesic`] bounds its length from
//! `Σ_j t_j²`. In the phased form `R_i = I`.

pub(crate) mod arcs;
mod best;
mod feature_norm;
pub(crate) mod geodesic;
mod paper;
mod penalty;

pub use arcs::Arcs;
pub(crate) use arcs::radius as arcs_radius;
pub use best::Best;
pub use feature_norm::FeatureNorm;
pub use geodesic::Geodesic;
pub use paper::Paper;
use penalty::{only_paired, orthogonal, rotated};
