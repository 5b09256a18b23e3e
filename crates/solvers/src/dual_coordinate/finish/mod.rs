//! The end of a solve by proximal steps, where coordinate descent would need many epochs more.
//!
//! From multipliers α⁰ the proximal point method [R. T. Rockafellar, SIAM J. Control Optim. 14 (1976)] maximises
//! `D(α) − ε/2 ‖α − α⁰‖²`. The problem whose dual this is has each loss replaced by a smooth one (derived, by conjugation),
//!
//! ```text
//! ψ(ζ, b) = λ/2‖ζ‖² + λ/2 b² + c‖ζ‖ + Σ_i max{ aℓ_i − ε/2 (a − α⁰_i)² : 0 ≤ a ≤ 1 },
//! ℓ_i = 1 − y_i(⟨ζ, φ_i⟩ + b) + Γ‖ζ‖,
//! ```
//!
//! and the maximising `a_i = α⁰_i + ℓ_i/ε`, brought into [0, 1], is the next α. Newton's method minimises ψ: its Hessian sums outer
//! products over the samples strictly between the bounds alone, near the margin, so that a step costs two passes over Φ and
//! O(JD² + D³) for J of them.
//!
//! Any (ζ, b) and the `a` that belongs to it are certified: with `e = ∇ψ` (derived; exact without a cone)
//!
//! ```text
//! P(ζ, b) − D(a) ≤ Σ_i (max{0, ℓ_i} − a_iℓ_i) + ‖e‖²/2λ,
//! ```
//!
//! for `Σ max{0, ℓ_i}` is the first sum plus `Σa_iℓ_i`, and what remains, with `v`, `β` and G of `a` and `x = λ(ζ, b)`, is
//! `(‖x‖² − 2⟨x, (v, β)⟩ + 2G‖λζ‖ + (‖v‖ − G)₊² + β²)/2λ`, where `(‖v‖ − G)₊` is the least `‖v − Gu‖` over the unit ball and
//! `‖λζ‖ = ⟨λζ, u⟩` for `u = ζ/‖ζ‖`: so at most `‖x − (v − Gu, β)‖²/2λ`.

mod newton;
mod smooth;
mod solve;

pub(super) use solve::{MAX_WIDTH, Outcome, finish, finish_cost};
