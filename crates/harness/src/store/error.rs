//! Why results cannot be stored or read.

use std::path::{Path, PathBuf};

/// Why results cannot be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The results folder cannot be made or written.
    #[error(
        "the results folder {} cannot be written: {source}\n  = help: choose another folder with --out",
        path.display()
    )]
    Unusable {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file is not what this program writes.
    #[error(
        "{} is damaged or not a results file: {message}\n  = help: start the run again with --fresh",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// The folder holds the results of another experiment.
    #[error(
        "{} holds results made from another {}\n  \
         = help: continue with what they were made from, choose another folder with --out, or discard them with --fresh",
        path.display(),
        differences.join(", another ")
    )]
    Mismatch {
        /// The folder.
        path: PathBuf,
        /// What differs: `experiment file`, `code`, `dataset …`.
        differences: Vec<String>,
    },
    /// The folder has other things in it.
    #[error(
        "{} is not empty and not a results folder: it has no manifest.toml\n  \
         = help: choose another folder with --out, or empty it",
        path.display()
    )]
    NotResults {
        /// The folder.
        path: PathBuf,
    },
    /// Another process works on the folder.
    #[error(
        "another run is writing to {}\n  = help: wait for it, or choose another folder with --out",
        path.display()
    )]
    Busy {
        /// The folder.
        path: PathBuf,
    },
}

impl StoreError {
    /// A closure that wraps a system error on `path`.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }

    /// A closure that wraps a system error on the results folder `path`.
    pub fn unusable(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Unusable { path, source }
    }

    /// A closure that wraps anything wrong with the content of `path`.
    pub fn damaged<E: std::fmt::Display>(path: &Path) -> impl FnOnce(E) -> Self {
        let path = path.to_owned();
        move |error| Self::Damaged {
            path,
            message: error.to_string().trim_end().to_owned(),
        }
    }

    /// Whether the system failed, not the input.
    pub fn is_io(&self) -> bool {
        matches!(
            self,
            Self::Io { .. } | Self::Unusable { .. } | Self::Damaged { .. }
        )
    }
}
