//! Where manifests and data files are looked for.

use super::{DataError, Manifest};
use crate::source_error::nearest_name;
use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folders datasets are looked for in, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFolders(Vec<PathBuf>);

impl DataFolders {
    /// These folders, in this order. A folder need not exist.
    pub fn new(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        Self(folders.into_iter().collect())
    }

    /// `datasets` of the working folder, then each folder of the environment variable `ROBUST_SVM_DATA`
    /// (separated as in `PATH`).
    pub fn from_env() -> Self {
        let named = env::var_os("ROBUST_SVM_DATA").unwrap_or_default();
        let named = env::split_paths(&named).filter(|folder| !folder.as_os_str().is_empty());
        Self::new(std::iter::once(PathBuf::from("datasets")).chain(named))
    }

    /// The folders, in order.
    pub fn folders(&self) -> &[PathBuf] {
        &self.0
    }

    /// The names of all datasets that have a manifest, sorted.
    ///
    /// # Errors
    /// [`DataError::Io`] if a folder is there and cannot be listed.
    pub fn names(&self) -> Result<Vec<String>, DataError> {
        let mut names = BTreeSet::new();
        for folder in &self.0 {
            names.extend(manifest_names(folder).map_err(|source| DataError::Io {
                path: folder.clone(),
                source,
            })?);
        }
        Ok(names.into_iter().collect())
    }

    /// The manifest of the dataset `name`, from the first folder that has one.
    ///
    /// # Errors
    /// [`DataError::UnknownDataset`], [`DataError::Io`], or the faults of the manifest.
    pub fn manifest(&self, name: &str) -> Result<Manifest, DataError> {
        // Names come from listings: a name with a path in it matches none.
        let available = self.names()?;
        let file = format!("{name}.toml");
        let known = available.iter().any(|other| other == name);
        let found = self.0.iter().map(|folder| folder.join(&file));
        match found.into_iter().find(|path| known && path.is_file()) {
            Some(path) => Manifest::read(&path),
            None => Err(DataError::UnknownDataset {
                name: name.to_owned(),
                near: nearest_name(name, available.iter().map(String::as_str)).map(str::to_owned),
                folders: self.0.clone(),
                available,
            }),
        }
    }

    /// The data file of `manifest`: from the manifest's own folder, else from the first folder that has it.
    ///
    /// # Errors
    /// [`DataError::DataFileNotFound`] if no folder has it.
    pub fn data_file(&self, manifest: &Manifest) -> Result<PathBuf, DataError> {
        let own = manifest.path.parent().unwrap_or(Path::new(""));
        let folders = std::iter::once(own).chain(self.0.iter().map(PathBuf::as_path));
        folders
            .map(|folder| folder.join(&manifest.file))
            .find(|path| path.is_file())
            .ok_or_else(|| DataError::DataFileNotFound {
                name: manifest.name.clone(),
                file: manifest.file.display().to_string(),
                can_be_fetched: manifest.download.is_some(),
                folders: self.0.clone(),
            })
    }
}

/// The names of the manifests in `folder`; none if there is no such folder.
fn manifest_names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension() == Some(OsStr::new("toml"))
            && let Some(stem) = path.file_stem().and_then(OsStr::to_str)
        {
            names.push(stem.to_owned());
        }
    }
    Ok(names)
}
