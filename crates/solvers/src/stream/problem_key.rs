//! Which problem a state belongs to, as far as a few numbers tell.

use super::StreamProblem;
use super::fingerprint::fingerprint;
use crate::Intercept;

/// The problem of a state; not its rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ProblemKey {
    pub(super) rows: usize,
    pub(super) dim: usize,
    pub(super) blocks: usize,
    pub(super) lambda: f64,
    pub(super) intercept: Intercept,
    /// Of the penalty and the map.
    pub(super) fingerprint: [u64; 4],
}

const INTERCEPTS: [Intercept; 3] = [Intercept::Free, Intercept::Penalised, Intercept::None];

impl ProblemKey {
    pub(super) fn of(problem: &StreamProblem<'_>) -> Self {
        Self {
            rows: problem.rows(),
            dim: problem.dim(),
            blocks: problem.source().blocks(),
            lambda: problem.lambda(),
            intercept: problem.intercept(),
            fingerprint: fingerprint(problem),
        }
    }

    /// As numbers.
    pub(super) fn words(&self) -> [u64; 9] {
        let place = |found: bool| u64::from(found);
        let intercept =
            place(self.intercept == INTERCEPTS[1]) + 2 * place(self.intercept == INTERCEPTS[2]);
        let [a, b, c, d] = self.fingerprint;
        [
            self.rows as u64,
            self.dim as u64,
            self.blocks as u64,
            self.lambda.to_bits(),
            intercept,
            a,
            b,
            c,
            d,
        ]
    }

    /// From numbers; `None` if they are of no key.
    pub(super) fn from_words(words: [u64; 9]) -> Option<Self> {
        let [rows, dim, blocks, lambda, intercept, a, b, c, d] = words;
        let size = |word: u64| usize::try_from(word).ok();
        Some(Self {
            rows: size(rows)?,
            dim: size(dim)?,
            blocks: size(blocks)?,
            lambda: f64::from_bits(lambda),
            intercept: *INTERCEPTS.get(size(intercept)?)?,
            fingerprint: [a, b, c, d],
        })
    }
}
