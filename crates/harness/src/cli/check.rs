//! `robust-svm check`.

use super::check_report::CheckObject;
use super::exit::{Ended, Exit};
use super::output::OutputFormat;
use super::say::{say, say_json};
use crate::gate::{Comparison, GateError, Verdict, compare, update};
use clap::Args;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  robust-svm check results/ci --baseline results/baselines/ci
  robust-svm check results/ci --baseline results/baselines/ci --update

Equal rows pass. Of rows that differ, each method and metric is tested by flipping signs
of its differences over the repeats, with Holm's correction; where half of a method's
repeats are as they were, a loss of more than a point in one is enough. With too few repeats
to test, and where the same code made both, counts may differ by one test point and
objectives by 1e-6, relative. More in docs/gate.md.

Ends with 0 as in the baseline, 3 regressed or differing, 4 nothing measured, 5 not comparable,
6 improved beyond the baseline.";

#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    /// The results folder
    results: PathBuf,
    /// The baseline's folder
    #[arg(long, value_name = "DIR")]
    baseline: PathBuf,
    /// Level of the tests: how probable a false alarm may be
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = level)]
    alpha: f64,
    /// Make the results the baseline
    #[arg(long)]
    update: bool,
}

fn level(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(alpha) if alpha > 0.0 && alpha <= 0.5 => Ok(alpha),
        _ => Err("a probability above 0 and up to 0.5, for example 0.05".into()),
    }
}

pub(super) fn check(arguments: &CheckArguments, format: OutputFormat) -> Result<Exit, Ended> {
    let CheckArguments {
        results, baseline, ..
    } = arguments;
    let tell = |comparison: &Comparison| match format {
        OutputFormat::Text => say(comparison),
        OutputFormat::Json => say_json(&CheckObject::new(results, baseline, comparison)),
    };
    let compared = compare(results, baseline, arguments.alpha);
    if !arguments.update {
        let comparison = compared.map_err(ended)?;
        tell(&comparison)?;
        return Ok(match comparison.verdict {
            Verdict::Same => Exit::Ok,
            Verdict::Regressed | Verdict::Differs => Exit::Regression,
            Verdict::Improved => Exit::Improved,
            Verdict::NothingMeasured => Exit::NothingMeasured,
        });
    }
    match &compared {
        Ok(comparison) => tell(comparison)?,
        Err(error @ GateError::NotComparable { .. }) if format == OutputFormat::Text => say(error)?,
        Err(error @ GateError::Kind { .. }) => return Err(Ended::new(Exit::BadInput, error)),
        // There may be no baseline yet, or a damaged one.
        Err(_) => {}
    }
    update(results, baseline).map_err(ended)?;
    if format == OutputFormat::Text {
        say(format_args!("{} is the baseline now", results.display()))?;
    }
    Ok(Exit::Ok)
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn ended(error: GateError) -> Ended {
    match &error {
        GateError::Store(store) => Ended::input(store.is_io(), &error),
        GateError::NoResults { .. }
        | GateError::Kind { .. }
        | GateError::Part { .. }
        | GateError::NotFinite { .. } => Ended::new(Exit::BadInput, &error),
        GateError::NotComparable { .. } | GateError::PartOnly { .. } => {
            Ended::new(Exit::NotComparable, &error)
        }
        GateError::NothingMeasured { .. } => Ended::new(Exit::NothingMeasured, &error),
        GateError::FailedCells { .. } => Ended::new(Exit::SomeCellsFailed, &error),
    }
}
