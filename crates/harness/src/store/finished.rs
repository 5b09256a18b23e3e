//! Whether a results folder is finished.

use super::folder::MANIFEST;
use super::stored::has_waiting;
use super::{Manifest, StoreError};
use std::path::Path;

/// What keeps a folder from being finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfinished {
    /// This file is not there.
    Missing(&'static str),
    /// Cells wait to be joined, or those of an earlier run are there: the run was stopped, or goes on.
    Running,
}

/// What keeps `folder` from being one of finished results with these `files`; `None` where nothing does.
///
/// # Errors
/// [`StoreError`] if it cannot be read.
pub fn unfinished(folder: &Path, files: &[&'static str]) -> Result<Option<Unfinished>, StoreError> {
    if let Some(name) = missing_file(folder, files) {
        return Ok(Some(Unfinished::Missing(name)));
    }
    // A run that goes on in a folder leaves the rows of an earlier one until its own are joined.
    let is_running =
        has_waiting(folder)? || Manifest::read(&folder.join(MANIFEST))?.cells.is_none();
    Ok(is_running.then_some(Unfinished::Running))
}

/// The first of `files` that is not in `folder`.
pub fn missing_file(folder: &Path, files: &[&'static str]) -> Option<&'static str> {
    let is_missing = |name: &&&str| !folder.join(name).is_file();
    files.iter().find(is_missing).copied()
}
