//! The stochastic sub-gradient and proximal gradient methods of Couellan & Jan, §3, with a certified gap.
//!
//! Both take one mini-batch B at a time, of any [`SublinearProblem`](crate::SublinearProblem). In the mean form
//! `P/L = λ'/2 ‖ζ‖² + (1/L) Σ_i loss_i`, `λ' = λ/L`, with `v = (1/|B|) Σ_{i∈B} a_i(y_iφ_i − z_i)`, where `a_i` is 1 if the loss
//! of i is active and 0 if not and `z_i` a sub-gradient of `h_i`, a step η makes
//!
//! ```text
//! sub-gradient   ζ ← ζ − ηw(λ'ζ − v),
//! proximal       ζ ← (ζ + ηwv)/(1 + ηwλ'),
//! ```
//!
//! with the weight `w = |B|/size` of a batch beside a full one, so that each sample has the same weight whatever the size of its batch.
//!
//! The proximal step is that of `λ'/2 ‖ζ‖²`: the objective is a sum of L losses, so a sample carries the L-th part
//! of the regularisation; with λ in the place of λ' the method converges to another problem. b moves along
//! `(w/|B|) Σ a_iy_i` and is not shrunk unless it is penalised. Each epoch visits every sample once, in an order of its own.
//!
//! **The point returned** is the average of ζ over a tail of whole epochs, between a half and three quarters of them (α-suffix
//! averaging [A. Rakhlin, O. Shamir, K. Sridharan, ICML 2012], its start a power of two), or the ζ of the dual point,
//! with the intercept that is best for it.
//!
//! **The dual point** (derived) comes from the same tail. Let α_i be the share of its epochs that found the loss of i
//! active, and `Z = Σα_iz_i` the mean of what the sub-gradients sum up to in an epoch. Then `0 ≤ α_i ≤ 1`, and each `z_i` is a
//! convex combination of sub-gradients of `h_i`, hence one at 0: `(α, Z)` is feasible in the dual of
//! [`crate::certificate`] but for `Σα_iy_i = 0`, for which the class with the larger sum is scaled down, α and Z
//! alike. It becomes optimal, because sub-gradients along the way average to 0: with a constant η and means weighted by w,
//!
//! ```text
//! λ' mean(ζ) − mean(v) = (ζ_first − ζ_last)/(ηΣw) → 0,   mean(v) = (1/L)(Σα_iy_iφ_i − Z),
//! ```
//!
//! so `(Σα_iy_iφ_i − Z)/λ`, the ζ of the dual point, approaches the average. With η = 1/(λ'W_t), `W_t = w_1 + … + w_t`,
//! `W_tζ_{t+1} = W_{t−1}ζ_t + w_tv_t/λ'`: over all epochs the iterate is the ζ of the dual point exactly. Whatever the steps, the gap is certified.

mod averages;
mod batch;
mod best;
mod iterate;
mod settings;
mod solution;
mod solve;
mod steps;

pub(crate) use averages::{EpochSum, Tail};
pub(crate) use iterate::Iterate;
pub(crate) use settings::setting;
pub use settings::{StepRule, StochasticMethod, StochasticSettings};
pub use solution::StochasticSolution;
pub use solve::solve_stochastic;
pub(crate) use steps::Steps;
