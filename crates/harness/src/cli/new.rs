//! `robust-svm new`.

use super::exit::{Ended, Exit};
use super::model_args::FileArguments;
use super::output::OutputFormat;
use super::say::{say, say_json};
use super::schema::KindName;
use crate::data::{DataFolders, Format};
use crate::modelling::user_file::UserFile;
use crate::scaffold::{
    DatasetFile, ScaffoldError, dataset_manifest, example_dataset, experiment_text, write_fresh,
};
use crate::spec::Kind;
use clap::{Args, Subcommand};
use serde::Serialize;
use std::path::{Path, PathBuf};

pub(super) const NEW_EXAMPLES: &str = "\
Examples:
  robust-svm new experiment my-first
  robust-svm new experiment studies/bandwidth.toml --kind bandwidth-rule
  robust-svm new dataset heart --from datasets/heart.csv --label disease

A file that is there is never touched.";

#[derive(Debug, Args)]
pub(super) struct NewArguments {
    #[command(subcommand)]
    what: New,
}

#[derive(Debug, Subcommand)]
enum New {
    /// Write an experiment file that runs as it is
    Experiment(ExperimentArguments),
    /// Write the manifest of a data file
    Dataset(DatasetArguments),
}

#[derive(Debug, Args)]
struct ExperimentArguments {
    /// The experiment's name, for experiments/NAME.toml, or the path of a TOML file
    #[arg(value_name = "NAME|PATH")]
    name: PathBuf,
    /// What it measures
    #[arg(long, value_name = "KIND", default_value = "classification")]
    kind: KindName,
}

#[derive(Debug, Args)]
struct DatasetArguments {
    /// The dataset's name
    name: String,
    /// The data file, in ./datasets or a folder of ROBUST_SVM_DATA: the manifest is written beside it
    #[arg(long, value_name = "FILE")]
    from: PathBuf,
    /// The column with the classes [default: the one called label, class, target, y or outcome]
    #[arg(long, value_name = "COLUMN")]
    label: Option<String>,
    /// A column that is no feature, may be given several times
    #[arg(long, value_name = "COLUMN")]
    ignore: Vec<String>,
    #[command(flatten)]
    file: FileArguments,
}

/// The file written, as JSON.
#[derive(Serialize)]
struct Written<'a> {
    command: &'static str,
    /// `experiment` or `dataset`.
    made: &'static str,
    name: &'a str,
    path: &'a Path,
}

pub(super) fn new(arguments: &NewArguments, format: OutputFormat) -> Result<Exit, Ended> {
    let (made, name, path, next) = match &arguments.what {
        New::Experiment(arguments) => {
            let (name, path) = experiment(arguments)?;
            let next = format!("run it by `robust-svm run {}`", path.display());
            ("experiment", name, path, next)
        }
        New::Dataset(arguments) => {
            let (name, path) = (arguments.name.clone(), dataset(arguments)?);
            let next = format!("experiments name it datasets = [\"{name}\"]");
            ("dataset", name, path, next)
        }
    };
    match format {
        OutputFormat::Text => say(format_args!("wrote {}: {next}", path.display()))?,
        OutputFormat::Json => say_json(&Written {
            command: "new",
            made,
            name: &name,
            path: &path,
        })?,
    }
    Ok(Exit::Ok)
}

/// Writes the experiment file; its name and path.
fn experiment(arguments: &ExperimentArguments) -> Result<(String, PathBuf), Ended> {
    let path = experiment_path(&arguments.name);
    let name = path.file_stem().unwrap_or_default();
    let name = name.to_string_lossy().into_owned();
    check_name(&name)?;
    let kind = Kind::from(arguments.kind);
    let dataset = match kind {
        Kind::BandwidthRule => String::new(),
        _ => example_dataset(&DataFolders::from_env()).map_err(ended)?,
    };
    let text = experiment_text(kind, &name, &dataset, schema(&path));
    write_fresh(&path, &text).map_err(ended)?;
    Ok((name, path))
}

/// A path as it is; a name's file is in `experiments`.
fn experiment_path(name: &Path) -> PathBuf {
    let is_name = name.extension().is_none() && name.components().count() == 1;
    if is_name {
        return Path::new("experiments").join(name).with_extension("toml");
    }
    name.to_owned()
}

/// The schema as the file `path` names it, where it is beside the file's folder, which need not be there yet.
fn schema(path: &Path) -> Option<&'static str> {
    let root = path.parent()?.parent()?;
    let there = root.join("docs/experiment.schema.json").is_file();
    there.then_some("../docs/experiment.schema.json")
}

/// Writes the manifest; its path.
fn dataset(arguments: &DatasetArguments) -> Result<PathBuf, Ended> {
    check_name(&arguments.name)?;
    let format = arguments.file.data_format.map(Format::from);
    let first_index = usize::from(!arguments.file.zero_based);
    let data = UserFile::new(&arguments.from, format, first_index);
    let data = data.map_err(|error| ended(error.into()))?;
    let file = DatasetFile {
        path: &data.path,
        format: data.format,
        label: arguments.label.as_deref(),
        ignored: &arguments.ignore,
        first_index,
    };
    let made = dataset_manifest(&arguments.name, &file, &DataFolders::from_env());
    let (path, text) = made.map_err(ended)?;
    write_fresh(&path, &text).map_err(ended)?;
    Ok(path)
}

/// That a name may name a file and a results folder.
fn check_name(name: &str) -> Result<(), Ended> {
    let good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.chars().all(good) {
        return Ok(());
    }
    let message =
        format!("the name cannot be {name:?}\n  = help: use letters, digits, `-` and `_`");
    Err(Ended::new(Exit::BadInput, message))
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn ended(error: ScaffoldError) -> Ended {
    Ended::input(error.is_io(), &error)
}
