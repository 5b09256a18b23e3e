//! Ranks of methods on one dataset.

/// Errors in [0, 1] that differ by no more than this are equal: they would be so without rounding.
pub(super) const ROUNDING: f64 = 1e-12;

/// The rank of each value, 1 for the lowest; equal ones share the mean of their ranks.
pub fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    while first < order.len() {
        let lowest = values[order[first]];
        let equal = order[first..].iter();
        let equal = equal
            .take_while(|&&index| values[index] - lowest <= ROUNDING)
            .count()
            .max(1);
        for &index in &order[first..first + equal] {
            // The mean of first + 1 … first + equal.
            ranks[index] = first as f64 + 0.5 * (equal + 1) as f64;
        }
        first += equal;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::mid_ranks;
    use proptest::prelude::*;

    #[test]
    fn equal_values_share_their_ranks() {
        assert_eq!(mid_ranks(&[0.3, 0.1, 0.3, 0.2]), [3.5, 1.0, 3.5, 2.0]);
        assert_eq!(mid_ranks(&[0.1 + 0.2, 0.3, 0.0]), [2.5, 2.5, 1.0]);
        assert_eq!(mid_ranks(&[0.5; 4]), [2.5; 4]);
        assert!(mid_ranks(&[]).is_empty());
    }

    proptest! {
        /// Ranks sum to n(n + 1)/2, and a rank is 1 + the number of lower values + half the number of other equal ones.
        #[test]
        fn ranks_count_what_is_lower(values in prop::collection::vec(0_u8..6, 0..12)) {
            let values: Vec<f64> = values.iter().map(|v| f64::from(*v) / 5.0).collect();
            let ranks = mid_ranks(&values);
            let n = values.len() as f64;
            prop_assert_eq!(ranks.iter().sum::<f64>(), n * (n + 1.0) / 2.0);
            for (value, rank) in values.iter().zip(&ranks) {
                let lower = values.iter().filter(|v| *v < value).count() as f64;
                let equal = values.iter().filter(|v| *v == value).count() as f64;
                prop_assert_eq!(*rank, lower + 0.5 * (equal + 1.0));
            }
        }
    }
}
