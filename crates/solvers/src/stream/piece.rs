//! Some rows of a mini-batch, from their inputs to the sums of active losses.

use super::{Block, StreamProblem};
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use ndarray::{ArrayView2, ArrayViewMut2};
use robust_svm_core::features::BLOCK_ROWS;

/// Rows of a piece: few enough for their features to stay in the cache of the thread that made them until they are used.
pub(super) const PIECE_ROWS: usize = BLOCK_ROWS;

/// Where losses are evaluated.
pub(super) struct Point<'a> {
    /// ζ in single precision (D).
    pub(super) zeta: &'a [f32],
    pub(super) intercept: f64,
    /// `‖Aζ‖₂`.
    pub(super) norm: f64,
}

/// At most [`PIECE_ROWS`] rows. Pairs are of the negative and of the positive class.
pub(super) struct Piece {
    /// Inputs and features, row after row.
    x: Vec<f32>,
    phi: Vec<f32>,
    /// `⟨ζ, φ_i⟩`.
    scores: Vec<f32>,
    /// y_i of active losses, 0 of others: two columns.
    signs: Vec<f32>,
    /// `Σ y_iφ_i` of active losses: two columns (D each).
    sums: Vec<f32>,
    /// Numbers of the active rows in the whole.
    pub(super) active_rows: Vec<usize>,
    /// How many there are of each class, and the sum of their Γ_i.
    pub(super) active: [f64; 2],
    pub(super) radius: [f64; 2],
    /// The sum of their y_i.
    pub(super) balance: f64,
    /// The sum of losses, NaN where a score is not finite.
    pub(super) loss: f64,
}

impl Piece {
    /// For rows of n inputs and D features.
    pub(super) fn new(n: usize, dim: usize) -> Self {
        Self {
            x: vec![0.0; PIECE_ROWS * n],
            phi: vec![0.0; PIECE_ROWS * dim],
            scores: vec![0.0; PIECE_ROWS],
            signs: vec![0.0; 2 * PIECE_ROWS],
            sums: vec![0.0; 2 * dim],
            active_rows: Vec::with_capacity(PIECE_ROWS),
            active: [0.0; 2],
            radius: [0.0; 2],
            balance: 0.0,
            loss: 0.0,
        }
    }

    /// `Σ y_iφ_i` of the active losses of a class (D).
    pub(super) fn weighted(&self, class: usize) -> &[f32] {
        let dim = self.sums.len() / 2;
        &self.sums[class * dim..(class + 1) * dim]
    }

    /// Adds the weighted sums of `other` to these.
    pub(super) fn add_weighted(&mut self, other: &Self) {
        for (sum, more) in self.sums.iter_mut().zip(&other.sums) {
            *sum += more;
        }
    }

    /// Evaluates the rows `order` of `block`.
    pub(super) fn evaluate(
        &mut self,
        problem: &StreamProblem<'_>,
        (block, order): (&Block<'_>, &[u32]),
        point: &Point<'_>,
    ) {
        let (rows, n, dim) = (order.len(), block.x.ncols(), point.zeta.len());
        let x = &mut self.x[..rows * n];
        block.gather(order.iter().map(|i| *i as usize), x);
        let x = ArrayView2::from_shape((rows, n), &*x).expect("rows of n");
        let phi = &mut self.phi[..rows * dim];
        let features = ArrayViewMut2::from_shape((rows, dim), &mut *phi).expect("rows of D");
        problem.features().single_into(x, features);
        let phi = MatRef::from_row_major_slice(phi, rows, dim);
        let scores = &mut self.scores[..rows];
        multiply((scores, 1), phi, point.zeta);

        self.active_rows.clear();
        (self.active, self.radius) = ([0.0; 2], [0.0; 2]);
        (self.balance, self.loss) = (0.0, 0.0);
        let signs = &mut self.signs[..2 * rows];
        signs.fill(0.0);
        for (i, (&row, &score)) in order.iter().zip(&*scores).enumerate() {
            let y = block.y[row as usize];
            let (wide, row) = (f64::from(y), block.first_row + row as usize);
            let r = problem.radii().of(row);
            let hinge = 1.0 - wide * (f64::from(score) + point.intercept) + r * point.norm;
            if hinge > 0.0 {
                let class = usize::from(y > 0.0);
                signs[class * rows + i] = y;
                self.loss += hinge;
                self.radius[class] += r;
                self.balance += wide;
                self.active[class] += 1.0;
                self.active_rows.push(row);
            } else if !hinge.is_finite() {
                // A score beyond the range of f32 says nothing of the loss, and must not pass for none.
                self.loss = f64::NAN;
            }
        }
        multiply((&mut self.sums, 2), phi.transpose(), signs);
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
