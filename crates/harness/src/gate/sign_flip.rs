//! The sign-flip test of paired differences, and the interval it gives [R. A. Fisher, The Design of Experiments (1935),
//! §21; E. J. G. Pitman, Suppl. J. R. Statist. Soc. 4 (1937)].
//!
//! If neither side of n pairs is better, each difference `d_i` is as likely as `−d_i`, whatever its distribution. So
//! are all 2ⁿ sums `Σ s_i d_i`, s_i = ±1, given the sizes, and the test is exact: the p-value is the share of the sums that
//! reach `Σ d_i`. A sum falls short of it by twice what is flipped, so this is the share of the subsets S of the pairs,
//! the empty one among them, with `Σ_S d_i ≤ 0`.

use rand::RngCore;
use robust_svm_core::seed::CellSeed;

/// Up to this many pairs all 2ⁿ subsets are counted; beyond, [`DRAWS`] random ones.
pub const EXACT_PAIRS: usize = 20;

/// Random subsets drawn, besides the empty one.
const DRAWS: u32 = (1 << 16) - 1;

/// Sums below this share of `Σ(|d_i| + |δ|)` are 0: they would be so without rounding, also that of `d_i − δ`, which may be far
/// smaller than both.
const ROUNDING: f64 = 1e-12;

/// The p-value against "the differences do not tend to be above 0": small where they are above it. 1 without pairs.
///
/// Exact to [`EXACT_PAIRS`] pairs. Beyond, with b of B random subsets at or below 0, it is `(b + 1)/(B + 1)`, which keeps
/// the level too [B. Phipson & G. K. Smyth, Stat. Appl. Genet. Mol. Biol. 9 (2010)].
pub fn p_above(differences: &[f64]) -> f64 {
    share_at_most(differences, 0.0)
}

/// As [`p_above`], against "the differences do not tend to be below 0".
pub fn p_below(differences: &[f64]) -> f64 {
    p_above(&negated(differences))
}

/// The smallest p-value that `pairs` differences can have.
pub fn smallest_p(pairs: usize) -> f64 {
    1.0 / subsets(pairs)
}

/// The interval of the shifts δ that neither test of `d_i − δ` rejects at `alpha/2`: it covers the centre of symmetry of the
/// differences with probability 1 − `alpha` or more. `None` with too few pairs to reject anything.
///
/// The sum over S is at most 0 where the mean over S is at most δ, so the share grows with δ, from one value of a subset's mean
/// to the next [J. A. Hartigan, J. Am. Statist. Assoc. 64 (1969)], and its ends are found by bisection.
pub fn interval(differences: &[f64], alpha: f64) -> Option<(f64, f64)> {
    if smallest_p(differences.len()) > 0.5 * alpha {
        return None;
    }
    let low = least_shift(differences, 0.5 * alpha);
    let high = -least_shift(&negated(differences), 0.5 * alpha);
    Some((low, high))
}

/// The least δ at which the share of subsets exceeds `level`.
fn least_shift(differences: &[f64], level: f64) -> f64 {
    let fold = |f: fn(f64, f64) -> f64, from| differences.iter().copied().fold(from, f);
    let mut low = fold(f64::min, f64::INFINITY);
    let mut high = fold(f64::max, f64::NEG_INFINITY);
    if share_at_most(differences, low) > level {
        return low;
    }
    // At the largest difference every sum is at most 0. Sixty halvings are more than a double resolves.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if share_at_most(differences, middle) > level {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

fn negated(differences: &[f64]) -> Vec<f64> {
    differences.iter().map(|d| -d).collect()
}

/// How many subsets are counted.
fn subsets(pairs: usize) -> f64 {
    if pairs <= EXACT_PAIRS {
        f64::from(1_u32 << pairs)
    } else {
        f64::from(DRAWS + 1)
    }
}

/// The share of the subsets S with `Σ_S (d_i − shift) ≤ 0`.
fn share_at_most(differences: &[f64], shift: f64) -> f64 {
    let shifted: Vec<f64> = differences.iter().map(|d| d - shift).collect();
    let scale: f64 = differences.iter().map(|d| d.abs() + shift.abs()).sum();
    let zero = ROUNDING * scale;
    let count = if shifted.len() <= EXACT_PAIRS {
        count_all(&shifted, zero)
    } else {
        1 + count_random(&shifted, zero)
    };
    count as f64 / subsets(shifted.len())
}

/// How many subsets have a sum of at most `zero`: for each sum of the one half, those of the other that are small enough, both
/// sorted. O(2^(n/2) n).
fn count_all(values: &[f64], zero: f64) -> usize {
    let (first, second) = values.split_at(values.len() / 2);
    let (first, second) = (sorted_sums(first), sorted_sums(second));
    let mut fitting = second.len();
    let mut count = 0;
    for sum in first {
        while fitting > 0 && sum + second[fitting - 1] > zero {
            fitting -= 1;
        }
        count += fitting;
    }
    count
}

/// The sums of all subsets, ascending.
fn sorted_sums(values: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0];
    for value in values {
        let with: Vec<f64> = sums.iter().map(|sum| sum + value).collect();
        sums.extend(with);
    }
    sums.sort_by(f64::total_cmp);
    sums
}

/// How many of [`DRAWS`] random subsets have a sum of at most `zero`.
fn count_random(values: &[f64], zero: f64) -> usize {
    // Always the same ones: the same differences have the same p-value.
    let mut stream = CellSeed::new(1935, "gate", 0).stream("sign flips");
    // The sums of each eight values, by the byte that says which are in.
    let tables: Vec<Vec<f64>> = values.chunks(8).map(table).collect();
    let mut bytes = vec![0; tables.len()];
    let mut count = 0;
    for _ in 0..DRAWS {
        stream.fill_bytes(&mut bytes);
        let parts = bytes
            .iter()
            .zip(&tables)
            .map(|(byte, table)| table[usize::from(*byte)]);
        count += usize::from(parts.sum::<f64>() <= zero);
    }
    count
}

fn table(eight: &[f64]) -> Vec<f64> {
    let is_in = |byte: usize, k: usize| byte >> k & 1 == 1;
    let sum = |byte: usize| {
        let values = eight.iter().enumerate();
        values
            .filter(|(k, _)| is_in(byte, *k))
            .map(|(_, v)| v)
            .sum()
    };
    (0..256).map(sum).collect()
}

#[cfg(test)]
mod tests {
    use super::{EXACT_PAIRS, count_random, interval, p_above, p_below, smallest_p};
    use approx::assert_relative_eq;
    use proptest::prelude::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha20Rng;

    /// Values of scipy 1.17: `permutation_test((d,), sum, permutation_type="samples", n_resamples=inf)` with
    /// `alternative="greater"` and `"less"`.
    #[test]
    fn published_values() {
        let plain = [0.3, -1.2, 2.5, -3.1, -0.7, 1.9, -4.4, -0.1];
        assert_eq!(p_above(&plain), 0.761_718_75);
        assert_eq!(p_below(&plain), 0.253_906_25);
        let tied = [0.5, 0.5, 0.0, -0.25, 0.75, 1.0, 0.5, -0.25, 0.5, 0.25];
        assert_eq!(p_above(&tied), 0.021_484_375);
        assert_eq!(p_below(&tied), 0.992_187_5);
    }

    #[test]
    fn nothing_that_differs_is_no_evidence() {
        assert_eq!(p_above(&[]), 1.0);
        assert_eq!(p_above(&[0.0; 12]), 1.0);
        assert_eq!(p_below(&[0.0; 40]), 1.0);
        assert_eq!(p_above(&[1.0; 12]), smallest_p(12));
        assert_eq!(smallest_p(12), 1.0 / 4096.0);
    }

    proptest! {
        /// All 2ⁿ sums of signed differences, by the definition; sizes from a small set make ties common, and thirds make
        /// rounding.
        #[test]
        fn counts_every_pattern(values in prop::collection::vec(-4_i8..5, 0..11)) {
            let d: Vec<f64> = values.iter().map(|v| f64::from(*v) / 3.0).collect();
            let whole = |signs: u32| -> i32 {
                let of = |k: usize| if signs >> k & 1 == 1 { 1 } else { -1 };
                values.iter().enumerate().map(|(k, v)| of(k) * i32::from(*v)).sum()
            };
            let observed: i32 = values.iter().map(|v| i32::from(*v)).sum();
            let all = 1_u32 << values.len();
            let above = (0..all).filter(|s| whole(*s) >= observed).count();
            let below = (0..all).filter(|s| whole(*s) <= observed).count();
            prop_assert_eq!(p_above(&d), above as f64 / f64::from(all));
            prop_assert_eq!(p_below(&d), below as f64 / f64::from(all));
        }

        /// A shift is in the interval where neither test rejects what is left of the differences, and only there.
        #[test]
        fn the_interval_inverts_the_tests(d in prop::collection::vec(-1.0..1.0, 6..12), alpha in 0.05..0.4) {
            let (low, high) = interval(&d, alpha).unwrap();
            prop_assert!(low <= high);
            let rejects = |shift: f64| {
                let left: Vec<f64> = d.iter().map(|d| d - shift).collect();
                p_above(&left).min(p_below(&left)) <= 0.5 * alpha
            };
            let step: f64 = 1e-6;
            prop_assert!(!rejects(low + step.min(0.5 * (high - low))));
            prop_assert!(!rejects(high - step.min(0.5 * (high - low))));
            prop_assert!(rejects(low - step));
            prop_assert!(rejects(high + step));
        }
    }

    /// Random subsets find what counting finds, as far as 65 535 of them can: the standard deviation of the share is below 0.002.
    #[test]
    fn random_subsets_agree_with_counting() {
        let mut random = ChaCha20Rng::seed_from_u64(5);
        for _ in 0..5 {
            let d: Vec<f64> = (0..EXACT_PAIRS)
                .map(|_| random.gen_range(-0.8..1.0))
                .collect();
            let drawn = (1 + count_random(&d, 0.0)) as f64 * smallest_p(EXACT_PAIRS + 1);
            assert_relative_eq!(p_above(&d), drawn, epsilon = 0.01);
        }
    }

    /// With more pairs than are counted the p-value is never 0, and the interval is about Student's, the mean ± 2.02 standard
    /// errors.
    #[test]
    fn many_pairs() {
        assert_eq!(p_above(&[1.0; 60]), 1.0 / 65_536.0);
        let mut random = ChaCha20Rng::seed_from_u64(6);
        let d: Vec<f64> = (0..40).map(|_| random.gen_range(0.0..1.0)).collect();
        let mean = d.iter().sum::<f64>() / 40.0;
        let error = (d.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 39.0 / 40.0).sqrt();
        let (low, high) = interval(&d, 0.05).unwrap();
        assert_relative_eq!(low, mean - 2.02 * error, epsilon = 0.1 * error);
        assert_relative_eq!(high, mean + 2.02 * error, epsilon = 0.1 * error);
    }

    /// Tenths and their sums are rounded: the mean of three of them, taken from each, leaves 0 up to the last bit, which is a tie.
    #[test]
    fn ties_are_those_of_the_scale_before_the_shift() {
        let d = [0.1_f64, 0.2, 0.3].map(|d| d + 0.7);
        let mean = d.iter().sum::<f64>() / 3.0;
        // Subsets with a mean of at most that of all: none, {0}, {1}, {0, 1}, {0, 2} and all.
        assert_eq!(super::share_at_most(&d, mean), 6.0 / 8.0);
        let equal = [0.1_f64 + 0.2; 6];
        assert_eq!(super::share_at_most(&equal, 0.3), 1.0);
        assert_eq!(super::share_at_most(&[0.3; 6], 0.1 + 0.2), 1.0);
        assert_eq!(super::share_at_most(&[0.3; 6], 0.3 - 1e-9), 1.0 / 64.0);
    }

    #[test]
    fn too_few_pairs_have_no_interval() {
        assert_eq!(interval(&[0.1; 5], 0.05), None);
        assert_eq!(interval(&[0.1; 6], 0.05), Some((0.1, 0.1)));
        assert_eq!(interval(&[], 0.05), None);
    }
}
