//! All methods over the datasets on which every one was measured.

use super::errors::Errors;
use super::within::SIGNIFICANCE;
use super::{Friedman, Resamples, cliques, critical_difference};

/// The fewest methods, and the fewest datasets, that are ranked.
pub const LEAST_RANKED: usize = 3;

/// The methods at one level.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The datasets on which every planned repeat of every method was measured, by their places on the axes.
    pub datasets: Vec<usize>,
    /// The others.
    pub left_out: Vec<usize>,
    /// By method: the mean over these datasets of its mean over repeats; `None` without datasets.
    pub means: Option<Vec<f64>>,
    /// By method: the bootstrap interval of that mean; `None` of few datasets.
    pub intervals: Option<Vec<[f64; 2]>>,
    /// Their ranks; `None` of fewer than [`LEAST_RANKED`] methods or datasets.
    pub test: Option<RankTest>,
}

/// Friedman's test, and Nemenyi's after it.
#[derive(Debug, Clone, PartialEq)]
pub struct RankTest {
    /// Friedman's test.
    pub friedman: Friedman,
    /// Nemenyi's critical difference of mean ranks at 5 %.
    pub critical_difference: f64,
    /// The largest groups of methods not told apart, best first: all of them where Friedman's test does not reject at 5 %.
    pub cliques: Vec<Vec<usize>>,
}

impl Ranking {
    /// From errors of `datasets` × `methods`; intervals by `resamples`.
    pub(super) fn of(
        errors: &Errors,
        datasets: usize,
        methods: usize,
        resamples: &mut Resamples,
    ) -> Self {
        let line =
            |d: usize| -> Option<Vec<f64>> { (0..methods).map(|m| errors.mean(d, m)).collect() };
        let (mut complete, mut left_out, mut lines) = (Vec::new(), Vec::new(), Vec::new());
        for d in 0..datasets {
            match line(d) {
                Some(line) => {
                    complete.push(d);
                    lines.push(line);
                }
                None => left_out.push(d),
            }
        }
        let n = lines.len();
        let of_method = |m: usize| lines.iter().map(|line| line[m]).collect::<Vec<f64>>();
        let mean = |m: usize| of_method(m).iter().sum::<f64>() / n as f64;
        let mut interval = |m: usize| resamples.interval(&of_method(m));
        Self {
            means: (n > 0).then(|| (0..methods).map(mean).collect()),
            intervals: (0..methods).map(&mut interval).collect(),
            test: RankTest::of(&lines, methods),
            datasets: complete,
            left_out,
        }
    }
}

impl RankTest {
    fn of(lines: &[Vec<f64>], methods: usize) -> Option<Self> {
        if lines.len() < LEAST_RANKED || methods < LEAST_RANKED {
            return None;
        }
        let friedman = Friedman::test(lines)?;
        let critical_difference = critical_difference(methods, lines.len(), SIGNIFICANCE);
        let apart = if friedman.p_value < SIGNIFICANCE {
            critical_difference
        } else {
            f64::INFINITY
        };
        Some(Self {
            cliques: cliques(&friedman.mean_ranks, apart),
            critical_difference,
            friedman,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{RankTest, SIGNIFICANCE};

    /// Ten methods whose ranks turn round over ten datasets, but for one that is the best on `best` of them and one that is the
    /// worst on four.
    fn turned(best: usize) -> RankTest {
        let line = |d: usize| -> Vec<f64> {
            let mut line: Vec<f64> = (0..10).map(|m| ((m + d) % 10) as f64 / 100.0).collect();
            if d < best {
                line[0] = -1.0;
            }
            if d >= 6 {
                line[5] = 1.0;
            }
            line
        };
        let lines: Vec<Vec<f64>> = (0..10).map(line).collect();
        RankTest::of(&lines, 10).unwrap()
    }

    /// The two are further apart than the critical difference, and yet the ranks as a whole may be chance.
    #[test]
    fn none_is_told_apart_unless_friedmans_test_rejects() {
        let test = turned(6);
        let ranks = &test.friedman.mean_ranks;
        assert!(ranks[5] - ranks[0] >= test.critical_difference);
        assert!(test.friedman.p_value >= SIGNIFICANCE);
        assert_eq!(test.cliques.len(), 1);
        assert_eq!(test.cliques[0].len(), 10);
        let test = turned(10);
        assert!(test.friedman.p_value < SIGNIFICANCE);
        let both = |clique: &Vec<usize>| clique.contains(&0) && clique.contains(&5);
        assert!(!test.cliques.iter().any(both));
    }
}
