//! `robust-svm predict` and `robust-svm certify`.

use super::exit::{Ended, Exit};
use super::model_args::{CertifyArguments, PredictArguments, UseArguments};
use super::model_objects::{CertifyObject, PredictObject};
use super::output::OutputFormat;
use super::say::{say, say_json};
use super::train::{data_error, model_error};
use crate::data::Format;
use crate::model_file::SavedModel;
use crate::modelling::certify::certify as certify_rows;
use crate::modelling::predict::predict as predict_rows;
use crate::modelling::user_file::{UserFile, UserRows};
use crate::store::{StoreError, write_atomically};
use std::path::Path;

/// γ where neither the command nor the training names one.
const GAMMAS: [f64; 3] = [0.1, 0.2, 0.5];

pub(super) fn predict(arguments: &PredictArguments, format: OutputFormat) -> Result<Exit, Ended> {
    let input = Input::read(&arguments.input)?;
    let predictions = predict_rows(&input.model, &input.rows, &input.used);
    if let Some(out) = &arguments.out {
        write(out, &predictions.csv())?;
    }
    if format == OutputFormat::Json {
        say_json(&PredictObject::new(&predictions, arguments.out.as_deref()))?;
    } else if let Some(out) = &arguments.out {
        say(&predictions.told)?;
        say(format_args!("Predictions are in {}", out.display()))?;
    } else {
        say(predictions.csv().trim_end())?;
        eprintln!("{}", predictions.told);
    }
    Ok(Exit::Ok)
}

pub(super) fn certify(arguments: &CertifyArguments, format: OutputFormat) -> Result<Exit, Ended> {
    let bad = |g: &&f64| !(g.is_finite() && **g >= 0.0);
    if let Some(bad) = arguments.gamma.iter().find(bad) {
        let message = format!(
            "--gamma must be 0 or more, found {bad}\n  = help: γ is in units of the scaled features"
        );
        return Err(Ended::new(Exit::BadInput, message));
    }
    let input = Input::read(&arguments.input)?;
    if input.used.is_empty() {
        let message = format!(
            "{}: every row has a missing value",
            arguments.input.data.display()
        );
        return Err(Ended::new(Exit::NothingMeasured, message));
    }
    let trained_at = input.model.training.gamma;
    let gammas = match arguments.gamma.as_slice() {
        [] if trained_at > 0.0 => vec![trained_at],
        [] => GAMMAS.to_vec(),
        given => given.to_vec(),
    };
    let found = certify_rows(&input.model, &input.rows, &input.used, &gammas);
    // Shapes and numbers were checked when model and data were read.
    let found = found.map_err(|error| Ended::new(Exit::NothingMeasured, error))?;
    if let Some(out) = &arguments.out {
        write(out, &found.csv)?;
    }
    if format == OutputFormat::Json {
        say_json(&CertifyObject::new(&found, arguments.out.as_deref()))?;
        return Ok(Exit::Ok);
    }
    say(found.told.trim_end())?;
    match &arguments.out {
        Some(out) => say(format_args!(
            "\nCertificates of the rows are in {}",
            out.display()
        ))?,
        None => say("\n--out FILE.csv writes the certificate of each row")?,
    }
    Ok(Exit::Ok)
}

/// A model and the rows it is used on.
struct Input {
    model: SavedModel,
    rows: UserRows,
    used: Vec<usize>,
}

impl Input {
    fn read(arguments: &UseArguments) -> Result<Self, Ended> {
        let model = SavedModel::read(&arguments.model).map_err(model_error)?;
        let format = arguments.file.data_format.map(Format::from);
        let first_index = usize::from(!arguments.file.zero_based);
        let file = UserFile::new(&arguments.data, format, first_index).map_err(data_error)?;
        let rows = file
            .rows(&model, !arguments.no_labels)
            .map_err(data_error)?;
        let used = rows.used(&model).map_err(data_error)?;
        Ok(Self { model, rows, used })
    }
}

fn write(path: &Path, text: &str) -> Result<(), Ended> {
    write_atomically(path, text.as_bytes()).map_err(|error| {
        let error = StoreError::io("write", path)(error);
        Ended::new(Exit::InputOutput, error)
    })
}
