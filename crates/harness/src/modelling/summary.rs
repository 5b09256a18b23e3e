//! What `robust-svm train` tells of the model.

use super::train::{PartErrors, StreamEnd, Streamed, Trained};
use super::user_file::UserTask;
use crate::model_file::Classes;
use crate::table::shown::{counted, scientific};
use robust_svm_core::data::Scaling;
use robust_svm_core::features::Features;
use robust_svm_core::model::Model;
use robust_svm_core::uncertainty::Norm;
use std::fmt::Write as _;
use std::path::Path;

/// What is told of the data.
#[derive(Debug)]
pub(crate) struct DataTold {
    /// Rows of the task, and those of the positive class.
    pub(crate) rows: usize,
    pub(crate) positive: usize,
    /// Rows left out for a missing value.
    pub(crate) dropped: usize,
    pub(crate) missing_values: usize,
    pub(crate) classes: Classes,
}

impl From<&UserTask> for DataTold {
    fn from(task: &UserTask) -> Self {
        let (y, report) = (task.task.data.y(), &task.task.report);
        Self {
            rows: y.len(),
            positive: y.iter().filter(|y| **y > 0.0).count(),
            dropped: report.rows_dropped_missing,
            missing_values: report.missing_values,
            classes: task.classes.clone(),
        }
    }
}

/// A few lines for a terminal.
pub(crate) fn summary(data: &DataTold, trained: &Trained, out: &Path) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "  {name:<11} {value}");
    };
    let (model, training) = (&trained.model, &trained.model.training);
    line("data", &rows(data));
    line("features", &features(trained));
    line("candidates", &candidates(trained));
    let sigma = match (model.sigma, trained.times_median) {
        (Some(sigma), Some(times)) => {
            format!(
                ", σ = {} ({} × the median distance)",
                short(sigma),
                short(times)
            )
        }
        (Some(sigma), None) => format!(", σ = {}", short(sigma)),
        (None, _) => String::new(),
    };
    let how = match &training.bound {
        Some(bound) => format!("robust at γ = {}, bound {bound}", training.gamma),
        None => "nominal".to_owned(),
    };
    line(
        "model",
        &format!("{how}; λ = {}{sigma}", short(training.lambda)),
    );
    let gap = format!("{} certified", scientific(training.relative_gap));
    match trained.streamed {
        None => line("gap", &gap),
        Some(streamed) => {
            let (how, what_to_do) = how_it_ended(streamed);
            line("gap", &format!("{gap}, {how}"));
            line("", what_to_do);
        }
    }
    if trained.training.or(trained.validation).is_some() {
        let _ = write!(text, "\n{}", errors(trained));
    }
    let gamma = training.gamma;
    if gamma > 0.0 {
        let norm = norm_name(model.set.norm());
        let _ = write!(
            text,
            "\nγ = {gamma} is the {norm}norm of a perturbation, in {}.\n",
            unit(model.scaling)
        );
    }
    let _ = writeln!(text, "\nThe model is in {}", out.display());
    text
}

/// What ended training on streamed rows, and what a smaller gap takes.
fn how_it_ended(streamed: Streamed) -> (String, &'static str) {
    let tolerance = match streamed.tolerance {
        small @ ..1e-4 => format!("{small:e}"),
        tolerance => short(tolerance),
    };
    let above = format!("above the tolerance of {tolerance}");
    match streamed.ended {
        StreamEnd::Tolerance => (
            format!("within the tolerance of {tolerance}"),
            "a smaller --tolerance lowers it",
        ),
        StreamEnd::Epochs(most) => (
            format!(
                "{above}: the limit of {} came first",
                counted(most, "epoch")
            ),
            "more --epochs lower it, or --solver interior-point",
        ),
        StreamEnd::Iterations => (
            format!("{above}: the limit of iterations came first"),
            "a larger --lambda makes the problem easier",
        ),
        StreamEnd::Stalled => (
            format!("{above}: it fell no more, at the limit of the arithmetic"),
            "a larger --lambda makes the problem easier",
        ),
        StreamEnd::NotFinite => (
            format!("{above}: the steps left the finite range"),
            "use a larger --lambda, or --solver interior-point",
        ),
    }
}

fn rows(data: &DataTold) -> String {
    let classes = &data.classes;
    let mut text = format!(
        "{} rows: {} of `{}` (+), {} of `{}` (−)",
        data.rows,
        data.positive,
        classes.positive.name,
        data.rows - data.positive,
        classes.negative.name
    );
    if data.dropped > 0 {
        let _ = write!(text, "; {} left out for missing values", data.dropped);
    } else if data.missing_values > 0 {
        let _ = write!(text, "; {} missing values", data.missing_values);
    }
    text
}

fn features(trained: &Trained) -> String {
    let model = &trained.model;
    let (all, kept) = (model.columns.len(), model.scaler.kept().len());
    let mut text = format!("{all} columns");
    if kept < all {
        let _ = write!(text, " ({} constant, unused)", all - kept);
    }
    let scaling = match model.scaling {
        Scaling::Standardize => "standardized",
        Scaling::MinMax => "scaled to [−1, 1]",
        Scaling::None => "as they are",
    };
    let _ = write!(text, ", {scaling}; ");
    let dim = trained.feature_dim.unwrap_or(0);
    text + &match &model.model {
        Model::Kernel(kernel) => {
            format!(
                "exact Gaussian kernel, {} support points",
                kernel.centres().nrows()
            )
        }
        Model::Radial(model) => {
            format!(
                "exact Gaussian kernel, {} uncertain support points",
                model.centres().nrows()
            )
        }
        Model::Feature(model) => match &model.features {
            Features::Identity(_) => "linear".to_owned(),
            Features::Rff(_) => format!("{dim} random Fourier features"),
            Features::Nystrom(map) => {
                format!(
                    "{dim} Nyström features of {} landmarks",
                    map.landmarks().nrows()
                )
            }
        },
    }
}

fn candidates(trained: &Trained) -> String {
    let count = trained.candidates;
    let mut text = match trained.validation {
        Some(_) if count > 1 => format!("the best of {count}, by certified validation error"),
        _ => format!("{count}"),
    };
    if let Some(first) = trained.failures.first() {
        let _ = write!(
            text,
            "; {} failed, the first: {}",
            trained.failures.len(),
            first.reason
        );
    }
    text
}

/// The table of errors.
fn errors(trained: &Trained) -> String {
    let gamma = trained.model.training.gamma;
    let certified = format!("certified at γ = {gamma}");
    let mut text = format!("  {:<11} {:>6} {:>9}", "", "rows", "error");
    if gamma > 0.0 {
        let _ = write!(text, "   {certified}");
    }
    text.push('\n');
    let mut part = |name: &str, errors: PartErrors| {
        let _ = write!(
            text,
            "  {name:<11} {:>6} {:>9}",
            errors.rows,
            percent(errors.clean)
        );
        if gamma > 0.0 {
            let width = certified.chars().count();
            let _ = write!(text, "   {:>width$}", percent(errors.certified));
        }
        text.push('\n');
    };
    let parts = [
        ("training", trained.training),
        ("validation", trained.validation),
    ];
    for (name, errors) in parts {
        if let Some(errors) = errors {
            part(name, errors);
        }
    }
    text
}

/// A fraction in percent.
pub(crate) fn percent(fraction: f64) -> String {
    // Adding 0.0 makes −0.0 equal to 0.0.
    format!("{:.1} %", 100.0 * fraction + 0.0)
}

/// What γ is measured in.
pub(crate) fn unit(scaling: Scaling) -> &'static str {
    match scaling {
        Scaling::Standardize => "standard deviations of the training rows (scaled features)",
        Scaling::MinMax => "half ranges of the training rows (scaled features)",
        Scaling::None => "units of the data (features are not scaled)",
    }
}

/// The norm p in words.
pub(crate) fn norm_name(norm: Norm) -> &'static str {
    match norm {
        Norm::One => "1-",
        Norm::Two => "2-",
        Norm::Infinity => "∞-",
    }
}

/// At most four digits.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    rounded.to_string()
}
