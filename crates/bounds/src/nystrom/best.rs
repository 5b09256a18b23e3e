//! The Nyström bound to train with.

use robust_svm_core::penalty::FeaturePenalty;

use super::Projection;
use crate::{BoundError, FeatureBound, MapKind, Question};

/// `best`: [`Projection`], the only one with orthogonal `A`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Best;

impl FeatureBound for Best {
    fn name(&self) -> &'static str {
        "best"
    }

    fn map(&self) -> MapKind {
        MapKind::Nystrom
    }

    fn evaluate(&self, question: &Question<'_>) -> Result<FeaturePenalty, BoundError> {
        Projection.evaluate(question)
    }
}
