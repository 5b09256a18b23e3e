//! Nemenyi's test [P. Nemenyi, *Distribution-free multiple comparisons*, 1963] after Friedman's.

use super::studentised_range_quantile;

/// The critical difference of mean ranks of k ≥ 2 methods over N ≥ 1 datasets at level `alpha`: two methods that differ by
/// as much or more are told apart, and the chance of any false one among all pairs is about `alpha`.
///
/// `CD = q_α sqrt(k (k + 1)/(6 N))`, q_α the (1 − α)-quantile of the studentised range of k over √2 [J. Demšar, JMLR 7
/// (2006), §3.2.2]. It takes ranks without ties; with ties it is larger than needed.
pub fn critical_difference(methods: usize, datasets: usize, alpha: f64) -> f64 {
    let (k, n) = (methods as f64, datasets as f64);
    let q = studentised_range_quantile(1.0 - alpha, methods) / 2.0_f64.sqrt();
    q * (k * (k + 1.0) / (6.0 * n)).sqrt()
}

/// The largest groups of two methods and more whose mean ranks all differ by less than `critical`, as places in
/// `mean_ranks`, best first; groups in the order of their best.
pub fn cliques(mean_ranks: &[f64], critical: f64) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..mean_ranks.len()).collect();
    order.sort_by(|&a, &b| mean_ranks[a].total_cmp(&mean_ranks[b]));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut reached = 0;
    for (first, &best) in order.iter().enumerate() {
        let together = order[first..].iter();
        let together = together
            .take_while(|&&method| mean_ranks[method] - mean_ranks[best] < critical)
            .count();
        // A group that ends where an earlier one did is a part of it.
        if together > 1 && first + together > reached {
            groups.push(order[first..first + together].to_vec());
            reached = first + together;
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::{cliques, critical_difference};
    use proptest::prelude::*;

    /// J. Demšar, JMLR 7 (2006), §3.2.2: four classifiers, 14 datasets, CD = 1.25 at 5 % and 1.12 at 10 %.
    #[test]
    fn the_published_example() {
        assert!((critical_difference(4, 14, 0.05) - 1.25).abs() < 0.005);
        assert!((critical_difference(4, 14, 0.1) - 1.12).abs() < 0.005);
        // By hand, from q₀.₀₅ = 2.949 of his Table 5: 2.949 · sqrt(7 · 8/(6 · 9)).
        let expected = 2.949 * (56.0_f64 / 54.0).sqrt();
        assert!((critical_difference(7, 9, 0.05) - expected).abs() < 1e-3);
    }

    #[test]
    fn groups_overlap_and_none_is_part_of_another() {
        let ranks = [3.1, 1.0, 1.9, 5.0, 2.2];
        assert_eq!(cliques(&ranks, 1.25), [vec![1, 2, 4], vec![2, 4, 0]]);
        assert_eq!(cliques(&ranks, 9.0), [vec![1, 2, 4, 0, 3]]);
        assert!(cliques(&ranks, 0.1).is_empty());
        // As far apart as the critical difference is told apart.
        assert!(cliques(&[1.0, 2.0], 1.0).is_empty());
        assert!(cliques(&[], 1.0).is_empty());
    }

    proptest! {
        /// Two methods are in a group together exactly where they are closer than the critical difference.
        #[test]
        fn groups_hold_the_pairs_not_told_apart(
            ranks in prop::collection::vec(1_u32..40, 2..10), critical in 1_u32..30,
        ) {
            let ranks: Vec<f64> = ranks.into_iter().map(|r| f64::from(r) / 4.0).collect();
            let critical = f64::from(critical) / 4.0;
            let groups = cliques(&ranks, critical);
            for a in 0..ranks.len() {
                for b in 0..a {
                    let together = groups.iter().any(|group| group.contains(&a) && group.contains(&b));
                    prop_assert_eq!(together, (ranks[a] - ranks[b]).abs() < critical);
                }
            }
        }
    }
}
