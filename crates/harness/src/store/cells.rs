//! The cells of an experiment, of which what is asked for is in memory.

use super::cell::Cell;
use super::frames::Frames;
use super::record::rows_of;
use super::{Record, StoreError, read_cells};
use polars::prelude::DataFrame;
use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// The rows of a `cells.parquet`, sorted by cell id: those of a file, read at each call, or some in memory.
#[derive(Debug)]
pub struct Cells<R> {
    path: PathBuf,
    /// Where they are not in the file.
    frame: Option<DataFrame>,
    len: usize,
    record: PhantomData<fn() -> R>,
}

impl<R: Record> Cells<R> {
    /// The rows of the file `path`.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read or is not such a file.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            let missing = std::io::ErrorKind::NotFound.into();
            return Err(StoreError::io("read", path)(missing));
        }
        Ok(Self {
            path: path.to_owned(),
            frame: None,
            len: Frames::open(path)?.height(),
            record: PhantomData,
        })
    }

    /// These `rows`, in any order.
    pub fn of(mut rows: Vec<R>) -> Self {
        rows.sort_by(|a, b| a.cell_id().cmp(b.cell_id()));
        let frame = DataFrame::new(rows.len(), R::columns(&rows));
        Self {
            path: PathBuf::from("cells.parquet"),
            frame: Some(frame.expect("a column has a value a row")),
            len: rows.len(),
            record: PhantomData,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The identities.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub(crate) fn ids(&self) -> Result<BTreeSet<String>, StoreError> {
        let mut ids = BTreeSet::new();
        for frame in self.frames(&["cell_id"])? {
            let frame = frame?;
            for i in 0..frame.height() {
                let id = Cell { frame: &frame, i }.text("cell_id");
                ids.insert(id.map_err(|error| self.damaged(error))?);
            }
        }
        Ok(ids)
    }

    /// All rows.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn rows(&self) -> Result<Vec<R>, StoreError> {
        match &self.frame {
            None => read_cells(&self.path),
            Some(frame) => rows_of(frame).map_err(StoreError::damaged(&self.path)),
        }
    }

    /// Frames of all rows in their order, of `columns` alone, those of them that there are.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub(crate) fn frames(
        &self,
        columns: &[&str],
    ) -> Result<impl Iterator<Item = Result<DataFrame, StoreError>>, StoreError> {
        let of_file = match &self.frame {
            None => Some(Frames::open(&self.path)?.of_columns(columns)?),
            Some(_) => None,
        };
        let in_memory = self.frame.clone().map(Ok);
        Ok(of_file.into_iter().flatten().chain(in_memory))
    }

    /// An error that says `what` is wrong with the rows.
    pub(crate) fn damaged(&self, what: impl std::fmt::Display) -> StoreError {
        StoreError::damaged(&self.path)(what)
    }
}
