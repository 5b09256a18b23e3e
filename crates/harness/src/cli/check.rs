//! `robust-svm check`.

use super::args::CheckArguments;
use super::exit::{Ended, Exit};
use crate::gate::{COMPARED_FILES, GateError, Verdict, compare};
use crate::store::{StoreError, write_atomically};
use std::path::Path;

#[expect(clippy::print_stdout, reason = "the comparison is what was asked for")]
pub(super) fn check(arguments: &CheckArguments) -> Result<Exit, Ended> {
    let compared = compare(&arguments.results, &arguments.baseline);
    match &compared {
        Ok(comparison) => println!("{comparison}"),
        Err(error @ GateError::NotComparable { .. }) if arguments.update => println!("{error}"),
        Err(_) => {}
    }
    let no_results = matches!(&compared, Err(GateError::NoResults { folder, .. }) if *folder == arguments.results);
    if arguments.update && !no_results {
        update(&arguments.results, &arguments.baseline)
            .map_err(|error| Ended::input(error.is_io(), &error))?;
        println!("{} is the baseline now", arguments.results.display());
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

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn ended(error: GateError) -> Ended {
    match &error {
        GateError::Store(store) => Ended::input(store.is_io(), &error),
        GateError::NoResults { .. } => Ended::new(Exit::BadInput, &error),
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
