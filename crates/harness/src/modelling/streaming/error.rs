//! What can go wrong with the copy of the rows.

use indicatif::BinaryBytes;
use std::io;
use std::path::{Path, PathBuf};

/// Why there is no copy of the rows, or it cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ScratchError {
    /// The system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// `read` or `write`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is too little space, or none is left.
    #[error(
        "{}: a copy of the rows needs {} of disk{}\n  \
         = help: free some, or name another folder with --scratch",
        path.display(), BinaryBytes(*needs), found(*free)
    )]
    NoSpace {
        /// The folder.
        path: PathBuf,
        /// What the copy needs in all.
        needs: u64,
        /// What there is, where it was found before anything was written.
        free: Option<u64>,
    },
    /// A block is not as it was written.
    #[error(
        "{}: block {block} is not as it was written\n  \
         = help: the disk, a loss of power or another program changed it: remove the folder it is in and start again",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The block, from 0.
        block: usize,
    },
    /// The folder is of a training that began otherwise.
    #[error(
        "{} is of a training that was not ended, with {}\n  \
         = help: the same command as then goes on with it; to begin anew remove the folder, or name another with --scratch",
        path.display(), differences.join(", ")
    )]
    OtherTraining {
        /// The folder.
        path: PathBuf,
        /// What it has otherwise.
        differences: Vec<String>,
    },
    /// The folder is none of this program's.
    #[error(
        "{} is there and no folder of this program\n  \
         = help: name another folder with --scratch",
        path.display()
    )]
    Foreign {
        /// The folder.
        path: PathBuf,
    },
    /// Another process trains there.
    #[error("{}: another process trains this model now", path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
    },
}

fn found(free: Option<u64>) -> String {
    free.map_or_else(
        || ", and none is left".to_owned(),
        |free| format!(", and {} are free", BinaryBytes(free)),
    )
}

impl ScratchError {
    /// A closure that says what was tried with the file or folder at `path`.
    pub(super) fn io(action: &'static str, path: &Path) -> impl Fn(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path: path.clone(),
            source,
        }
    }

    /// The same of writing what needs `needs` bytes in all.
    pub(super) fn writing(path: &Path, needs: u64) -> impl Fn(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::NoSpace {
                path: path.parent().unwrap_or(&path).to_owned(),
                needs,
                free: None,
            },
            _ => Self::Io {
                action: "write",
                path: path.clone(),
                source,
            },
        }
    }
}
