//! Why a dataset could not be fetched.

use crate::data::DataError;
use std::io;
use std::path::{Path, PathBuf};

/// Why a dataset could not be fetched or checked. Every message says what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FetchError {
    /// A manifest or folder cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// No folder and no catalogue has the name.
    #[error(
        "unknown dataset `{name}`\n  = help: {}",
        match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`robust-svm datasets list` shows all".to_owned(),
        }
    )]
    Unknown {
        /// The name asked for.
        name: String,
        /// The name that was probably meant.
        near: Option<String>,
    },
    /// It is in the catalogue only.
    #[error(
        "dataset `{name}` is not here\n  = help: fetch it by `robust-svm datasets fetch {name}`"
    )]
    NotHere {
        /// The dataset.
        name: String,
    },
    /// The manifest does not say where its data file can be fetched.
    #[error(
        "dataset `{name}` cannot be fetched: {} has no [download]\n  = help: {}",
        manifest.display(), source_of_file(from.as_ref())
    )]
    NoDownload {
        /// The dataset.
        name: String,
        /// Its manifest.
        manifest: PathBuf,
        /// Who made it.
        from: Option<String>,
    },
    /// A file is there that was not fetched.
    #[error(
        "{} is there and was not fetched by this program: it has no manifest\n  \
         = help: write one by `robust-svm new dataset`, or replace the file with --again",
        path.display()
    )]
    InTheWay {
        /// The file.
        path: PathBuf,
    },
    /// The data file at hand is not the one that the manifest declares.
    #[error(
        "{}: not the file that `{}` declares\n  \
         = expected sha256 {expected}\n  = found sha256    {found}\n  \
         = help: fetch it again with --again",
        path.display(), manifest.display()
    )]
    Changed {
        /// The data file.
        path: PathBuf,
        /// Its manifest.
        manifest: PathBuf,
        /// SHA-256 in the manifest.
        expected: String,
        /// SHA-256 of the file's bytes.
        found: String,
    },
    /// What came is not what was published, or fetched before.
    #[error(transparent)]
    WrongSum(Box<WrongSum>),
    /// The address cannot be reached, or breaks off again and again.
    #[error("{url}: {message}\n  = help: {help}")]
    Network {
        /// The address.
        url: String,
        /// What happened last.
        message: String,
        /// What to do.
        help: String,
    },
    /// The file that came cannot be unpacked.
    #[error(
        "{url}: not a readable {format} file: {message}: nothing of it is kept\n  \
         = help: try again, or look at the address in a browser: the file there may be another than it was"
    )]
    Unreadable {
        /// The address.
        url: String,
        /// What it should be.
        format: &'static str,
        /// What the reader says.
        message: String,
    },
    /// The archive does not have the file.
    #[error(
        "{url}: the archive {problem}\n  = help: set `member` in [download] to one of: {}",
        members.join(", ")
    )]
    Member {
        /// The address.
        url: String,
        /// `has no file …`, or `has several files`.
        problem: String,
        /// The files it has.
        members: Vec<String>,
    },
    /// Another process fetches the same.
    #[error("{} is being fetched by another process\n  = help: wait for it", path.display())]
    Busy {
        /// The part that is there so far.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// What came is not what was published, or fetched before.
#[derive(Debug, thiserror::Error)]
#[error(
    "{url}: {what} is not the one that {declared_by} declares: nothing of it is kept\n  \
     = expected sha256 {expected}\n  = found sha256    {found}\n  \
     = help: try again; if the file there was changed on purpose and you trust it, {remedy}"
)]
pub(crate) struct WrongSum {
    /// The address.
    pub(super) url: String,
    /// `the download` or `the data file in it`.
    pub(super) what: &'static str,
    /// The manifest, or the catalogue.
    pub(super) declared_by: String,
    /// SHA-256 declared.
    pub(super) expected: String,
    /// SHA-256 of what came.
    pub(super) found: String,
    /// How to accept the change.
    pub(super) remedy: String,
}

impl FetchError {
    /// A closure that wraps a system error on `path`.
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }

    /// Whether network or system failed, not the input.
    pub(crate) fn is_io(&self) -> bool {
        match self {
            Self::Data(error) => error.is_io(),
            Self::Network { .. } | Self::Unreadable { .. } | Self::Io { .. } => true,
            _ => false,
        }
    }

    /// Whether a file is another than was declared.
    pub(crate) fn is_difference(&self) -> bool {
        matches!(self, Self::Changed { .. } | Self::WrongSum(_))
    }
}

fn source_of_file(from: Option<&String>) -> String {
    let file = "put its data file beside it, or into a folder of ROBUST_SVM_DATA";
    match from {
        Some(from) => format!("{file} (source: {from})"),
        None => file.to_owned(),
    }
}
