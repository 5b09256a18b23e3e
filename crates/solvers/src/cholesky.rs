//! The Cholesky factor of a symmetric matrix, in panels of columns.

use crate::workers::Workers;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{
    LltParams, LltRegularization, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{BlockStructure, matmul as triangular_matmul};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Accum, MatMut, MatRef, Par, Spec};

/// Columns subtracted from those behind them at a time.
const PANEL: usize = 256;
/// Columns that a thread subtracts a panel from at a time.
const TILE: usize = 128;
/// Columns factorised at a time, few enough that faer does them in one go: it stores a replaced pivot wrongly, which is
/// mended behind each such block.
const BLOCK: usize = 64;
/// Columns of a panel that a thread subtracts a block from at a time, and rows that it solves for.
const STRIP: usize = 32;
const ROWS: usize = 128;

/// The memory of factorisations of matrices of n rows.
pub(crate) struct Cholesky {
    memory: MemBuffer,
}

/// The matrix has entries that are not finite.
#[derive(Debug)]
pub(crate) struct NotFactorisable;

impl Cholesky {
    pub(crate) fn new(n: usize) -> Self {
        let parameters = Spec::<LltParams, f64>::default();
        let scratch = cholesky_in_place_scratch::<f64>(n.min(BLOCK), Par::Seq, parameters);
        Self {
            memory: MemBuffer::new(scratch),
        }
    }

    /// Replaces the lower half of `matrix` (n², column after column) by its factor; pivots below `smallest` by
    /// `replaced`, the larger. Right-looking: a panel is factorised, and subtracted from the columns behind it tile by tile.
    pub(crate) fn factorise(
        &mut self,
        matrix: &mut [f64],
        n: usize,
        (smallest, replaced): (f64, f64),
        workers: Workers,
    ) -> Result<(), NotFactorisable> {
        for first in (0..n).step_by(PANEL) {
            let width = PANEL.min(n - first);
            let (done, behind) = matrix.split_at_mut((first + width) * n);
            let panel = &mut done[first * n..];
            self.factorise_panel((panel, n), first, (smallest, replaced), workers)?;
            let panel = MatRef::from_column_major_slice(panel, n, width);
            workers.blocks(behind, TILE * n, |k, columns| {
                subtract_panel(columns, panel, first + width + k * TILE);
            });
        }
        Ok(())
    }

    /// Factorises the columns from `first` on in `panel` (n each), from their diagonal down.
    fn factorise_panel(
        &mut self,
        (panel, n): (&mut [f64], usize),
        first: usize,
        (smallest, replaced): (f64, f64),
        workers: Workers,
    ) -> Result<(), NotFactorisable> {
        let columns = panel.len() / n;
        for start in (0..columns).step_by(BLOCK) {
            let width = BLOCK.min(columns - start);
            let (done, behind) = panel.split_at_mut((start + width) * n);
            let block = &mut done[start * n..];
            let rows = MatMut::from_column_major_slice_mut(block, n, width);
            let (_, rows) = rows.split_at_row_mut(first + start);
            let (mut corner, below) = rows.split_at_row_mut(width);
            cholesky_in_place(
                corner.as_mut(),
                LltRegularization {
                    dynamic_regularization_delta: replaced,
                    dynamic_regularization_epsilon: smallest,
                },
                Par::Seq,
                MemStack::new(&mut self.memory),
                Spec::default(),
            )
            .map_err(|_| NotFactorisable)?;
            // In the place of √replaced faer leaves pivot/√replaced, which is below √smallest; others are above.
            for k in 0..width {
                if corner[(k, k)] * corner[(k, k)] < smallest || corner[(k, k)] < 0.0 {
                    corner[(k, k)] = replaced.sqrt();
                }
            }
            let corner = corner.as_ref();
            workers.each(strips(below).into_iter(), |rows| {
                solve_lower_triangular_in_place(corner, rows.transpose_mut(), Par::Seq);
            });
            let block = MatRef::from_column_major_slice(block, n, width);
            workers.blocks(behind, STRIP * n, |k, columns| {
                subtract_panel(columns, block, first + start + width + k * STRIP);
            });
        }
        Ok(())
    }
}

/// The rows of a matrix, [`ROWS`] at a time.
fn strips(mut rest: MatMut<'_, f64>) -> Vec<MatMut<'_, f64>> {
    let mut strips = Vec::with_capacity(rest.nrows().div_ceil(ROWS));
    while rest.nrows() > ROWS {
        let (strip, below) = rest.split_at_row_mut(ROWS);
        strips.push(strip);
        rest = below;
    }
    strips.push(rest);
    strips
}

/// Subtracts `panel panelᵀ` from the lower half of the columns from `first` on.
fn subtract_panel(columns: &mut [f64], panel: MatRef<'_, f64>, first: usize) {
    let n = panel.nrows();
    let width = columns.len() / n;
    if width == 0 {
        return;
    }
    let below = first + width;
    let columns = MatMut::from_column_major_slice_mut(columns, n, width);
    let (_, columns) = columns.split_at_row_mut(first);
    let (corner, rest) = columns.split_at_row_mut(width);
    let own = panel.subrows(first, width);
    triangular_matmul(
        corner,
        BlockStructure::TriangularLower,
        Accum::Add,
        own,
        BlockStructure::Rectangular,
        own.transpose(),
        BlockStructure::Rectangular,
        -1.0,
        Par::Seq,
    );
    let lower = panel.subrows(below, n - below);
    matmul(rest, Accum::Add, lower, own.transpose(), -1.0, Par::Seq);
}

#[cfg(test)]
mod tests {
    use super::Cholesky;
    use crate::workers::Workers;
    use approx::assert_relative_eq;
    use ndarray::Array2;

    /// All at once, and in panels of which the last is shorter.
    #[test]
    fn the_factor_multiplies_out() {
        for n in [1, 60, 700] {
            let half = Array2::from_shape_fn((n, n), |(i, k)| ((i * 7 + k * 13) as f64).sin());
            let matrix = half.dot(&half.t()) + Array2::<f64>::eye(n) * n as f64;
            let mut factor = matrix.as_slice().unwrap().to_vec();
            let done = Cholesky::new(n).factorise(&mut factor, n, (1e-14, 1e-13), Workers::Pool);
            assert!(done.is_ok());
            let lower = Array2::from_shape_fn(
                (n, n),
                |(i, k)| {
                    if k <= i { factor[k * n + i] } else { 0.0 }
                },
            );
            assert_relative_eq!(lower.dot(&lower.t()), matrix, epsilon = 1e-10 * n as f64);
        }
    }

    /// A matrix of rank one: every pivot behind the first is replaced, in the first panel and in later ones.
    #[test]
    fn pivots_that_vanish_are_replaced() {
        for n in [40, 600] {
            let mut factor = vec![1.0; n * n];
            let done = Cholesky::new(n).factorise(&mut factor, n, (1e-14, 1e-12), Workers::Caller);
            assert!(done.is_ok());
            for k in 1..n {
                assert_relative_eq!(factor[k * (n + 1)], 1e-6, max_relative = 1e-6);
            }
        }
    }
}
