//! From a dataset's name to its table and its task.

use super::{DataError, DataFolders, LoadedTask, Manifest, Table, TaskSpec, binary_task};
use sha2::{Digest, Sha256};
use std::fs;

/// A data file that is what its manifest declares.
#[derive(Debug, Clone)]
pub struct DataFile {
    /// Its manifest.
    pub manifest: Manifest,
    /// All its classes.
    pub table: Table,
    /// SHA-256 of its bytes, in lower-case hexadecimal digits.
    pub sha256: String,
}

/// Finds the dataset `name`, checks its digest and reads its table.
///
/// # Errors
/// A [`DataError`] if the dataset is unknown, cannot be read, or is not what its manifest declares.
pub fn read_data_file(name: &str, folders: &DataFolders) -> Result<DataFile, DataError> {
    let manifest = folders.manifest(name)?;
    let path = folders.data_file(&manifest)?;
    let bytes = fs::read(&path).map_err(|source| DataError::Io {
        path: path.clone(),
        source,
    })?;
    let sha256 = format!("{:x}", Sha256::digest(&bytes));
    if let Some(expected) = &manifest.sha256
        && !expected.eq_ignore_ascii_case(&sha256)
    {
        return Err(DataError::WrongDigest {
            path,
            manifest: manifest.path,
            expected: expected.clone(),
            found: sha256,
        });
    }
    let table = Table::read(&path, &bytes, &manifest)?;
    Ok(DataFile {
        manifest,
        table,
        sha256,
    })
}

/// The binary task `spec` of the dataset `name`.
///
/// # Errors
/// As [`read_data_file`] and [`binary_task`].
pub fn load_task(
    name: &str,
    folders: &DataFolders,
    spec: &TaskSpec,
) -> Result<LoadedTask, DataError> {
    binary_task(&read_data_file(name, folders)?, spec)
}
