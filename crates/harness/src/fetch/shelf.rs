//! What datasets there are: those of the data folders, and those of the catalogue that could be.

use super::catalogue::{Catalogue, Entry};
use super::digest::Digest;
use super::{FetchError, digest};
use crate::data::{DataError, DataFolders, Manifest};
use crate::source_error::nearest_name;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Data folders and a catalogue.
#[derive(Debug)]
pub(crate) struct Shelf {
    pub(crate) folders: DataFolders,
    pub(crate) catalogue: Catalogue,
}

/// A dataset and where its data file is.
#[derive(Debug)]
pub(crate) struct Listed {
    /// From a data folder, else from the catalogue.
    pub(crate) manifest: Manifest,
    /// The data file, if it is at hand.
    pub(crate) file: Option<PathBuf>,
    /// The data file's size, if it is at hand.
    pub(crate) bytes: Option<u64>,
    /// Whether it is the one that the manifest declares, as far as that is told at once: by its size, and of a small file by its
    /// digest.
    pub(crate) is_declared: Option<bool>,
}

/// Every dataset, by name, and what is wrong with the manifests of others.
#[derive(Debug)]
pub(crate) struct List {
    pub(crate) datasets: Vec<Listed>,
    pub(crate) faults: Vec<FetchError>,
}

/// Bytes of a data file that is digested while others wait.
const SMALL: u64 = 1 << 24;

/// A manifest to fetch by.
pub(super) struct Chosen {
    pub(super) entry: Entry,
    /// The data folder it is in; `None` if it comes into another.
    pub(super) folder: Option<PathBuf>,
    /// Whether it is a catalogue's, not a data folder's.
    pub(super) of_catalogue: bool,
}

impl Shelf {
    /// Every dataset, by name. One with a faulty manifest costs itself alone.
    ///
    /// # Errors
    /// A [`DataError`] if a folder cannot be read.
    pub(crate) fn list(&self) -> Result<List, FetchError> {
        let here = self.folders.names()?;
        let names: BTreeSet<&String> = here.iter().chain(self.catalogue.names()).collect();
        let mut list = List {
            datasets: Vec::new(),
            faults: self.faults(),
        };
        for name in names {
            match self.listed(name, here.contains(name)) {
                Ok(listed) => list.datasets.push(listed),
                Err(fault) => list.faults.push(fault),
            }
        }
        Ok(list)
    }

    /// What is wrong with the manifests of the catalogue.
    pub(crate) fn faults(&self) -> Vec<FetchError> {
        let faults = self.catalogue.faults().into_iter();
        faults.map(FetchError::from).collect()
    }

    fn listed(&self, name: &str, is_here: bool) -> Result<Listed, FetchError> {
        let manifest = match self.catalogue.get(name) {
            Some(entry) if !is_here => entry.manifest.clone(),
            _ => self.folders.manifest(name)?,
        };
        let file = match self.folders.data_file(&manifest) {
            Ok(file) if is_here => Some(file),
            _ => None,
        };
        let bytes = file.as_deref().map(digest::length).transpose()?;
        let is_declared = match (&file, bytes) {
            (Some(file), Some(bytes)) => is_declared(&manifest, file, bytes)?,
            _ => None,
        };
        Ok(Listed {
            manifest,
            file,
            bytes,
            is_declared,
        })
    }

    /// The manifest to fetch the dataset `name` by: of the folder `to`; else of the data folders, where sums are recorded, if it
    /// says where the data file is fetched; else of the catalogue.
    ///
    /// # Errors
    /// [`FetchError::Unknown`], [`FetchError::NoDownload`], or the faults of a manifest.
    pub(super) fn choose(&self, name: &str, to: Option<&Path>) -> Result<Chosen, FetchError> {
        let own = to.map(|to| DataFolders::new([to.to_owned()]));
        let own = own.as_ref().unwrap_or(&self.folders);
        let found = match manifest_of(own, name)? {
            Some(manifest) => Some((manifest, true)),
            None => manifest_of(&self.folders, name)?
                .filter(|here| here.download.is_some() || self.catalogue.get(name).is_none())
                .map(|manifest| (manifest, false)),
        };
        let Some((manifest, in_place)) = found else {
            if let Some(entry) = self.catalogue.get(name) {
                return Ok(Chosen {
                    entry: entry.clone(),
                    folder: None,
                    of_catalogue: true,
                });
            }
            self.catalogue.check(name)?;
            return Err(self.unknown(name));
        };
        let path = manifest.path.clone();
        let text = std::fs::read_to_string(&path).map_err(FetchError::io("read", &path))?;
        let folder = path.parent().map(Path::to_owned).filter(|_| in_place);
        Ok(Chosen {
            entry: Entry { manifest, text },
            folder,
            of_catalogue: false,
        })
    }

    /// That there is a dataset `name`.
    ///
    /// # Errors
    /// As [`Shelf::choose`].
    pub(crate) fn require(&self, name: &str, to: Option<&Path>) -> Result<(), FetchError> {
        self.choose(name, to).map(|_| ())
    }

    /// The manifest of `name` in the data folders.
    ///
    /// # Errors
    /// [`FetchError::Unknown`], [`FetchError::NotHere`], or the faults of the manifest.
    pub(super) fn manifest(&self, name: &str) -> Result<Manifest, FetchError> {
        if let Some(manifest) = manifest_of(&self.folders, name)? {
            return Ok(manifest);
        }
        self.catalogue.check(name)?;
        Err(match self.catalogue.get(name) {
            Some(_) => FetchError::NotHere {
                name: name.to_owned(),
            },
            None => self.unknown(name),
        })
    }

    fn unknown(&self, name: &str) -> FetchError {
        let here = self.folders.names().unwrap_or_default();
        let names = here.iter().chain(self.catalogue.names());
        FetchError::Unknown {
            name: name.to_owned(),
            near: nearest_name(name, names.map(String::as_str)).map(str::to_owned),
        }
    }
}

fn is_declared(manifest: &Manifest, file: &Path, bytes: u64) -> Result<Option<bool>, FetchError> {
    if manifest.bytes.is_some_and(|declared| declared != bytes) {
        return Ok(Some(false));
    }
    let Some(expected) = manifest.sha256.as_ref().filter(|_| bytes <= SMALL) else {
        return Ok(None);
    };
    let digest = Digest::of_file(file).map_err(FetchError::io("read", file))?;
    Ok(Some(digest.is(expected)))
}

fn manifest_of(folders: &DataFolders, name: &str) -> Result<Option<Manifest>, DataError> {
    match folders.manifest(name) {
        Ok(manifest) => Ok(Some(manifest)),
        Err(DataError::UnknownDataset { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
