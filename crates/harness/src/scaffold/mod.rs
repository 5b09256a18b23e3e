//! Files to start from: an experiment of any kind, and the manifest of a data file.

mod dataset;
mod error;
mod experiment;
mod fresh;

pub(crate) use dataset::{DatasetFile, dataset_manifest};
pub(crate) use error::ScaffoldError;
pub(crate) use experiment::{example_dataset, experiment_text};
pub(crate) use fresh::write_fresh;
