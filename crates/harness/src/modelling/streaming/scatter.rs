//! The second pass over a file: a copy of its rows, scaled, in blocks at random.
//!
//! Each training row goes to a block of the copy that is drawn among those with room, so that every division into blocks is as likely, and
//! takes the next place in it. Training goes through the blocks, and through the rows of each, in an order drawn anew for each
//! epoch, so that each epoch has a uniformly random order of all rows. Rows held out keep the file's order.

use super::ahead::each_block;
use super::apart::Apart;
use super::error::ScratchError;
use super::row_file::RowFile;
use super::row_writer::{RowWriter, record};
use super::scratch::Scratch;
use super::slots::Slots;
use crate::data::{BlockReader, CellBlock, DataError};
use crate::model_file::Classes;
use crate::modelling::progress::RowProgress;
use rand_chacha::ChaCha20Rng;
use robust_svm_core::data::Scaler;
use robust_svm_core::seed::CellSeed;
use robust_svm_solvers::stream::BLOCK_ROWS;
use std::path::Path;

/// The files of the copy.
const TRAINING: &str = "training";
const HELD_OUT: &str = "held-out";
/// A row that cannot be copied.
#[derive(Debug, thiserror::Error)]
pub(super) enum ScatterError {
    /// The data file has changed.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The copy cannot be written.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
}

/// How rows are copied.
pub(super) struct Plan<'a> {
    pub(super) scaler: &'a Scaler,
    pub(super) classes: &'a Classes,
    pub(super) apart: Apart,
    pub(super) seeds: &'a CellSeed,
    /// Training rows and rows held out.
    pub(super) rows: [usize; 2],
}

/// Scaled rows on disk.
#[derive(Debug)]
pub(super) struct Copy {
    /// In blocks that were drawn.
    pub(super) training: RowFile,
    /// In the file's order.
    pub(super) held_out: RowFile,
}

impl Copy {
    /// Whether there is one in `scratch`, whole if a survey is beside it.
    pub(super) fn is_in(scratch: &Scratch) -> bool {
        scratch.file(TRAINING).exists()
    }

    /// The copy in `scratch` that was made before.
    pub(super) fn found(scratch: &Scratch, rows: [usize; 2], width: usize) -> Self {
        Self {
            training: RowFile::new(&scratch.file(TRAINING), rows[0], width),
            held_out: RowFile::new(&scratch.file(HELD_OUT), rows[1], width),
        }
    }
}

impl Plan<'_> {
    /// Bytes that the copy takes on disk.
    pub(super) fn bytes(&self) -> u64 {
        let rows = (self.rows[0] + self.rows[1]) as u64;
        rows * self.row_bytes()
    }

    fn row_bytes(&self) -> u64 {
        4 * (self.scaler.kept().len() as u64 + 1)
    }
}

/// Copies the rows of `reader` into `scratch`.
///
/// # Errors
/// [`ScatterError`] if the file has changed since it was surveyed, or the copy cannot be written.
pub(super) fn scatter(
    reader: BlockReader,
    path: &Path,
    plan: &Plan<'_>,
    scratch: &Scratch,
    progress: &mut RowProgress,
) -> Result<Copy, ScatterError> {
    let Copy { training, held_out } = Copy::found(scratch, plan.rows, plan.scaler.kept().len());
    let mut pass = Pass {
        training: RowWriter::create(training, plan.bytes())?,
        held_out: RowWriter::create(held_out, plan.bytes())?,
        slots: Slots::new(plan.rows[0], BLOCK_ROWS),
        rows: [0; 2],
        kept: Vec::new(),
        record: Vec::new(),
    };
    let mut rng = plan.seeds.stream("shuffle");
    each_block(reader, |block| {
        progress.add(block.values.nrows());
        pass.add(&block, (path, plan), &mut rng)
    })?;
    if pass.rows != plan.rows {
        return Err(changed(path).into());
    }
    Ok(Copy {
        training: pass.training.finish(),
        held_out: pass.held_out.finish(),
    })
}

/// The error of a file that is not as it was.
pub(super) fn changed(path: &Path) -> DataError {
    DataError::Changed {
        path: path.to_owned(),
    }
}

/// The rows so far.
struct Pass {
    training: RowWriter,
    held_out: RowWriter,
    slots: Slots,
    rows: [usize; 2],
    /// The columns kept of a row, and its bytes.
    kept: Vec<f64>,
    record: Vec<u8>,
}

impl Pass {
    fn add(
        &mut self,
        block: &CellBlock,
        (path, plan): (&Path, &Plan<'_>),
        rng: &mut ChaCha20Rng,
    ) -> Result<(), ScatterError> {
        let Some(labels) = &block.labels else {
            return Ok(());
        };
        let side = |text: &Option<String>| plan.classes.side_of(text.as_deref()?);
        let sides: Vec<Option<f64>> = labels.texts().iter().map(side).collect();
        let (offsets, divisors) = (plan.scaler.offsets(), plan.scaler.divisors());
        // In one piece of memory, so that many columns are scaled at once.
        let (offsets, divisors) = (offsets.to_vec(), divisors.to_vec());
        for (values, place) in block.values.outer_iter().zip(labels.places()) {
            if values.fold(false, |missing, v| missing | v.is_nan()) {
                continue;
            }
            // Labels and rows that were not there before show in the counts.
            let Some(y) = sides[place] else {
                continue;
            };
            let held_out = plan.apart.holds(values);
            self.kept.clear();
            self.kept
                .extend(plan.scaler.kept().iter().map(|k| values[*k]));
            let kept = self.kept.iter().zip(&offsets).zip(&divisors);
            let scaled = kept.map(|((v, offset), divisor)| (v - offset) / divisor);
            record(scaled, y, &mut self.record);
            let rows = &mut self.rows[usize::from(held_out)];
            if held_out {
                if *rows == plan.rows[1] {
                    return Err(changed(path).into());
                }
                self.held_out.add(*rows / BLOCK_ROWS, &self.record)?;
            } else {
                let block = self.slots.take(rng).ok_or_else(|| changed(path))?;
                self.training.add(block, &self.record)?;
            }
            *rows += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Copy, Plan, scatter};
    use crate::data::{AskedBy, BlockReader, Format, Wanted, WantedFeatures};
    use crate::model_file::{ClassSide, Classes};
    use crate::modelling::progress::RowProgress;
    use crate::modelling::streaming::apart::Apart;
    use crate::modelling::streaming::scratch::Scratch;
    use crate::run::Show;
    use ndarray::array;
    use robust_svm_core::data::Scaler;
    use robust_svm_core::seed::CellSeed;
    use robust_svm_solvers::stream::BlockSource as _;
    use std::fmt::Write as _;
    use std::path::Path;

    fn side(label: &str) -> ClassSide {
        ClassSide {
            name: label.to_owned(),
            labels: vec![label.to_owned()],
        }
    }

    /// Input and label of each row of a file.
    fn content(file: &super::RowFile) -> Vec<(f32, f32)> {
        let mut rows = Vec::new();
        let order: Vec<usize> = (0..file.blocks()).collect();
        file.read(&order, &mut |block| {
            rows.extend(
                block
                    .x
                    .column(0)
                    .iter()
                    .copied()
                    .zip(block.y.iter().copied()),
            );
            Ok(())
        })
        .unwrap();
        rows
    }

    /// A copy of `rows` rows with the inputs 1, 2, …, of which a `share` is held out.
    fn copied(folder: &Path, rows: usize, share: f64, seed: u64) -> [Vec<(f32, f32)>; 2] {
        let mut text = "x,y\n".to_owned();
        for row in 1..=rows {
            let _ = writeln!(text, "{},{}", row * 2, row % 2);
        }
        let path = folder.join("a.csv");
        std::fs::write(&path, text).unwrap();
        let seeds = CellSeed::new(seed, "test", 0);
        let apart = Apart::new(share, &mut seeds.stream("apart"));
        let held = |row: &usize| apart.holds(array![(row * 2) as f64].view());
        let held = (1..=rows).filter(held).count();
        let plan = Plan {
            scaler: &Scaler::from_parts(vec![0], array![0.0], array![0.0], array![2.0]).unwrap(),
            classes: &Classes {
                positive: side("1"),
                negative: side("0"),
            },
            apart,
            seeds: &seeds,
            rows: [rows - held, held],
        };
        let scratch = Scratch::open(folder, Path::new("m"), "digest").unwrap();
        let wanted = Wanted {
            label: Some("y"),
            label_may_lack: false,
            features: WantedFeatures::AllBut(&[]),
            asked_by: AskedBy::Options,
            first_index: 1,
            width: None,
        };
        let reader = BlockReader::open(&path, Format::Csv, &wanted).unwrap();
        let mut progress = RowProgress::start(Show::Nothing, "", rows, 0);
        let Copy { training, held_out } =
            scatter(reader, &path, &plan, &scratch, &mut progress).unwrap();
        assert_eq!((training.rows(), held_out.rows()), (rows - held, held));
        [content(&training), content(&held_out)]
    }

    #[test]
    fn every_row_is_copied_once_with_its_label() {
        let folder = tempfile::TempDir::new().unwrap();
        for rows in [1, 20_000, 40_000] {
            let [training, held_out] = copied(folder.path(), rows, 0.2, 5);
            assert!(
                held_out.is_sorted_by(|a, b| a.0 < b.0),
                "in the file's order"
            );
            let mut all = [training.clone(), held_out].concat();
            all.sort_by(|a, b| a.0.total_cmp(&b.0));
            let expected =
                (1..=rows).map(|row| (row as f32, if row % 2 == 1 { 1.0 } else { -1.0 }));
            assert_eq!(all, expected.collect::<Vec<_>>());
            assert_eq!(training, copied(folder.path(), rows, 0.2, 5)[0]);
            if rows > 1 {
                assert_ne!(training, copied(folder.path(), rows, 0.2, 6)[0]);
            }
        }
    }
}
