//! Which columns of a file are features and which is the label.

use super::super::{DataError, Manifest};
use crate::source_error::nearest_name;
use std::path::Path;

/// Positions of columns, from 0.
pub(super) struct Columns {
    /// The features, in the file's order; at least one.
    pub(super) features: Vec<usize>,
    /// The label.
    pub(super) label: usize,
}

impl Columns {
    /// Sorts the columns named `names`, which are distinct, by what `manifest` says of them.
    pub(super) fn find(
        path: &Path,
        names: &[String],
        manifest: &Manifest,
    ) -> Result<Self, DataError> {
        let position = |key, column: &String| {
            let found = names.iter().position(|name| name == column);
            found.ok_or_else(|| DataError::MissingColumn {
                path: path.to_owned(),
                key,
                column: column.clone(),
                near: nearest_name(column, names.iter().map(String::as_str)).map(str::to_owned),
                columns: names.to_vec(),
            })
        };
        let label = position("label_column", &manifest.label_column)?;
        let mut left_out = vec![label];
        for column in &manifest.ignore_columns {
            left_out.push(position("one of ignore_columns", column)?);
        }
        let features: Vec<usize> = (0..names.len()).filter(|c| !left_out.contains(c)).collect();
        if features.is_empty() {
            return Err(DataError::NoFeatures {
                path: path.to_owned(),
                label_column: manifest.label_column.clone(),
            });
        }
        Ok(Self { features, label })
    }
}
