//! Synthetic rows, in blocks that are drawn anew whenever they are asked for.
//!
//! `y_i` is 1 and −1 by turns, and `x_i = y_i μ + z_i` with z_i normal of covariance I and `μ = (1, …, 1)/√n`: two Gaussian classes
//! two standard deviations apart in any number of inputs, of which the best classifier errs with probability Φ(−1) = 15.9 %. Rows are
//! drawn in single precision; the first rows of a larger problem are those of a smaller one of as many inputs.

use crate::run::stopwatch::Stopwatch;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, s};
use rand::Rng;
use rand_chacha::ChaCha20Rng;
use rand_distr::StandardNormal;
use robust_svm_solvers::stream::{BLOCK_ROWS, Block, BlockSource, StreamError};
use std::sync::Mutex;

/// Rows of two Gaussian classes.
pub(super) struct Mixture {
    rows: usize,
    inputs: usize,
    rng: ChaCha20Rng,
    /// The seconds that drawing took, as a stage of preparing.
    watch: Mutex<Stopwatch>,
}

impl Mixture {
    /// `rows` rows of `inputs` inputs from the stream `rng`: a block from each of its sub-streams.
    pub(super) fn new(rows: usize, inputs: usize, rng: ChaCha20Rng) -> Self {
        Self {
            rows,
            inputs,
            rng,
            watch: Mutex::default(),
        }
    }

    /// Every row, in double precision (L × n), and its label (L).
    pub(super) fn all(&self) -> (Array2<f64>, Array1<f64>) {
        let mut x = Array2::zeros((self.rows, self.inputs));
        let mut y = Array1::zeros(self.rows);
        self.first(&mut x, &mut y);
        (x, y)
    }

    /// The inputs of the first `rows` rows (at most L), in double precision.
    pub(super) fn first_rows(&self, rows: usize) -> Array2<f64> {
        let mut x = Array2::zeros((rows, self.inputs));
        self.first(&mut x, &mut Array1::zeros(rows));
        x
    }

    /// Writes as many of the first rows as there is room for.
    fn first(&self, x: &mut Array2<f64>, y: &mut Array1<f64>) {
        let rows = y.len();
        let mut room = Room::new(rows, self.inputs);
        for block in 0..rows.div_ceil(BLOCK_ROWS) {
            let first = block * BLOCK_ROWS;
            let behind = (first + BLOCK_ROWS).min(rows);
            let (drawn, labels) = self.draw(block, behind - first, &mut room);
            x.slice_mut(s![first..behind, ..])
                .zip_mut_with(&drawn, |x, drawn| *x = f64::from(*drawn));
            y.slice_mut(s![first..behind])
                .zip_mut_with(&labels, |y, label| *y = f64::from(*label));
        }
    }

    /// The first `rows` rows of the block `index`.
    fn draw<'a>(
        &self,
        index: usize,
        rows: usize,
        room: &'a mut Room,
    ) -> (ArrayView2<'a, f32>, ArrayView1<'a, f32>) {
        let mut rng = self.rng.clone();
        rng.set_stream(index as u64);
        let centre = 1.0 / (self.inputs as f32).sqrt();
        let drawn = room.x.outer_iter_mut().zip(&room.y).take(rows);
        for (mut x, y) in drawn {
            x.mapv_inplace(|_| y * centre + rng.sample::<f32, _>(StandardNormal));
        }
        (room.x.slice(s![..rows, ..]), room.y.slice(s![..rows]))
    }

    /// The time that drawing blocks took since the last call.
    pub(super) fn take_watch(&self) -> Stopwatch {
        // A panic while the lock is held would leave a count, not a broken state.
        let mut watch = match self.watch.lock() {
            Ok(watch) => watch,
            Err(poisoned) => poisoned.into_inner(),
        };
        std::mem::take(&mut watch)
    }
}

/// Room for a block, and its labels.
struct Room {
    x: Array2<f32>,
    y: Array1<f32>,
}

impl Room {
    /// For blocks of at most `rows` rows.
    fn new(rows: usize, inputs: usize) -> Self {
        let label = |row: usize| if row.is_multiple_of(2) { 1.0 } else { -1.0 };
        let rows = rows.min(BLOCK_ROWS);
        Self {
            x: Array2::zeros((rows, inputs)),
            y: (0..rows).map(label).collect(),
        }
    }
}

impl BlockSource for Mixture {
    fn rows(&self) -> usize {
        self.rows
    }

    fn width(&self) -> usize {
        self.inputs
    }

    fn blocks(&self) -> usize {
        self.rows.div_ceil(BLOCK_ROWS)
    }

    fn read(
        &self,
        order: &[usize],
        visit: &mut dyn FnMut(Block<'_>) -> Result<(), StreamError>,
    ) -> Result<(), StreamError> {
        let mut room = Room::new(self.rows, self.inputs);
        for &index in order {
            let first_row = index * BLOCK_ROWS;
            let rows = BLOCK_ROWS.min(self.rows - first_row);
            let mut watch = Stopwatch::default();
            let (x, y) = watch.time(|s| &mut s.prepare, || self.draw(index, rows, &mut room));
            if let Ok(mut all) = self.watch.lock() {
                all.add(&watch);
            }
            visit(Block {
                index,
                first_row,
                x,
                y,
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Mixture;
    use ndarray::s;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;
    use robust_svm_solvers::stream::{BLOCK_ROWS, BlockSource};

    fn mixture(rows: usize) -> Mixture {
        Mixture::new(rows, 4, ChaCha20Rng::seed_from_u64(3))
    }

    #[test]
    fn blocks_in_any_order_are_the_rows_in_memory_and_a_smaller_problem_has_the_first() {
        let rows = 2 * BLOCK_ROWS + 100;
        let source = mixture(rows);
        let (x, y) = source.all();
        let mut seen = 0;
        source
            .read(&[2, 0, 1], &mut |block| {
                let behind = block.first_row + block.y.len();
                assert_eq!(
                    block.x.mapv(f64::from),
                    x.slice(s![block.first_row..behind, ..])
                );
                assert_eq!(
                    block.y.mapv(f64::from),
                    y.slice(s![block.first_row..behind])
                );
                seen += block.y.len();
                Ok(())
            })
            .unwrap();
        assert_eq!(seen, rows);
        let few = mixture(BLOCK_ROWS + 5).all().0;
        assert_eq!(few, x.slice(s![..BLOCK_ROWS + 5, ..]));
        assert_eq!(source.first_rows(7), x.slice(s![..7, ..]));
    }

    /// The classes are two standard deviations apart along (1, …, 1)/√n.
    #[test]
    fn the_classes_are_as_far_apart_as_promised() {
        let (x, y) = mixture(40_000).all();
        let along = x.sum_axis(ndarray::Axis(1)) / 2.0;
        let mean = (&along * &y).mean().unwrap();
        assert!((mean - 1.0).abs() < 0.02, "{mean}");
        let spread = (&along - &y).mapv(|z| z * z).mean().unwrap();
        assert!((spread - 1.0).abs() < 0.03, "{spread}");
        assert_eq!(y.sum(), 0.0);
        // Which classifier is best says how often it errs: Φ(−1).
        let wrong = along.iter().zip(&y).filter(|(x, y)| *x * *y < 0.0).count();
        assert!((wrong as f64 / 40_000.0 - 0.1587).abs() < 0.01, "{wrong}");
    }
}
