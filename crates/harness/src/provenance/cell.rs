//! What is known of one cell: its numbers, and everything they follow from.

use super::{
    Fields, Origin, PartDigests, Planned, StoredCells, Value, isolated, run_command, verify_command,
};
use crate::plan::PlannedCell;
use crate::run::Experiment;
use crate::store::{DatasetIdentity, StoreError};
use serde::Serialize;
use std::path::Path;

/// One cell.
#[derive(Debug, Serialize)]
pub(crate) struct CellExplanation {
    pub(crate) cell_id: String,
    /// What tells it from others.
    pub(crate) axes: Fields,
    /// The columns that are no axes, without `cell_id` and `seed`.
    pub(crate) values: Fields,
    /// The number of its random streams; `None` where there is one stream for all cells.
    pub(crate) stream: Option<Value>,
    /// Its data; `None` where it uses none.
    pub(crate) dataset: Option<DatasetIdentity>,
    /// Which rows it was trained, selected and tested on.
    pub(crate) parts: Option<PartDigests>,
    /// The command line that computes it into a new folder.
    pub(crate) run: Option<String>,
    /// The command line that computes it again and compares.
    pub(crate) verify: String,
}

/// A results folder and its experiment.
pub(crate) struct Folder<'a, E: Experiment> {
    pub(crate) path: &'a Path,
    pub(crate) experiment: &'a E,
    pub(crate) planned: Planned<E::Group>,
    pub(crate) stored: StoredCells,
    pub(crate) origin: Origin,
}

impl<'a, E: Experiment> Folder<'a, E> {
    /// The folder `path` with the results of `experiment`.
    ///
    /// # Errors
    /// [`StoreError`] if its manifest or its cells cannot be read.
    pub(crate) fn read(path: &'a Path, experiment: &'a E) -> Result<Self, StoreError> {
        Ok(Self {
            path,
            experiment,
            planned: Planned::of(experiment),
            stored: StoredCells::read(&path.join("cells.parquet"))?,
            origin: Origin::of(path, experiment)?,
        })
    }

    /// What is known of `cell`, which is stored.
    ///
    /// # Errors
    /// [`StoreError`] if the stored file is damaged.
    pub(crate) fn explain(&self, cell: &PlannedCell) -> Result<CellExplanation, StoreError> {
        let axis = |name: &str| cell.axes.iter().find(|(axis, _)| *axis == name);
        let mut values = self.stored.values(&cell.id)?;
        let stream = values.iter().find(|(name, _)| name == "seed");
        let stream = stream.map(|(_, value)| value.clone());
        let is_axis = |name: &str, value: &Value| axis(name).is_some_and(|(_, own)| value.is(own));
        values.retain(|(name, value)| {
            !["cell_id", "seed"].contains(&name.as_str()) && !is_axis(name, value)
        });
        let mut datasets = self.origin.manifest.dataset.iter();
        let name = axis("dataset").map(|(_, name)| name);
        let text = |(axis, value): &(&str, String)| (axis.to_string(), Value::Text(value.clone()));
        // The split of a planned experiment was made once already, without an error.
        let split = self.planned.group(&cell.id);
        let split = split.and_then(|group| self.experiment.split(group)?.ok());
        let only = std::slice::from_ref(&cell);
        let tag = cell.id.get(..8).unwrap_or(&cell.id);
        Ok(CellExplanation {
            cell_id: cell.id.clone(),
            axes: Fields(cell.axes.iter().map(text).collect()),
            values: Fields(values),
            stream,
            dataset: datasets
                .find(|dataset| Some(&dataset.name) == name)
                .cloned(),
            parts: split.as_ref().map(PartDigests::of),
            run: run_command(self.path, only, self.planned.cells(), tag)
                .map(|command| isolated(command, self.experiment)),
            verify: verify_command(self.path, only),
        })
    }
}
