//! The order of blocks and rows, from random streams of their own: where a run goes on depends on nothing but the seed.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha20Rng;

/// The blocks of an epoch in their order.
pub(super) fn of_blocks(seed: [u8; 32], epoch: usize, blocks: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..blocks).collect();
    order.shuffle(&mut stream(seed, (epoch, blocks), 0));
    order
}

/// Fills `order` with the rows of `block`, `rows` of them, in the order of `epoch`.
pub(super) fn of_rows(
    seed: [u8; 32],
    (epoch, blocks): (usize, usize),
    block: usize,
    rows: usize,
    order: &mut Vec<u32>,
) {
    order.clear();
    order.extend(0..rows as u32);
    order.shuffle(&mut stream(seed, (epoch, blocks), 1 + block));
}

/// One stream for the blocks of an epoch and one for each of them.
fn stream(seed: [u8; 32], (epoch, blocks): (usize, usize), which: usize) -> ChaCha20Rng {
    let mut rng = ChaCha20Rng::from_seed(seed);
    rng.set_stream(epoch as u64 * (blocks as u64 + 1) + which as u64);
    rng
}

#[cfg(test)]
mod tests {
    use super::{of_blocks, of_rows};

    #[test]
    fn every_epoch_and_block_has_an_order_of_its_own() {
        let mut orders = Vec::new();
        for (seed, epoch, block) in [(1, 0, 0), (1, 1, 0), (1, 0, 1), (2, 0, 0)] {
            let mut rows = Vec::new();
            of_rows([seed; 32], (epoch, 3), block, 50, &mut rows);
            orders.push(rows.clone());
            of_rows([seed; 32], (epoch, 3), block, 50, &mut rows);
            assert_eq!(orders.last(), Some(&rows), "the same again");
            rows.sort_unstable();
            assert!(rows.into_iter().eq(0..50));
        }
        for (seed, epoch) in [(1, 0), (1, 1), (2, 0)] {
            let mut blocks = of_blocks([seed; 32], epoch, 50);
            orders.push(blocks.iter().map(|block| *block as u32).collect());
            blocks.sort_unstable();
            assert!(blocks.into_iter().eq(0..50));
        }
        for (k, order) in orders.iter().enumerate() {
            assert!(!orders[..k].contains(order), "{k}");
        }
    }
}
