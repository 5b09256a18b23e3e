//! What a feature-uncertainty bound is.

use ndarray::ArrayView2;
use robust_svm_core::features::Features;
use robust_svm_core::penalty::FeaturePenalty;
use robust_svm_core::uncertainty::UncertaintySets;
use std::fmt::Debug;

use crate::rff::FeatureNorm;
use crate::{BoundError, MapKind, Question};

/// A bound on how far uncertainty of the inputs moves the features of one kind of map:
/// `⟨ζ, φ(x_i+δ) − φ(x_i)⟩ ≤ Γ_i ‖A_i ζ‖_q̄` for every ζ and every δ of the set around x_i.
pub trait FeatureBound: Debug + Send + Sync {
    /// The name users write; unique among the bounds of [`FeatureBound::map`].
    fn name(&self) -> &'static str;

    /// The kind of feature map it is for.
    fn map(&self) -> MapKind;

    /// p̄, the norm of features that `Γ_i` is a radius in: `‖A_i^{−⊤} Δφ_i‖_p̄ ≤ Γ_i`, 1/p̄ + 1/q̄ = 1.
    fn norm(&self) -> FeatureNorm {
        FeatureNorm::Two
    }

    /// Whether sets of one shape and size give all points one radius `Γ_i` and one matrix `A_i`, wherever the points are.
    fn is_alike(&self) -> bool {
        self.norm() == FeatureNorm::Two
    }

    /// That it holds for these sets, whatever the points and the map.
    ///
    /// # Errors
    /// [`BoundError::NotValid`] if it does not, with what to use instead.
    fn holds_for(&self, sets: &UncertaintySets) -> Result<(), BoundError> {
        let _ = sets;
        Ok(())
    }

    /// `Γ_i` and `A_i`, for what [`FeatureBound::penalty`] has checked.
    ///
    /// # Errors
    /// [`BoundError::NotValid`] where it does not hold for the map at hand.
    fn evaluate(&self, question: &Question<'_>) -> Result<FeaturePenalty, BoundError>;

    /// `Γ_i` and `A_i` with `⟨ζ, φ(x_i+δ) − φ(x_i)⟩ ≤ Γ_i ‖A_i ζ‖_q̄` for every ζ and every δ in the set of
    /// size `gamma · g_i` around the row i of `x` (L × n). γ is in units of the scaled inputs; a size of 0
    /// gives exactly Γ_i = 0.
    ///
    /// # Errors
    /// [`BoundError::NotValid`] if the bound is for another kind of map or does not hold for the sets;
    /// [`BoundError::Core`] for shapes that disagree, inputs that are not finite and sizes that are
    /// negative or not finite.
    fn penalty(
        &self,
        features: &Features,
        sets: &UncertaintySets,
        x: ArrayView2<'_, f64>,
        gamma: f64,
    ) -> Result<FeaturePenalty, BoundError> {
        let found = MapKind::of(features);
        if found != self.map() {
            return Err(BoundError::NotValid {
                bound: self.name(),
                reason: format!(
                    "it is for {}: those of {found} are {}",
                    self.map(),
                    crate::names(found).join(", ")
                ),
            });
        }
        let question = Question::new(features, sets, x.reborrow(), gamma)?;
        self.holds_for(sets)?;
        self.evaluate(&question)
    }
}

impl PartialEq for dyn FeatureBound + '_ {
    /// Bounds are known by their map and name.
    fn eq(&self, other: &Self) -> bool {
        (self.map(), self.name()) == (other.map(), other.name())
    }
}
