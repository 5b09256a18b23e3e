//! Which columns of a file are features and which is the label.

use super::super::DataError;
use super::wanted::{Wanted, WantedFeatures};
use crate::source_error::nearest_name;
use std::path::Path;

/// Positions of columns, from 0.
pub(super) struct Columns {
    /// The features; at least one.
    pub(super) features: Vec<usize>,
    /// The label, if it is wanted.
    pub(super) label: Option<usize>,
}

impl Columns {
    /// Sorts the columns named `names`, which are distinct, by what is wanted of them.
    pub(super) fn find(
        path: &Path,
        names: &[String],
        wanted: &Wanted<'_>,
    ) -> Result<Self, DataError> {
        let position = |column: &str, named| {
            let found = names.iter().position(|name| name == column);
            found.ok_or_else(|| DataError::MissingColumn {
                path: path.to_owned(),
                named,
                column: column.to_owned(),
                near: nearest_name(column, names.iter().map(String::as_str)).map(str::to_owned),
                columns: names.to_vec(),
            })
        };
        let asked_by = wanted.asked_by;
        let label = wanted
            .label
            .filter(|label| !wanted.label_may_lack || names.iter().any(|name| name == label))
            .map(|label| position(label, asked_by.names_label()))
            .transpose()?;
        let features: Vec<usize> = match wanted.features {
            WantedFeatures::AllBut(ignored) => {
                let mut left_out: Vec<usize> = label.into_iter().collect();
                for column in ignored {
                    left_out.push(position(column, asked_by.names_left_out())?);
                }
                (0..names.len()).filter(|c| !left_out.contains(c)).collect()
            }
            WantedFeatures::These(columns) => columns
                .iter()
                .map(|column| position(column, "the model was trained on"))
                .collect::<Result<_, _>>()?,
        };
        if features.is_empty() {
            return Err(DataError::NoFeatures {
                path: path.to_owned(),
                label_column: wanted.label.unwrap_or("label").to_owned(),
            });
        }
        Ok(Self { features, label })
    }

    /// The positions of features and label, in their order, each once.
    pub(super) fn all(&self) -> Vec<usize> {
        let mut all = self.features.clone();
        all.extend(self.label);
        all.sort_unstable();
        all.dedup();
        all
    }
}
