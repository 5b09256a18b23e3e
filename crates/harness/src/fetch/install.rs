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
    if let Some(there) = need_not(shelf, request, &chosen)? {
        return Ok(there);
    }
    download_of(&chosen)?;
    let folder = target(shelf, request, &chosen);
    let mut part = Part::open(&folder, request.name)?;
    let done = fetch_locked(shelf, request, &folder, &mut part);
    let spent = match &done {
        // To go on from what is wrong would end there again.
        Ok(_) | Err(FetchError::WrongSum(_) | FetchError::Unreadable { .. }) => true,
        Err(_) => part.len() == 0,
    };
    if spent {
        part.remove()?;
    }
    done
}

/// Fetches into `folder`, where no other process fetches the dataset while `part` is locked. One that did until then may have
/// recorded what counts now.
fn fetch_locked(
    shelf: &Shelf,
    request: &Request<'_>,
    folder: &Path,
    part: &mut Part,
) -> Result<Fetched, FetchError> {
    let chosen = shelf.choose(request.name, request.to)?;
    if let Some(there) = need_not(shelf, request, &chosen)? {
        return Ok(there);
    }
    let download = download_of(&chosen)?;
    part.keep_of(&download.url)?;
    let mut progress = Progress::new(request.show, request.name);
    let client = Client::new();
    let came = transfer(&client, download, part, request.retries, &mut progress);
    progress.finish();
    came?;
    install(&chosen, download, folder, part, &mut progress)
}

/// Where it comes from.
fn download_of(chosen: &Chosen) -> Result<&Download, FetchError> {
    let manifest = &chosen.entry.manifest;
    let download = manifest.download.as_ref();
    download.ok_or_else(|| FetchError::NoDownload {
        name: manifest.name.clone(),
        manifest: manifest.path.clone(),
        from: manifest.source.clone(),
    })
}

/// The dataset if it need not be fetched, or cannot be and is there.
fn need_not(
    shelf: &Shelf,
    request: &Request<'_>,
    chosen: &Chosen,
) -> Result<Option<Fetched>, FetchError> {
    if request.again && chosen.entry.manifest.download.is_some() {
        return Ok(None);
    }
    at_hand(shelf, request, chosen)
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
    let new = NewFile::create_as(&file, part.unpacked_path());
    let new = new.map_err(FetchError::io("write", &file))?;
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
    let (declared_by, remedy) = if chosen.entry.is_built_in() {
        (
            "the catalogue".to_owned(),
            "name a folder with a manifest that has its digest by --catalogue".to_owned(),
        )
    } else if chosen.of_catalogue {
        (
            format!("`{path}`"),
            format!("correct the sha256 in {path} and fetch it once more"),
        )
    } else {
        (
            format!("`{path}`"),
            format!("remove {path} and fetch it once more"),
        )
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

#[cfg(test)]
mod tests {
    use super::{Outcome, Part, Request, Shelf, fetch_locked};
    use crate::data::DataFolders;
    use crate::fetch::Catalogue;
    use crate::run::Show;

    #[test]
    fn what_another_process_installed_before_the_lock_is_found_under_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let shelf = Shelf {
            folders: DataFolders::new([path.to_owned()]),
            catalogue: Catalogue::open(None).unwrap(),
        };
        let request = Request {
            name: "a9a",
            to: None,
            again: false,
            retries: 0,
            show: Show::Nothing,
        };
        let mut part = Part::open(path, "a9a").unwrap();
        // The empty text's sum.
        let sum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let manifest = format!(
            "name = \"a9a\"\nfile = \"a9a.svm\"\nformat = \"svmlight\"\nclasses = 2\n\
             sha256 = \"{sum}\"\n[download]\nurl = \"http://127.0.0.1:1/none\"\n"
        );
        std::fs::write(path.join("a9a.toml"), manifest).unwrap();
        std::fs::write(path.join("a9a.svm"), "").unwrap();
        let there = fetch_locked(&shelf, &request, path, &mut part).unwrap();
        assert_eq!(there.outcome, Outcome::AlreadyThere);
        assert_eq!(there.sha256, sum);
    }
}
