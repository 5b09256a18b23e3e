//! One dataset, from its name to a data file and manifest in a data folder.

use super::client::Client;
use super::digest::{Digest, Digesting};
use super::error::{FetchError, WrongSum};
use super::part::Part;
use super::progress::Progress;
use super::record::recorded;
use super::shelf::{Chosen, Shelf};
use super::transfer::transfer;
use super::unpack::unpack;
use crate::data::{DataFolders, Download, Manifest};
use crate::run::Show;
use crate::store::{NewFile, write_atomically};
use std::path::{Path, PathBuf};

/// What is asked for.
pub(crate) struct Request<'a> {
    /// The dataset.
    pub(crate) name: &'a str,
    /// The folder to put it in, if not that of its manifest or the first that is meant for it.
    pub(crate) to: Option<&'a Path>,
    /// Fetch it though it is there.
    pub(crate) again: bool,
    /// How many trials may fail in a row.
    pub(crate) retries: u32,
    pub(crate) show: Show,
}

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It came from the network.
    Fetched,
    /// The data file was there, and is the one that the catalogue declares: it has a manifest now.
    Adopted,
    /// All was there.
    AlreadyThere,
}

/// A dataset that is at hand.
#[derive(Debug)]
pub(crate) struct Fetched {
    pub(crate) outcome: Outcome,
    pub(crate) manifest: Manifest,
    /// Its data file.
    pub(crate) file: PathBuf,
    /// The data file's SHA-256 and size.
    pub(crate) sha256: String,
    pub(crate) bytes: u64,
    /// Whether there was a digest to compare with; else it is recorded now.
    pub(crate) checked: bool,
}

/// Fetches a dataset. The data file appears whole and checked, or not at all; its manifest is there before it.
///
/// # Errors
/// [`FetchError`]; what came of a download that broke off stays for the next time.
pub(crate) fn fetch(shelf: &Shelf, request: &Request<'_>) -> Result<Fetched, FetchError> {
    let chosen = shelf.choose(request.name, request.to)?;
    let manifest = &chosen.entry.manifest;
    let Some(download) = &manifest.download else {
        return match at_hand(shelf, request, &chosen)? {
            Some(there) => Ok(there),
            None => Err(FetchError::NoDownload {
                name: manifest.name.clone(),
                manifest: manifest.path.clone(),
                from: manifest.source.clone(),
            }),
        };
    };
    if !request.again
        && let Some(there) = at_hand(shelf, request, &chosen)?
    {
        return Ok(there);
    }
    let folder = target(shelf, request, &chosen);
    let mut part = Part::open(&folder, &manifest.name, &download.url)?;
    let mut progress = Progress::new(request.show, &manifest.name);
    let came = transfer(
        &Client::new(),
        download,
        &mut part,
        request.retries,
        &mut progress,
    );
    progress.finish();
    came?;
    match install(&chosen, download, &folder, &part, &mut progress) {
        // To go on from here would end here again.
        Err(error) if !matches!(error, FetchError::Io { .. } | FetchError::Member { .. }) => {
            part.remove()?;
            Err(error)
        }
        Err(error) => Err(error),
        Ok(fetched) => {
            part.remove()?;
            Ok(fetched)
        }
    }
}

/// The dataset if its data file is there and right.
fn at_hand(
    shelf: &Shelf,
    request: &Request<'_>,
    chosen: &Chosen,
) -> Result<Option<Fetched>, FetchError> {
    let manifest = &chosen.entry.manifest;
    let file = if chosen.folder.is_some() && request.to.is_none() {
        shelf.folders.data_file(manifest).ok()
    } else {
        let file = target(shelf, request, chosen).join(&manifest.file);
        file.is_file().then_some(file)
    };
    let Some(file) = file else {
        return Ok(None);
    };
    let digest = Digest::of_file(&file).map_err(FetchError::io("read", &file))?;
    let outcome = match (&manifest.sha256, &chosen.folder) {
        (None, None) => return Err(FetchError::InTheWay { path: file }),
        (Some(expected), folder) if !digest.is(expected) => {
            return Err(match folder {
                None => FetchError::InTheWay { path: file },
                Some(_) => FetchError::Changed {
                    path: file,
                    manifest: manifest.path.clone(),
                    expected: expected.clone(),
                    found: digest.sha256,
                },
            });
        }
        (Some(_), None) => {
            let folder = target(shelf, request, chosen);
            let path = folder.join(format!("{}.toml", manifest.name));
            let text = recorded(&chosen.entry, &path, &digest, None)?;
            write_atomically(&path, text.as_bytes()).map_err(FetchError::io("write", &path))?;
            Outcome::Adopted
        }
        (_, Some(_)) => Outcome::AlreadyThere,
    };
    Ok(Some(Fetched {
        outcome,
        manifest: manifest.clone(),
        file,
        checked: manifest.sha256.is_some(),
        sha256: digest.sha256,
        bytes: digest.bytes,
    }))
}

/// Checks the whole `part`, unpacks it, checks what comes out, and puts manifest and data file into `folder`.
fn install(
    chosen: &Chosen,
    download: &Download,
    folder: &Path,
    part: &Part,
    progress: &mut Progress,
) -> Result<Fetched, FetchError> {
    let manifest = &chosen.entry.manifest;
    let packed = Digest::of_file(part.path()).map_err(FetchError::io("read", part.path()))?;
    check(
        chosen,
        download,
        "the download",
        download.sha256.as_ref(),
        &packed,
    )?;
    let file = folder.join(&manifest.file);
    let new = NewFile::create(&file).map_err(FetchError::io("write", &file))?;
    let mut digesting = Digesting::new(new.as_file());
    unpack(download, part.path(), &mut digesting, &file, progress)?;
    let data = digesting.finish();
    check(
        chosen,
        download,
        "the data file in it",
        manifest.sha256.as_ref(),
        &data,
    )?;
    let path = folder.join(format!("{}.toml", manifest.name));
    let text = recorded(&chosen.entry, &path, &data, Some(&packed))?;
    write_atomically(&path, text.as_bytes()).map_err(FetchError::io("write", &path))?;
    new.commit().map_err(FetchError::io("write", &file))?;
    Ok(Fetched {
        outcome: Outcome::Fetched,
        manifest: Manifest::parse(&path, &text)?,
        file,
        checked: download.sha256.is_some() || manifest.sha256.is_some(),
        sha256: data.sha256,
        bytes: data.bytes,
    })
}

/// That `found` is what was published or recorded, if anything was.
fn check(
    chosen: &Chosen,
    download: &Download,
    what: &'static str,
    expected: Option<&String>,
    found: &Digest,
) -> Result<(), FetchError> {
    let Some(expected) = expected.filter(|expected| !found.is(expected)) else {
        return Ok(());
    };
    let path = chosen.entry.manifest.path.display();
    let (declared_by, remedy) = match chosen.folder {
        Some(_) => (
            format!("`{path}`"),
            format!("remove {path} and fetch it once more"),
        ),
        None => (
            "the catalogue".to_owned(),
            "name a folder with a manifest that has its digest by --catalogue".to_owned(),
        ),
    };
    Err(FetchError::WrongSum(Box::new(WrongSum {
        url: download.url.clone(),
        what,
        declared_by,
        expected: expected.clone(),
        found: found.sha256.clone(),
        remedy,
    })))
}

/// The folder that manifest and data file are in, or come into: the one asked for, that of the manifest, the first of
/// `ROBUST_SVM_DATA`, or `datasets`.
fn target(shelf: &Shelf, request: &Request<'_>, chosen: &Chosen) -> PathBuf {
    let named = request.to.map(Path::to_owned).or(chosen.folder.clone());
    named.unwrap_or_else(|| default_folder(&shelf.folders))
}

/// The first folder after `datasets`, which is that itself where there is no other.
fn default_folder(folders: &DataFolders) -> PathBuf {
    let folders = folders.folders();
    let folder = folders.get(1).or_else(|| folders.first());
    folder.cloned().unwrap_or_else(|| PathBuf::from("datasets"))
}
