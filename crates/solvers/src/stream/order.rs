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
