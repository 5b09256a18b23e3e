//! The files of `tables/`.

use super::csv::csv;
use super::latex::latex;
use super::markdown::markdown;
use super::model::Document;
use crate::store::{StoreError, write_atomically};
use std::path::{Path, PathBuf};

/// The endings and texts of the files of `document` of the run `experiment`.
pub fn forms(document: &Document, experiment: &str) -> [(&'static str, String); 3] {
    [
        ("md", markdown(document)),
        ("csv", csv(&document.data)),
        ("tex", latex(document, experiment)),
    ]
}

/// Writes each document as `.md`, `.csv` and `.tex` into `tables/` of the folder `dir` of the run `experiment`, and says which
/// files these are. Each appears whole or not at all.
///
/// # Errors
/// [`StoreError`] if a file cannot be written.
pub fn write_tables(
    dir: &Path,
    experiment: &str,
    documents: &[Document],
) -> Result<Vec<PathBuf>, StoreError> {
    let folder = dir.join("tables");
    let mut files = Vec::new();
    for document in documents {
        for (ending, text) in forms(document, experiment) {
            let path = folder.join(format!("{}.{ending}", document.name));
            write_atomically(&path, text.as_bytes()).map_err(StoreError::io("write", &path))?;
            files.push(path);
        }
    }
    Ok(files)
}
