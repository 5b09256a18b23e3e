//! A dataset's manifest: which file holds it, what its columns and classes are, where it comes from.

use super::download::Download;
use super::{DataError, Fault};
use crate::source_error::SourceError;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// More classes than any label column has: a slip.
const MOST_CLASSES: usize = 100_000;

/// The file `NAME.toml` of a data folder, checked. Counts and the digest, where given, are checked against
/// the data file when it is read, except those said to be for readers.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Where the manifest was read from.
    #[serde(skip)]
    pub path: PathBuf,
    /// The dataset's name: the manifest's file name without `.toml`.
    pub name: String,
    /// The name in full, for readers.
    pub title: Option<String>,
    /// The data file, relative to its folder.
    pub file: PathBuf,
    /// The data file's format.
    pub format: Format,
    /// The column with the labels, which are the numbers of the classes, from 0, or [`Self::label_values`].
    /// Svmlight files have one without a name: here it is `label`.
    #[serde(default)]
    pub label_column: String,
    /// The label of each class, in order of their numbers, where they are not 0, 1, ….
    pub label_values: Option<Vec<f64>>,
    /// The classes' names, in order of their numbers; `0`, `1`, … if only their count is declared.
    #[serde(default)]
    pub class_names: Vec<String>,
    /// The number of classes; 2 to 100 000. May be left out if the names are given.
    #[serde(default)]
    pub classes: usize,
    /// Columns that are neither features nor the label.
    #[serde(default)]
    pub ignore_columns: Vec<String>,
    /// Svmlight files: the index of the first feature, 0 or 1; 1 if absent.
    pub first_index: Option<usize>,
    /// The number of rows.
    pub rows: Option<usize>,
    /// The number of feature columns.
    pub features: Option<usize>,
    /// SHA-256 of the data file, in hexadecimal digits.
    pub sha256: Option<String>,
    /// The data file's size, for readers.
    pub bytes: Option<u64>,
    /// Two classes or more.
    pub task: Option<TaskKind>,
    /// `real` or `synthetic`, for readers.
    pub kind: Option<String>,
    /// Rows per class, for readers.
    pub class_counts: Option<Vec<usize>>,
    /// Empty cells in feature columns, for readers.
    pub missing_values: Option<usize>,
    /// Rows equal to an earlier one, label included, for readers.
    pub duplicate_rows: Option<usize>,
    /// Features with one value only, for readers.
    #[serde(default)]
    pub constant_features: Vec<String>,
    /// Features that are no quantities, for readers.
    #[serde(default)]
    pub categorical_features: Vec<String>,
    /// The split that others have used, for readers.
    pub split: Option<RecommendedSplit>,
    /// The work to cite.
    pub citation: Option<String>,
    /// The dataset's DOI.
    pub doi: Option<String>,
    /// Who made the dataset, where no full citation is given.
    pub source: Option<String>,
    /// The dataset's licence.
    pub licence: Option<String>,
    /// The package it was taken from.
    pub package: Option<String>,
    /// The file in that package.
    pub package_path: Option<String>,
    /// That package's licence.
    pub package_licence: Option<String>,
    /// Anything else its users should know.
    pub notes: Option<String>,
    /// Where the data file can be fetched.
    pub download: Option<Download>,
}

/// The format of a data file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Format {
    /// Comma-separated values with a header.
    #[serde(rename = "csv")]
    Csv,
    /// Parquet of any compression.
    #[serde(rename = "parquet", alias = "parquet-zstd")]
    Parquet,
    /// The text format of LIBSVM and SVMlight: `label index:value …`.
    #[serde(rename = "svmlight", alias = "libsvm")]
    Svmlight,
}

/// How many classes there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskKind {
    /// Two.
    Binary,
    /// More.
    Multiclass,
}

/// The first `train` rows for training, the `test` rows after them for testing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecommendedSplit {
    /// Training rows.
    pub train: usize,
    /// Test rows.
    pub test: usize,
}

impl Manifest {
    /// What a manifest would say of a data file that has none: `labels` are those of the classes.
    pub(crate) fn of_file(
        path: &Path,
        format: Format,
        label_column: &str,
        ignore_columns: &[String],
        labels: Vec<String>,
    ) -> Self {
        let stem = path.file_stem().unwrap_or_default();
        Self {
            path: path.to_owned(),
            name: stem.to_string_lossy().into_owned(),
            title: None,
            file: path.to_owned(),
            format,
            label_column: label_column.to_owned(),
            label_values: None,
            classes: labels.len(),
            class_names: labels,
            ignore_columns: ignore_columns.to_vec(),
            first_index: None,
            rows: None,
            features: None,
            sha256: None,
            bytes: None,
            task: None,
            kind: None,
            class_counts: None,
            missing_values: None,
            duplicate_rows: None,
            constant_features: Vec::new(),
            categorical_features: Vec::new(),
            split: None,
            citation: None,
            doi: None,
            source: None,
            licence: None,
            package: None,
            package_path: None,
            package_licence: None,
            notes: None,
            download: None,
        }
    }

    /// The manifest in the file `path`.
    ///
    /// # Errors
    /// [`DataError::Io`] if the file cannot be read, else as [`Manifest::parse`].
    pub fn read(path: &Path) -> Result<Self, DataError> {
        let text = fs::read_to_string(path).map_err(|source| DataError::Io {
            path: path.to_owned(),
            source,
        })?;
        Self::parse(path, &text)
    }

    /// The manifest with content `text`, which was read from `path`.
    ///
    /// # Errors
    /// [`DataError::Manifest`], pointing at the faulty key or value.
    pub fn parse(path: &Path, text: &str) -> Result<Self, DataError> {
        let mut manifest: Self = toml::from_str(text).map_err(|error| {
            DataError::Manifest(Box::new(SourceError::from_toml(path, text, &error)))
        })?;
        path.clone_into(&mut manifest.path);
        if let Some(fault) = manifest.fault() {
            return Err(DataError::Manifest(Box::new(SourceError {
                path: path.to_owned(),
                span: value_span(text, fault.key),
                source: text.to_owned(),
                message: fault.message,
                help: fault.help,
            })));
        }
        if manifest.class_names.is_empty() {
            manifest.class_names = (0..manifest.classes).map(|c| c.to_string()).collect();
        }
        manifest.classes = manifest.class_names.len();
        if manifest.format == Format::Svmlight {
            "label".clone_into(&mut manifest.label_column);
        }
        Ok(manifest)
    }

    /// The first contradiction in the manifest.
    fn fault(&self) -> Option<Fault> {
        self.name_fault()
            .or_else(|| self.file_fault())
            .or_else(|| self.format_fault())
            .or_else(|| self.class_fault())
            .or_else(|| self.label_fault())
            .or_else(|| {
                self.ignore_columns.contains(&self.label_column).then(|| {
                    let message = format!("the label column `{}` is ignored", self.label_column);
                    Fault::new("ignore_columns", message)
                })
            })
            .or_else(|| self.download.as_ref()?.fault(self.format))
    }

    fn name_fault(&self) -> Option<Fault> {
        let stem = self.path.file_stem()?.to_string_lossy();
        (self.name != stem).then(|| {
            let message = format!("the name of a dataset is its manifest's: `{stem}`");
            Fault::new("name", message)
        })
    }

    fn file_fault(&self) -> Option<Fault> {
        let inside = self
            .file
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        (!inside || self.file.as_os_str().is_empty()).then(|| {
            Fault::new("file", "the data file must be inside a data folder".into()).help(
                "write its name, and name the folder it is in in the environment variable \
                 ROBUST_SVM_DATA",
            )
        })
    }

    /// Keys that only some formats have.
    fn format_fault(&self) -> Option<Fault> {
        let has_label = !self.label_column.is_empty();
        match self.format {
            Format::Svmlight if has_label => {
                let message = "`label_column` has no meaning for a svmlight file";
                let fault = Fault::new("label_column", message.to_owned());
                Some(fault.help("its labels stand first on each line: leave the key out"))
            }
            Format::Svmlight => {
                let first = self.first_index.filter(|first| *first > 1)?;
                let message = format!("`first_index` must be 0 or 1, found {first}");
                Some(Fault::new("first_index", message))
            }
            Format::Csv | Format::Parquet if !has_label => Some(Fault::new(
                "label_column",
                "missing key `label_column`".into(),
            )),
            Format::Csv | Format::Parquet => self.first_index.map(|_| {
                let message = "`first_index` is for svmlight files";
                Fault::new("first_index", message.to_owned())
            }),
        }
    }

    /// The values of labels: one a class, finite and distinct.
    fn label_fault(&self) -> Option<Fault> {
        let values = self.label_values.as_ref()?;
        let classes = self.class_names.len().max(self.classes);
        let message = if values.len() != classes {
            format!("{} label values for {classes} classes", values.len())
        } else if let Some(bad) = values.iter().find(|v| !v.is_finite()) {
            format!("label values must be finite, found {bad}")
        } else {
            let twice = |i: &usize| values[..*i].contains(&values[*i]);
            let twice = values[(0..values.len()).find(twice)?];
            format!("two classes have the label value {twice}")
        };
        let fault = Fault::new("label_values", message);
        Some(fault.help("one number a class, in the order of class_names: label_values = [-1, 1]"))
    }

    fn class_fault(&self) -> Option<Fault> {
        let names = self.class_names.len();
        let (key, classes) = if names == 0 {
            ("classes", self.classes)
        } else {
            ("class_names", names)
        };
        if names == 0 && self.classes == 0 {
            let fault = Fault::new("classes", "missing key `class_names`".into());
            return Some(fault.help(r#"for example class_names = ["negative", "positive"]"#));
        }
        if !(2..=MOST_CLASSES).contains(&classes) {
            let message = format!("expected 2 to {MOST_CLASSES} classes, found {classes}");
            return Some(Fault::new(key, message));
        }
        if names > 0 && self.classes > 0 && self.classes != names {
            let message = format!("{} classes are declared, {names} are named", self.classes);
            return Some(Fault::new("class_names", message));
        }
        let mut seen = BTreeSet::new();
        if let Some(twice) = self.class_names.iter().find(|name| !seen.insert(*name)) {
            let message = format!("two classes are named `{twice}`");
            return Some(Fault::new("class_names", message));
        }
        match (self.task, classes) {
            (Some(TaskKind::Binary), 3..) | (Some(TaskKind::Multiclass), 2) => {
                let message = format!("the task does not agree with {classes} classes");
                Some(Fault::new("task", message))
            }
            _ => None,
        }
    }
}

/// Where the value of a key is, `download.url` that of a table's; the start of the file if the key is not there.
fn value_span(text: &str, key: &str) -> std::ops::Range<usize> {
    fn find(table: &toml::de::DeTable<'_>, key: &str) -> Option<std::ops::Range<usize>> {
        match key.split_once('.') {
            None => table.get(key).map(toml::Spanned::span),
            Some((outer, inner)) => find(table.get(outer)?.get_ref().as_table()?, inner),
        }
    }
    toml::de::DeTable::parse(text)
        .ok()
        .and_then(|table| find(table.get_ref(), key))
        .unwrap_or(0..0)
}
