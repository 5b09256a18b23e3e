//! Sums over the epochs of a tail.

use super::iterate::Iterate;
use ndarray::Array1;

/// Sums over whole epochs.
pub(super) struct Sums {
    /// How many.
    pub(super) epochs: usize,
    /// ζ of each step over the number of steps in an epoch (D).
    pub(super) zeta: Array1<f64>,
    /// How often the loss of each sample was active (L).
    pub(super) active: Array1<f64>,
    /// The sub-gradients of active losses, of the negative and of the positive class (D each).
    pub(super) subgradients: [Array1<f64>; 2],
}

impl Sums {
    fn zeros(samples: usize, dim: usize) -> Self {
        Self {
            epochs: 0,
            zeta: Array1::zeros(dim),
            active: Array1::zeros(samples),
            subgradients: [Array1::zeros(dim), Array1::zeros(dim)],
        }
    }

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

/// The sums over the epochs from the last power of two but one on: of k epochs, all but the first `2^m`, where
/// `2^(m+1) ≤ k < 2^(m+2)`.
pub(super) struct TailSums {
    /// The epoch under way.
    pub(super) epoch: Sums,
    /// From the last power of two but one on.
    tail: Sums,
    /// From the last power of two on.
    next: Sums,
    /// Epochs made.
    made: usize,
    /// One over the number of steps in an epoch.
    share: f64,
}

impl TailSums {
    /// For epochs of `steps` steps.
    pub(super) fn new(samples: usize, dim: usize, steps: usize) -> Self {
        Self {
            epoch: Sums::zeros(samples, dim),
            tail: Sums::zeros(samples, dim),
            next: Sums::zeros(samples, dim),
            made: 0,
            share: 1.0 / steps as f64,
        }
    }

    /// Counts the point at which a step starts.
    pub(super) fn add_point(&mut self, x: &Iterate) {
        self.epoch.zeta.scaled_add(self.share, &x.zeta);
    }

    /// Closes the epoch.
    pub(super) fn end_epoch(&mut self) {
        self.epoch.epochs = 1;
        self.tail.add(&self.epoch);
        self.next.add(&self.epoch);
        self.epoch.clear();
        self.made += 1;
        if self.made.is_power_of_two() {
            std::mem::swap(&mut self.tail, &mut self.next);
            self.next.clear();
        }
    }

    /// The sums over the tail; at least one epoch must be closed.
    pub(super) fn tail(&self) -> &Sums {
        &self.tail
    }
}

#[cfg(test)]
mod tests {
    use super::TailSums;
    use crate::stochastic::iterate::Iterate;
    use ndarray::array;

    /// Epoch k adds 2^k: the sum tells which epochs are in it.
    #[test]
    fn the_tail_is_half_to_three_quarters_of_the_epochs() {
        let mut sums = TailSums::new(1, 1, 2);
        for made in 1..40_u32 {
            for _ in 0..2 {
                sums.add_point(&Iterate {
                    zeta: array![f64::from(made - 1).exp2()],
                    intercept: 0.0,
                });
            }
            sums.epoch.active[0] += 1.0;
            sums.end_epoch();
            let first = if made == 1 {
                0
            } else {
                (made + 1).next_power_of_two() / 4
            };
            let expected = f64::from(made).exp2() - f64::from(first).exp2();
            let tail = sums.tail();
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
