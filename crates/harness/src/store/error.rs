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
        "{} is damaged or not a results file: {message}\n  \
         = help: where `robust-svm run` made the folder, run it again with --fresh; or take the file from a copy",
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
        "another run is writing to {}{}\n  = help: wait for it, or choose another folder with --out",
        path.display(),
        process.map(|process| format!(": process {process}")).unwrap_or_default()
    )]
    Busy {
        /// The folder.
        path: PathBuf,
        /// The process's number, where it can be read.
        process: Option<u32>,
    },
    /// A folder to merge has no results.
    #[error(
        "{} is not a results folder: it has no manifest.toml\n  = help: name the folders that runs wrote to",
        path.display()
    )]
    NoShard {
        /// The folder.
        path: PathBuf,
    },
    /// Folders that are to be finished are not.
    #[error(
        "{} of {of} folders are not finished: {}\n  \
         = help: run them to their end; without --finished what is there is joined",
        shards.len(),
        shards.iter().map(|shard| shard.display().to_string()).collect::<Vec<_>>().join(", ")
    )]
    UnfinishedShards {
        /// The folders.
        shards: Vec<PathBuf>,
        /// All that were named.
        of: usize,
    },
    /// Folders to merge are of different origin.
    #[error(
        "{} holds results made from another {} than {}\n  \
         = help: merge results of one experiment, made by one version of the code from the same data",
        path.display(),
        differences.join(", another "),
        first.display()
    )]
    OtherShard {
        /// The folder.
        path: PathBuf,
        /// The folder it differs from.
        first: PathBuf,
        /// What differs.
        differences: Vec<String>,
    },
    /// Folders to merge were made from data that are not here.
    #[error(
        "{} holds results made from another {} than is here\n  \
         = help: put the data they were made from into the data folders",
        path.display(),
        differences.join(", another ")
    )]
    OtherData {
        /// The folder.
        path: PathBuf,
        /// What differs.
        differences: Vec<String>,
    },
    /// Two folders to merge have different rows of one cell.
    #[error(
        "cell {cell} has different rows in {} and {}: they differ in {}\n  \
         = help: run the cell again in a new folder and merge with the one that has the same row",
        folders[0].display(),
        folders[1].display(),
        columns.join(", ")
    )]
    Conflict {
        /// The cell.
        cell: String,
        /// The columns that differ.
        columns: Vec<String>,
        /// The folders.
        folders: [PathBuf; 2],
    },
    /// The folder was written by a later version.
    #[error(
        "{} is of format {format}, and this program knows the formats up to {known}\n  \
         = help: update robust-svm to the version that wrote it, or a later one",
        path.display()
    )]
    Newer {
        /// The manifest.
        path: PathBuf,
        /// Its format.
        format: u32,
        /// The latest format that can be read.
        known: u32,
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

    /// Whether there is no such file.
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound)
    }

    /// Whether the system failed, not the input.
    pub fn is_io(&self) -> bool {
        matches!(
            self,
            Self::Io { .. } | Self::Unusable { .. } | Self::Damaged { .. }
        )
    }
}
