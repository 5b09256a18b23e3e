//! Graph embedding: directions f that keep the neighbours of one graph together and those of another apart
//! [Yan et al. 2007], of points (GE), and of normally distributed inputs, linear (GEU) or by the mean embeddings of a
//! kernel (NGEU) [Laakom et al.].
//!
//! With the scatters `S_L` and `S_B` of a [`Graph`]'s two Laplacians, and `r` a ridge ([`EmbeddingSettings`]),
//!
//! ```text
//! (S_L + r I) p = ρ M p,   the smallest ρ,   pᵀMp = 1,   M = S_B + r I for LDA, S_B for MFA.
//! ```
//!
//! A direction's values over √ρ have `pᵀ(S_L + r I)p = 1`, the scaling of scikit-learn's discriminants.
//!
//! Without a graph to keep together (PCA) this is `S_B p = ρ p`, the largest ρ, ‖p‖ = 1. Linear directions
//! ([`LinearEmbedding`]) have `S_L = Xᵀ L X + Σ_i L_ii Σ_i`. In a kernel's space ([`KernelEmbedding`]) p is
//! `Σ_i a_i k(x_i, ·)`: `‖p‖² = aᵀKa` and `pᵀS_Lp = aᵀK L K a`, with K the kernel of points for GE and of mean embeddings
//! for NGEU, so that the two are one method with two Gram matrices.
//!
//! **Why LDA has the ridge on both sides** (derived). K has full rank for most kernels, and then some p has `S_Lp = 0`: the
//! problem without r has many solutions ρ = 0, and picks one by rounding. With r on the left alone, LDA's solutions
//! are not those of `max between/(within + r)`, the usual regularised form, as `within + between = total`; with r on
//! both sides they are, `ρ = 1/(1 + between/(within + r))`, and ρ = 1 says that a direction tells nothing apart. MFA's two graphs have no
//! such relation: there r on the right would put directions in which nothing varies, ρ = 1, before some in which much does.

mod classes;
mod graph;
mod kernel;
mod laplacian;
mod linear;
mod marginal;
mod pencil;
mod settings;

pub use graph::Graph;
pub use kernel::KernelEmbedding;
pub use laplacian::Laplacian;
pub use linear::LinearEmbedding;
pub use marginal::gram_distances;
pub use settings::EmbeddingSettings;
