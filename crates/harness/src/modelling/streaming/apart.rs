//! Which rows are held out.

use ndarray::ArrayView1;
use rand::Rng;

/// Holds rows out by their features alone: rows with equal features stay together, and no row needs to know of another.
/// About `share` of the rows are held out, and exactly so in expectation over seeds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Apart {
    key: [u64; 2],
    /// A row is held out if its number is below this, of 2⁶⁴.
    below: u128,
}

impl Apart {
    /// Of a `share` in [0, 1].
    pub(super) fn new(share: f64, rng: &mut impl Rng) -> Self {
        Self {
            key: rng.r#gen(),
            below: (share * 2_f64.powi(64)) as u128,
        }
    }

    /// Whether the row with these features, NaN = missing, is held out.
    pub(super) fn holds(&self, row: ArrayView1<'_, f64>) -> bool {
        if self.below == 0 {
            return false;
        }
        // Four numbers, each of every fourth feature, which do not wait for each other. With the others given, one feature's
        // numbers and the results are one to one.
        let mut of_row = [self.key[0], !self.key[0], self.key[1], !self.key[1]];
        for (k, v) in row.iter().enumerate() {
            let h = &mut of_row[k % 4];
            *h = (h.rotate_left(25) ^ bits(*v)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        let number = of_row.iter().fold(self.key[0], |h, v| mixed(h ^ mixed(*v)));
        u128::from(mixed(number ^ self.key[1])) < self.below
    }
}

/// Equal for equal numbers.
fn bits(v: f64) -> u64 {
    if v.is_nan() {
        u64::MAX
    } else {
        // Adding 0.0 makes −0.0 equal to 0.0.
        (v + 0.0).to_bits()
    }
}

/// A bijection of 64 bits that changes about half of them when one changes [D. Stafford, "Better bit mixing", 2011, no. 13;
/// the step of SplitMix64].
fn mixed(h: u64) -> u64 {
    let h = h.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    h ^ (h >> 31)
}

#[cfg(test)]
mod tests {
    use super::Apart;
    use ndarray::{Array2, array};
    use rand::SeedableRng as _;
    use rand_chacha::ChaCha20Rng;

    /// Whole numbers, which differ in few bits: the count is within five standard deviations of a fair draw's.
    #[test]
    fn the_share_is_kept() {
        let x = Array2::from_shape_fn((20_000, 2), |(i, k)| if k == 0 { i as f64 } else { 1.0 });
        for seed in 0..20 {
            for share in [0.0, 0.01, 0.25, 0.5, 1.0] {
                let apart = Apart::new(share, &mut ChaCha20Rng::seed_from_u64(seed));
                let held = x.outer_iter().filter(|row| apart.holds(row.view())).count();
                let (mean, variance) = (20_000.0 * share, 20_000.0 * share * (1.0 - share));
                let off = (held as f64 - mean).abs();
                assert!(off <= 5.0 * variance.sqrt(), "{seed} {share}: {held}");
            }
        }
    }

    #[test]
    fn equal_rows_stay_together_and_seeds_differ() {
        let mut draws = Vec::new();
        for seed in 0..64 {
            let apart = Apart::new(0.5, &mut ChaCha20Rng::seed_from_u64(seed));
            let held = apart.holds(array![0.0, 1.5].view());
            assert_eq!(held, apart.holds(array![-0.0, 1.5].view()));
            draws.push(held);
        }
        assert!(draws.contains(&true) && draws.contains(&false));
    }
}
