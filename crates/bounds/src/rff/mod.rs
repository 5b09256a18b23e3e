//! Bounds for paired random Fourier features.
//!
//! With `R_i` the block-diagonal rotation by the angles `−ω_jᵀx_i`, the pair j of `R_i (φ(x_i+δ) − φ(x_i))`
//! is `sqrt(2/D) (cos t_j − 1, sin t_j)`, `t_j = ω_jᵀδ`. [`paper()`] and [`arcs()`] bound its norm p̄ pair by
//! pair from `|t_j| ≤ θ_ij = γ_i ‖Σ^{⊤/2} ω_j‖_q`.

mod arcs;
mod best;
mod feature_norm;
pub(crate) mod geodesic;
mod paper;

pub use arcs::arcs;
pub(crate) use arcs::radius as arcs_radius;
pub(crate) use best::best;
pub use feature_norm::FeatureNorm;
pub use paper::paper;
