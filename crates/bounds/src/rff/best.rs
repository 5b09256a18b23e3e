//! The smaller of the two derived bounds for random Fourier features. Both have orthogonal `A`, so their
//! radii compare directly.

use robust_svm_core::penalty::FeaturePenalty;

use super::{arcs, geodesic, orthogonal};
use crate::{BoundError, FeatureBound, MapKind, Question};

/// `best`: the smaller of `arcs` and `geodesic` at p̄ = 2, for every set and both forms. Never above the
/// paper's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Best;

impl FeatureBound for Best {
    fn name(&self) -> &'static str {
        "best"
    }

    fn map(&self) -> MapKind {
        MapKind::Rff
    }

    fn evaluate(&self, question: &Question<'_>) -> Result<FeaturePenalty, BoundError> {
        let map = question.rff();
        let radii = question.radii(
            |set| Ok((set.support(map.frequencies()), geodesic::speed(map, set)?)),
            |(supports, speed), gamma| {
                let by_arcs = arcs::euclidean(map, supports.view(), gamma);
                by_arcs.min(geodesic::radius(map, gamma * speed))
            },
        )?;
        Ok(orthogonal(radii))
    }
}
