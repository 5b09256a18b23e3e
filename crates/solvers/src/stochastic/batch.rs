//! The sub-gradient of a mini-batch.

use super::averages::Sums;
use super::iterate::Iterate;
use crate::SublinearProblem;
use ndarray::Array1;

/// Memory for batches.
pub(super) struct Batch {
    /// `h_i(ζ)` of the rows.
    penalties: Vec<f64>,
    /// The rows with an active loss, of the negative and of the positive class.
    active: [Vec<usize>; 2],
    /// As many ones as rows.
    ones: Vec<f64>,
    /// The sum of the sub-gradients of one class (D).
    sum: Array1<f64>,
}

impl Batch {
    /// For batches of at most `rows` rows.
    pub(super) fn new(rows: usize, dim: usize) -> Self {
        Self {
            penalties: vec![0.0; rows],
            active: [Vec::with_capacity(rows), Vec::with_capacity(rows)],
            ones: vec![1.0; rows],
            sum: Array1::zeros(dim),
        }
    }

    /// `v = (1/|B|) Σ a_i(y_iφ_i − z_i, y_i)` over the `rows` B at `x`; counts `a_i` and `a_iz_i` in `sums`.
    pub(super) fn evaluate(
        &mut self,
        problem: &SublinearProblem<'_>,
        rows: &[usize],
        x: &Iterate,
        v: &mut Iterate,
        sums: &mut Sums,
    ) {
        let (penalty, features, y) = (problem.penalty(), problem.features(), problem.y());
        let (samples, zeta) = (y.len(), x.zeta.view());
        let share = 1.0 / rows.len() as f64;
        let penalties = &mut self.penalties[..rows.len()];
        penalty.values_of(rows, zeta, samples, penalties);
        v.clear();
        for class in &mut self.active {
            class.clear();
        }
        for (&row, h) in rows.iter().zip(penalties) {
            let (φ, y) = (features.row(row), y[row]);
            if y * (φ.dot(&zeta) + x.intercept) - *h < 1.0 {
                v.zeta.scaled_add(share * y, &φ);
                v.intercept += share * y;
                sums.active[row] += 1.0;
                self.active[usize::from(y > 0.0)].push(row);
            }
        }
        for (class, total) in self.active.iter().zip(&mut sums.subgradients) {
            if class.is_empty() {
                continue;
            }
            self.sum.fill(0.0);
            let ones = &self.ones[..class.len()];
            penalty.add_subgradients_of(class, ones, zeta, samples, self.sum.view_mut());
            *total += &self.sum;
            v.zeta.scaled_add(-share, &self.sum);
        }
    }
}
