//! Parquet, some rows at a time.

use super::super::super::DataError;
use super::super::RowUnit;
use super::super::columns::Columns;
use super::super::labels::Labels;
use super::super::parquet::{check_types, labels, names, unreadable, values};
use super::super::wanted::{AskedBy, Wanted};
use super::block::CellBlock;
use super::fault::CellFault;
use ndarray::Array2;
use polars::io::parquet::metadata::FileMetadata;
use polars::prelude::{DataFrame, ParallelStrategy, ParquetReader, PolarsResult, SerReader};
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Numbers that are decoded at a time, about.
const CELLS: usize = 1 << 22;
/// Rows that are decoded at a time, whatever their width.
const LEAST: usize = 1024;
const MOST: usize = 1 << 17;
/// Rows that are copied at a time.
const TILE: usize = 64;
/// Columns that are copied together.
const TOGETHER: usize = 4;

/// The rows of a Parquet file in their order.
pub(super) struct ParquetBlocks {
    path: PathBuf,
    file: File,
    names: Vec<String>,
    columns: Columns,
    asked_by: AskedBy,
    metadata: Arc<FileMetadata>,
    /// The same without row groups.
    head: FileMetadata,
    /// The first rows of the row groups, and the number of all rows.
    starts: Vec<usize>,
    /// Where the slabs end that are still to be decoded.
    ends: std::vec::IntoIter<usize>,
    /// Rows decoded so far.
    decoded: usize,
    slab: Slab,
    fault: CellFault,
}

/// Rows that were decoded, of which the first `given` are no longer wanted.
#[derive(Default)]
struct Slab {
    first_row: usize,
    features: Vec<Vec<f64>>,
    labels: Option<Labels>,
    rows: usize,
    given: usize,
}

impl Slab {
    /// Some rows, row after row.
    fn rows(&self, own: Range<usize>) -> Array2<f64> {
        let width = self.features.len();
        let mut values = vec![0.0; own.len() * width];
        // A few rows at a time, so that those written stay in the cache from some columns to the next.
        for (k, rows) in values.chunks_mut(TILE * width.max(1)).enumerate() {
            let first = own.start + k * TILE;
            let own = first..first + rows.len() / width;
            for (part, columns) in self.features.chunks(TOGETHER).enumerate() {
                let place = part * TOGETHER;
                if let [a, b, c, d] = columns {
                    let [a, b, c, d] = [a, b, c, d].map(|column| &column[own.clone()]);
                    let cells = a.iter().zip(b).zip(c).zip(d);
                    for (row, (((a, b), c), d)) in rows.chunks_exact_mut(width).zip(cells) {
                        row[place..place + TOGETHER].copy_from_slice(&[*a, *b, *c, *d]);
                    }
                } else {
                    for (row, i) in rows.chunks_exact_mut(width).zip(own.clone()) {
                        for (target, column) in row[place..].iter_mut().zip(columns) {
                            *target = column[i];
                        }
                    }
                }
            }
        }
        Array2::from_shape_vec((own.len(), width), values).expect("a number for each cell")
    }
}

impl ParquetBlocks {
    pub(super) fn open(path: &Path, wanted: &Wanted<'_>) -> Result<Self, DataError> {
        let io = |source| DataError::Io {
            path: path.to_owned(),
            source,
        };
        let file = File::open(path).map_err(io)?;
        if file.metadata().map_err(io)?.len() == 0 {
            return Err(DataError::EmptyFile {
                path: path.to_owned(),
            });
        }
        let mut reader = ParquetReader::new(file.try_clone().map_err(io)?);
        let schema = reader.schema().map_err(|source| unreadable(path, source))?;
        let metadata = reader.get_metadata();
        let metadata = metadata.map_err(|source| unreadable(path, source))?;
        let metadata = Arc::clone(metadata);
        let names = names(&schema);
        let columns = Columns::find(path, &names, wanted)?;
        check_types(path, &schema, &columns, wanted.asked_by)?;
        if metadata.num_rows == 0 {
            return Err(DataError::NoRows {
                path: path.to_owned(),
            });
        }
        let groups = &metadata.row_groups;
        let rows = (0..groups.len()).map(|k| groups[k].num_rows());
        let ends = slab_ends(rows.clone(), columns.features.len()).into_iter();
        let mut starts = vec![0];
        starts.extend(rows.scan(0, |before, rows| {
            *before += rows;
            Some(*before)
        }));
        let mut head = FileMetadata::clone(&metadata);
        head.row_groups.clear();
        Ok(Self {
            path: path.to_owned(),
            file,
            names,
            columns,
            asked_by: wanted.asked_by,
            metadata,
            head,
            starts,
            ends,
            decoded: 0,
            slab: Slab::default(),
            fault: CellFault::default(),
        })
    }

    /// The features' names.
    pub(super) fn names(&self) -> Vec<String> {
        let features = self.columns.features.iter();
        features.map(|column| self.names[*column].clone()).collect()
    }

    pub(super) fn is_labelled(&self) -> bool {
        self.columns.label.is_some()
    }

    /// At most `most` rows; none at the end.
    pub(super) fn next(&mut self, most: usize) -> Result<Option<CellBlock>, DataError> {
        if self.slab.given == self.slab.rows {
            match self.ends.next() {
                Some(end) => self.decode(end)?,
                None => return Ok(None),
            }
        }
        let slab = &mut self.slab;
        let from = slab.given;
        let rows = most.min(slab.rows - from);
        slab.given += rows;
        Ok(Some(CellBlock {
            first_row: slab.first_row + from,
            unit: RowUnit::Row,
            values: slab.rows(from..from + rows),
            labels: slab.labels.as_ref().map(|all| all.part(from..from + rows)),
        }))
    }

    /// The slab that ends before the row `end`. After a fault all rows are looked at, since another may come before it.
    fn decode(&mut self, end: usize) -> Result<(), DataError> {
        let (width, mut end) = (self.columns.features.len(), end);
        loop {
            let rows = end - self.decoded;
            let frame = self
                .frame(self.decoded, rows)
                .map_err(|source| unreadable(&self.path, source))?;
            let (first_row, asked_by) = (self.decoded, self.asked_by);
            self.decoded = end;
            let label = self.columns.label.filter(|_| !self.fault.is_found());
            let column = |position: usize| {
                let found = frame.column(&self.names[position]);
                found.map_err(|source| unreadable(&self.path, source))
            };
            let labels = label
                .map(|label| labels(&self.path, column(label)?, asked_by))
                .transpose()?;
            let mut features = Vec::with_capacity(width);
            let open = self.fault.open(width);
            for (position, &feature) in self.columns.features[..open].iter().enumerate() {
                let found = column(feature)?;
                match values(&self.path, found, asked_by, first_row) {
                    Ok(values) => features.push(values),
                    Err(fault) => {
                        self.fault.found(position, fault);
                        break;
                    }
                }
            }
            if !self.fault.is_found() {
                self.slab = Slab {
                    first_row,
                    features,
                    labels,
                    rows,
                    given: 0,
                };
                return Ok(());
            }
            match self.ends.next() {
                Some(next) if self.fault.open(width) > 0 => end = next,
                _ => return self.fault.check(),
            }
        }
    }

    /// The columns wanted of `rows` rows from `first` on. Only their row groups are shown to the reader, which looks at the pages of all that
    /// come before, too.
    fn frame(&self, first: usize, rows: usize) -> PolarsResult<DataFrame> {
        let own = self.starts.partition_point(|start| *start <= first) - 1;
        let end = self.starts.partition_point(|start| *start < first + rows);
        let mut reader = ParquetReader::new(self.file.try_clone()?);
        reader.set_metadata(Arc::new(FileMetadata {
            num_rows: self.starts[end] - self.starts[own],
            row_groups: self.metadata.row_groups[own..end].to_vec(),
            ..self.head.clone()
        }));
        reader
            .read_parallel(ParallelStrategy::None)
            .with_projection(Some(self.columns.all()))
            .with_slice(Some((first - self.starts[own], rows)))
            .finish()
    }
}

/// Where slabs end, given the rows of each row group: large groups are cut into few equal parts, as a page at a border is decoded for both
/// sides of it; small ones that follow each other are one slab.
fn slab_ends(groups: impl Iterator<Item = usize>, width: usize) -> Vec<usize> {
    let most = (CELLS / width.max(1)).clamp(LEAST, MOST);
    let (mut ends, mut first, mut last) = (Vec::new(), 0, 0);
    for rows in groups {
        if last > first && last + rows - first > most {
            ends.push(last);
            first = last;
        }
        // Half as many again may be in one part.
        let parts = (2 * rows).div_ceil(3 * most);
        ends.extend((1..parts).map(|part| last + part * rows / parts));
        last += rows;
        if parts > 1 {
            ends.push(last);
            first = last;
        }
    }
    if last > first {
        ends.push(last);
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::super::super::wanted::{AskedBy, Wanted, WantedFeatures};
    use super::{ParquetBlocks, Slab, slab_ends};
    use polars::prelude::{Column, DataFrame, ParquetWriter};
    use std::ops::Range;

    /// The reader looks at the pages of every row group it is shown, whatever rows are wanted of it: with many, that took as much memory as the file
    /// has, and time as the square of their number.
    #[test]
    fn rows_are_read_without_a_look_at_earlier_row_groups() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("a.parquet");
        let values = |rows: Range<usize>| rows.map(|i| i as f64).collect::<Vec<_>>();
        let column = Column::new("a".into(), values(0..3000));
        let mut frame = DataFrame::new(3000, vec![column]).unwrap();
        let mut bytes = Vec::new();
        let writer = ParquetWriter::new(&mut bytes).with_row_group_size(Some(1000));
        writer.finish(&mut frame).unwrap();
        std::fs::write(&path, &bytes).unwrap();
        let wanted = Wanted {
            label: None,
            label_may_lack: false,
            features: WantedFeatures::AllBut(&[]),
            asked_by: AskedBy::Options,
            first_index: 1,
            width: None,
        };
        let blocks = ParquetBlocks::open(&path, &wanted).unwrap();
        let second = blocks.metadata.row_groups[1].parquet_columns()[0].byte_range();
        // The magic number stays.
        bytes[4..second.start as usize].fill(0xff);
        std::fs::write(&path, &bytes).unwrap();
        for rows in [1000..3000, 1000..1001, 1500..2500, 2999..3000] {
            let frame = blocks.frame(rows.start, rows.len()).unwrap();
            let found = frame.column("a").unwrap().f64().unwrap();
            assert!(found.into_no_null_iter().eq(values(rows)));
        }
        assert!(blocks.frame(999, 2).is_err());
    }

    /// Columns alone, by fours and with some left, in one tile and in several.
    #[test]
    fn rows_are_those_of_the_columns() {
        let cell = |i: usize, k: usize| (100 * i + k) as f64;
        for width in [0, 1, 3, 4, 5, 8, 11] {
            let slab = Slab {
                features: (0..width)
                    .map(|k| (0..200).map(|i| cell(i, k)).collect())
                    .collect(),
                rows: 200,
                ..Slab::default()
            };
            for own in [0..0, 0..1, 7..71, 6..71, 0..200, 130..200] {
                let rows = slab.rows(own.clone());
                assert_eq!(rows.dim(), (own.len(), width));
                for ((i, k), value) in rows.indexed_iter() {
                    assert_eq!(*value, cell(own.start + i, k), "{width} {own:?}");
                }
            }
        }
    }

    #[test]
    fn slabs_end_where_row_groups_do() {
        let ends = |groups: &[usize], width| slab_ends(groups.iter().copied(), width);
        // 50 columns: 83,886 rows, or half as many again.
        assert_eq!(
            ends(&[100_000, 100_000, 7], 50),
            [100_000, 200_000, 200_007]
        );
        assert_eq!(ends(&[200_000, 1], 50), [100_000, 200_000, 200_001]);
        assert_eq!(ends(&[10; 3], 50), [30]);
        assert_eq!(ends(&[40_000, 40_000, 40_000, 0], 50), [80_000, 120_000]);
        assert_eq!(ends(&[1024, 1024], 1 << 30), [1024, 2048]);
        assert_eq!(ends(&[0], 3), [0; 0]);
    }
}
