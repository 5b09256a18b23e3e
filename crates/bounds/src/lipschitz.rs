//! How fast perturbations move a model at most, for perturbations that share one budget.
//!
//! `‖Σ^{−1/2}δ‖_p` is the length of a perturbation. With `Σ_i ‖Σ^{−1/2}δ_i‖_p ≤ c` over all training points, and
//! `f(x+δ) − f(x) ≤ K ‖Σ^{−1/2}δ‖_p ‖Aζ‖₂` for every δ, the sum of hinge losses rises by at most `cK‖Aζ‖₂`, as each of them rises by
//! at most the change of f. For linear models that is reached where some margin is at most 1 [H. Xu, C. Caramanis, S.
//! Mannor, JMLR 10 (2009), Theorem 3]. With c = γL it is L times the loss over the Wasserstein ball of order 1 and radius γ
//! around the L training points, labels fixed.

use robust_svm_core::features::{FeatureMap, Features};
use robust_svm_core::penalty::PenaltyMatrix;
use robust_svm_core::uncertainty::{Norm, UncertaintySet};

use crate::rff::geodesic::speed;
use crate::{BoundError, MapKind, check, linear};

/// The name of the bound in messages.
const NAME: &str = "total-budget";

/// `f(x + Σ^{1/2}u) − f(x) ≤ K ‖u‖_p ‖Aζ‖₂` for every x and u.
#[derive(Debug, Clone, PartialEq)]
pub struct Lipschitz {
    /// K.
    pub constant: f64,
    /// A.
    pub matrix: PenaltyMatrix,
}

/// K and A of the models on `features`, of any ζ, for perturbations measured by `set`:
///
/// - linear models, p = 2: K = 1, `A = Σ^{⊤/2}`, exact;
/// - random Fourier features: `K = sqrt(2/D) ‖WΣ^{1/2}‖_{p→2}`, A = I;
/// - Nyström features: `K = ‖Σ^{1/2}‖_{p→2}/σ`, A = I.
///
/// *Proof.* Linear: `⟨w, Σ^{1/2}u⟩ ≤ ‖u‖₂ ‖Σ^{⊤/2}w‖₂`. Fourier: `‖Jδ‖² = (2/D) Σ_j (ω_jᵀδ)²` of the paired form, and each term times
/// `sin²` of the phased one, so no path of φ is longer than `K‖u‖_p`. Nyström: φ(x) are coordinates of a contraction of
/// k(x,·), which moves by `sqrt(2 − 2κ(‖δ‖)) ≤ ‖δ‖/σ`, as `1 − exp(−t) ≤ t`. ∎ (derived) A bound `Γ(c)` of one point is no
/// coefficient for a budget: it is concave in c, and shared budgets would gain.
///
/// # Errors
/// [`BoundError::NotValid`] for linear models with p ≠ 2; [`BoundError::Core`] if the set is for other inputs.
pub fn lipschitz(features: &Features, set: &UncertaintySet) -> Result<Lipschitz, BoundError> {
    holds_for(MapKind::of(features), set.norm())?;
    let n = features.input_dim();
    check::set(set, n)?;
    let orthogonal = |constant| Lipschitz {
        constant,
        matrix: PenaltyMatrix::Orthogonal,
    };
    match features {
        Features::Identity(_) => Ok(Lipschitz {
            constant: 1.0,
            matrix: linear::matrix(set),
        }),
        Features::Rff(map) => Ok(orthogonal(speed(map, set)?)),
        Features::Nystrom(map) => Ok(orthogonal(set.longest(n) / map.kernel().sigma())),
    }
}

/// That there is a constant for models on maps of this kind and sets of norm p, whatever the points.
///
/// # Errors
/// [`BoundError::NotValid`] if there is none, with what to use instead.
pub fn holds_for(map: MapKind, p: Norm) -> Result<(), BoundError> {
    if map == MapKind::Identity && p != Norm::Two {
        return Err(BoundError::NotValid {
            bound: NAME,
            reason: "its penalty ‖Aζ‖₂ is that of perturbations measured in the norm p = 2: use p = 2, or random \
                     Fourier or Nyström features"
                .into(),
        });
    }
    Ok(())
}
