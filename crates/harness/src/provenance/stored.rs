//! The rows of a results folder as columns, whatever kind of experiment they are of.

use super::Value;
use crate::store::{StoreError, read_frame};
use polars::prelude::DataFrame;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The rows of `cells.parquet`.
#[derive(Debug)]
pub(crate) struct StoredCells {
    path: PathBuf,
    frame: DataFrame,
    /// The rows by the cells' identities.
    rows: BTreeMap<String, usize>,
}

impl StoredCells {
    /// Reads the file `path`.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read, or its cells have no identities of their own.
    pub(crate) fn read(path: &Path) -> Result<Self, StoreError> {
        Self::of(path, read_frame(path)?)
    }

    /// The rows of `frame`, which stands for the file `path`.
    ///
    /// # Errors
    /// As [`StoredCells::read`].
    pub(crate) fn of(path: &Path, frame: DataFrame) -> Result<Self, StoreError> {
        let mut rows = BTreeMap::new();
        let column = frame
            .column("cell_id")
            .map_err(StoreError::damaged(path))?
            .clone();
        for row in 0..frame.height() {
            match Value::of(&column, row).map_err(StoreError::damaged(path))? {
                Value::Text(id) if !rows.contains_key(&id) => rows.insert(id, row),
                Value::Text(id) => {
                    return Err(StoreError::damaged(path)(format!(
                        "cell {id} is there twice"
                    )));
                }
                _ => return Err(StoreError::damaged(path)("a cell has no identity")),
            };
        }
        Ok(Self {
            path: path.to_owned(),
            frame,
            rows,
        })
    }

    /// The identities, in their order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.rows.keys().map(String::as_str)
    }

    /// Whether there is the cell `id`.
    pub(crate) fn has(&self, id: &str) -> bool {
        self.rows.contains_key(id)
    }

    /// # Errors
    /// [`StoreError`] if there is no cell `id`.
    pub(crate) fn require(&self, id: &str) -> Result<(), StoreError> {
        if self.has(id) {
            return Ok(());
        }
        Err(StoreError::damaged(&self.path)(format!(
            "it has no cell {id}"
        )))
    }

    /// The number of cells.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The columns' names and types.
    pub(crate) fn columns(&self) -> impl Iterator<Item = (&str, String)> {
        let columns = self.frame.columns().iter();
        columns.map(|column| (column.name().as_str(), column.dtype().to_string()))
    }

    /// The value of the column `name` of the cell `id`; `None` where there is no such cell or column.
    ///
    /// # Errors
    /// [`StoreError`] if the file is damaged.
    pub(crate) fn value(&self, id: &str, name: &str) -> Result<Option<Value>, StoreError> {
        let (Some(&row), Ok(column)) = (self.rows.get(id), self.frame.column(name)) else {
            return Ok(None);
        };
        let value = Value::of(column, row).map_err(StoreError::damaged(&self.path))?;
        Ok(Some(value))
    }

    /// The values of the cell `id` in the order of the columns.
    ///
    /// # Errors
    /// As [`StoredCells::value`].
    pub(crate) fn values(&self, id: &str) -> Result<Vec<(String, Value)>, StoreError> {
        let mut values = Vec::new();
        for column in self.frame.columns() {
            let name = column.name().to_string();
            if let Some(value) = self.value(id, &name)? {
                values.push((name, value));
            }
        }
        Ok(values)
    }
}
