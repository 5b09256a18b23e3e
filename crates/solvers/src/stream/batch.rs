//! The sub-gradient of a mini-batch, in single precision.

use super::piece::{Piece, Point};
use super::sums::{Counts, Sums};
use super::{Block, StreamProblem};
use crate::stochastic::Iterate;
use robust_svm_core::penalty::PenaltyMatrix;

/// The direction `v = (1/p) Σ a_i(y_iφ_i − z_i, y_i)` over the p rows of a batch at x, where a_i is 1 if the loss of i is active and
/// `z_i = Γ_iAᵀAζ/‖Aζ‖` (0 for ‖Aζ‖ = 0), from its pieces one by one.
pub(super) struct Batch {
    /// x, of which ζ (D) is in single precision.
    zeta: Vec<f32>,
    intercept: f64,
    /// `‖Aζ‖₂`.
    norm: f64,
    /// Rows so far.
    pub(super) rows: usize,
    /// `Σ y_iφ_i` of the active losses of the negative and of the positive class (D each).
    sums: [Vec<f32>; 2],
    /// `Σ Γ_i` and `Σ y_i` of the active losses.
    radius: f64,
    balance: f64,
    /// The sum of the losses, not finite where a score is not.
    pub(super) loss: f64,
}

impl Batch {
    /// For D features.
    pub(super) fn new(dim: usize) -> Self {
        Self {
            zeta: vec![0.0; dim],
            intercept: 0.0,
            norm: 0.0,
            rows: 0,
            sums: [0, 1].map(|_| vec![0.0; dim]),
            radius: 0.0,
            balance: 0.0,
            loss: 0.0,
        }
    }

    /// Begins a batch at `x`.
    pub(super) fn begin(&mut self, problem: &StreamProblem<'_>, x: &Iterate) {
        for (single, ζ) in self.zeta.iter_mut().zip(&x.zeta) {
            *single = *ζ as f32;
        }
        self.intercept = x.intercept;
        self.norm = problem.penalty_norm(x.zeta.view());
        for sums in &mut self.sums {
            sums.fill(0.0);
        }
        (self.rows, self.radius, self.balance, self.loss) = (0, 0.0, 0.0, 0.0);
    }

    /// Adds the rows of `piece`, of `block` in this `order`; counts what is active in `sums` and `counts`.
    pub(super) fn add(
        &mut self,
        problem: &StreamProblem<'_>,
        (block, order): (&Block<'_>, &[u32]),
        piece: &mut Piece,
        (sums, counts): (&mut Sums, &mut Counts),
    ) {
        let point = Point {
            zeta: &self.zeta,
            intercept: self.intercept,
            norm: self.norm,
        };
        piece.evaluate(problem, (block, order), &point);
        self.rows += piece.place.len();
        self.loss += piece.loss;
        self.balance += piece.balance;
        for c in 0..2 {
            self.radius += piece.radius[c];
            sums.radius[c] += piece.radius[c];
            sums.active[c] += piece.active[c];
            for (sum, more) in self.sums[c].iter_mut().zip(piece.weighted(c)) {
                *sum += more;
            }
        }
        piece.active_rows.iter().for_each(|row| counts.add(*row));
    }

    /// Ends the batch at `x`: v.
    pub(super) fn end(
        &self,
        problem: &StreamProblem<'_>,
        x: &Iterate,
        v: &mut Iterate,
        sums: &mut Sums,
    ) {
        let share = 1.0 / self.rows as f64;
        let [into_negative, into_positive] = &mut sums.weighted;
        let into = into_negative.iter_mut().zip(into_positive);
        let of_classes = self.sums[0].iter().zip(&self.sums[1]);
        for ((v, (n, p)), (into_n, into_p)) in v.zeta.iter_mut().zip(of_classes).zip(into) {
            let (n, p) = (f64::from(*n), f64::from(*p));
            *into_n += n;
            *into_p += p;
            *v = share * (n + p);
        }
        v.intercept = share * self.balance;
        if self.norm > 0.0 && self.radius > 0.0 {
            let factor = share * self.radius / self.norm;
            subtract_gradient_of_norm(factor, problem.matrix(), x, v);
        }
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

#[cfg(test)]
mod tests {
    use super::Batch;
    use crate::stochastic::Iterate;
    use crate::stream::piece::{PIECE_ROWS, Piece};
    use crate::stream::sums::{Counts, Sums};
    use crate::stream::{Block, BlockFeatures, MemoryBlocks, Radii, StreamProblem};
    use ndarray::{Array1, Array2, s};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha20Rng;
    use robust_svm_core::features::{Features, Identity};
    use robust_svm_core::penalty::PenaltyMatrix;

    /// The sum of the losses of the rows `order` of `block` at `x`, and the direction in `v`.
    fn evaluate(
        problem: &StreamProblem<'_>,
        (block, order): (&Block<'_>, &[u32]),
        x: &Iterate,
        v: &mut Iterate,
        (sums, counts): (&mut Sums, &mut Counts),
    ) -> f64 {
        let mut batch = Batch::new(x.zeta.len());
        let mut piece = Piece::new(block.x.ncols(), x.zeta.len());
        batch.begin(problem, x);
        for first in (0..order.len()).step_by(PIECE_ROWS) {
            let place = first..order.len().min(first + PIECE_ROWS);
            piece.take(place, problem.features(), (block, order));
            batch.add(problem, (block, order), &mut piece, (sums, counts));
        }
        batch.end(problem, x, v, sums);
        assert_eq!(batch.rows, order.len());
        batch.loss
    }

    /// The mean loss of a batch and its central differences, in double precision: −v, and −the mean of what is counted.
    #[test]
    fn the_direction_is_minus_the_gradient_of_the_mean_loss() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let (rows, dim) = (400, 5);
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
            let own = 7..300;
            let loss = |zeta: &Array1<f64>, b: f64| {
                let norm = matrix.common_norm(zeta.view()).unwrap();
                let of = |i: usize| {
                    let score = x.row(i).mapv(f64::from).dot(zeta) + b;
                    (1.0 - f64::from(y[i]) * score + f64::from(radii[i]) * norm).max(0.0)
                };
                own.clone().map(of).sum::<f64>() / own.len() as f64
            };
            // In blocks of another place, and in another order.
            let block = Block {
                index: 1,
                first_row: 5,
                x: x.slice(s![5.., ..]),
                y: y.slice(s![5..]),
            };
            let order: Vec<u32> = own.clone().rev().map(|row| row as u32 - 5).collect();
            let at = Iterate {
                zeta: zeta.clone(),
                intercept: 0.1,
            };
            let (mut v, mut sums) = (Iterate::zeros(dim), Sums::zeros(dim));
            let mut counts = Counts::zeros(rows);
            let counted = (&mut sums, &mut counts);
            let total = evaluate(&problem, (&block, &order), &at, &mut v, counted);
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
            let block = Block {
                index: 0,
                first_row: 0,
                x: x.view(),
                y: y.view(),
            };
            let at = Iterate {
                zeta: Array1::from_elem(2, 1e30),
                intercept: 0.0,
            };
            let (mut v, mut sums) = (Iterate::zeros(2), Sums::zeros(2));
            let counted = (&mut sums, &mut Counts::zeros(1));
            let loss = evaluate(&problem, (&block, &[0]), &at, &mut v, counted);
            assert!(loss.is_nan());
        }
    }
}
