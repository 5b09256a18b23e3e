//! The selection rule: lowest certified error on the validation rows.

use super::fit::Candidate;
use std::cmp::Ordering;

/// The candidate with the lowest certified validation error at `level`; ties go to the larger λ, then
/// the larger σ, then the smaller D. `None` if there is none.
pub(super) fn select(candidates: &[Candidate], level: f64) -> Option<&Candidate> {
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
    use super::Score;
    use std::cmp::Ordering;

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
