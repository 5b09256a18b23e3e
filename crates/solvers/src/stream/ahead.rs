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

    /// Calls `visit(k, piece)` for the pieces k below `count`, in their order and on one thread, each after `make(k, piece)` on any
    /// thread of the pool that has nothing else to do. A piece is made in the memory of earlier ones, or of a `new` one.
    ///
    /// Neither may use the pool itself: a thread that waits there for others could take up what helps here, on top of the piece that it
    /// is making, and would wait for that for ever.
    pub(super) fn each_piece(
        &mut self,
        (workers, count): (Workers, usize),
        new: impl Fn() -> P,
        make: impl Fn(usize, &mut P) + Sync,
        mut visit: impl FnMut(usize, &mut P) + Send,
    ) {
        let threads = workers.threads();
        let threads = threads.min(count);
        let slots = if threads <= 1 {
            1
        } else {
            count.min(PIECES_A_THREAD * threads)
        };
        while self.slots.len() < slots {
            self.slots.push(Slot {
                made: AtomicUsize::new(0),
                piece: Mutex::new(new()),
            });
        }
        for slot in &mut self.slots {
            *slot.made.get_mut() = 0;
            slot.piece.clear_poison();
        }
        let line = Line {
            slots: &self.slots[..slots],
            make,
            count,
            next: AtomicUsize::new(0),
            used: AtomicUsize::new(0),
        };
        if threads <= 1 {
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
            // A piece that could not be made: the panic is passed on by the scope, if it was not on this thread.
            let Ok(mut piece) = slot.piece.lock() else {
                return;
            };
            visit(k, &mut piece);
            drop(piece);
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
        // After a panic too, as the lock is poisoned by then: whoever waits for the piece finds that.
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

    /// A panic ends the visit, wherever it is, and is passed on with what it says; nobody waits for what is never made or used.
    #[test]
    fn a_panic_is_passed_on() {
        for threads in [1, 3] {
            for (last_made, last_visited) in [(20, 40), (40, 20)] {
                let mut seen = Vec::new();
                let mut ahead = Ahead::new();
                let ended = catch_unwind(AssertUnwindSafe(|| {
                    in_pool(threads, || {
                        let make = |k: usize, (): &mut ()| assert!(k < last_made, "on purpose");
                        let visit = |k: usize, (): &mut ()| {
                            assert!(k < last_visited, "on purpose");
                            seen.push(k);
                        };
                        ahead.each_piece((Workers::Pool, 60), || (), make, visit);
                    });
                }));
                let said = ended.unwrap_err();
                assert_eq!(said.downcast_ref::<&str>(), Some(&"on purpose"));
                assert!(seen.into_iter().eq(0..20));
                let mut seen = 0;
                ahead.each_piece((Workers::Pool, 60), || (), |_, ()| (), |_, ()| seen += 1);
                assert_eq!(seen, 60, "what is left of the panic");
            }
        }
    }
}
