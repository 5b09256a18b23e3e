//! What `robust-svm datasets` says.

use super::columns::aligned;
use crate::data::{DataFolders, Manifest};
use crate::fetch::{Fetched, Listed, Outcome, Verdict, Verified};
use indicatif::{BinaryBytes, HumanCount};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The datasets as a table.
pub(super) fn list_table(datasets: &[Listed]) -> String {
    let header = [
        "name", "rows", "features", "classes", "size", "from", "here",
    ];
    let many = |count: usize| HumanCount(count as u64).to_string();
    let count = |count: Option<usize>| count.map_or_else(|| "?".to_owned(), many);
    let lines: Vec<Vec<String>> = datasets
        .iter()
        .map(
            |Listed {
                 manifest,
                 file,
                 bytes,
                 is_declared,
             }| {
                vec![
                    manifest.name.clone(),
                    count(manifest.rows),
                    count(manifest.features),
                    many(manifest.classes),
                    bytes.map_or_else(|| "?".to_owned(), |b| BinaryBytes(b).to_string()),
                    from(manifest),
                    here(manifest, file.as_deref(), *is_declared).to_owned(),
                ]
            },
        )
        .collect();
    aligned(&header.map(str::to_owned), &lines, &[1, 2, 3, 4])
}

/// Where its data file comes from, in few words.
fn from(manifest: &Manifest) -> String {
    match (&manifest.download, &manifest.package, &manifest.source) {
        (Some(download), ..) => download.host().to_owned(),
        (None, Some(package), _) => package.clone(),
        (None, None, _) => "?".to_owned(),
    }
}

/// Whether its data file is at hand, and what to do if not.
fn here(manifest: &Manifest, file: Option<&Path>, is_declared: Option<bool>) -> &'static str {
    match (file, &manifest.download) {
        (Some(_), _) if is_declared == Some(false) => "DIFFERENT from its manifest",
        (Some(_), _) => "yes",
        (None, Some(download)) if download.tried => "to fetch",
        (None, Some(_)) => "to fetch (address not tried)",
        (None, None) => "no: manifest only",
    }
}

/// The datasets, as JSON.
#[derive(Serialize)]
pub(super) struct ListObject<'a> {
    command: &'static str,
    datasets: Vec<ListedObject<'a>>,
}

#[derive(Serialize)]
struct ListedObject<'a> {
    name: &'a str,
    title: Option<&'a str>,
    rows: Option<usize>,
    features: Option<usize>,
    classes: usize,
    licence: Option<&'a str>,
    /// The manifest; of those to be fetched, in the catalogue.
    manifest: &'a Path,
    /// The data file; null if it is not at hand.
    file: Option<&'a Path>,
    bytes: Option<u64>,
    /// Whether it is the one that is declared; null if it is not at hand, or was not compared: large files are by `verify`.
    is_declared: Option<bool>,
    /// The address; null if it cannot be fetched.
    url: Option<&'a str>,
    /// Whether it was ever fetched from there.
    tried: Option<bool>,
}

pub(super) fn list_object(datasets: &[Listed]) -> ListObject<'_> {
    let datasets = datasets.iter().map(ListedObject::new).collect();
    ListObject {
        command: "datasets list",
        datasets,
    }
}

impl<'a> ListedObject<'a> {
    fn new(listed: &'a Listed) -> Self {
        let manifest = &listed.manifest;
        let download = manifest.download.as_ref();
        Self {
            name: &manifest.name,
            title: manifest.title.as_deref(),
            rows: manifest.rows,
            features: manifest.features,
            classes: manifest.classes,
            licence: manifest.licence.as_deref(),
            manifest: &manifest.path,
            file: listed.file.as_deref(),
            bytes: listed.bytes,
            is_declared: listed.is_declared,
            url: download.map(|download| download.url.as_str()),
            tried: download.map(|download| download.tried),
        }
    }
}

/// A dataset that was fetched, as JSON.
#[derive(Serialize)]
pub(super) struct FetchedObject {
    name: String,
    /// `fetched`, `adopted` (the data file was there and has a manifest now) or `already-there`.
    outcome: &'static str,
    file: PathBuf,
    bytes: u64,
    sha256: String,
    /// Whether there was a digest to compare with; else it is recorded now.
    checked: bool,
}

impl FetchedObject {
    pub(super) fn new(fetched: &Fetched) -> Self {
        Self {
            name: fetched.manifest.name.clone(),
            outcome: match fetched.outcome {
                Outcome::Fetched => "fetched",
                Outcome::Adopted => "adopted",
                Outcome::AlreadyThere => "already-there",
            },
            file: fetched.file.clone(),
            bytes: fetched.bytes,
            sha256: fetched.sha256.clone(),
            checked: fetched.checked,
        }
    }
}

/// What is told of a dataset that is at hand.
pub(super) fn told(fetched: &Fetched, folders: &DataFolders) -> String {
    let name = &fetched.manifest.name;
    let (path, size) = (fetched.file.display(), BinaryBytes(fetched.bytes));
    let sum = match (fetched.checked, fetched.outcome) {
        (true, _) => "its sha256 is the one declared",
        (false, Outcome::AlreadyThere) => "its manifest declares no sha256",
        (false, _) => "no sha256 is published: it is recorded in the manifest",
    };
    let mut text = match fetched.outcome {
        Outcome::Fetched => format!("{name}: fetched to {path} ({size}); {sum}\n"),
        Outcome::Adopted => {
            format!("{name}: {path} was there ({size}) and has a manifest now; {sum}\n")
        }
        Outcome::AlreadyThere => return format!("{name}: is there, {path} ({size}); {sum}\n"),
    };
    if let Some(licence) = &fetched.manifest.licence {
        let _ = writeln!(text, "  licence: {licence}");
    }
    if let Some(citation) = &fetched.manifest.citation {
        let _ = writeln!(text, "  to cite: {citation}");
    }
    let folder = fetched.file.parent().unwrap_or(Path::new(""));
    let same = |other: &PathBuf| other.canonicalize().ok() == folder.canonicalize().ok();
    if !folders.folders().iter().any(same) {
        let _ = writeln!(
            text,
            "  to use it, name the folder in the environment: ROBUST_SVM_DATA={}",
            folder.display()
        );
    }
    text
}

/// A data file that was compared, as JSON.
#[derive(Serialize)]
pub(super) struct VerifiedObject {
    name: String,
    file: PathBuf,
    bytes: u64,
    sha256: String,
    /// SHA-256 in the manifest; null if it declares none.
    declared: Option<String>,
    /// `equal`, `different` or `undeclared`.
    verdict: &'static str,
}

pub(super) fn verified_object(verified: &Verified) -> VerifiedObject {
    let (declared, verdict) = match &verified.verdict {
        Verdict::Equal => (Some(verified.sha256.clone()), "equal"),
        Verdict::Different { expected } => (Some(expected.clone()), "different"),
        Verdict::Undeclared => (None, "undeclared"),
    };
    VerifiedObject {
        name: verified.name.clone(),
        file: verified.file.clone(),
        bytes: verified.bytes,
        sha256: verified.sha256.clone(),
        declared,
        verdict,
    }
}

/// The files compared, a line each; of those that differ, both sums.
pub(super) fn verified_table(verified: &[Verified]) -> String {
    if verified.is_empty() {
        return String::new();
    }
    let header = ["name", "file", "size", "sha256"].map(str::to_owned);
    let lines: Vec<Vec<String>> = verified
        .iter()
        .map(|file| {
            let sum = match &file.verdict {
                Verdict::Equal => "equal".to_owned(),
                Verdict::Different { expected } => {
                    format!("DIFFERENT: expected {expected}, found {}", file.sha256)
                }
                Verdict::Undeclared => format!("none declared, found {}", file.sha256),
            };
            let size = BinaryBytes(file.bytes).to_string();
            vec![
                file.name.clone(),
                file.file.display().to_string(),
                size,
                sum,
            ]
        })
        .collect();
    aligned(&header, &lines, &[2])
}
