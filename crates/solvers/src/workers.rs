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

impl Workers {
    /// The pool if `parallel`, or the caller.
    pub(crate) fn parallel(parallel: bool) -> Self {
        if parallel { Self::Pool } else { Self::Caller }
    }

    /// `work(k, block)` for the blocks `k` of `size` values of `data`, the last one may be shorter.
    pub(crate) fn blocks<T: Send>(
        self,
        data: &mut [T],
        size: usize,
        work: impl Fn(usize, &mut [T]) + Sync + Send,
    ) {
        let call = |(k, block): (usize, &mut [T])| work(k, block);
        if self.alone(data.len(), size) {
            data.chunks_mut(size.max(1)).enumerate().for_each(call);
        } else {
            data.par_chunks_mut(size)
                .with_max_len(1)
                .enumerate()
                .for_each(call);
        }
    }

    /// [`Workers::blocks`] with a block of `scratch`, `scratch_size` values long, for each.
    pub(crate) fn blocks_with<T: Send, U: Send>(
        self,
        (data, size): (&mut [T], usize),
        (scratch, scratch_size): (&mut [U], usize),
        work: impl Fn(usize, &mut [T], &mut [U]) + Sync + Send,
    ) {
        if self.alone(data.len(), size) {
            // One after the other: the first block of scratch, warm in cache, serves all.
            let scratch = &mut scratch[..scratch_size];
            for (k, block) in data.chunks_mut(size.max(1)).enumerate() {
                work(k, block, scratch);
            }
        } else {
            data.par_chunks_mut(size)
                .with_max_len(1)
                .zip(scratch.par_chunks_mut(scratch_size))
                .enumerate()
                .for_each(|(k, (block, scratch))| work(k, block, scratch));
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
