//! What datasets there are: those of the data folders, and those of the catalogue that could be.

use super::catalogue::{Catalogue, Entry};
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
}

/// A manifest to fetch by.
pub(super) struct Chosen {
    pub(super) entry: Entry,
    /// The data folder it is in; `None` if it is a catalogue's.
    pub(super) folder: Option<PathBuf>,
}

impl Shelf {
    /// Every dataset, by name.
    ///
    /// # Errors
    /// A [`DataError`] if a folder or manifest cannot be read.
    pub(crate) fn list(&self) -> Result<Vec<Listed>, FetchError> {
        let here = self.folders.names()?;
        let names: BTreeSet<&String> = here.iter().chain(self.catalogue.names()).collect();
        let list = names.into_iter().map(|name| {
            let manifest = match self.catalogue.get(name) {
                Some(entry) if !here.contains(name) => entry.manifest.clone(),
                _ => self.folders.manifest(name)?,
            };
            let file = match self.folders.data_file(&manifest) {
                Ok(file) if here.contains(name) => Some(file),
                _ => None,
            };
            let bytes = file.as_deref().map(digest::length).transpose()?;
            Ok(Listed {
                manifest,
                file,
                bytes,
            })
        });
        list.collect()
    }

    /// The manifest to fetch the dataset `name` by: of the folder `to`, or of the data folders where it is `None`; else of the
    /// catalogue.
    ///
    /// # Errors
    /// [`FetchError::Unknown`], [`FetchError::NoDownload`], or the faults of a manifest.
    pub(super) fn choose(&self, name: &str, to: Option<&Path>) -> Result<Chosen, FetchError> {
        let own = to.map(|to| DataFolders::new([to.to_owned()]));
        let own = own.as_ref().unwrap_or(&self.folders);
        let found = match manifest_of(own, name)? {
            Some(manifest) => Some((manifest, true)),
            None if self.catalogue.get(name).is_some() => None,
            None => manifest_of(&self.folders, name)?.map(|manifest| (manifest, false)),
        };
        let Some((manifest, in_place)) = found else {
            return match self.catalogue.get(name) {
                Some(entry) => Ok(Chosen {
                    entry: entry.clone(),
                    folder: None,
                }),
                None => Err(self.unknown(name)),
            };
        };
        let path = manifest.path.clone();
        let text = std::fs::read_to_string(&path).map_err(FetchError::io("read", &path))?;
        let folder = path.parent().map(Path::to_owned).filter(|_| in_place);
        Ok(Chosen {
            entry: Entry { manifest, text },
            folder,
        })
    }

    /// That there is a dataset `name`.
    ///
    /// # Errors
    /// As [`Shelf::choose`].
    pub(crate) fn require(&self, name: &str, to: Option<&Path>) -> Result<(), FetchError> {
        self.choose(name, to).map(|_| ())
    }

    /// The names of all datasets whose data files are at hand.
    ///
    /// # Errors
    /// A [`DataError`] if a folder or manifest cannot be read.
    pub(crate) fn at_hand(&self) -> Result<Vec<String>, FetchError> {
        let here = self.list()?.into_iter();
        let here = here.filter(|listed| listed.file.is_some());
        Ok(here.map(|listed| listed.manifest.name).collect())
    }

    /// The manifest of `name` in the data folders.
    ///
    /// # Errors
    /// [`FetchError::Unknown`], [`FetchError::NotHere`], or the faults of the manifest.
    pub(super) fn manifest(&self, name: &str) -> Result<Manifest, FetchError> {
        manifest_of(&self.folders, name)?.ok_or_else(|| match self.catalogue.get(name) {
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

fn manifest_of(folders: &DataFolders, name: &str) -> Result<Option<Manifest>, DataError> {
    match folders.manifest(name) {
        Ok(manifest) => Ok(Some(manifest)),
        Err(DataError::UnknownDataset { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
