//! `robust-svm datasets`.

use super::datasets_report::{FetchedObject, list_object, list_table, told, verified_table};
use super::datasets_report::{VerifiedObject, verified_object};
use super::exit::{Ended, Exit};
use super::output::OutputFormat;
use super::run::show;
use super::say::{say, say_json};
use crate::data::DataFolders;
use crate::fetch::{Catalogue, FetchError, List, Request, Shelf, Verdict, fetch, verify};
use clap::{Args, Subcommand};
use serde::Serialize;
use std::path::{Path, PathBuf};

pub(super) const EXAMPLES: &str = "\
Examples:
  robust-svm datasets list
  robust-svm datasets fetch a9a ijcnn1
  robust-svm datasets fetch higgs --to /data/svm
  robust-svm datasets verify

A dataset is fetched to the first folder of ROBUST_SVM_DATA, or to ./datasets, and experiments
name it from then on. A download that breaks off is continued by the same command. HTTPS_PROXY
and NO_PROXY are heeded.

Exit codes: 2 no such dataset; 3 a file is not the one that is declared; 74 network or disk.";

#[derive(Debug, Args)]
pub(super) struct DatasetsArguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List the datasets that are here, and those that can be fetched
    List(CatalogueArguments),
    /// Download datasets, check them, and make them usable by name
    Fetch(FetchArguments),
    /// Compute the checksums of data files again and compare them with their manifests
    Verify(VerifyArguments),
}

#[derive(Debug, Args)]
struct CatalogueArguments {
    /// A folder of manifests with [download], beside the catalogue of the program; of one name, these count
    #[arg(
        long,
        value_name = "DIR",
        env = "ROBUST_SVM_CATALOGUE",
        hide_env_values = true
    )]
    catalogue: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct FetchArguments {
    /// The datasets
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// Where to put them [default: the first folder of ROBUST_SVM_DATA, or ./datasets]
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    /// Fetch what is there once more, and replace it
    #[arg(long)]
    again: bool,
    /// How many trials may fail in a row that bring nothing new
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u32).range(0..=100))]
    retries: u32,
    #[command(flatten)]
    catalogue: CatalogueArguments,
    /// Say nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Debug, Args)]
struct VerifyArguments {
    /// The datasets [default: all whose data files are here]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    catalogue: CatalogueArguments,
    /// Say nothing but errors and differences
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn datasets(arguments: &DatasetsArguments, format: OutputFormat) -> Result<Exit, Ended> {
    match &arguments.what {
        What::List(arguments) => list(arguments, format),
        What::Fetch(arguments) => fetch_all(arguments, format),
        What::Verify(arguments) => verify_all(arguments, format),
    }
}

/// What there is, with the catalogue asked for.
fn shelf(catalogue: Option<&Path>) -> Result<Shelf, Ended> {
    let catalogue = Catalogue::open(catalogue).map_err(|error| ended(error.into()))?;
    let folders = DataFolders::from_env();
    Ok(Shelf { folders, catalogue })
}

fn list(arguments: &CatalogueArguments, format: OutputFormat) -> Result<Exit, Ended> {
    let shelf = shelf(arguments.catalogue.as_deref())?;
    let List { datasets, faults } = shelf.list().map_err(ended)?;
    match format {
        OutputFormat::Text => say(list_table(&datasets).trim_end())?,
        OutputFormat::Json => say_json(&list_object(&datasets))?,
    }
    end(faults, Exit::Ok)
}

/// Tells `faults`, which did not stop what could be done, and ends with the last of them, or with `exit` if there is none or that
/// tells of more.
fn end(mut faults: Vec<FetchError>, exit: Exit) -> Result<Exit, Ended> {
    let last = if exit == Exit::Ok { faults.pop() } else { None };
    for fault in &faults {
        log::error!("{fault}");
    }
    last.map_or(Ok(exit), |fault| Err(ended(fault)))
}

/// The datasets fetched, as JSON.
#[derive(Serialize)]
struct FetchObject<'a> {
    command: &'static str,
    datasets: &'a [FetchedObject],
}

fn fetch_all(arguments: &FetchArguments, format: OutputFormat) -> Result<Exit, Ended> {
    let shelf = shelf(arguments.catalogue.catalogue.as_deref())?;
    let to = arguments.to.as_deref();
    // A slip in the last name is told before the first download; a faulty manifest costs its own dataset alone.
    let (mut names, mut faults) = (Vec::new(), shelf.faults());
    for name in &arguments.names {
        match shelf.require(name, to) {
            Ok(()) => names.push(name),
            // It is told with those of the catalogue.
            Err(FetchError::Data(_)) if shelf.catalogue.is_faulty(name) => {}
            Err(FetchError::Data(fault)) => faults.push(fault.into()),
            Err(other) => return Err(ended(other)),
        }
    }
    let text = format == OutputFormat::Text;
    let mut objects = Vec::new();
    let mut each = || -> Result<Exit, Ended> {
        for name in &names {
            let request = Request {
                name,
                to,
                again: arguments.again,
                retries: arguments.retries,
                show: show(arguments.quiet || !text),
            };
            let fetched = fetch(&shelf, &request).map_err(ended)?;
            if text && !arguments.quiet {
                say(told(&fetched, &shelf.folders).trim_end())?;
            }
            objects.push(FetchedObject::new(&fetched));
        }
        Ok(Exit::Ok)
    };
    let exit = each();
    // What came before one that failed is told too.
    if !text {
        say_json(&FetchObject {
            command: "datasets fetch",
            datasets: &objects,
        })?;
    }
    let Err(failed) = exit else {
        return end(faults, Exit::Ok);
    };
    end(faults, failed.exit)?;
    Err(failed)
}

fn verify_all(arguments: &VerifyArguments, format: OutputFormat) -> Result<Exit, Ended> {
    let shelf = shelf(arguments.catalogue.catalogue.as_deref())?;
    let (names, mut faults) = match arguments.names.as_slice() {
        [] => {
            let List { datasets, faults } = shelf.list().map_err(ended)?;
            let here = datasets.into_iter().filter(|listed| listed.file.is_some());
            (here.map(|listed| listed.manifest.name).collect(), faults)
        }
        names => (names.to_vec(), Vec::new()),
    };
    let mut verified = Vec::new();
    for name in &names {
        match verify(&shelf, name) {
            Ok(file) => verified.push(file),
            Err(fault) => faults.push(fault),
        }
    }
    let differs = |verdict: &Verdict| matches!(verdict, Verdict::Different { .. });
    let different = verified.iter().any(|file| differs(&file.verdict));
    match format {
        OutputFormat::Json => {
            let objects: Vec<VerifiedObject> = verified.iter().map(verified_object).collect();
            say_json(&VerifyObject {
                command: "datasets verify",
                files: &objects,
            })?;
        }
        OutputFormat::Text => {
            if arguments.quiet {
                verified.retain(|file| differs(&file.verdict));
            }
            let table = verified_table(&verified);
            if !table.is_empty() {
                say(table.trim_end())?;
            } else if names.is_empty() && !arguments.quiet {
                say(
                    "no data file is at hand: `robust-svm datasets list` shows what can be fetched",
                )?;
            }
        }
    }
    let exit = if different {
        Exit::Regression
    } else {
        Exit::Ok
    };
    end(faults, exit)
}

/// The files compared, as JSON.
#[derive(Serialize)]
struct VerifyObject<'a> {
    command: &'static str,
    files: &'a [VerifiedObject],
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn ended(error: FetchError) -> Ended {
    if error.is_difference() {
        return Ended::new(Exit::Regression, &error);
    }
    Ended::input(error.is_io(), &error)
}
