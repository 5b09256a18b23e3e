//! What is summed along the steps: the averages of the point, and how often losses were active.

use crate::stochastic::{EpochSum, Iterate};
use ndarray::Array1;

/// Sums over whole epochs. Pairs are of the negative and of the positive class.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sums {
    /// Epochs in the sums.
    pub(super) epochs: f64,
    /// ζ and b at the start of each step, times the step's share of the rows.
    pub(super) point: Iterate,
    /// `Σ y_iφ_i` of active losses (D), of features in single precision.
    pub(super) weighted: [Array1<f64>; 2],
    /// `Σ Γ_i` of active losses.
    pub(super) radius: [f64; 2],
    /// Active losses.
    pub(super) active: [f64; 2],
}

impl Sums {
    pub(super) fn zeros(dim: usize) -> Self {
        Self {
            epochs: 0.0,
            point: Iterate::zeros(dim),
            weighted: [Array1::zeros(dim), Array1::zeros(dim)],
            radius: [0.0; 2],
            active: [0.0; 2],
        }
    }

    /// Counts the point at which a step starts that takes this `share` of the rows.
    pub(super) fn add_point(&mut self, x: &Iterate, share: f64) {
        self.point.zeta.scaled_add(share, &x.zeta);
        self.point.intercept += share * x.intercept;
    }
}

impl EpochSum for Sums {
    fn clear(&mut self) {
        self.epochs = 0.0;
        self.point.clear();
        self.radius = [0.0; 2];
        self.active = [0.0; 2];
        for v in &mut self.weighted {
            v.fill(0.0);
        }
    }

    fn add(&mut self, other: &Self) {
        self.epochs += other.epochs;
        self.point.zeta += &other.point.zeta;
        self.point.intercept += other.point.intercept;
        for c in 0..2 {
            self.weighted[c] += &other.weighted[c];
            self.radius[c] += other.radius[c];
            self.active[c] += other.active[c];
        }
    }
}

/// In how many epochs of the tail the loss of each row was active: four bytes a row, two for the tail and two for what is
/// next the tail. The epoch under way is counted in both.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Counts {
    pub(super) tail: Vec<u16>,
    pub(super) next: Vec<u16>,
}

impl Counts {
    pub(super) fn zeros(rows: usize) -> Self {
        Self {
            tail: vec![0; rows],
            next: vec![0; rows],
        }
    }

    /// Counts an active loss.
    pub(super) fn add(&mut self, row: usize) {
        for counts in [&mut self.tail, &mut self.next] {
            // The number of epochs is bounded so that no count is.
            counts[row] = counts[row].saturating_add(1);
        }
    }

    /// The next becomes the tail, and is empty.
    pub(super) fn shorten(&mut self) {
        std::mem::swap(&mut self.tail, &mut self.next);
        self.next.fill(0);
    }
}
