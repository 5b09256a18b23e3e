//! `robust-svm train` on files larger than memory.

use super::exit::{Ended, Exit};
use super::interrupt::say_when_interrupted;
use super::model_args::{MapChoice, SolverChoice, StreamChoice, TrainArguments};
use super::output::OutputFormat;
use super::run::show;
use super::train::{DIM, LANDMARKS, NOTHING_YET, data_error, sorted, train_error, usage};
use crate::data::{MissingPolicy, Size, size_of};
use crate::modelling::streaming::error::ScratchError;
use crate::modelling::streaming::train::{
    StreamPlan, StreamTrainError, StreamTrained, train as train_on_stream,
};
use crate::modelling::train::TrainPlan;
use crate::modelling::user_file::{TaskQuestion, UserFile};
use crate::plan::{Grid, Robustness, SigmaGrid};
use crate::run::Bytes;
use log::Level;
use std::path::Path;

/// What is told where rows are streamed unasked.
const STREAMED: &str =
    "streamed, and one λ and σ tried unless several are given (--lambda, --sigma, --stream never)";

/// Bytes of a number in memory.
const NUMBER: f64 = 8.0;

/// That the rows can be streamed where they are to be in any case: that needs no file.
pub(super) fn check_stream(
    arguments: &TrainArguments,
    robustness: Robustness,
) -> Result<(), Ended> {
    match (arguments.stream, refused(arguments, robustness)) {
        (StreamChoice::Always, Some((what, help))) => {
            let message = format!("{what} needs the rows in memory");
            usage(&message, &format!("{help}, or leave --stream always out"))
        }
        _ => Ok(()),
    }
}

/// Whether the rows of `file` are streamed, of what [`check_stream`] has passed.
pub(super) fn is_streamed(
    arguments: &TrainArguments,
    robustness: Robustness,
    file: &UserFile,
) -> Result<bool, Ended> {
    let streamed = match arguments.stream {
        StreamChoice::Always => true,
        StreamChoice::Never => false,
        StreamChoice::Auto => {
            let bytes = bytes(arguments, size_of_file(file)?);
            let more = bytes > arguments.memory.0 as f64;
            let refused = refused(arguments, robustness).filter(|_| more);
            let then = match &refused {
                Some((what, help)) => {
                    format!("held there all the same, as {what} needs them there ({help})")
                }
                None if more => STREAMED.to_owned(),
                None => "held there".to_owned(),
            };
            // Other candidates are tried than in memory, or memory may run out.
            let level = if more && !arguments.quiet {
                Level::Warn
            } else {
                Level::Info
            };
            log::log!(
                level,
                "rows and features would take {} in memory, where --memory is {}: rows are {then}",
                Bytes(bytes as u64),
                arguments.memory,
            );
            more && refused.is_none()
        }
    };
    let stochastic = arguments.solver == Some(SolverChoice::Stochastic);
    if stochastic && !streamed {
        return usage(
            "--solver stochastic is for rows that are streamed",
            "--stream always streams them; leave --solver out for interior-point",
        );
    }
    let given = [
        ("--epochs", arguments.epochs.is_some()),
        ("--tolerance", arguments.tolerance.is_some()),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        Some((option, _)) if !streamed => usage(
            &format!("{option} has no meaning for rows that are held in memory"),
            "--stream always streams them",
        ),
        _ => Ok(streamed),
    }
}

/// What cannot be streamed, and what to use in its place.
fn refused(arguments: &TrainArguments, robustness: Robustness) -> Option<(String, &'static str)> {
    let missing = MissingPolicy::from(arguments.missing);
    let (what, help) = match (arguments.features, robustness) {
        (MapChoice::ExactKernel, _) => (
            "--features exact-kernel",
            "use rff or nystrom, which come near it",
        ),
        (_, Robustness::Local) => ("--bound local", "use geodesic or projection"),
        (_, Robustness::TotalBudget) => ("--bound total-budget", "use another bound"),
        // Of rff and identity all that the solver takes are alike.
        (_, Robustness::Bound(bound)) if !bound.is_alike() => {
            let what = format!(
                "--bound {}, whose radius is another for each row,",
                bound.name()
            );
            return Some((what, "use projection"));
        }
        _ if missing == MissingPolicy::Median => (
            "--missing median, for the medians of all rows,",
            "use --missing drop",
        ),
        _ => return None,
    };
    Some((what.to_owned(), help))
}

fn size_of_file(file: &UserFile) -> Result<Size, Ended> {
    size_of(&file.path, file.format, file.first_index).map_err(data_error)
}

/// What table and features would take in memory: features of each σ are there at a time.
fn bytes(arguments: &TrainArguments, size: Size) -> f64 {
    let dim = match arguments.features {
        MapChoice::Identity | MapChoice::ExactKernel => 0,
        MapChoice::Rff => arguments.dim.unwrap_or(DIM),
        MapChoice::Nystrom => arguments.dim.unwrap_or(LANDMARKS),
    };
    let sigmas = match arguments.sigma.len() {
        0 => super::train::TIMES_MEDIAN.len(),
        given => given,
    };
    size.rows as f64 * (size.columns + sigmas * dim) as f64 * NUMBER
}

/// λ and σ: one of each unless they are given. Without λ one that grows with the rows is taken.
pub(super) fn stream_grid(arguments: &TrainArguments) -> Result<Grid, Ended> {
    let candidates = arguments.lambda.len().max(1) * arguments.sigma.len().max(1);
    if arguments.validation == 0.0 && candidates > 1 {
        return usage(
            "--validation 0 leaves no rows to compare candidates on",
            "give one --lambda and one --sigma, or none",
        );
    }
    Ok(Grid {
        lambda: sorted(&arguments.lambda),
        sigma: match arguments.sigma.as_slice() {
            _ if arguments.features == MapChoice::Identity => SigmaGrid::None,
            [] => SigmaGrid::TimesMedian(vec![1.0]),
            given => SigmaGrid::Given(sorted(given)),
        },
    })
}

pub(super) fn train_stream(
    arguments: &TrainArguments,
    file: &UserFile,
    question: &TaskQuestion<'_>,
    plan: TrainPlan,
    format: OutputFormat,
) -> Result<StreamTrained, Ended> {
    for (option, count) in [
        ("--epochs", arguments.epochs.unwrap_or(1)),
        (
            "--checkpoint-every",
            arguments.checkpoint_every.unwrap_or(1),
        ),
    ] {
        if count == 0 {
            return usage(
                &format!("{option} must be at least 1, found 0"),
                "leave it out for the default",
            );
        }
    }
    if let Some(bad) = arguments.tolerance.filter(|t| !(*t > 0.0 && *t < 1.0)) {
        let message = format!("--tolerance must be between 0 and 1, found {bad}");
        return usage(&message, "it is a relative gap, for example 0.01");
    }
    let solver = arguments.solver.unwrap_or(SolverChoice::Stochastic);
    if solver == SolverChoice::InteriorPoint && arguments.epochs.is_some() {
        return usage(
            "--epochs has no meaning for --solver interior-point",
            "it ends at a gap: --tolerance",
        );
    }
    let beside = match arguments.out.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let plan = StreamPlan {
        train: plan,
        solver: solver.into(),
        epochs: arguments.epochs,
        tolerance: arguments.tolerance,
        checkpoint_every: arguments.checkpoint_every,
        scratch: arguments.scratch.as_deref().unwrap_or(beside),
        out: &arguments.out,
        show: show(arguments.quiet || format == OutputFormat::Json),
        begun: &|folder| {
            say_when_interrupted(format!(
                "no model is written; the same command goes on from what is in {0}\n\
                 to give this training up, remove {0}",
                folder.display()
            ));
        },
    };
    let trained = train_on_stream(file, question, &plan);
    // The folder is gone, or the error says why it is kept.
    say_when_interrupted(NOTHING_YET.to_owned());
    trained.map_err(stream_error)
}

fn stream_error(error: StreamTrainError) -> Ended {
    match error {
        StreamTrainError::Data(error) => data_error(error),
        StreamTrainError::Train(error) => train_error(error),
        StreamTrainError::Scratch(error) => {
            let exit = match error {
                ScratchError::Io { .. }
                | ScratchError::NoSpace { .. }
                | ScratchError::Damaged { .. } => Exit::InputOutput,
                ScratchError::OtherTraining { .. }
                | ScratchError::Foreign { .. }
                | ScratchError::Busy { .. } => Exit::BadInput,
            };
            Ended::new(exit, error)
        }
    }
}
