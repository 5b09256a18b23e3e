//! A file that was not there.

use super::ScaffoldError;
use std::fs::{File, create_dir_all};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

/// Writes `text` to `path`, whose folder is made if need be; what is there is never touched.
///
/// # Errors
/// [`ScaffoldError::Exists`], or [`ScaffoldError::Write`] with what the system says.
pub(crate) fn write_fresh(path: &Path, text: &str) -> Result<(), ScaffoldError> {
    let failed = |source| ScaffoldError::Write {
        path: path.to_owned(),
        source,
    };
    if let Some(folder) = path.parent() {
        create_dir_all(folder).map_err(failed)?;
    }
    let mut file = File::create_new(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => ScaffoldError::Exists {
            path: path.to_owned(),
        },
        _ => failed(error),
    })?;
    file.write_all(text.as_bytes()).map_err(failed)
}
