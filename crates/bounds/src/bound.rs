//! The registry of feature-uncertainty bounds.

use ndarray::{Array1, ArrayView1, ArrayView2};
use robust_svm_core::features::{FeatureMap, Features, Nystrom, Rff};
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::uncertainty::UncertaintySet;

use crate::nystrom::paper::Rank;
use crate::rff::FeatureNorm;
use crate::{BoundError, check, linear, nystrom, rff};

/// A bound on how far uncertainty of the inputs moves the features, by the name users write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// `exact`: the identity map's support function.
    Exact,
    /// `paper`: Couellan & Jan's Prop. 4.1 (random Fourier features) or 4.2 (Nyström).
    Paper,
    /// `paper-without-rank`: Prop. 4.2 without its factor r, which nothing needs.
    PaperWithoutRank,
    /// `arcs`: Prop. 4.1 with the exact range of each pair of random Fourier features.
    Arcs,
    /// `geodesic`: arcs on the sphere that random Fourier features live on.
    Geodesic,
    /// `landmark`: each kernel value of Nyström features by the triangle inequality.
    Landmark,
    /// `projection`: Nyström features move no further than the kernel functions they project.
    Projection,
    /// `best`: the smallest bound with orthogonal `A`. Random Fourier features: the smaller of `arcs` and
    /// `geodesic`; Nyström: `projection`.
    Best,
}

/// The kinds of feature map that bounds are made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MapKind {
    /// Linear models.
    Identity,
    /// Random Fourier features.
    Rff,
    /// Nyström features.
    Nystrom,
}

impl MapKind {
    /// The kind of `features`.
    pub fn of(features: &Features) -> Self {
        match features {
            Features::Identity(_) => Self::Identity,
            Features::Rff(_) => Self::Rff,
            Features::Nystrom(_) => Self::Nystrom,
        }
    }
}

impl Bound {
    /// Every bound.
    pub const ALL: [Self; 8] = [
        Self::Exact,
        Self::Paper,
        Self::PaperWithoutRank,
        Self::Arcs,
        Self::Geodesic,
        Self::Landmark,
        Self::Projection,
        Self::Best,
    ];

    /// The names of [`Bound::ALL`], in its order.
    pub const NAMES: [&'static str; 8] = [
        "exact",
        "paper",
        "paper-without-rank",
        "arcs",
        "geodesic",
        "landmark",
        "projection",
        "best",
    ];

    /// The bound that users write as `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|bound| bound.name() == name)
    }

    /// The name users write.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Paper => "paper",
            Self::PaperWithoutRank => "paper-without-rank",
            Self::Arcs => "arcs",
            Self::Geodesic => "geodesic",
            Self::Landmark => "landmark",
            Self::Projection => "projection",
            Self::Best => "best",
        }
    }

    /// The bounds there are for a kind of feature map.
    pub fn for_map(map: MapKind) -> &'static [Self] {
        match map {
            MapKind::Identity => &[Self::Exact],
            MapKind::Rff => &[Self::Paper, Self::Arcs, Self::Geodesic, Self::Best],
            MapKind::Nystrom => &[
                Self::Paper,
                Self::PaperWithoutRank,
                Self::Landmark,
                Self::Projection,
                Self::Best,
            ],
        }
    }

    /// `Γ_i` and `A` with `⟨ζ, φ(x_i+δ) − φ(x_i)⟩ ≤ Γ_i ‖A ζ‖₂` for every ζ and every δ in the set of size
    /// `gamma[i]` around the row i of `x` (L × n). γ is in units of the scaled inputs; γ_i = 0 gives
    /// exactly Γ_i = 0.
    ///
    /// # Errors
    /// [`BoundError::NotValid`] if the bound does not exist for the feature map or does not hold for the
    /// set's norm; [`BoundError::Core`] for shapes that disagree, inputs that are not finite and sizes
    /// that are negative or not finite.
    pub fn penalty(
        self,
        features: &Features,
        set: &UncertaintySet,
        x: ArrayView2<'_, f64>,
        gamma: ArrayView1<'_, f64>,
    ) -> Result<FeaturePenalty, BoundError> {
        check::inputs(x, features.input_dim())?;
        check::set(set, features.input_dim())?;
        check::length("sizes γ", x.nrows(), gamma.len())?;
        check::sizes(gamma)?;
        match features {
            Features::Identity(_) if self == Self::Exact => linear::exact(set, gamma),
            Features::Identity(_) => Err(self.not_for(MapKind::Identity)),
            Features::Rff(map) => self.rff(map, set, gamma).map(orthogonal),
            Features::Nystrom(map) => self.nystrom(map, set, x, gamma),
        }
    }

    fn rff(
        self,
        map: &Rff,
        set: &UncertaintySet,
        gamma: ArrayView1<'_, f64>,
    ) -> Result<Array1<f64>, BoundError> {
        if map.phases().is_some() {
            return Err(BoundError::NotValid {
                bound: self.name(),
                reason: "it is for random Fourier features in the paired form".into(),
            });
        }
        match self {
            Self::Paper => rff::paper(map, set, gamma, FeatureNorm::Two),
            Self::Arcs => rff::arcs(map, set, gamma, FeatureNorm::Two),
            Self::Geodesic => Ok(rff::geodesic::radii(map, set, gamma)?),
            Self::Best => rff::best(map, set, gamma),
            _ => Err(self.not_for(MapKind::Rff)),
        }
    }

    fn nystrom(
        self,
        map: &Nystrom,
        set: &UncertaintySet,
        x: ArrayView2<'_, f64>,
        gamma: ArrayView1<'_, f64>,
    ) -> Result<FeaturePenalty, BoundError> {
        match self {
            Self::Paper => nystrom::paper::penalty(map, set, x, gamma, Rank::Factor),
            Self::PaperWithoutRank => nystrom::paper::penalty(map, set, x, gamma, Rank::Dropped),
            Self::Landmark => Ok(nystrom::landmark::penalty(map, set, x, gamma)),
            Self::Projection | Self::Best => {
                Ok(orthogonal(nystrom::projection::radii(map, set, gamma)))
            }
            _ => Err(self.not_for(MapKind::Nystrom)),
        }
    }

    fn not_for(self, map: MapKind) -> BoundError {
        let names: Vec<_> = Self::for_map(map).iter().map(|b| b.name()).collect();
        BoundError::NotValid {
            bound: self.name(),
            reason: format!("{map:?} features have {}", names.join(", ")),
        }
    }
}

fn orthogonal(radii: Array1<f64>) -> FeaturePenalty {
    FeaturePenalty {
        radii,
        matrix: PenaltyMatrix::Orthogonal,
    }
}

#[cfg(test)]
mod tests {
    use super::Bound;

    #[test]
    fn names_go_both_ways() {
        for (bound, name) in Bound::ALL.into_iter().zip(Bound::NAMES) {
            assert_eq!(bound.name(), name);
            assert_eq!(Bound::from_name(name), Some(bound));
        }
        assert_eq!(Bound::from_name("Geodesic"), None);
    }
}
