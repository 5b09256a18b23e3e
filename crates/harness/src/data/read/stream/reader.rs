//! The choice of a reader by the file's format.

use super::super::super::{DataError, Format};
use super::super::wanted::Wanted;
use super::block::CellBlock;
use super::csv::CsvBlocks;
use super::parquet::ParquetBlocks;
use super::svmlight::SvmlightBlocks;
use std::path::Path;

/// The rows of a data file in their order, of which some are in memory at a time. A file with faults gives the error that
/// [`super::super::Cells::read`] gives, at the latest at its end.
pub(crate) struct BlockReader(Kind);

enum Kind {
    Csv(CsvBlocks),
    Parquet(ParquetBlocks),
    Svmlight(SvmlightBlocks),
}

impl BlockReader {
    /// Reads what is `wanted` of the file `path`. A LIBSVM file whose width is not known is read once to find it.
    ///
    /// # Errors
    /// A [`DataError`] that names the place.
    pub(crate) fn open(
        path: &Path,
        format: Format,
        wanted: &Wanted<'_>,
    ) -> Result<Self, DataError> {
        Ok(Self(match format {
            Format::Csv => Kind::Csv(CsvBlocks::open(path, wanted)?),
            Format::Parquet => Kind::Parquet(ParquetBlocks::open(path, wanted)?),
            Format::Svmlight => Kind::Svmlight(SvmlightBlocks::open(path, wanted)?),
        }))
    }

    /// The features' names (n).
    pub(crate) fn columns(&self) -> Vec<String> {
        match &self.0 {
            Kind::Csv(blocks) => blocks.names(),
            Kind::Parquet(blocks) => blocks.names(),
            Kind::Svmlight(blocks) => blocks.names(),
        }
    }

    /// Whether blocks have labels.
    pub(crate) fn is_labelled(&self) -> bool {
        match &self.0 {
            Kind::Csv(blocks) => blocks.is_labelled(),
            Kind::Parquet(blocks) => blocks.is_labelled(),
            Kind::Svmlight(blocks) => blocks.is_labelled(),
        }
    }

    /// The next rows, at least one and at most `most`; `None` at the end.
    ///
    /// # Errors
    /// A [`DataError`] that names the place; the reader is of no more use.
    pub(crate) fn next(&mut self, most: usize) -> Result<Option<CellBlock>, DataError> {
        match &mut self.0 {
            Kind::Csv(blocks) => blocks.next(most),
            Kind::Parquet(blocks) => blocks.next(most),
            Kind::Svmlight(blocks) => blocks.next(most),
        }
    }
}
