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
pub(crate) struct Catalogue(BTreeMap<String, Entry>);

impl Catalogue {
    /// The program's, and the manifests of `folder`, which count where both have a name.
    ///
    /// # Errors
    /// A [`DataError`] if the folder or a manifest cannot be read, or a manifest does not say where its data file is fetched.
    pub(crate) fn open(folder: Option<&Path>) -> Result<Self, DataError> {
        let mut entries = BTreeMap::new();
        for (name, text) in BUILT_IN {
            let path = PathBuf::from(format!("datasets/catalogue/{name}.toml"));
            entries.insert(name.to_owned(), Entry::parse(&path, text.to_owned())?);
        }
        if let Some(folder) = folder {
            let unreadable = |path: &Path| {
                let path = path.to_owned();
                |source| DataError::Io { path, source }
            };
            if !folder.is_dir() {
                return Err(unreadable(folder)(io::ErrorKind::NotFound.into()));
            }
            for name in DataFolders::new([folder.to_owned()]).names()? {
                let path = folder.join(format!("{name}.toml"));
                let text = std::fs::read_to_string(&path).map_err(unreadable(&path))?;
                entries.insert(name, Entry::parse(&path, text)?);
            }
        }
        Ok(Self(entries))
    }

    /// Of all datasets, sorted.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }

    /// The entry of the dataset `name`.
    pub(crate) fn get(&self, name: &str) -> Option<&Entry> {
        self.0.get(name)
    }
}

impl Entry {
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
