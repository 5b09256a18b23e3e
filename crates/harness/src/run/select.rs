//! The selection rule: lowest certified error on the validation rows.

use super::fit::Candidate;
use std::cmp::Ordering;

/// The candidate with the lowest certified validation error at `level`; ties go to the larger λ, then
/// the larger σ, then the smaller D. `None` if there is none.
pub(crate) fn select(candidates: &[Candidate], level: f64) -> Option<&Candidate> {
    let mut best: Option<(Score, &Candidate)> = None;
    for candidate in candidates {
        let score = Score {
            error: candidate.validation.error(level),
            lambda: candidate.lambda,
            sigma: candidate.sigma.unwrap_or(0.0),
            size: candidate.size,
        };
        if best
            .as_ref()
            .is_none_or(|(least, _)| score.order(least) == Ordering::Less)
        {
            best = Some((score, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[derive(Debug, Clone, Copy)]
struct Score {
    error: f64,
    lambda: f64,
    sigma: f64,
    size: usize,
}

impl Score {
    /// Less is better.
    fn order(&self, other: &Self) -> Ordering {
        self.error
            .total_cmp(&other.error)
            .then(other.lambda.total_cmp(&self.lambda))
            .then(other.sigma.total_cmp(&self.sigma))
            .then(self.size.cmp(&other.size))
    }
}

#[cfg(test)]
mod tests {
    use super::{Candidate, Score, select};
    use ndarray::array;
    use robust_svm_bounds::certify::Certifier;
    use robust_svm_core::features::{Features, Identity};
    use robust_svm_core::model::{FeatureModel, Model};
    use robust_svm_core::uncertainty::UncertaintySet;
    use std::cmp::Ordering;

    /// A linear model of one feature with margin 1 at the validation point x = 1, y = 1.
    fn candidate(lambda: f64, weight: f64) -> Candidate {
        let model = Model::Feature(FeatureModel {
            features: Features::Identity(Identity::new(1)),
            zeta: array![weight],
            intercept: 1.0 - weight,
        });
        let (set, x, y) = (UncertaintySet::sphere(), array![[1.0]], array![1.0]);
        let certifier = Certifier::new(&model, &set).unwrap();
        let validation = certifier.points(x.view(), y.view()).unwrap();
        Candidate {
            lambda,
            sigma: None,
            size: 1,
            feature_dim: Some(1),
            model,
            iterations: None,
            objective: 1.0,
            dual_objective: 1.0,
            relative_gap: 0.0,
            nominal_equivalent: None,
            trace: Vec::new(),
            validation,
        }
    }

    /// Certified up to γ = 1 and γ = 10: at level 2 only the second is, at 0.5 both are and λ decides.
    #[test]
    fn candidates_are_judged_at_the_level() {
        let candidates = [candidate(10.0, 1.0), candidate(1.0, 0.1)];
        let chosen = |level| select(&candidates, level).map(|candidate| candidate.lambda);
        assert_eq!(chosen(0.5), Some(10.0));
        assert_eq!(chosen(2.0), Some(1.0));
        assert!(select(&[], 0.5).is_none());
    }

    #[test]
    fn ties_go_to_larger_lambda_then_larger_sigma_then_smaller_dimension() {
        let base = Score {
            error: 0.1,
            lambda: 1.0,
            sigma: 2.0,
            size: 128,
        };
        let better = [
            Score {
                error: 0.05,
                lambda: 0.1,
                sigma: 0.5,
                size: 512,
            },
            Score {
                lambda: 10.0,
                sigma: 0.5,
                size: 512,
                ..base
            },
            Score {
                sigma: 4.0,
                size: 512,
                ..base
            },
            Score { size: 64, ..base },
        ];
        for score in better {
            assert_eq!(score.order(&base), Ordering::Less, "{score:?}");
            assert_eq!(base.order(&score), Ordering::Greater, "{score:?}");
        }
        assert_eq!(base.order(&base), Ordering::Equal);
    }
}
