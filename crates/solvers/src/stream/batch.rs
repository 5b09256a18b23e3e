//! The sub-gradient of a mini-batch, in single precision.

use super::piece::{PIECE_ROWS, Piece, Point};
use super::sums::{Counts, Sums};
use super::{Block, StreamProblem};
use crate::stochastic::Iterate;
use crate::workers::Workers;
use robust_svm_core::penalty::PenaltyMatrix;

/// Memory for batches.
pub(super) struct Batch {
    /// ζ (D).
    zeta: Vec<f32>,
    /// Each of [`PIECE_ROWS`] rows.
    pieces: Vec<Piece>,
}

impl Batch {
    /// For batches of at most `rows` rows of `problem`.
    pub(super) fn new(problem: &StreamProblem<'_>, rows: usize) -> Self {
        let (n, dim) = (problem.features().input_dim(), problem.dim());
        let pieces = rows.div_ceil(PIECE_ROWS);
        Self {
            zeta: vec![0.0; dim],
            pieces: std::iter::repeat_with(|| Piece::new(n, dim))
                .take(pieces)
                .collect(),
        }
    }

    /// `v = (1/p) Σ a_i(y_iφ_i − z_i, y_i)` over the p rows `order` of `block` at `x`, where a_i is 1 if the loss of i is active and
    /// `z_i = Γ_iAᵀAζ/‖Aζ‖` (0 for ‖Aζ‖ = 0); counts what is active in `sums` and `counts`. The sum of the losses, not
    /// finite where a score is not.
    pub(super) fn evaluate(
        &mut self,
        (problem, workers): (&StreamProblem<'_>, Workers),
        (block, order): (&Block<'_>, &[u32]),
        x: &Iterate,
        v: &mut Iterate,
        (sums, counts): (&mut Sums, &mut Counts),
    ) -> f64 {
        for (single, ζ) in self.zeta.iter_mut().zip(&x.zeta) {
            *single = *ζ as f32;
        }
        let point = Point {
            zeta: &self.zeta,
            intercept: x.intercept,
            norm: problem.penalty_norm(x.zeta.view()),
        };
        let pieces = &mut self.pieces[..order.len().div_ceil(PIECE_ROWS)];
        workers.blocks(pieces, 1, |k, piece| {
            let order = &order[k * PIECE_ROWS..];
            let order = &order[..order.len().min(PIECE_ROWS)];
            piece[0].evaluate(problem, (block, order), &point);
        });

        // Added in the order of the pieces, whoever made them.
        let (mut loss, mut radius, mut balance) = (0.0, 0.0, 0.0);
        for piece in &*pieces {
            loss += piece.loss;
            balance += piece.balance;
            for c in 0..2 {
                radius += piece.radius[c];
                sums.radius[c] += piece.radius[c];
                sums.active[c] += piece.active[c];
            }
            piece.active_rows.iter().for_each(|row| counts.add(*row));
        }
        let share = 1.0 / order.len() as f64;
        if let Some((first, others)) = pieces.split_first_mut() {
            for piece in others {
                first.add_weighted(piece);
            }
            let [into_negative, into_positive] = &mut sums.weighted;
            let into = into_negative.iter_mut().zip(into_positive);
            let of_classes = first.weighted(0).iter().zip(first.weighted(1));
            for ((v, (n, p)), (into_n, into_p)) in v.zeta.iter_mut().zip(of_classes).zip(into) {
                let (n, p) = (f64::from(*n), f64::from(*p));
                *into_n += n;
                *into_p += p;
                *v = share * (n + p);
            }
        }
        v.intercept = share * balance;
        if point.norm > 0.0 && radius > 0.0 {
            subtract_gradient_of_norm(share * radius / point.norm, problem.matrix(), x, v);
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

#[cfg(test)]
mod tests {
    use super::Batch;
    use crate::stochastic::Iterate;
    use crate::stream::sums::{Counts, Sums};
    use crate::stream::{Block, BlockFeatures, MemoryBlocks, Radii, StreamProblem};
    use crate::workers::Workers;
    use ndarray::{Array1, Array2, s};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha20Rng;
    use robust_svm_core::features::{Features, Identity};
    use robust_svm_core::penalty::PenaltyMatrix;

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
            let how = (&problem, Workers::Caller);
            let total = Batch::new(&problem, own.len()).evaluate(
                how,
                (&block, &order),
                &at,
                &mut v,
                counted,
            );
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
            let how = (&problem, Workers::Caller);
            let loss = Batch::new(&problem, 1).evaluate(how, (&block, &[0]), &at, &mut v, counted);
            assert!(loss.is_nan());
        }
    }
}
