//! Why a model file cannot be read or written.

use robust_svm_core::CoreError;
use std::io;
use std::path::PathBuf;

/// Why a model file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ModelFileError {
    /// The system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// `read` or `write`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is no JSON file of this program, or an entry is missing or of a wrong type.
    #[error(
        "{} is not a model file: {message}\n  = help: `robust-svm train` writes model files",
        path.display()
    )]
    Syntax {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column.
        message: String,
    },
    /// Another program's JSON file.
    #[error(
        "{} is not a model file: its `format` is `{found}`, not `robust-svm-model`",
        path.display()
    )]
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: String,
    },
    /// The file is of a version this program does not know.
    #[error(
        "{} is a model file of version {found}, and this program knows version {known}\n  \
         = help: use the program that wrote it, or a newer one",
        path.display()
    )]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version known.
        known: u32,
    },
    /// Entries contradict each other or are out of their range.
    #[error("{}: not a valid model: {fault}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: ModelFault,
    },
}

/// What is wrong with the content of a model file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ModelFault {
    /// An entry contradicts another or is out of its range.
    #[error("`{entry}`: {problem}")]
    Entry {
        /// The entry.
        entry: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// The core refuses the model's parts.
    #[error("`{entry}`: {source}")]
    Core {
        /// The entry.
        entry: &'static str,
        /// What is wrong with it.
        source: CoreError,
    },
}

impl ModelFault {
    pub(super) fn entry(entry: &'static str, problem: impl Into<String>) -> Self {
        let problem = problem.into();
        Self::Entry { entry, problem }
    }

    /// A closure that wraps an error of the core about `entry`.
    pub(super) fn core(entry: &'static str) -> impl FnOnce(CoreError) -> Self {
        move |source| Self::Core { entry, source }
    }
}

impl ModelFileError {
    /// Whether the system failed, not the file.
    pub fn is_io(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() != io::ErrorKind::InvalidData)
    }
}
