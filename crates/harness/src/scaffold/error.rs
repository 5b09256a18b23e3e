//! Why no file to start from can be made.

use crate::data::DataError;
use std::io;
use std::path::PathBuf;

/// Why no file to start from can be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ScaffoldError {
    /// The file is there.
    #[error("{} is there already\n  = help: give another name, or remove the file", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// No data folder has a dataset that an experiment could start with.
    #[error(
        "there is no dataset to start with\n  = help: make one by `robust-svm new dataset NAME --from FILE`, or \
         name the folder of your datasets in the environment variable ROBUST_SVM_DATA"
    )]
    NoDataset,
    /// The data file cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The label's column cannot be told.
    #[error("{}: which column holds the classes?\n  = help: name it with --label; columns: {}", path.display(), columns.join(", "))]
    WhichLabel {
        /// The data file.
        path: PathBuf,
        /// Its columns.
        columns: Vec<String>,
    },
    /// A label is no number.
    #[error(
        "{}, {place}, column `{column}`: the label `{found}` is no number\n  = help: number the classes 0, 1, 2, … in \
         the data file: their names go into the manifest",
        path.display()
    )]
    TextLabel {
        /// The data file.
        path: PathBuf,
        /// The row.
        place: String,
        /// The label's column.
        column: String,
        /// The label.
        found: String,
    },
    /// The column has too few or too many values to hold classes.
    #[error(
        "{}: column `{column}` has {found} different values, and classes are from 2 to {most}\n  = help: name the \
         column with the classes with --label",
        path.display()
    )]
    NotClasses {
        /// The data file.
        path: PathBuf,
        /// The column.
        column: String,
        /// How many values it has.
        found: usize,
        /// The most that are taken for classes.
        most: usize,
    },
    /// The data file is where no dataset is looked for.
    #[error(
        "{} is in no data folder\n  = help: put it into ./datasets, or name its folder in the environment variable \
         ROBUST_SVM_DATA",
        path.display()
    )]
    NoDataFolder {
        /// The data file.
        path: PathBuf,
    },
}

impl ScaffoldError {
    /// Whether the system failed, not the input: a data file that is not there is a slip in its name.
    pub(crate) fn is_io(&self) -> bool {
        match self {
            Self::Write { .. } => true,
            Self::Data(DataError::Io { source, .. })
                if source.kind() == io::ErrorKind::NotFound =>
            {
                false
            }
            Self::Data(error) => error.is_io(),
            _ => false,
        }
    }
}
