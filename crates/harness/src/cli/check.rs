//! `robust-svm check`.

use super::args::CheckArguments;
use super::exit::{Ended, Exit};
use crate::gate::{GateError, Verdict, compare};
use crate::store::{StoreError, write_atomically};
use std::path::Path;

#[expect(clippy::print_stdout, reason = "the comparison is what was asked for")]
pub(super) fn check(arguments: &CheckArguments) -> Result<Exit, Ended> {
    let compared = compare(&arguments.results, &arguments.baseline);
    match &compared {
        Ok(comparison) => println!("{comparison}"),
        Err(error) if arguments.update => println!("{error}"),
        Err(_) => {}
    }
    if arguments.update {
        update(&arguments.results, &arguments.baseline)
            .map_err(|error| Ended::input(error.is_io(), &error))?;
        println!("{} is the baseline now", arguments.results.display());
        return Ok(Exit::Ok);
    }
    let comparison = compared.map_err(|error| match &error {
        GateError::Store(store) => Ended::input(store.is_io(), &error),
        GateError::NotComparable { .. } => Ended::new(Exit::NotComparable, &error),
    })?;
    Ok(match comparison.verdict {
        Verdict::Same => Exit::Ok,
        Verdict::Regressed => Exit::Regression,
        Verdict::Improved => Exit::Improved,
        Verdict::NothingMeasured => Exit::NothingMeasured,
    })
}

/// Copies what [`compare`] reads.
fn update(results: &Path, baseline: &Path) -> Result<(), StoreError> {
    for name in ["manifest.toml", "cells.parquet"] {
        let from = results.join(name);
        let bytes = std::fs::read(&from).map_err(StoreError::io("read", &from))?;
        let to = baseline.join(name);
        write_atomically(&to, &bytes).map_err(StoreError::io("write", &to))?;
    }
    Ok(())
}
