//! Where the blocks of a computation run.

use rayon::prelude::*;

/// Who works on the blocks. Blocks are cut, and their results added, in the same way for both, so results have the same
/// bits whatever the number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Workers {
    /// The calling thread, one block after the other. Nothing of rayon is touched.
    Caller,
    /// The rayon pool of the calling thread.
    Pool,
}

/// Samples whose numbers, a few each, are worth the way to another thread.
pub(crate) const SAMPLES: usize = 4096;

impl Workers {
    /// The pool if `parallel`, or the caller.
    pub(crate) fn parallel(parallel: bool) -> Self {
        if parallel { Self::Pool } else { Self::Caller }
    }

    /// `work()` on a thread of the pool, which shares blocks with the others at once; a thread outside would be put to sleep and woken for each.
    pub(crate) fn within<R: Send>(self, work: impl FnOnce() -> R + Send) -> R {
        match self {
            Self::Caller => work(),
            Self::Pool => rayon::scope(|_| work()),
        }
    }

    /// `work(k, block)` for the blocks `k` of `size` values of `data`, the last one may be shorter.
    pub(crate) fn blocks<T: Send>(
        self,
        data: &mut [T],
        size: usize,
        work: impl Fn(usize, &mut [T]) + Sync + Send,
    ) {
        let size = size.max(1);
        let call = |(k, block): (usize, &mut [T])| work(k, block);
        if self.alone(data.len(), size) {
            data.chunks_mut(size).enumerate().for_each(call);
        } else {
            in_turn(data.chunks_mut(size).enumerate(), call);
        }
    }

    /// [`Workers::blocks`] with a block of `scratch`, `scratch_size` values long, for each.
    ///
    /// # Panics
    /// If `scratch` is too short for that.
    pub(crate) fn blocks_with<T: Send, U: Send>(
        self,
        (data, size): (&mut [T], usize),
        (scratch, scratch_size): (&mut [U], usize),
        work: impl Fn(usize, &mut [T], &mut [U]) + Sync + Send,
    ) {
        let size = size.max(1);
        let needed = data.len().div_ceil(size) * scratch_size;
        assert!(scratch.len() >= needed, "a block of scratch for each block");
        if self.alone(data.len(), size) {
            // One after the other: the first block of scratch, warm in cache, serves all.
            let scratch = &mut scratch[..scratch_size];
            for (k, block) in data.chunks_mut(size).enumerate() {
                work(k, block, scratch);
            }
        } else {
            let scratch = scratch.chunks_mut(scratch_size);
            let blocks = data.chunks_mut(size).zip(scratch).enumerate();
            in_turn(blocks, |(k, (block, scratch))| work(k, block, scratch));
        }
    }

    /// `work(k, a, b)` for each k-th block a of `size_a` values of `data_a`, with the k-th of `size_b` values of `data_b`, empty where that has no
    /// more.
    pub(crate) fn pairs<T: Send, U: Send>(
        self,
        (data_a, size_a): (&mut [T], usize),
        (data_b, size_b): (&mut [U], usize),
        work: impl Fn(usize, &mut [T], &mut [U]) + Sync + Send,
    ) {
        let (size_a, size_b) = (size_a.max(1), size_b.max(1));
        let alone = self.alone(data_a.len(), size_a);
        let mut b = data_b.chunks_mut(size_b);
        let pairs = data_a.chunks_mut(size_a).enumerate();
        let pairs = pairs.map(|(k, a)| (k, a, b.next().unwrap_or_default()));
        if alone {
            pairs.for_each(|(k, a, b)| work(k, a, b));
        } else {
            in_turn(pairs, |(k, a, b)| work(k, a, b));
        }
    }

    /// `work(i, a_i, b_i)` for the samples i, of two vectors as long as each other.
    pub(crate) fn samples(
        self,
        (a, b): (&mut [f64], &mut [f64]),
        work: impl Fn(usize, &mut f64, &mut f64) + Sync + Send,
    ) {
        assert_eq!(a.len(), b.len(), "vectors of the same samples");
        self.pairs((a, SAMPLES), (b, SAMPLES), |k, a, b| {
            for ((i, a), b) in (k * SAMPLES..).zip(a).zip(b) {
                work(i, a, b);
            }
        });
    }

    /// `work(block)` for each of `blocks`.
    pub(crate) fn each<B: Send>(
        self,
        blocks: impl ExactSizeIterator<Item = B> + Send,
        work: impl Fn(B) + Sync + Send,
    ) {
        if self.alone(blocks.len(), 1) {
            blocks.for_each(work);
        } else {
            in_turn(blocks, work);
        }
    }

    /// Whether there is one block, or one thread.
    fn alone(self, len: usize, size: usize) -> bool {
        len <= size || self.threads() == 1
    }

    /// How many threads there are.
    pub(crate) fn threads(self) -> usize {
        match self {
            Self::Caller => 1,
            Self::Pool => rayon::current_num_threads(),
        }
    }
}

/// A thread that is free takes the next of `blocks`: where the first ones are the largest, as in the lower half of a matrix, all threads end at
/// about the same time, which halving the blocks would not see to.
fn in_turn<B: Send>(blocks: impl Iterator<Item = B> + Send, work: impl Fn(B) + Sync + Send) {
    blocks.par_bridge().for_each(work);
}
