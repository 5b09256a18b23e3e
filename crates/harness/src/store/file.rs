//! Files that appear whole or not at all.

use std::fs::File;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// What the names of files begin with while they are written.
pub(super) const TEMPORARY: &str = ".tmp";

/// Writes `bytes` to a new file in the folder of `path`, made if need be, flushes it to the disk and
/// moves it into place, then flushes the folder: a reader, a run that was killed, or a machine that lost its power
/// never sees half of it.
///
/// # Errors
/// What the system says; then `path` is as it was. Of a full device the error says how much the file needs.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let put = || {
        let file = NewFile::create(path)?;
        file.as_file().write_all(bytes)?;
        file.commit()
    };
    put().map_err(|error| full(error, bytes.len() as u64))
}

/// A file that is written piece by piece and comes into its place whole, or not at all.
#[derive(Debug)]
pub(crate) struct NewFile {
    path: PathBuf,
    file: tempfile::NamedTempFile,
}

impl NewFile {
    /// The file that will be at `path`, empty yet; its folder is made if need be.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let folder = folder_of(path);
        std::fs::create_dir_all(folder)?;
        Ok(Self {
            path: path.to_owned(),
            file: temporary(folder)?,
        })
    }

    /// As [`NewFile::create`], at `temporary` until it is in its place, on the same device. What a process that was killed left
    /// there is replaced; no other process may write it meanwhile.
    pub(crate) fn create_as(path: &Path, temporary: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(folder_of(path))?;
        let file = File::create(temporary)?;
        let temporary = tempfile::TempPath::try_from_path(temporary)?;
        Ok(Self {
            path: path.to_owned(),
            file: tempfile::NamedTempFile::from_parts(file, temporary),
        })
    }

    /// Where its bytes go.
    pub(crate) fn as_file(&self) -> &File {
        self.file.as_file()
    }

    /// Where they are until it is in its place.
    pub(super) fn temporary(&self) -> &Path {
        self.file.path()
    }

    /// Its place.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Flushes it to the disk, moves it into its place, and flushes the folder.
    pub(crate) fn commit(self) -> io::Result<()> {
        self.as_file().sync_all()?;
        self.file.persist(&self.path).map_err(|error| error.error)?;
        flush_folder(folder_of(&self.path))
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// `error`, which says of a full device that there is no space for these `bytes`, the least that the file has.
pub(super) fn full(error: io::Error, bytes: u64) -> io::Error {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            io::Error::new(error.kind(), Full { bytes })
        }
        _ => error,
    }
}

/// There is no space for a file.
#[derive(Debug, thiserror::Error)]
#[error(
    "no space is left for its {bytes} bytes\n  \
     = help: free some and run the same command again: files that are whole are kept"
)]
struct Full {
    bytes: u64,
}

/// Flushes the names of the files in `folder`: a file that was moved there is found after a power cut.
#[cfg(unix)]
pub(super) fn flush_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Other systems flush names with the files.
#[cfg(not(unix))]
pub(super) fn flush_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// A temporary file that others may read once it is in place, as far as the umask lets them.
#[cfg(unix)]
fn temporary(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    use std::os::unix::fs::PermissionsExt as _;
    tempfile::Builder::new()
        .prefix(TEMPORARY)
        .permissions(std::fs::Permissions::from_mode(0o666))
        .tempfile_in(folder)
}

#[cfg(not(unix))]
fn temporary(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new()
        .prefix(TEMPORARY)
        .tempfile_in(folder)
}
