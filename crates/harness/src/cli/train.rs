//! `robust-svm train`.

use super::exit::{Ended, Exit};
use super::interrupt::{say_when_interrupted, watch};
use super::model_args::{FormChoice, FrequenciesChoice, MapChoice, NormChoice, TrainArguments};
use super::model_objects::TrainObject;
use super::out_file::check_out;
use super::output::OutputFormat;
use super::say::{say, say_json};
use super::train_stream::{check_stream, is_streamed, stream_grid, train_stream};
use crate::data::{DataError, Format};
use crate::model_file::ModelFileError;
use crate::modelling::summary::{DataTold, summary};
use crate::modelling::train::{TrainError, TrainPlan, train as train_model};
use crate::modelling::user_file::{TaskQuestion, UserFile};
use crate::plan::map::MAX_SIZE;
use crate::plan::method::reason;
use crate::plan::probe::holds_for_phased;
use crate::plan::robustness::robustness_named;
use crate::plan::{Grid, MapPlan, Robustness, SigmaGrid};
use crate::spec::{ChooseName, SolverName};
use robust_svm_bounds::MapKind;

/// λ and σ where none are given; σ in multiples of the median distance.
pub(super) const TIMES_MEDIAN: [f64; 3] = [0.5, 1.0, 2.0];
const LAMBDAS: [f64; 5] = [0.01, 0.1, 1.0, 10.0, 100.0];
pub(super) const DIM: usize = 256;
pub(super) const LANDMARKS: usize = 128;

/// What is said to one who interrupts where there is nothing to go on from.
pub(super) const NOTHING_YET: &str = "no model is written; the same command begins anew";

pub(super) fn train(arguments: &TrainArguments, format: OutputFormat) -> Result<Exit, Ended> {
    // What needs no data comes first.
    check_out(&arguments.out, &[("data file", &arguments.data)])?;
    let robustness = check_bound(arguments)?;
    let grid = check_grid(arguments)?;
    check_map(arguments)?;
    check_stream(arguments, robustness)?;
    say_when_interrupted(NOTHING_YET.to_owned());
    watch()?;
    let file = user_file(arguments)?;
    let label = label(arguments, &file)?;
    let question = TaskQuestion {
        label,
        positive: &arguments.positive,
        ignored: &arguments.ignore,
        missing: arguments.missing.into(),
    };
    file.check_columns(&question).map_err(data_error)?;
    let plan = |map, grid| TrainPlan {
        map,
        robustness,
        gamma: arguments.gamma,
        norm: arguments.norm.into(),
        grid,
        scaling: arguments.scale.into(),
        validation: arguments.validation,
        seed: arguments.seed,
    };
    let (trained, told) = if is_streamed(arguments, robustness, &file)? {
        let grid = stream_grid(arguments)?;
        let plan = plan(map(arguments, usize::MAX), grid);
        let trained = train_stream(arguments, &file, &question, plan, format)?;
        (trained.trained, trained.data)
    } else {
        check_candidates(arguments)?;
        let task = file.task(&question).map_err(data_error)?;
        let plan = plan(map(arguments, task.task.data.rows()), grid);
        let trained = train_model(&task, &plan).map_err(train_error)?;
        (trained, DataTold::from(&task))
    };
    trained.model.write(&arguments.out).map_err(model_error)?;
    if format == OutputFormat::Json {
        say_json(&TrainObject::new(&told, &trained, &arguments.out))?;
    } else if !arguments.quiet {
        say(summary(&told, &trained, &arguments.out).trim_end())?;
    }
    Ok(Exit::Ok)
}

fn user_file(arguments: &TrainArguments) -> Result<UserFile, Ended> {
    let format = arguments.file.data_format.map(Format::from);
    let first_index = usize::from(!arguments.file.zero_based);
    UserFile::new(&arguments.data, format, first_index).map_err(data_error)
}

/// The label's column.
fn label<'a>(arguments: &'a TrainArguments, file: &UserFile) -> Result<&'a str, Ended> {
    match (&arguments.label, file.format) {
        (Some(_), Format::Svmlight) => usage(
            "--label has no meaning for a LIBSVM file",
            "its labels come first on each line: leave --label out",
        ),
        (None, Format::Svmlight) => Ok("label"),
        (Some(label), _) if arguments.ignore.contains(label) => usage(
            &format!("--ignore {label} is the column that --label names"),
            "leave it out: the labels are no feature anyway",
        ),
        (Some(label), _) => Ok(label),
        (None, _) => usage(
            "--label is missing: which column holds the classes?",
            "for example --label class",
        ),
    }
}

/// The bound by its name, and γ.
fn check_bound(arguments: &TrainArguments) -> Result<Robustness, Ended> {
    let gamma = arguments.gamma;
    if !(gamma.is_finite() && gamma >= 0.0) {
        return usage(
            &format!("--gamma must be 0 or more, found {gamma}"),
            "γ is in units of the scaled features",
        );
    }
    let Some(name) = &arguments.bound else {
        return Ok(Robustness::Nominal);
    };
    let kind = match arguments.features {
        MapChoice::Identity => Some(MapKind::Identity),
        MapChoice::Rff => Some(MapKind::Rff),
        MapChoice::Nystrom => Some(MapKind::Nystrom),
        MapChoice::ExactKernel => None,
    };
    let robustness =
        robustness_named(name, kind, SolverName::InteriorPoint).or_else(|(message, help)| {
            let help = help
                .replace("leave `bound` out", "leave --bound out")
                .replace(
                    "solver = \"bundle\"",
                    "an experiment with solver = \"bundle\"",
                );
            usage(&message, &help)
        })?;
    if let Robustness::Bound(bound) = robustness
        && kind == Some(MapKind::Rff)
        && arguments.form == FormChoice::Phased
    {
        holds_for_phased(bound).or_else(|error| {
            let message = format!("bound `{name}` is not for phased random Fourier features");
            usage(&message, &reason(error))
        })?;
    }
    let euclidean = match robustness {
        Robustness::Local => true,
        Robustness::Bound(_) | Robustness::TotalBudget => kind == Some(MapKind::Identity),
        Robustness::Nominal | Robustness::Support | Robustness::NormalInputs => false,
    };
    if euclidean && arguments.norm != NormChoice::Two {
        let message = format!("bound `{name}` of these features needs --norm 2 here");
        let help = "other norms are trained on by experiments with solver = \"bundle\"";
        return usage(&message, help);
    }
    if gamma == 0.0 {
        let message = format!("bound `{name}` needs --gamma, the size of the uncertainty");
        return usage(&message, "for example --gamma 0.3");
    }
    Ok(robustness)
}

/// The candidates' λ and σ.
fn check_grid(arguments: &TrainArguments) -> Result<Grid, Ended> {
    for (option, values) in [
        ("--lambda", &arguments.lambda),
        ("--sigma", &arguments.sigma),
    ] {
        if let Some(bad) = values.iter().find(|v| !(v.is_finite() && **v > 0.0)) {
            let message = format!("{option} must be positive, found {bad}");
            return usage(
                &message,
                &format!("for example {option} 1 or {option} 0.1,1,10"),
            );
        }
    }
    let linear = arguments.features == MapChoice::Identity;
    if linear && !arguments.sigma.is_empty() {
        let message = "--sigma has no meaning for linear models";
        return usage(message, "leave --sigma out, or choose other --features");
    }
    let share = arguments.validation;
    if !(0.0..1.0).contains(&share) {
        let message = format!("--validation must be at least 0 and below 1, found {share}");
        return usage(&message, "it is a share of the rows, for example 0.25");
    }
    Ok(Grid {
        lambda: match arguments.lambda.as_slice() {
            [] => LAMBDAS.to_vec(),
            given => sorted(given),
        },
        sigma: match arguments.sigma.as_slice() {
            _ if linear => SigmaGrid::None,
            [] => SigmaGrid::TimesMedian(TIMES_MEDIAN.to_vec()),
            given => SigmaGrid::Given(sorted(given)),
        },
    })
}

/// That there are rows to compare candidates on.
fn check_candidates(arguments: &TrainArguments) -> Result<(), Ended> {
    let linear = arguments.features == MapChoice::Identity;
    let one = arguments.lambda.len() == 1 && (linear || arguments.sigma.len() == 1);
    if arguments.validation == 0.0 && !one {
        return usage(
            "--validation 0 leaves no rows to compare candidates on",
            "give one --lambda and, unless the model is linear, one --sigma",
        );
    }
    Ok(())
}

/// In increasing order, each once.
pub(super) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    values
}

/// That the options of the map are its own.
fn check_map(arguments: &TrainArguments) -> Result<(), Ended> {
    let drawn = arguments.frequencies != FrequenciesChoice::Gaussian;
    if drawn && arguments.features != MapChoice::Rff {
        return usage(
            "--frequencies has no meaning for this map",
            "it is for --features rff",
        );
    }
    let phased = arguments.form == FormChoice::Phased;
    if phased && arguments.features != MapChoice::Rff {
        return usage(
            "--form has no meaning for this map",
            "it is for --features rff",
        );
    }
    if phased && arguments.frequencies == FrequenciesChoice::Structured {
        return usage(
            "structured frequencies are for --form paired",
            "use --form paired, or --frequencies orthogonal",
        );
    }
    let Some(dim) = arguments.dim else {
        return Ok(());
    };
    match arguments.features {
        MapChoice::Identity | MapChoice::ExactKernel => usage(
            "--dim has no meaning for this map",
            "it is for --features rff and --features nystrom",
        ),
        _ if dim == 0 || dim > MAX_SIZE => {
            let message = format!("--dim must be from 1 to {MAX_SIZE}, found {dim}");
            usage(&message, "for example --dim 256")
        }
        MapChoice::Rff if !phased && !dim.is_multiple_of(2) => usage(
            &format!("--dim must be even, found {dim}"),
            "random Fourier features come in pairs of a cosine and a sine; --form phased has any number",
        ),
        MapChoice::Rff | MapChoice::Nystrom => Ok(()),
    }
}

/// The map for a task of `rows` rows.
fn map(arguments: &TrainArguments, rows: usize) -> MapPlan {
    match arguments.features {
        MapChoice::Identity => MapPlan::Identity,
        MapChoice::ExactKernel => MapPlan::ExactKernel,
        MapChoice::Rff => MapPlan::Rff {
            dims: vec![arguments.dim.unwrap_or(DIM)],
            form: arguments.form.into(),
            frequencies: arguments.frequencies.into(),
        },
        MapChoice::Nystrom => {
            // Rows with equal features are not parted, so the training part may be smaller than its share.
            let most = ((1.0 - arguments.validation) * rows as f64 / 2.0) as usize;
            let default = LANDMARKS.min(most.max(1));
            MapPlan::Nystrom {
                landmarks: vec![arguments.dim.unwrap_or(default)],
                choose: ChooseName::Uniform,
            }
        }
    }
}

/// An error of usage.
pub(super) fn usage<T>(message: &str, help: &str) -> Result<T, Ended> {
    Err(Ended::new(
        Exit::BadInput,
        format!("{message}\n  = help: {help}"),
    ))
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
pub(super) fn train_error(error: TrainError) -> Ended {
    let exit = if error.is_numerical() {
        Exit::NothingMeasured
    } else {
        Exit::BadInput
    };
    Ended::new(exit, &error)
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
pub(super) fn data_error(error: DataError) -> Ended {
    Ended::input(error.is_io(), &error)
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
pub(super) fn model_error(error: ModelFileError) -> Ended {
    Ended::input(error.is_io(), &error)
}
