//! Files that appear whole or not at all.

use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// What the names of files begin with while they are written.
pub(super) const TEMPORARY: &str = ".tmp";

/// Writes `bytes` to a new file in the folder of `path`, made if need be, flushes it to the disk and
/// moves it into place, then flushes the folder: a reader, a run that was killed, or a machine that lost its power
/// never sees half of it.
///
/// # Errors
/// What the system says; then `path` is as it was. Of a full device the error says how much the file needs.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    put(folder, path, bytes).map_err(|error| match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            let bytes = bytes.len();
            io::Error::new(error.kind(), Full { bytes })
        }
        _ => error,
    })
}

/// There is no space for a file.
#[derive(Debug, thiserror::Error)]
#[error(
    "no space is left for its {bytes} bytes\n  \
     = help: free some and start again: what is stored so far is kept"
)]
struct Full {
    bytes: usize,
}

fn put(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut file = temporary(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    flush_folder(folder)
}

/// Flushes the names of the files in `folder`: a file that was moved there is found after a power cut.
#[cfg(unix)]
pub(super) fn flush_folder(folder: &Path) -> io::Result<()> {
    std::fs::File::open(folder)?.sync_all()
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
