//! The sub-gradient of a mini-batch, in single precision.

use super::StreamProblem;
use super::sums::{Counts, Sums};
use crate::stochastic::Iterate;
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use robust_svm_core::penalty::PenaltyMatrix;

/// Rows that a step takes together.
pub(super) struct BatchRows<'a> {
    /// Their features (p × D), row after row.
    pub(super) phi: &'a [f32],
    /// Their labels (p).
    pub(super) y: &'a [f32],
    /// Their numbers in the whole (p).
    pub(super) rows: &'a [usize],
}

/// Memory for batches.
pub(super) struct Batch {
    /// ζ (D).
    zeta: Vec<f32>,
    /// `⟨ζ, φ_i⟩` of the rows.
    scores: Vec<f32>,
    /// y_i of active losses, 0 of others: two columns, of the negative and of the positive class.
    active: Vec<f32>,
    /// `Σ y_iφ_i` of active losses of each class (two columns, D each).
    sums: Vec<f32>,
}

impl Batch {
    /// For batches of at most `rows` rows.
    pub(super) fn new(rows: usize, dim: usize) -> Self {
        Self {
            zeta: vec![0.0; dim],
            scores: vec![0.0; rows],
            active: vec![0.0; 2 * rows],
            sums: vec![0.0; 2 * dim],
        }
    }

    /// `v = (1/p) Σ a_i(y_iφ_i − z_i, y_i)` over the rows of a batch at `x`, where a_i is 1 if the loss of i is active and
    /// `z_i = Γ_iAᵀAζ/‖Aζ‖` (0 for ‖Aζ‖ = 0); counts what is active in `sums` and `counts`. The sum of the losses.
    pub(super) fn evaluate(
        &mut self,
        problem: &StreamProblem<'_>,
        batch: &BatchRows<'_>,
        x: &Iterate,
        v: &mut Iterate,
        (sums, counts): (&mut Sums, &mut Counts),
    ) -> f64 {
        let (p, dim) = (batch.y.len(), self.zeta.len());
        for (single, ζ) in self.zeta.iter_mut().zip(&x.zeta) {
            *single = *ζ as f32;
        }
        let phi = MatRef::from_row_major_slice(batch.phi, p, dim);
        let scores = &mut self.scores[..p];
        multiply((scores, 1), phi, &self.zeta);

        let norm = problem.penalty_norm(x.zeta.view());
        let (mut loss, mut radius, mut balance) = (0.0, [0.0; 2], 0.0);
        let (negative, positive) = self.active[..2 * p].split_at_mut(p);
        negative.fill(0.0);
        positive.fill(0.0);
        let classes = [negative, positive];
        for (i, (&score, &y)) in scores.iter().zip(batch.y).enumerate() {
            let row = batch.rows[i];
            let r = problem.radii().of(row);
            let y_wide = f64::from(y);
            let hinge = 1.0 - y_wide * (f64::from(score) + x.intercept) + r * norm;
            if hinge > 0.0 {
                let class = usize::from(y > 0.0);
                classes[class][i] = y;
                loss += hinge;
                radius[class] += r;
                balance += y_wide;
                sums.active[class] += 1.0;
                counts.add(row, class);
            }
        }
        multiply((&mut self.sums, 2), phi.transpose(), &self.active[..2 * p]);

        let share = 1.0 / p as f64;
        v.intercept = share * balance;
        let (of_negative, of_positive) = self.sums.split_at(dim);
        let pairs = of_negative.iter().zip(of_positive);
        let [into_negative, into_positive] = &mut sums.weighted;
        let into = into_negative.iter_mut().zip(into_positive);
        for ((v, (n, p)), (into_n, into_p)) in v.zeta.iter_mut().zip(pairs).zip(into) {
            let (n, p) = (f64::from(*n), f64::from(*p));
            *into_n += n;
            *into_p += p;
            *v = share * (n + p);
        }
        for (sum, radius) in sums.radius.iter_mut().zip(radius) {
            *sum += radius;
        }
        let total = radius[0] + radius[1];
        if norm > 0.0 && total > 0.0 {
            subtract_gradient_of_norm(share * total / norm, problem.matrix(), x, v);
        }
        loss
    }
}

/// `v ← v − factor AᵀAζ`.
fn subtract_gradient_of_norm(factor: f64, matrix: &PenaltyMatrix, x: &Iterate, v: &mut Iterate) {
    match matrix {
        PenaltyMatrix::Diagonal(a) => {
            for ((v, ζ), a) in v.zeta.iter_mut().zip(&x.zeta).zip(a) {
                *v -= factor * a * a * ζ;
            }
        }
        _ => v.zeta.scaled_add(-factor, &x.zeta),
    }
}

/// `out ← matrix b` for `columns` columns, one after the other.
fn multiply((out, columns): (&mut [f32], usize), matrix: MatRef<'_, f32>, b: &[f32]) {
    let (rows, inner) = (matrix.nrows(), matrix.ncols());
    matmul(
        MatMut::from_column_major_slice_mut(out, rows, columns),
        Accum::Replace,
        matrix,
        MatRef::from_column_major_slice(b, inner, columns),
        1.0,
        Par::Seq,
    );
}
