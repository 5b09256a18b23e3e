//! The second pass over a file: a copy of its rows, scaled, in a random order.
//!
//! Each training row goes to one of K files by a draw, and each of these is shuffled in memory when all rows are there.
//! One after the other they are a uniformly random order [derived: given how many rows each file got, which ones they are
//! is uniform, as rows draw alike and independently, and so is their order inside; so all orders are alike]. Rows held
//! out keep the file's order.

use super::ahead::each_block;
use super::apart::Apart;
use super::error::ScratchError;
use super::progress::RowProgress;
use super::row_file::{RowFile, RowWriter, record};
use super::scratch::Scratch;
use crate::data::{BlockReader, CellBlock, DataError};
use crate::model_file::Classes;
use rand::Rng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha20Rng;
use robust_svm_core::data::Scaler;
use robust_svm_core::seed::CellSeed;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The files of the copy.
const TRAINING: &str = "training";
const HELD_OUT: &str = "held-out";
/// Bytes of a file of rows that wait to be shuffled, on average, unless there are the most files.
const BUCKET: u64 = 1 << 26;
const MOST_BUCKETS: u64 = 256;
/// Bytes of each that are written at a time.
const BUFFER: usize = 1 << 16;

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
    /// In a random order.
    pub(super) training: RowFile,
    /// In the file's order.
    pub(super) held_out: RowFile,
}

impl Copy {
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

    /// K.
    fn buckets(&self) -> usize {
        let bytes = self.rows[0] as u64 * self.row_bytes();
        bytes.div_ceil(BUCKET).clamp(1, MOST_BUCKETS) as usize
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
    scatter_into(plan.buckets(), reader, path, plan, scratch, progress)
}

/// By way of `count` files.
fn scatter_into(
    count: usize,
    reader: BlockReader,
    path: &Path,
    plan: &Plan<'_>,
    scratch: &Scratch,
    progress: &mut RowProgress,
) -> Result<Copy, ScatterError> {
    let width = plan.scaler.kept().len();
    let needs = plan.bytes();
    let bucket = |k: usize| Bucket::create(&scratch.file(&format!("bucket-{k}")), needs);
    let mut pass = Pass {
        buckets: (0..count).map(bucket).collect::<Result<_, _>>()?,
        held_out: RowWriter::create(&scratch.file(HELD_OUT), width, needs)?,
        rows: [0; 2],
        record: Vec::new(),
    };
    let mut rng = plan.seeds.stream("shuffle");
    each_block(reader, |block| {
        progress.add(block.values.nrows());
        pass.add(block, plan, &mut rng)
    })?;
    if pass.rows != plan.rows {
        return Err(changed(path).into());
    }
    let mut training = RowWriter::create(&scratch.file(TRAINING), width, needs)?;
    for (k, bucket) in pass.buckets.into_iter().enumerate() {
        let mut rng = plan.seeds.stream(&format!("shuffle of part {k}"));
        bucket.move_into(&mut training, plan.row_bytes() as usize, &mut rng)?;
    }
    Ok(Copy {
        training: training.finish()?,
        held_out: pass.held_out.finish()?,
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
    buckets: Vec<Bucket>,
    held_out: RowWriter,
    rows: [usize; 2],
    record: Vec<u8>,
}

impl Pass {
    fn add(
        &mut self,
        block: CellBlock,
        plan: &Plan<'_>,
        rng: &mut ChaCha20Rng,
    ) -> Result<(), ScatterError> {
        let (offsets, divisors) = (plan.scaler.offsets(), plan.scaler.divisors());
        let texts = block.labels.unwrap_or_default();
        for (values, text) in block.values.outer_iter().zip(texts) {
            if values.iter().any(|v| v.is_nan()) {
                continue;
            }
            // Labels and rows that were not there before show in the counts.
            let Some(y) = text.and_then(|text| plan.classes.side_of(&text)) else {
                continue;
            };
            let kept = plan.scaler.kept().iter().enumerate();
            let scaled = kept.map(|(k, column)| (values[*column] - offsets[k]) / divisors[k]);
            record(scaled, y, &mut self.record);
            let held_out = plan.apart.holds(values);
            self.rows[usize::from(held_out)] += 1;
            if held_out {
                self.held_out.add(&self.record)?;
            } else {
                let k = rng.gen_range(0..self.buckets.len() as u64) as usize;
                self.buckets[k].add(&self.record)?;
            }
        }
        Ok(())
    }
}

/// Rows that wait to be shuffled.
struct Bucket {
    path: PathBuf,
    file: File,
    waiting: Vec<u8>,
    needs: u64,
}

impl Bucket {
    fn create(path: &Path, needs: u64) -> Result<Self, ScratchError> {
        Ok(Self {
            path: path.to_owned(),
            file: File::create(path).map_err(ScratchError::io("write", path))?,
            waiting: Vec::new(),
            needs,
        })
    }

    fn add(&mut self, record: &[u8]) -> Result<(), ScratchError> {
        self.waiting.extend_from_slice(record);
        if self.waiting.len() < BUFFER {
            return Ok(());
        }
        self.flush()
    }

    fn flush(&mut self) -> Result<(), ScratchError> {
        let written = self.file.write_all(&self.waiting);
        self.waiting.clear();
        written.map_err(ScratchError::writing(&self.path, self.needs))
    }

    /// Adds its rows to `target` in an order that `rng` draws, and removes it.
    fn move_into(
        mut self,
        target: &mut RowWriter,
        row_bytes: usize,
        rng: &mut ChaCha20Rng,
    ) -> Result<(), ScratchError> {
        self.flush()?;
        let bytes = fs::read(&self.path).map_err(ScratchError::io("read", &self.path))?;
        fs::remove_file(&self.path).map_err(ScratchError::io("remove", &self.path))?;
        let mut order: Vec<u32> = (0..(bytes.len() / row_bytes) as u32).collect();
        order.shuffle(rng);
        for row in order {
            let from = row as usize * row_bytes;
            target.add(&bytes[from..from + row_bytes])?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Copy, Plan, scatter_into};
    use crate::data::{AskedBy, BlockReader, Format, Wanted, WantedFeatures};
    use crate::model_file::{ClassSide, Classes};
    use crate::modelling::streaming::apart::Apart;
    use crate::modelling::streaming::progress::RowProgress;
    use crate::modelling::streaming::scratch::Scratch;
    use crate::run::Show;
    use ndarray::array;
    use robust_svm_core::data::Scaler;
    use robust_svm_core::seed::CellSeed;
    use robust_svm_solvers::stream::BlockSource as _;
    use std::collections::BTreeMap;
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
    fn copied(
        folder: &Path,
        rows: usize,
        share: f64,
        buckets: usize,
        seed: u64,
    ) -> [Vec<(f32, f32)>; 2] {
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
            scatter_into(buckets, reader, &path, &plan, &scratch, &mut progress).unwrap();
        assert_eq!((training.rows(), held_out.rows()), (rows - held, held));
        [content(&training), content(&held_out)]
    }

    #[test]
    fn every_row_is_copied_once_with_its_label() {
        let folder = tempfile::TempDir::new().unwrap();
        for (rows, buckets) in [(1, 1), (10_000, 3), (20_000, 1)] {
            let [training, held_out] = copied(folder.path(), rows, 0.2, buckets, 5);
            assert!(
                held_out.is_sorted_by(|a, b| a.0 < b.0),
                "in the file's order"
            );
            let mut all = [training.clone(), held_out].concat();
            all.sort_by(|a, b| a.0.total_cmp(&b.0));
            let expected =
                (1..=rows).map(|row| (row as f32, if row % 2 == 1 { 1.0 } else { -1.0 }));
            assert_eq!(all, expected.collect::<Vec<_>>());
            assert_eq!(training, copied(folder.path(), rows, 0.2, buckets, 5)[0]);
            if rows > 1 {
                assert_ne!(training, copied(folder.path(), rows, 0.2, buckets, 6)[0]);
            }
        }
    }

    /// All 24 orders of four rows by way of two files: χ² with 23 degrees of freedom is below 49.7 with probability 0.999.
    #[test]
    fn every_order_is_as_likely() {
        const DRAWS: u64 = 720;
        let folder = tempfile::TempDir::new().unwrap();
        let mut counts = BTreeMap::new();
        for seed in 0..DRAWS {
            let [training, _] = copied(folder.path(), 4, 0.0, 2, seed);
            let order: Vec<i64> = training.iter().map(|(x, _)| *x as i64).collect();
            *counts.entry(order).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 24);
        let mean = DRAWS as f64 / 24.0;
        let chi: f64 = counts
            .values()
            .map(|&n| (f64::from(n) - mean).powi(2) / mean)
            .sum();
        assert!(chi < 49.7, "{chi}: {counts:?}");
    }
}
