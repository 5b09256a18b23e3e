//! An experiment to start from.

use super::ScaffoldError;
use crate::data::{DataFolders, MissingPolicy, TaskSpec, load_task};
use crate::spec::Kind;

/// The dataset that examples name where it is known.
const EXAMPLE: &str = "ionosphere";
/// Places in the templates.
const NAME: &str = "@NAME@";
const DATASET: &str = "@DATASET@";
const SCHEMA: &str = "@SCHEMA@\n";

/// The text of an experiment `name` of `kind` on `dataset`, with comments; `schema` is the path of the schema, if
/// there is one.
pub(crate) fn experiment_text(
    kind: Kind,
    name: &str,
    dataset: &str,
    schema: Option<&str>,
) -> String {
    let template = match kind {
        Kind::Classification => include_str!("templates/classification.toml"),
        Kind::BoundTightness => include_str!("templates/bound-tightness.toml"),
        Kind::BandwidthRule => include_str!("templates/bandwidth-rule.toml"),
        Kind::SafeEllipsoid => include_str!("templates/safe-ellipsoid.toml"),
        Kind::Classifiers => include_str!("templates/classifiers.toml"),
        Kind::Scaling => include_str!("templates/scaling.toml"),
    };
    let schema = schema.map_or_else(String::new, |path| format!("#:schema {path}\n"));
    let text = template.replace(SCHEMA, &schema);
    text.replace(NAME, name).replace(DATASET, dataset)
}

/// A dataset of `folders` that an experiment can start with as it is: without missing values.
///
/// # Errors
/// [`ScaffoldError::NoDataset`] if there is none.
pub(crate) fn example_dataset(folders: &DataFolders) -> Result<String, ScaffoldError> {
    let names = folders.names()?;
    let example = names.iter().filter(|name| *name == EXAMPLE);
    let spec = TaskSpec {
        positive: None,
        negative: None,
        missing: MissingPolicy::Error,
    };
    let mut candidates = example.chain(&names);
    let fit = candidates.find(|name| load_task(name, folders, &spec).is_ok());
    fit.cloned().ok_or(ScaffoldError::NoDataset)
}
