//! The files of a results folder that views are written to.

use super::{Views, ViewsError};
use crate::plot::write_plots;
use crate::store::{StoreError, write_atomically};
use crate::table::write_tables;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The folders of views, with the endings of what is written there.
const FOLDERS: [(&str, &[&str]); 2] = [
    ("tables", &["md", "csv", "tex"]),
    ("plots", &["svg", "png", "pdf"]),
];

impl Views {
    /// Writes everything into the folder `dir` of the run `experiment`, and removes tables and plots of an earlier run there that
    /// are no longer made. Files appear whole or not at all; the same views give the same bytes.
    ///
    /// # Errors
    /// [`ViewsError`] for what the drawing library or the file system says.
    pub fn write(&self, dir: &Path, experiment: &str) -> Result<(), ViewsError> {
        if let Some(summary) = &self.summary {
            let path = dir.join("summary.csv");
            write_atomically(&path, summary.as_bytes()).map_err(StoreError::io("write", &path))?;
        }
        let mut made = write_tables(dir, experiment, &self.tables)?;
        made.extend(write_plots(dir, &self.plots)?);
        for (folder, endings) in FOLDERS {
            remove_others(&dir.join(folder), endings, &made)?;
        }
        Ok(())
    }
}

/// Removes the files of `folder` with one of `endings` that are not among those `made`.
fn remove_others(folder: &Path, endings: &[&str], made: &[PathBuf]) -> Result<(), StoreError> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(StoreError::io("read", folder)(error)),
    };
    for entry in entries {
        let path = entry.map_err(StoreError::io("read", folder))?.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        let is_view = ending.is_some_and(|ending| endings.contains(&ending)) && path.is_file();
        if is_view && !made.contains(&path) {
            std::fs::remove_file(&path).map_err(StoreError::io("remove", &path))?;
        }
    }
    Ok(())
}
