//! The safe SVM: the shape of the uncertainty learnt with the classifier [Couellan & Jan (7); N. Couellan, W. Wang,
//! *Uncertainty-safe large scale support vector machines*, CSDA 109 (2017)].
//!
//! Two levels. Above, the hinge loss of a validation fold that training does not see; below, the robust linear SVM
//! against the ellipsoid `{diag(s) u : ‖u‖₂ ≤ 1}` around every training point:
//!
//! ```text
//! (upper)   min_s F(s) = Σ_j max{0, 1 − y_j^v (⟨w, x_j^v⟩ + b)}     s_min ≤ s_t ≤ s_max,
//! (lower)   (w, b) = argmin λ/2 ‖w‖² + Σ_i max{0, 1 − y_i(⟨w, x_i⟩ + b) + N},   N = ‖s∘w‖₂.
//! ```
//!
//! The lower problem is solved to a certified gap by [`crate::solve`] with `Γ_i = 1` and `A = diag(s)`. The upper one
//! is not convex, so only a stationary point is claimed: the projected gradient is reported. This is a gradient
//! method through the solved lower problem in the place of Couellan & Wang's stochastic one.
//!
//! # The hypergradient (derived)
//!
//! Write `r_i = 1 − y_i(⟨w, x_i⟩ + b) + N`, and `n = ∇_w N = s²∘w / N` for w ≠ 0. At the solution the samples fall into
//! three sets: α_i = 0 (`r_i ≤ 0`), α_i = 1 (`r_i ≥ 0`: the loss is active) and the edge E, 0 < α_i < 1 (`r_i = 0`).
//! With `a = Σα_i` the optimality conditions are
//!
//! ```text
//! (1)  λw − Σα_i y_i x_i + a n = 0        (2)  Σα_i y_i = 0        (3)  r_i = 0,  i ∈ E.
//! ```
//!
//! Under strict complementarity (`r_i ≠ 0` off E) the three sets stay the same near s, so (1)–(3) with the other α_i
//! fixed determine (w, b, α_E) there, and may be differentiated: with J the matrix of rows
//! `∂r_i/∂(w, b) = (n − y_i x_i, −y_i)`, i ∈ E, and `Ḣ = λI + a ∇²N`, `∇²N = diag(s²)/N − (s²∘w)(s²∘w)ᵀ/N³`,
//!
//! ```text
//!        ⎡ Ḣ   0  │    ⎤ ⎡ dw   ⎤     ⎡ a ∂n/∂s_t   ⎤
//! (4)    ⎢ 0   0  │ Jᵀ ⎥ ⎢ db   ⎥ = − ⎢ 0           ⎥ ds_t,
//!        ⎣   J    │ 0  ⎦ ⎣ dα_E ⎦     ⎣ ∂N/∂s_t · 1 ⎦
//! ```
//!
//! where `∂N/∂s_t = s_t w_t²/N` and `∂n/∂s_t = 2 s_t w_t e_t/N − (s²∘w) s_t w_t²/N³`. The matrix K of (4) is symmetric, so one solve with it serves every t:
//!
//! ```text
//! (5)  K (p, q, μ) = (∂F/∂w, ∂F/∂b, 0),
//! (6)  ∂F/∂s_t = −a ⟨p, ∂n/∂s_t⟩ − (Σ_{i∈E} μ_i) ∂N/∂s_t,
//! ```
//!
//! with `∂F/∂w = −Σ y_j^v x_j^v` and `∂F/∂b = −Σ y_j^v` over the validation points with a loss.
//!
//! **Without an edge** the intercepts from the kink of one sample to that of another, l and u, are all optimal, (2) holds
//! with α_i ∈ {0, 1}, and the middle is taken: `b = ½ Σ_{k=l,u} (y_k(1 + N) − ⟨w, x_k⟩)`. So b is no unknown, K is Ḣ, and
//!
//! ```text
//! (7)  Ḣp = ∂F/∂w + ∂F/∂b · ½ Σ_{k=l,u} (y_k n − x_k),   ∂F/∂s_t = −a ⟨p, ∂n/∂s_t⟩ + ∂F/∂b · ½ Σ_{k=l,u} y_k · ∂N/∂s_t:
//! ```
//!
//! the gradient for this choice of b. Another choice has another one.
//!
//! **Where K is singular.** Ḣ is positive definite and an edge determines b, so K is singular where rows of J depend on
//! each other. Equal samples of one class are the usual case: they make α_E ambiguous, not (w, b); the right side of (5)
//! is orthogonal to the kernel, and its solutions have one sum of μ, so (6) is the same for all. The solution of least norm
//! is taken (eigenvalues of the equilibrated K below 1e−11 of the largest are cut), and [`Evaluation::singular`] says
//! that one was cut. Other dependent rows are an edge with more samples than (w, b) can follow: a kink of F.
//!
//! **Where F has no gradient.** At w = 0 (an uncertainty so large that nothing is learnt) the classifier is constant
//! around s, but at the very edge of that region: the gradient is 0 and [`Evaluation::constant`] says so. F has kinks
//! where a sample changes its set or a validation loss starts: one side's gradient is given there. Minima are
//! usually at kinks, so the descent combines gradients from around them: see [`solve_safe`].

mod bundle;
mod descent;
mod edge;
mod evaluate;
mod hull;
mod hypergradient;
mod point;
mod problem;
mod settings;
mod solution;
mod solve;
mod upper;

pub use evaluate::{Evaluation, evaluate};
pub use problem::SafeProblem;
pub use settings::SafeSettings;
pub use solution::{Descent, SafeSolution, SafeStatus, Step};
pub use solve::solve_safe;
