//! Files that appear whole or not at all.

use super::StoreError;
use std::io::Write;
use std::path::Path;
use tempfile::NamedTempFile;

/// Writes `bytes` to a new file beside `path`, flushes it to the disk and moves it into place.
///
/// # Errors
/// [`StoreError::Io`]; then `path` is as it was.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder).map_err(StoreError::io("write to", folder))?;
    file.write_all(bytes)
        .and_then(|()| file.as_file().sync_all())
        .map_err(StoreError::io("write", path))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Temporary files are private; results are for everyone the folder lets in.
        file.as_file()
            .set_permissions(std::fs::Permissions::from_mode(0o644))
            .map_err(StoreError::io("write", path))?;
    }
    file.persist(path)
        .map_err(|error| StoreError::io("write", path)(error.error))?;
    Ok(())
}
