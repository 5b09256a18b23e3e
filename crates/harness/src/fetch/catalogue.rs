//! The public datasets that this program knows where to find, and those of a folder.

use crate::data::{DataError, DataFolders, Manifest};
use crate::source_error::SourceError;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The manifests of `datasets/catalogue/`, which are part of the program.
macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../../../datasets/catalogue/", $name, ".toml")))),*]
    };
}

/// Names and texts.
const BUILT_IN: [(&str, &str); 15] = built_in![
    "a9a",
    "banknote",
    "cod-rna",
    "covtype-binary",
    "eeg-eye-state",
    "higgs",
    "htru2",
    "ijcnn1",
    "mushrooms",
    "ozone-level-8hr",
    "phishing",
    "phoneme",
    "susy",
    "w8a",
    "webspam-unigram",
];

/// A manifest that says where its data file is fetched.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) manifest: Manifest,
    /// Its text.
    pub(crate) text: String,
}

/// Entries by the names of their datasets.
#[derive(Debug)]
pub(crate) struct Catalogue {
    entries: BTreeMap<String, Entry>,
    /// The manifests of the folder that are faulty.
    faulty: BTreeMap<String, PathBuf>,
}

impl Catalogue {
    /// The program's, and the manifests of `folder`, which count where both have a name.
    ///
    /// A faulty manifest of the folder costs its own dataset alone: [`Catalogue::faults`].
    ///
    /// # Errors
    /// A [`DataError`] if the folder cannot be read.
    pub(crate) fn open(folder: Option<&Path>) -> Result<Self, DataError> {
        let (mut entries, mut faulty) = (BTreeMap::new(), BTreeMap::new());
        for (name, text) in BUILT_IN {
            let path = PathBuf::from(format!("datasets/catalogue/{name}.toml"));
            entries.insert(name.to_owned(), Entry::parse(&path, text.to_owned())?);
        }
        if let Some(folder) = folder {
            if !folder.is_dir() {
                let told =
                    "there is no such folder, which --catalogue or ROBUST_SVM_CATALOGUE names";
                return Err(DataError::Io {
                    path: folder.to_owned(),
                    source: io::Error::new(io::ErrorKind::NotFound, told),
                });
            }
            for name in DataFolders::new([folder.to_owned()]).names()? {
                let path = folder.join(format!("{name}.toml"));
                if let Ok(entry) = Entry::read(&path) {
                    entries.insert(name, entry);
                } else {
                    // The program's is not meant.
                    entries.remove(&name);
                    faulty.insert(name, path);
                }
            }
        }
        Ok(Self { entries, faulty })
    }

    /// What is wrong with the faulty manifests.
    pub(crate) fn faults(&self) -> Vec<DataError> {
        let read = self.faulty.values().map(|path| Entry::read(path));
        read.filter_map(Result::err).collect()
    }

    /// Whether the folder's manifest of the dataset `name` is faulty.
    pub(crate) fn is_faulty(&self, name: &str) -> bool {
        self.faulty.contains_key(name)
    }

    /// That the manifest of the dataset `name` is not a faulty one.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn check(&self, name: &str) -> Result<(), DataError> {
        let path = self.faulty.get(name);
        path.map_or(Ok(()), |path| Entry::read(path).map(|_| ()))
    }

    /// Of all datasets, sorted.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.entries.keys()
    }

    /// The entry of the dataset `name`.
    pub(crate) fn get(&self, name: &str) -> Option<&Entry> {
        self.entries.get(name)
    }
}

impl Entry {
    fn read(path: &Path) -> Result<Self, DataError> {
        let text = std::fs::read_to_string(path).map_err(|source| DataError::Io {
            path: path.to_owned(),
            source,
        })?;
        Self::parse(path, text)
    }

    /// Whether the program has it, and no file.
    pub(super) fn is_built_in(&self) -> bool {
        BUILT_IN.iter().any(|(_, text)| *text == self.text)
    }

    fn parse(path: &Path, text: String) -> Result<Self, DataError> {
        let manifest = Manifest::parse(path, &text)?;
        if manifest.download.is_none() {
            return Err(DataError::Manifest(Box::new(SourceError {
                path: path.to_owned(),
                span: 0..0,
                source: text,
                message: "missing table [download]".to_owned(),
                help: Some("a catalogue says where data files are: url = \"https://…\"".to_owned()),
            })));
        }
        Ok(Self { manifest, text })
    }
}

#[cfg(test)]
mod tests {
    use super::{BUILT_IN, Catalogue};
    use crate::data::DataFolders;
    use std::path::Path;

    #[test]
    fn the_program_has_every_manifest_of_the_folder_and_none_that_is_shipped_with_its_data() {
        let datasets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets");
        let folder = DataFolders::new([datasets.join("catalogue")]);
        assert_eq!(folder.names().unwrap(), BUILT_IN.map(|(name, _)| name));
        let shipped = DataFolders::new([datasets]).names().unwrap();
        assert!(
            BUILT_IN
                .iter()
                .all(|(name, _)| !shipped.iter().any(|s| s == name))
        );
    }

    #[test]
    fn every_entry_says_what_a_user_must_know_and_none_claims_to_have_been_fetched() {
        let catalogue = Catalogue::open(None).unwrap();
        for name in catalogue.names() {
            let manifest = &catalogue.get(name).unwrap().manifest;
            let download = manifest.download.as_ref().unwrap();
            assert!(download.url.starts_with("https://"), "{name}");
            assert!(!download.tried, "{name}");
            assert!(
                manifest.rows.is_some() && manifest.features.is_some(),
                "{name}"
            );
            assert!(
                manifest.licence.is_some() && manifest.title.is_some(),
                "{name}"
            );
            assert!(manifest.source.is_some(), "{name}");
            let named = download.columns.len();
            let expected = manifest.features.unwrap() + 1 + manifest.ignore_columns.len();
            assert!(named == 0 || named == expected, "{name}: {named} columns");
        }
    }
}
