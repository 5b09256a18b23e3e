//! `robust-svm predict` and `robust-svm certify`.

use super::exit::{Ended, Exit};
use super::interrupt::{begin_file, end_file, say_when_interrupted, watch};
use super::model_args::{CertifyArguments, PredictArguments, UseArguments};
use super::model_objects::{CertifyObject, PredictObject};
use super::out_file::check_out;
use super::output::OutputFormat;
use super::run::show;
use super::say::{say, say_json};
use super::train::{data_error, model_error, usage};
use super::waiting::Waiting;
use crate::data::{Format, digest_of_file, size_of};
use crate::model_file::SavedModel;
use crate::modelling::certify::{certify as certify_rows, header as header_of_certificates};
use crate::modelling::error::UseError;
use crate::modelling::predict::{
    csv as csv_of_predictions, header as header_of_predictions, predict as predict_rows,
};
use crate::modelling::progress::RowProgress;
use crate::modelling::row_stream::RowStream;
use crate::modelling::user_file::UserFile;
use crate::store::StoreError;
use std::path::Path;

/// γ where neither the command nor the training names one.
const GAMMAS: [f64; 3] = [0.1, 0.2, 0.5];

/// What is said to one who interrupts, before the table is in its place and then.
const NOTHING_WRITTEN: &str = "nothing is written; the same command begins anew";
const WRITTEN: &str = "the table of --out is written";

pub(super) fn predict(arguments: &PredictArguments, format: OutputFormat) -> Result<Exit, Ended> {
    let out = arguments.out.as_deref();
    check(out, &arguments.input)?;
    let (model, file) = input(&arguments.input)?;
    say_when_interrupted(NOTHING_WRITTEN.to_owned());
    watch()?;
    let mut rows = stream(&arguments.input, &model, &file, ("predicting", format))?;
    let header = header_of_predictions(rows.is_labelled());
    if let Some(out) = out {
        let mut table = begin_file(out).map_err(store_error)?;
        table.write(header.as_bytes()).map_err(store_error)?;
        let predictions = predict_rows(&model, &mut rows, |rows| {
            Ok(table.write(csv_of_predictions(&rows).as_bytes())?)
        });
        let predictions = predictions.map_err(use_error)?;
        end_file(table, WRITTEN).map_err(store_error)?;
        if format == OutputFormat::Json {
            say_json(&PredictObject::new(&predictions, None, Some(out)))?;
        } else {
            say(&predictions.told)?;
            say(format_args!("Predictions are in {}", out.display()))?;
        }
        return Ok(Exit::Ok);
    }
    if format == OutputFormat::Json {
        let mut all = Vec::new();
        let predictions = predict_rows(&model, &mut rows, |rows| {
            all.extend(rows);
            Ok(())
        });
        let predictions = predictions.map_err(use_error)?;
        say_json(&PredictObject::new(&predictions, Some(&all), None))?;
        return Ok(Exit::Ok);
    }
    // Nothing is printed of a file that has a fault further down.
    let mut waiting = Waiting::new();
    waiting.put(header.as_bytes())?;
    let predictions = predict_rows(&model, &mut rows, |rows| {
        Ok(waiting.write(csv_of_predictions(&rows).as_bytes())?)
    });
    let predictions = predictions.map_err(use_error)?;
    waiting.say()?;
    eprintln!("{}", predictions.told);
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
    let out = arguments.out.as_deref();
    check(out, &arguments.input)?;
    let (model, file) = input(&arguments.input)?;
    say_when_interrupted(NOTHING_WRITTEN.to_owned());
    watch()?;
    let trained_at = model.training.gamma;
    let gammas = match arguments.gamma.as_slice() {
        [] if trained_at > 0.0 => vec![trained_at],
        [] => GAMMAS.to_vec(),
        given => given.to_vec(),
    };
    let mut rows = stream(&arguments.input, &model, &file, ("certifying", format))?;
    let (sha256, _) = digest_of_file(&file.path).map_err(data_error)?;
    let mut table = out.map(begin_file).transpose().map_err(store_error)?;
    let header = header_of_certificates(rows.is_labelled(), &gammas);
    if let Some(table) = &mut table {
        table.write(header.as_bytes()).map_err(store_error)?;
    }
    let take = table
        .as_mut()
        .map(|table| |text: String| Ok(table.write(text.as_bytes())?));
    let found = certify_rows(&model, &mut rows, &sha256, &gammas, take);
    let found = found.map_err(use_error)?;
    if found.used == 0 {
        let message = format!("{}: every row has a missing value", file.path.display());
        return Err(Ended::new(Exit::NothingMeasured, message));
    }
    if let Some(table) = table {
        end_file(table, WRITTEN).map_err(store_error)?;
    }
    if format == OutputFormat::Json {
        say_json(&CertifyObject::new(&found, out))?;
        return Ok(Exit::Ok);
    }
    say(found.told.trim_end())?;
    match out {
        Some(out) => say(format_args!(
            "\nCertificates of the rows are in {}",
            out.display()
        ))?,
        None => say("\n--out FILE.csv writes the certificate of each row")?,
    }
    Ok(Exit::Ok)
}

/// That the table can be written, replaces no input, and is not named as Parquet, which the data may be.
fn check(out: Option<&Path>, input: &UseArguments) -> Result<(), Ended> {
    let Some(out) = out else { return Ok(()) };
    let inputs: [(&str, &Path); 2] = [("model file", &input.model), ("data file", &input.data)];
    check_out(out, &inputs)?;
    if out
        .extension()
        .is_some_and(|name| name.eq_ignore_ascii_case("parquet"))
    {
        return usage(
            &format!("--out {}: the table is written as CSV", out.display()),
            &format!("name it {}", out.with_extension("csv").display()),
        );
    }
    Ok(())
}

/// The model and the file it is used on.
fn input(arguments: &UseArguments) -> Result<(SavedModel, UserFile), Ended> {
    let model = SavedModel::read(&arguments.model).map_err(model_error)?;
    let format = arguments.file.data_format.map(Format::from);
    let first_index = usize::from(!arguments.file.zero_based);
    let file = UserFile::new(&arguments.data, format, first_index).map_err(data_error)?;
    Ok((model, file))
}

fn stream<'a>(
    arguments: &UseArguments,
    model: &'a SavedModel,
    file: &'a UserFile,
    (work, format): (&'static str, OutputFormat),
) -> Result<RowStream<'a>, Ended> {
    let rows = RowStream::open(file, model, !arguments.no_labels).map_err(data_error)?;
    let total = size_of(&file.path, file.format, file.first_index).map_err(data_error)?;
    let show = show(format == OutputFormat::Json);
    Ok(rows.with_progress(RowProgress::start(show, work, total.rows, 0)))
}

fn use_error(error: UseError) -> Ended {
    match error {
        UseError::Data(error) => data_error(error),
        // Shapes and numbers were checked when model and data were read.
        UseError::Bound(error) => Ended::new(Exit::NothingMeasured, error),
        UseError::Store(error) => store_error(error),
    }
}

fn store_error(error: StoreError) -> Ended {
    Ended::new(Exit::InputOutput, error)
}
