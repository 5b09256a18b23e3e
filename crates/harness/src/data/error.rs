//! The errors of reading datasets.

use crate::source_error::SourceError;
use polars::error::PolarsError;
use robust_svm_core::CoreError;
use std::fmt::Write;
use std::io;
use std::path::PathBuf;

/// Why a dataset could not be had. Every message says where, what was found, and what to do. `place` is a
/// line of a CSV file (`line 2` is the first below the header) or a row of a Parquet file (from `row 1`).
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A file or folder could not be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// The manifest is faulty.
    #[error(transparent)]
    Manifest(Box<SourceError>),
    /// No folder has a manifest of this name.
    #[error("unknown dataset `{name}`{}", describe_search(near.as_ref(), folders, available))]
    UnknownDataset {
        /// The name asked for.
        name: String,
        /// The dataset that was probably meant.
        near: Option<String>,
        /// The folders looked at, in order.
        folders: Vec<PathBuf>,
        /// The datasets they have, sorted.
        available: Vec<String>,
    },
    /// The manifest is there, its data file is not.
    #[error(
        "dataset `{name}`: its data file `{file}` is not there{}\n  \
         = help: {}put the file into one of these folders, or name the folder it is in in the \
         environment variable ROBUST_SVM_DATA",
        list_folders(folders),
        fetch_hint(name, *can_be_fetched)
    )]
    DataFileNotFound {
        /// The dataset.
        name: String,
        /// The file its manifest declares.
        file: String,
        /// Whether the manifest says where.
        can_be_fetched: bool,
        /// The folders looked at, in order.
        folders: Vec<PathBuf>,
    },
    /// The data file is another than the manifest declares.
    #[error(
        "{}: not the file that `{}` declares\n  \
         = expected sha256 {expected}\n  = found sha256    {found}\n  \
         = help: get the file again; if the change is meant, write the digest found into the manifest",
        path.display(), manifest.display()
    )]
    WrongDigest {
        /// The data file.
        path: PathBuf,
        /// The manifest.
        manifest: PathBuf,
        /// SHA-256 in the manifest.
        expected: String,
        /// SHA-256 of the file's bytes.
        found: String,
    },
    /// The data file has no bytes, or blank lines only.
    #[error("{}: the file is empty: expected a header and rows", path.display())]
    EmptyFile {
        /// The data file.
        path: PathBuf,
    },
    /// The data file has columns and no rows.
    #[error("{}: there are no rows below the header", path.display())]
    NoRows {
        /// The data file.
        path: PathBuf,
    },
    /// There is no column besides the label and the ignored ones.
    #[error("{}: there are no feature columns beside `{label_column}`", path.display())]
    NoFeatures {
        /// The data file.
        path: PathBuf,
        /// The label's column.
        label_column: String,
    },
    /// The library that splits files into columns refuses the file.
    #[error("{}: not a readable {format} file: {source}", path.display())]
    Unreadable {
        /// The data file.
        path: PathBuf,
        /// `CSV` or `Parquet`.
        format: &'static str,
        /// The library's reason.
        source: PolarsError,
    },
    /// Something about a line as a whole.
    #[error("{}, line {line}: {problem}", path.display())]
    Line {
        /// The data file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What was found and expected.
        problem: String,
    },
    /// Something about one place of a LIBSVM file.
    #[error("{}, line {line}, column {column}: {problem}", path.display())]
    At {
        /// The data file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The character in the line, from 1.
        column: usize,
        /// What was found and expected.
        problem: String,
    },
    /// A LIBSVM file has no line with a label.
    #[error("{}: there are no rows: expected lines `label index:value index:value …`", path.display())]
    NoLabelledRows {
        /// The data file.
        path: PathBuf,
    },
    /// A LIBSVM file has too many features to be used as a dense table.
    #[error(
        "{}: {rows} rows of {columns} features are too many numbers for a dense table, which models are trained on\n  \
         = help: is one of the indices a slip? Else choose features first",
        path.display()
    )]
    TooWide {
        /// The data file.
        path: PathBuf,
        /// Its rows.
        rows: usize,
        /// Its features.
        columns: usize,
    },
    /// A column of the header has no name.
    #[error(
        "{}, line 1: column {position} has no name\n  \
         = help: name it, or write the file without row numbers",
        path.display()
    )]
    UnnamedColumn {
        /// The data file.
        path: PathBuf,
        /// The column, from 1.
        position: usize,
    },
    /// Two columns have one name.
    #[error("{}, line 1: columns {first} and {second} are both named `{column}`", path.display())]
    DuplicateColumn {
        /// The data file.
        path: PathBuf,
        /// The name.
        column: String,
        /// The first of the two, from 1.
        first: usize,
        /// The second of the two, from 1.
        second: usize,
    },
    /// A column that is asked for is not in the data file.
    #[error(
        "{}: there is no column `{column}`, which {named}{}",
        path.display(), suggest(near.as_ref(), "columns", columns)
    )]
    MissingColumn {
        /// The data file.
        path: PathBuf,
        /// Who asks for it, as `the manifest names as label_column`.
        named: &'static str,
        /// The name.
        column: String,
        /// The column that was probably meant.
        near: Option<String>,
        /// The columns there are.
        columns: Vec<String>,
    },
    /// A feature column holds something else than numbers.
    #[error(
        "{}, column `{column}`: expected numbers, found values of type {found}\n  \
         = help: code the column as numbers (categories: one column of 0 and 1 each){leave_out}",
        path.display()
    )]
    NotNumeric {
        /// The data file.
        path: PathBuf,
        /// The column.
        column: String,
        /// The type of its values.
        found: String,
        /// How to leave the column out, where that can be.
        leave_out: String,
    },
    /// A feature cell is not a finite number.
    #[error("{}, {place}, column `{column}`: {problem}", path.display())]
    Cell {
        /// The data file.
        path: PathBuf,
        /// The line or row.
        place: String,
        /// The column.
        column: String,
        /// What was found and expected.
        problem: String,
    },
    /// A label is none of the declared classes.
    #[error("{}, {place}, column `{column}`: {found} is not a class: expected one of {expected}", path.display())]
    Label {
        /// The data file.
        path: PathBuf,
        /// The line or row.
        place: String,
        /// The label's column.
        column: String,
        /// What the cell holds.
        found: String,
        /// The classes' label values and names.
        expected: String,
    },
    /// The data file has not as many rows or features as declared.
    #[error(
        "{}: the manifest declares {declared} {what}, the file has {found}\n  \
         = help: correct `{what}` in the manifest, or leave the key out",
        path.display()
    )]
    Count {
        /// The data file.
        path: PathBuf,
        /// `rows` or `features`.
        what: &'static str,
        /// How many the manifest declares.
        declared: usize,
        /// How many there are.
        found: usize,
    },
    /// A value is missing where the task allows none.
    #[error(
        "{}, {place}, column `{column}`: the value is missing (missing values of the task: {count})\n  \
         = help: {remedy}",
        path.display()
    )]
    MissingValue {
        /// The data file.
        path: PathBuf,
        /// The line or row of the first missing value.
        place: String,
        /// Its column.
        column: String,
        /// How many values are missing in the rows of the task.
        count: usize,
        /// What can be done.
        remedy: &'static str,
    },
    /// The labels of a file are of more than two classes, and none is named positive.
    #[error(
        "{}, column `{column}`: {} classes, and a model tells two apart\n  \
         = help: name the positive one, for example --positive {}; the others are negative\n  = classes: {}",
        path.display(), classes.len(), classes[0], some_of(classes)
    )]
    ManyClasses {
        /// The data file.
        path: PathBuf,
        /// The label's column.
        column: String,
        /// The classes' labels.
        classes: Vec<String>,
    },
    /// The labels of a file are all the same.
    #[error("{}, column `{column}`: every label is `{class}`: a model tells two classes apart", path.display())]
    OneLabel {
        /// The data file.
        path: PathBuf,
        /// The label's column.
        column: String,
        /// The label.
        class: String,
    },
    /// The name of a file does not say its format.
    #[error(
        "{}: the file's name does not say its format\n  \
         = help: csv, parquet, svm, libsvm and svmlight are known; say it with --data-format, for example --data-format csv",
        path.display()
    )]
    UnknownFormat {
        /// The data file.
        path: PathBuf,
    },
    /// The dataset has more than two classes and the task names none.
    #[error(
        "dataset `{dataset}` has {} classes: the task must name the positive ones\n  \
         = help: for example positive = [\"{}\"]; classes: {}",
        classes.len(), classes[0], list_classes(classes)
    )]
    PositiveRequired {
        /// The dataset.
        dataset: String,
        /// Its classes' names.
        classes: Vec<String>,
    },
    /// The task names a class that the dataset does not have.
    #[error(
        "dataset `{dataset}` has no class `{class}`, named as {side}{}",
        suggest(near.as_ref(), "classes", classes)
    )]
    UnknownClass {
        /// The dataset.
        dataset: String,
        /// The class.
        class: String,
        /// `positive` or `negative`.
        side: &'static str,
        /// The class that was probably meant.
        near: Option<String>,
        /// The classes' names.
        classes: Vec<String>,
    },
    /// A class is positive and negative.
    #[error("dataset `{dataset}`: class `{class}` is named both positive and negative")]
    ClassOnBothSides {
        /// The dataset.
        dataset: String,
        /// The class.
        class: String,
    },
    /// A side of the task has no class or no row.
    #[error("dataset `{dataset}`: the {side} side of the task is empty: {reason}")]
    EmptySide {
        /// The dataset.
        dataset: String,
        /// `positive` or `negative`.
        side: &'static str,
        /// Of what it is empty.
        reason: String,
    },
    /// The core refuses the dataset.
    #[error(transparent)]
    Core(#[from] CoreError),
}

impl DataError {
    /// Whether the operating system refused (exit code 74), as against bad input (exit code 2), which a
    /// manifest that is not UTF-8 text is too.
    pub fn is_io(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() != io::ErrorKind::InvalidData)
    }

    /// Whether what was asked for is at fault, not a file.
    pub fn is_of_the_task(&self) -> bool {
        matches!(
            self,
            Self::UnknownDataset { .. }
                | Self::PositiveRequired { .. }
                | Self::UnknownClass { .. }
                | Self::ClassOnBothSides { .. }
                | Self::EmptySide { .. }
        )
    }
}

/// How to fetch a data file, where that can be.
fn fetch_hint(name: &str, can_be_fetched: bool) -> String {
    if can_be_fetched {
        return format!("fetch it by `robust-svm datasets fetch {name}`, or ");
    }
    String::new()
}

/// A help line: the near name if there is one, else all names.
fn suggest(near: Option<&String>, what: &str, names: &[String]) -> String {
    match near {
        Some(near) => format!("\n  = help: did you mean `{near}`?"),
        None => format!("\n  = help: {what}: {}", names.join(", ")),
    }
}

/// `0 (benign), 1 (malignant)`; the name is left out where it is the label value.
fn list_classes(classes: &[String]) -> String {
    let listed = classes.iter().enumerate();
    let listed = listed.map(|(number, name)| label_and_name(&number.to_string(), name));
    listed.collect::<Vec<_>>().join(", ")
}

/// The names, or the first of many.
fn some_of(names: &[String]) -> String {
    const MOST: usize = 20;
    match names.get(MOST..) {
        Some(others) if !others.is_empty() => {
            format!("{}, … ({} more)", names[..MOST].join(", "), others.len())
        }
        _ => names.join(", "),
    }
}

/// A class as errors list it: the name is left out where it is the label.
pub(super) fn label_and_name(label: &str, name: &str) -> String {
    if name == label {
        label.to_owned()
    } else {
        format!("{label} ({name})")
    }
}

/// A line with the folders looked at, which says of each that does not exist that it does not.
fn list_folders(folders: &[PathBuf]) -> String {
    let mut line = "\n  = looked in: ".to_owned();
    for (i, folder) in folders.iter().enumerate() {
        let separator = if i == 0 { "" } else { ", " };
        let remark = if folder.is_dir() {
            ""
        } else {
            " (no such folder)"
        };
        let _ = write!(line, "{separator}{}{remark}", folder.display());
    }
    line
}

/// Where a dataset was looked for, what was probably meant, and what there is.
fn describe_search(near: Option<&String>, folders: &[PathBuf], available: &[String]) -> String {
    let mut text = list_folders(folders);
    if let Some(near) = near {
        let _ = write!(text, "\n  = help: did you mean `{near}`?");
    }
    if available.is_empty() {
        text.push_str(
            "\n  = help: there are no datasets: run where there is a folder `datasets`, or name data \
             folders in the environment variable ROBUST_SVM_DATA",
        );
    } else {
        let _ = write!(text, "\n  = datasets there: {}", available.join(", "));
    }
    text
}
