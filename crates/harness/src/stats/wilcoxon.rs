//! Wilcoxon's signed-rank test [F. Wilcoxon, Biometrics Bulletin 1 (1945)], exact, and Holm's correction.

use super::mid_ranks::ROUNDING;

/// The test of paired differences, one-sided: that they tend to be below 0, and two-sided: that they tend to one side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignedRank {
    /// Differences that are not 0: the others say nothing and are left out.
    pub pairs: usize,
    /// The sum of the ranks of the positive differences, ranked by size; equal sizes share their mean rank.
    pub positive_ranks: f64,
    /// `P(W⁺ ≤ positive_ranks)` if every sign were a fair coin's: small where the differences are below 0. 1 without
    /// pairs.
    pub p_value: f64,
    /// Twice the smaller of `P(W⁺ ≤ positive_ranks)` and `P(W⁺ ≥ positive_ranks)`, at most 1.
    pub two_sided: f64,
}

impl SignedRank {
    /// The test of `differences` of shares, whose rounding does not depend on their sizes.
    ///
    /// The distribution is that of the ranks at hand, ties and all, counted and not approximated: 2W⁺ is a whole number, and
    /// each of the n ranks adds its double or nothing to it with equal probability. O(n³).
    pub fn test(differences: &[f64]) -> Self {
        let differs = |d: &f64| d.abs() > ROUNDING;
        let mut pairs: Vec<f64> = differences.iter().copied().filter(differs).collect();
        pairs.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
        let doubled = doubled_ranks(&pairs);
        let total: usize = doubled.iter().sum();
        let positive: usize = pairs
            .iter()
            .zip(&doubled)
            .filter(|(d, _)| **d > 0.0)
            .map(|(_, rank)| rank)
            .sum();
        let mut probability = vec![0.0; total + 1];
        probability[0] = 1.0;
        for (done, rank) in doubled.iter().enumerate() {
            let reached: usize = doubled[..=done].iter().sum();
            for sum in (0..=reached).rev() {
                let with = sum.checked_sub(*rank).map_or(0.0, |rest| probability[rest]);
                probability[sum] = 0.5 * (probability[sum] + with);
            }
        }
        let at_most = |sum: usize| probability[..=sum].iter().sum::<f64>().min(1.0);
        // The distribution is symmetric about half the total.
        let smaller = at_most(positive.min(total - positive));
        Self {
            pairs: pairs.len(),
            positive_ranks: 0.5 * positive as f64,
            p_value: at_most(positive),
            two_sided: (2.0 * smaller).min(1.0),
        }
    }

    /// The matched-pairs rank-biserial correlation `(W⁺ − W⁻)/(W⁺ + W⁻)` [D. S. Kerby, Compr. Psychol. 3 (2014)]: −1 where
    /// every difference is below 0, 1 where every one is above; `None` without pairs.
    pub fn rank_biserial(&self) -> Option<f64> {
        let n = self.pairs as f64;
        let total = n * (n + 1.0) / 2.0;
        (self.pairs > 0).then(|| 2.0 * self.positive_ranks / total - 1.0)
    }
}

/// Twice the ranks, from 1, of values sorted by size: whole numbers, also where equal ones share a mean.
fn doubled_ranks(sorted: &[f64]) -> Vec<usize> {
    let mut ranks = Vec::with_capacity(sorted.len());
    while ranks.len() < sorted.len() {
        let first = ranks.len();
        let size = sorted[first].abs();
        let equal = sorted[first..]
            .iter()
            .take_while(|d| d.abs() - size <= ROUNDING)
            .count();
        // The mean of first + 1 … first + equal, twice.
        ranks.extend(std::iter::repeat_n(2 * first + equal + 1, equal));
    }
    ranks
}

/// The p-values of a family of tests, corrected so that the chance of any false alarm is bounded [S. Holm, Scand. J.
/// Statist. 6 (1979)]: the k-th smallest of m times m − k + 1, made non-decreasing, at most 1.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![0.0; p_values.len()];
    let mut least = 0.0_f64;
    for (k, index) in order.into_iter().enumerate() {
        let factor = (p_values.len() - k) as f64;
        least = least.max((factor * p_values[index]).min(1.0));
        corrected[index] = least;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::{SignedRank, holm};
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    /// Values of scipy 1.17: `wilcoxon(d, alternative="less", method="exact")`.
    #[test]
    fn published_values() {
        let test = SignedRank::test(&[-1.0, -2.0, -3.0, -4.0, -5.0]);
        assert_eq!((test.pairs, test.positive_ranks), (5, 0.0));
        assert_eq!(test.p_value, 1.0 / 32.0);
        let test = SignedRank::test(&[0.3, -1.2, 2.5, -3.1, -0.7, 1.9, -4.4, -0.1]);
        assert_eq!(test.positive_ranks, 13.0);
        assert_relative_eq!(test.p_value, 0.273_437_5, epsilon = 1e-15);
        assert_relative_eq!(test.two_sided, 0.546_875, epsilon = 1e-15);
        // Ranks 3, 6, 2, 8 below and their fellows above sum to 23 and 13.
        assert_eq!(test.rank_biserial(), Some(-10.0 / 36.0));
        let none = SignedRank::test(&[0.0, 0.0]);
        assert_eq!((none.p_value, none.two_sided), (1.0, 1.0));
        assert_eq!(none.rank_biserial(), None);
        let errors = [0.012, -0.03, 0.004, 0.051, 0.02, 0.11, 0.007, 0.033, -0.002];
        assert_relative_eq!(
            SignedRank::test(&errors).two_sided,
            0.074_218_75,
            epsilon = 1e-15
        );
    }

    /// One test point in 50,000 (50 repeats of 1,000) more on one dataset and less on the other: rounded, the sizes are apart
    /// by more than 1e−12 of themselves.
    #[test]
    fn sizes_that_differ_by_rounding_are_equal() {
        let differences = [0.900_02 - 0.9, 0.2 - 0.200_02];
        assert!((differences[0] / -differences[1] - 1.0_f64).abs() > 1e-12);
        let test = SignedRank::test(&differences);
        assert_eq!((test.pairs, test.positive_ranks), (2, 1.5));
        assert_eq!((test.p_value, test.two_sided), (0.75, 1.0));
    }

    proptest! {
        /// All 2ⁿ signs, counted; sizes from a small set make ties common.
        #[test]
        fn counts_every_sign(sizes in prop::collection::vec(1_u8..5, 1..10), signs in any::<u16>()) {
            let n = sizes.len();
            let with = |signs: u32| -> Vec<f64> {
                sizes.iter().enumerate()
                    .map(|(k, s)| if signs >> k & 1 == 1 { f64::from(*s) } else { -f64::from(*s) })
                    .collect()
            };
            let test = SignedRank::test(&with(u32::from(signs)));
            let below = (0..1_u32 << n)
                .filter(|&s| SignedRank::test(&with(s)).positive_ranks <= test.positive_ranks)
                .count();
            assert_relative_eq!(test.p_value, below as f64 / f64::from(1_u32 << n), epsilon = 1e-14);
            let swapped = SignedRank::test(&with(!u32::from(signs)));
            assert_relative_eq!(test.two_sided, swapped.two_sided, epsilon = 1e-14);
            let smaller = test.p_value.min(swapped.p_value);
            assert_relative_eq!(test.two_sided, (2.0 * smaller).min(1.0), epsilon = 1e-14);
            assert_relative_eq!(
                test.rank_biserial().unwrap(), -swapped.rank_biserial().unwrap(), epsilon = 1e-14
            );
        }
    }

    /// Holm's own example of thresholds: p(1)·3, p(2)·2, p(3).
    #[test]
    fn the_correction_orders_and_accumulates() {
        assert_eq!(holm(&[0.04, 0.01, 0.03]), vec![0.06, 0.03, 0.06]);
        assert_eq!(holm(&[0.9, 0.8]), vec![1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
