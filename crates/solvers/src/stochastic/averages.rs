//! Sums over the epochs of a tail.

use super::iterate::Iterate;
use ndarray::Array1;

/// What is summed over whole epochs.
pub(crate) trait EpochSum {
    /// Back to nothing.
    fn clear(&mut self);

    /// Adds what `other` sums.
    fn add(&mut self, other: &Self);
}

/// The sums over the epochs from the last power of two but one on: of k epochs, all but the first `2^m`, where
/// `2^(m+1) ≤ k < 2^(m+2)`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tail<S> {
    /// The epoch under way.
    pub(crate) epoch: S,
    /// From the last power of two but one on.
    pub(crate) current: S,
    /// From the last power of two on.
    pub(crate) next: S,
    /// Epochs made.
    pub(crate) made: usize,
}

impl<S: EpochSum> Tail<S> {
    /// Of sums that `zeros` makes.
    pub(crate) fn new(zeros: impl Fn() -> S) -> Self {
        Self {
            epoch: zeros(),
            current: zeros(),
            next: zeros(),
            made: 0,
        }
    }

    /// Closes the epoch; whether the tail has become shorter, what is next the tail, and next empty.
    pub(crate) fn end_epoch(&mut self) -> bool {
        self.current.add(&self.epoch);
        self.next.add(&self.epoch);
        self.epoch.clear();
        self.made += 1;
        let shorter = self.made.is_power_of_two();
        if shorter {
            std::mem::swap(&mut self.current, &mut self.next);
            self.next.clear();
        }
        shorter
    }
}

/// What the method in memory sums.
pub(super) struct Sums {
    /// Epochs in the sums.
    pub(super) epochs: usize,
    /// ζ at the start of each step, times the step's share of the samples (D).
    pub(super) zeta: Array1<f64>,
    /// How often the loss of each sample was active (L).
    pub(super) active: Array1<f64>,
    /// The sub-gradients of active losses, of the negative and of the positive class (D each).
    pub(super) subgradients: [Array1<f64>; 2],
}

impl Sums {
    pub(super) fn zeros(samples: usize, dim: usize) -> Self {
        Self {
            epochs: 0,
            zeta: Array1::zeros(dim),
            active: Array1::zeros(samples),
            subgradients: [Array1::zeros(dim), Array1::zeros(dim)],
        }
    }

    /// Counts the point at which a step starts that takes this `share` of the samples.
    pub(super) fn add_point(&mut self, x: &Iterate, share: f64) {
        self.zeta.scaled_add(share, &x.zeta);
    }
}

impl EpochSum for Sums {
    fn clear(&mut self) {
        self.epochs = 0;
        self.zeta.fill(0.0);
        self.active.fill(0.0);
        for z in &mut self.subgradients {
            z.fill(0.0);
        }
    }

    fn add(&mut self, other: &Self) {
        self.epochs += other.epochs;
        self.zeta += &other.zeta;
        self.active += &other.active;
        for (z, other) in self.subgradients.iter_mut().zip(&other.subgradients) {
            *z += other;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Sums, Tail};
    use crate::stochastic::iterate::Iterate;
    use ndarray::array;

    /// Epoch k adds 2^k: the sum tells which epochs are in it.
    #[test]
    fn the_tail_is_half_to_three_quarters_of_the_epochs() {
        let mut sums = Tail::new(|| Sums::zeros(1, 1));
        for made in 1..40_u32 {
            for _ in 0..2 {
                let point = Iterate {
                    zeta: array![f64::from(made - 1).exp2()],
                    intercept: 0.0,
                };
                sums.epoch.add_point(&point, 0.5);
            }
            sums.epoch.active[0] += 1.0;
            sums.epoch.epochs = 1;
            assert_eq!(sums.end_epoch(), made.is_power_of_two());
            let first = if made == 1 {
                0
            } else {
                (made + 1).next_power_of_two() / 4
            };
            let expected = f64::from(made).exp2() - f64::from(first).exp2();
            let tail = &sums.current;
            assert_eq!(tail.zeta[0], expected, "{made} epochs");
            assert_eq!(tail.epochs, (made - first) as usize);
            assert_eq!(tail.active[0], f64::from(made - first));
            assert!(
                made == 1
                    || (2 * tail.epochs >= made as usize
                        && 4 * tail.epochs <= 3 * made as usize + 3)
            );
        }
    }
}
