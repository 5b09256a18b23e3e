//! `robust-svm check`.

use super::args::CheckArguments;
use super::exit::{Ended, Exit, store_error};
use super::say::say;
use crate::gate::{COMPARED_FILES, GateError, Verdict, compare};
use crate::store::{CellRow, Manifest, Status, StoreError, read_cells, write_atomically};
use std::path::Path;

pub(super) fn check(arguments: &CheckArguments) -> Result<Exit, Ended> {
    let compared = compare(&arguments.results, &arguments.baseline);
    match &compared {
        Ok(comparison) => say(comparison)?,
        Err(error @ GateError::NotComparable { .. }) if arguments.update => say(error)?,
        Err(_) => {}
    }
    if let Err(error @ GateError::Kind { .. }) = &compared {
        return Err(Ended::new(Exit::BadInput, error));
    }
    let no_results = matches!(&compared, Err(GateError::NoResults { folder, .. }) if *folder == arguments.results);
    if arguments.update && !no_results {
        require_numbers(&arguments.results)?;
        update(&arguments.results, &arguments.baseline).map_err(store_error)?;
        say(format_args!(
            "{} is the baseline now",
            arguments.results.display()
        ))?;
        return Ok(Exit::Ok);
    }
    let comparison = compared.map_err(ended)?;
    Ok(match comparison.verdict {
        Verdict::Same => Exit::Ok,
        Verdict::Regressed => Exit::Regression,
        Verdict::Improved => Exit::Improved,
        Verdict::NothingMeasured => Exit::NothingMeasured,
    })
}

/// An error unless `results` can be read and have a cell with numbers: a baseline that nothing can fail
/// against guards nothing.
fn require_numbers(results: &Path) -> Result<(), Ended> {
    Manifest::read(&results.join("manifest.toml")).map_err(store_error)?;
    let rows: Vec<CellRow> = read_cells(&results.join("cells.parquet")).map_err(store_error)?;
    if rows.iter().any(|row| row.status == Status::Ok) {
        return Ok(());
    }
    let message = format!(
        "{} cannot be the baseline: nothing was measured",
        results.display()
    );
    Err(Ended::new(Exit::NothingMeasured, message))
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn ended(error: GateError) -> Ended {
    match &error {
        GateError::Store(store) => Ended::input(store.is_io(), &error),
        GateError::NoResults { .. } | GateError::Kind { .. } => Ended::new(Exit::BadInput, &error),
        GateError::NotComparable { .. } => Ended::new(Exit::NotComparable, &error),
    }
}

/// Copies what [`compare`] reads. All is read before any is written: the baseline is the old one or the
/// new one.
fn update(results: &Path, baseline: &Path) -> Result<(), StoreError> {
    let read = |name: &&'static str| {
        let from = results.join(name);
        let bytes = std::fs::read(&from).map_err(StoreError::io("read", &from))?;
        Ok((baseline.join(name), bytes))
    };
    let files: Vec<_> = COMPARED_FILES.iter().map(read).collect::<Result<_, _>>()?;
    for (to, bytes) in files {
        write_atomically(&to, &bytes).map_err(StoreError::io("write", &to))?;
    }
    Ok(())
}
