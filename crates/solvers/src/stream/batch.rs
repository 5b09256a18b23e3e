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
    /// `z_i = Γ_iAᵀAζ/‖Aζ‖` (0 for ‖Aζ‖ = 0); counts what is active in `sums` and `counts`. The sum of the losses, not
    /// finite where a score is not.
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
                counts.add(row);
            } else if !hinge.is_finite() {
                // A score beyond the range of f32 says nothing of the loss, and must not pass for none.
                loss = f64::NAN;
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

#[cfg(test)]
mod tests {
    use super::{Batch, BatchRows};
    use crate::stochastic::Iterate;
    use crate::stream::sums::{Counts, Sums};
    use crate::stream::{BlockFeatures, MemoryBlocks, Radii, StreamProblem};
    use ndarray::{Array1, Array2};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha20Rng;
    use robust_svm_core::features::{Features, Identity};
    use robust_svm_core::penalty::PenaltyMatrix;

    /// The mean loss of a batch and its central differences, in double precision: −v, and −the mean of what is counted.
    #[test]
    fn the_direction_is_minus_the_gradient_of_the_mean_loss() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let (rows, dim) = (40, 5);
        let x = Array2::from_shape_simple_fn((rows, dim), || rng.gen_range(-1.0_f32..1.0));
        let y = Array1::from_shape_fn(rows, |i| if i % 3 == 0 { 1.0_f32 } else { -1.0 });
        let radii: Vec<f32> = (0..rows).map(|_| rng.gen_range(0.0..0.5)).collect();
        let zeta = Array1::from_shape_simple_fn(dim, || rng.gen_range(-1.0..1.0));
        let diagonal = Array1::from_shape_simple_fn(dim, || rng.gen_range(0.0..2.0));
        let source = MemoryBlocks::new(x.view(), y.view()).unwrap();
        let features = BlockFeatures::new(Features::Identity(Identity::new(dim))).unwrap();
        for matrix in [PenaltyMatrix::Orthogonal, PenaltyMatrix::Diagonal(diagonal)] {
            let problem = StreamProblem::new(&source, &features, 1.0).unwrap();
            let problem = problem.with_penalty(Radii::Each(&radii), &matrix).unwrap();
            let own = 7..30;
            let loss = |zeta: &Array1<f64>, b: f64| {
                let norm = matrix.common_norm(zeta.view()).unwrap();
                let of = |i: usize| {
                    let score = x.row(i).mapv(f64::from).dot(zeta) + b;
                    (1.0 - f64::from(y[i]) * score + f64::from(radii[i]) * norm).max(0.0)
                };
                own.clone().map(of).sum::<f64>() / own.len() as f64
            };
            let numbers: Vec<usize> = own.clone().collect();
            let batch = BatchRows {
                phi: &x.as_slice().unwrap()[own.start * dim..own.end * dim],
                y: &y.as_slice().unwrap()[own.clone()],
                rows: &numbers,
            };
            let at = Iterate {
                zeta: zeta.clone(),
                intercept: 0.1,
            };
            let (mut v, mut sums) = (Iterate::zeros(dim), Sums::zeros(dim));
            let mut counts = Counts::zeros(rows);
            let counted = (&mut sums, &mut counts);
            let total = Batch::new(own.len(), dim).evaluate(&problem, &batch, &at, &mut v, counted);
            assert!((total / own.len() as f64 - loss(&zeta, 0.1)).abs() < 1e-6);
            let h = 1e-6;
            for k in 0..dim {
                let moved = |sign: f64| {
                    let mut zeta = zeta.clone();
                    zeta[k] += sign * h;
                    loss(&zeta, 0.1)
                };
                let slope = (moved(1.0) - moved(-1.0)) / (2.0 * h);
                assert!((v.zeta[k] + slope).abs() < 1e-5, "{} {slope}", v.zeta[k]);
            }
            let slope = (loss(&zeta, 0.1 + h) - loss(&zeta, 0.1 - h)) / (2.0 * h);
            assert!((v.intercept + slope).abs() < 1e-5);
            for class in 0..2 {
                let active = |i: &usize| counts.tail[*i] == 1 && (y[*i] > 0.0) == (class == 1);
                let active: Vec<usize> = (0..rows).filter(active).collect();
                assert!(active.iter().all(|i| own.contains(i)) && active.len() > 2);
                assert_eq!(sums.active[class], active.len() as f64);
                let radius: f64 = active.iter().map(|i| f64::from(radii[*i])).sum();
                assert!((sums.radius[class] - radius).abs() < 1e-12);
                for (k, found) in sums.weighted[class].iter().enumerate() {
                    let sum: f64 = active.iter().map(|i| f64::from(y[*i] * x[(*i, k)])).sum();
                    assert!((found - sum).abs() < 1e-5);
                }
            }
        }
    }

    /// Scores of +∞ on the right side and of NaN: no loss of theirs is counted, and the sum says so.
    #[test]
    fn scores_beyond_single_precision_spoil_the_sum() {
        let y = Array1::from_vec(vec![1.0_f32]);
        for x in [[1e30_f32, 0.0], [1e30, -1e30]] {
            let x = Array2::from_shape_vec((1, 2), x.to_vec()).unwrap();
            let source = MemoryBlocks::new(x.view(), y.view()).unwrap();
            let features = BlockFeatures::new(Features::Identity(Identity::new(2))).unwrap();
            let problem = StreamProblem::new(&source, &features, 1.0).unwrap();
            let batch = BatchRows {
                phi: x.as_slice().unwrap(),
                y: y.as_slice().unwrap(),
                rows: &[0],
            };
            let at = Iterate {
                zeta: Array1::from_elem(2, 1e30),
                intercept: 0.0,
            };
            let (mut v, mut sums) = (Iterate::zeros(2), Sums::zeros(2));
            let counted = (&mut sums, &mut Counts::zeros(1));
            let loss = Batch::new(1, 2).evaluate(&problem, &batch, &at, &mut v, counted);
            assert!(loss.is_nan());
        }
    }
}
