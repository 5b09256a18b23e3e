//! Blocks of arrays in memory.

use super::{BLOCK_ROWS, Block, BlockSource, StreamError};
use crate::SolverError;
use crate::problem::check_length;
use ndarray::{ArrayView1, ArrayView2, s};

/// Arrays in memory, cut into blocks.
#[derive(Debug, Clone, Copy)]
pub struct MemoryBlocks<'a> {
    x: ArrayView2<'a, f32>,
    y: ArrayView1<'a, f32>,
    block_rows: usize,
}

impl<'a> MemoryBlocks<'a> {
    /// The rows `x` (L × n) with the labels `y` (L), in blocks of [`BLOCK_ROWS`].
    ///
    /// # Errors
    /// [`SolverError::Shape`] if there is not a label for each row.
    pub fn new(x: ArrayView2<'a, f32>, y: ArrayView1<'a, f32>) -> Result<Self, SolverError> {
        check_length("labels", x.nrows(), y.len())?;
        Ok(Self {
            x,
            y,
            block_rows: BLOCK_ROWS,
        })
    }

    /// The same in blocks of `rows` rows.
    ///
    /// # Errors
    /// [`SolverError::Setting`] for 0 rows.
    pub fn with_block_rows(self, rows: usize) -> Result<Self, SolverError> {
        if rows == 0 {
            return Err(SolverError::Setting {
                name: "block_rows",
                expected: "at least 1",
                found: "0".into(),
            });
        }
        Ok(Self {
            block_rows: rows,
            ..self
        })
    }
}

impl BlockSource for MemoryBlocks<'_> {
    fn rows(&self) -> usize {
        self.y.len()
    }

    fn width(&self) -> usize {
        self.x.ncols()
    }

    fn blocks(&self) -> usize {
        self.y.len().div_ceil(self.block_rows)
    }

    fn read(
        &self,
        order: &[usize],
        visit: &mut dyn FnMut(Block<'_>) -> Result<(), StreamError>,
    ) -> Result<(), StreamError> {
        for &index in order {
            let first_row = index * self.block_rows;
            let behind = (first_row + self.block_rows).min(self.y.len());
            visit(Block {
                index,
                first_row,
                x: self.x.slice(s![first_row..behind, ..]),
                y: self.y.slice(s![first_row..behind]),
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::MemoryBlocks;
    use crate::stream::{BlockSource, StreamError};
    use ndarray::{Array1, Array2};

    #[test]
    fn blocks_hold_every_row_once_in_the_order_asked() {
        let x = Array2::from_shape_fn((10, 2), |(i, k)| (2 * i + k) as f32);
        let y = Array1::from_shape_fn(10, |i| if i % 3 == 0 { 1.0 } else { -1.0 });
        let source = MemoryBlocks::new(x.view(), y.view()).unwrap();
        assert_eq!(source.blocks(), 1);
        let source = source.with_block_rows(4).unwrap();
        assert_eq!((source.rows(), source.width(), source.blocks()), (10, 2, 3));
        let mut seen = Vec::new();
        source
            .read(&[2, 0, 1], &mut |block| {
                for (row, (x, y)) in block.x.outer_iter().zip(block.y).enumerate() {
                    assert_eq!(x[0], (2 * (block.first_row + row)) as f32);
                    seen.push((block.index, block.first_row + row, *y));
                }
                Ok(())
            })
            .unwrap();
        let rows: Vec<usize> = seen.iter().map(|(_, row, _)| *row).collect();
        assert_eq!(rows, [8, 9, 0, 1, 2, 3, 4, 5, 6, 7]);
        assert!(
            seen.iter()
                .all(|&(index, row, y)| index == row / 4 && y == source.y[row])
        );
    }

    #[test]
    fn a_pass_ends_where_its_reader_stops() {
        let (x, y) = (Array2::zeros((6, 1)), Array1::ones(6));
        let source = MemoryBlocks::new(x.view(), y.view()).unwrap();
        let source = source.with_block_rows(2).unwrap();
        let mut seen = 0;
        let ended = source.read(&[0, 1, 2], &mut |_| {
            seen += 1;
            if seen == 2 {
                Err(StreamError::Stopped)
            } else {
                Ok(())
            }
        });
        assert!(matches!(ended, Err(StreamError::Stopped)));
        assert_eq!(seen, 2);
        assert!(source.with_block_rows(0).is_err());
        assert!(MemoryBlocks::new(x.view(), y.slice(ndarray::s![..5])).is_err());
    }
}
