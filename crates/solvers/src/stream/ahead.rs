//! Pieces of a block made ahead of their use, by whichever threads are free: what they are used for goes in order, features depend on
//! nothing.

use crate::workers::Workers;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Pieces for each thread: enough for the next one to be there when it is needed, few enough to stay in the cache.
const PIECES_A_THREAD: usize = 4;

/// Memory for the pieces that are made and not yet used.
pub(super) struct Ahead<P> {
    slots: Vec<Slot<P>>,
}

struct Slot<P> {
    /// One more than the number of the piece that it holds.
    made: AtomicUsize,
    piece: Mutex<P>,
}

impl<P: Send> Ahead<P> {
    pub(super) fn new() -> Self {
        Self { slots: Vec::new() }
    }

    /// Calls `visit(k, piece)` for the pieces k below `count`, in their order and on the calling thread, each after `make(k, piece)` on any
    /// thread of the pool that has nothing else to do. A piece is made in the memory of earlier ones, or of a `new` one.
    pub(super) fn each_piece(
        &mut self,
        (workers, count): (Workers, usize),
        new: impl Fn() -> P,
        make: impl Fn(usize, &mut P) + Sync,
        mut visit: impl FnMut(usize, &mut P) + Send,
    ) {
        let threads = workers.threads();
        let slots = if threads == 1 {
            1
        } else {
            PIECES_A_THREAD * threads
        };
        self.slots.resize_with(slots, || Slot {
            made: AtomicUsize::new(0),
            piece: Mutex::new(new()),
        });
        for slot in &mut self.slots {
            *slot.made.get_mut() = 0;
        }
        let line = Line {
            slots: &self.slots,
            make,
            count,
            next: AtomicUsize::new(0),
            used: AtomicUsize::new(0),
        };
        if threads == 1 {
            return line.visit_all(&mut visit);
        }
        rayon::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|_| line.help());
            }
            line.visit_all(&mut visit);
        });
    }
}

/// Pieces on their way from those who make them to the one who uses them.
struct Line<'a, P, M> {
    slots: &'a [Slot<P>],
    make: M,
    count: usize,
    /// The first piece that nobody has begun to make, and the first that is not used.
    next: AtomicUsize,
    used: AtomicUsize,
}

impl<P: Send, M: Fn(usize, &mut P) + Sync> Line<'_, P, M> {
    /// Makes pieces as long as there are any to make.
    fn help(&self) {
        while self.next.load(Ordering::Relaxed) < self.count {
            if !self.make_one() {
                std::thread::yield_now();
            }
        }
    }

    fn visit_all(&self, visit: &mut impl FnMut(usize, &mut P)) {
        // After a panic too, or helpers would wait for what is never used.
        let _nothing_left = OnDrop(|| self.next.store(self.count, Ordering::Relaxed));
        for k in 0..self.count {
            let slot = &self.slots[k % self.slots.len()];
            while slot.made.load(Ordering::Acquire) != k + 1 {
                if !self.make_one() {
                    std::thread::yield_now();
                }
            }
            visit(k, &mut slot.piece.lock().expect("a piece that was made"));
            self.used.store(k + 1, Ordering::Release);
        }
    }

    /// Makes the next piece, if there is one and a slot for it.
    fn make_one(&self) -> bool {
        let used = self.used.load(Ordering::Acquire);
        let most = self.count.min(used + self.slots.len());
        let claim = |next| (next < most).then_some(next + 1);
        let claimed = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, claim);
        let Ok(k) = claimed else { return false };
        let slot = &self.slots[k % self.slots.len()];
        // After a panic too: whoever waits for the piece finds the lock poisoned.
        let _made = OnDrop(|| slot.made.store(k + 1, Ordering::Release));
        let mut piece = slot.piece.lock().unwrap_or_else(PoisonError::into_inner);
        (self.make)(k, &mut piece);
        true
    }
}

/// Calls what it holds when it is dropped.
struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[cfg(test)]
mod tests {
    use super::Ahead;
    use crate::workers::Workers;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(work)
    }

    /// Pieces come in order, each as it was made, whoever makes them and however long it takes.
    #[test]
    fn pieces_come_in_order() {
        for threads in [1, 2, 3] {
            let mut ahead = Ahead::new();
            for count in [0, 1, 3, 200] {
                let mut seen = Vec::new();
                in_pool(threads, || {
                    let make = |k: usize, piece: &mut usize| {
                        if k.is_multiple_of(7) {
                            std::thread::sleep(std::time::Duration::from_micros(100));
                        }
                        *piece = 3 * k;
                    };
                    ahead.each_piece(
                        (Workers::Pool, count),
                        || 0,
                        make,
                        |k, piece| {
                            seen.push((k, *piece));
                        },
                    );
                });
                let expected: Vec<_> = (0..count).map(|k| (k, 3 * k)).collect();
                assert_eq!(seen, expected);
            }
        }
    }

    /// A piece that cannot be made ends the visit by a panic, and nobody waits for it.
    #[test]
    fn a_panic_is_passed_on() {
        for threads in [1, 3] {
            let ended = catch_unwind(AssertUnwindSafe(|| {
                in_pool(threads, || {
                    let make = |k: usize, (): &mut ()| assert_ne!(k, 20, "on purpose");
                    let visit =
                        |k: usize, (): &mut ()| assert!(k < 20, "of a piece that was not made");
                    Ahead::new().each_piece((Workers::Pool, 40), || (), make, visit);
                });
            }));
            assert!(ended.is_err());
        }
    }
}
