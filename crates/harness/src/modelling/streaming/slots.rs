//! To which block a row is copied.

use rand::Rng;

/// The free places of blocks. Each row takes one of all that are left, each with the same probability, so that every division of the rows
/// into blocks of these sizes is as likely.
#[derive(Debug)]
pub(super) struct Slots {
    /// Sums of free places [P. M. Fenwick, Softw. Pract. Exp. 24 (1994)]: entry k − 1 is that of the blocks before k from the one on
    /// that is k without its lowest bit.
    sums: Vec<usize>,
    left: usize,
}

impl Slots {
    /// For `rows` rows in blocks of `size`, of which the last may have fewer.
    pub(super) fn new(rows: usize, size: usize) -> Self {
        let blocks = rows.div_ceil(size);
        let before = |block: usize| (block * size).min(rows);
        let sums = (1..=blocks).map(|k| before(k) - before(k & (k - 1)));
        Self {
            sums: sums.collect(),
            left: rows,
        }
    }

    /// The block of the next row; `None` if all are full.
    pub(super) fn take(&mut self, rng: &mut impl Rng) -> Option<usize> {
        if self.left == 0 {
            return None;
        }
        let mut place = rng.gen_range(0..self.left as u64) as usize;
        self.left -= 1;
        let (mut block, mut step) = (0, self.sums.len().next_power_of_two());
        while step > 0 {
            // The blocks from `block` to `block + step`.
            if let Some(sum) = self.sums.get_mut(block + step - 1) {
                if place < *sum {
                    *sum -= 1;
                } else {
                    place -= *sum;
                    block += step;
                }
            }
            step /= 2;
        }
        Some(block)
    }
}

#[cfg(test)]
mod tests {
    use super::Slots;
    use rand::SeedableRng as _;
    use rand_chacha::ChaCha20Rng;
    use std::collections::BTreeMap;

    #[test]
    fn blocks_are_filled_and_no_more() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        for (rows, size) in [(0, 3), (1, 3), (9, 3), (10, 3), (1000, 7), (5, 1), (64, 64)] {
            let mut slots = Slots::new(rows, size);
            let mut counts = vec![0; rows.div_ceil(size)];
            for _ in 0..rows {
                counts[slots.take(&mut rng).unwrap()] += 1;
            }
            assert_eq!(slots.take(&mut rng), None);
            let expected = (0..counts.len()).map(|k| size.min(rows - k * size));
            assert_eq!(counts, expected.collect::<Vec<_>>(), "{rows} {size}");
        }
    }

    /// The 30 divisions of five rows into blocks of two, two and one: χ² with 29 degrees of freedom is below 58.3 with
    /// probability 0.999.
    #[test]
    fn every_division_is_as_likely() {
        const DRAWS: u64 = 3000;
        let mut counts = BTreeMap::new();
        for seed in 0..DRAWS {
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let mut slots = Slots::new(5, 2);
            let blocks = [(); 5].map(|()| slots.take(&mut rng).unwrap());
            *counts.entry(blocks).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 30);
        let mean = DRAWS as f64 / 30.0;
        let chi: f64 = counts
            .values()
            .map(|&n| (f64::from(n) - mean).powi(2) / mean)
            .sum();
        assert!(chi < 58.3, "{chi}: {counts:?}");
    }
}
