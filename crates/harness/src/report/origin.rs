//! Where the results come from, and how to get them again.

use crate::store::Manifest;
use serde::Serialize;

/// The origin of the results.
#[derive(Debug, Serialize)]
pub(super) struct Origin<'a> {
    manifest: &'a Manifest,
    /// The experiment file.
    experiment: &'a str,
    commands: Vec<Command>,
    /// What the code that makes the report is not the same in as the code that made the results.
    other_code: Option<OtherCode>,
}

/// A command line and what it is for.
#[derive(Debug, Serialize)]
struct Command {
    purpose: &'static str,
    line: String,
}

/// Version and digest of the code that made the report.
#[derive(Debug, Serialize)]
struct OtherCode {
    version: String,
    sha256: String,
}

/// The folder that runs of the experiment `name` go to unless another is asked for.
pub(super) fn folder(name: &str) -> String {
    format!("results/{name}")
}

/// The origin of results with `manifest`, shown by the code of `current`, of the experiment file `experiment`.
pub(super) fn origin<'a>(
    manifest: &'a Manifest,
    current: &Manifest,
    experiment: &'a str,
) -> Origin<'a> {
    let dir = folder(&manifest.experiment.name);
    let command = |purpose, line| Command { purpose, line };
    let code = &current.code;
    let same = (&code.version, &code.sha256) == (&manifest.code.version, &manifest.code.sha256);
    Origin {
        manifest,
        experiment,
        commands: vec![
            command(
                "Run the experiment again, into a new folder",
                format!("robust-svm run {dir}/experiment.toml --out {dir}-again"),
            ),
            command(
                "Compute a sample of the cells again and compare them to the bit",
                format!("robust-svm verify {dir}"),
            ),
            command(
                "Say what the folder was made from",
                format!("robust-svm explain {dir}"),
            ),
            command(
                "Make tables, figures and this page again from the cells",
                format!("robust-svm report {dir}"),
            ),
        ],
        other_code: (!same).then(|| OtherCode {
            version: code.version.clone(),
            sha256: code.sha256.clone(),
        }),
    }
}
