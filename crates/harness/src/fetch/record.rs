//! The manifest of a fetched dataset: that of the catalogue, and the digests of what came.

use super::FetchError;
use super::catalogue::Entry;
use super::digest::Digest;
use crate::data::{DataError, Manifest};
use crate::source_error::SourceError;
use std::path::Path;
use toml_edit::{DocumentMut, Item, Table, value};

/// The text of `entry` with the digest and size of the data file and of the download, which has been tried now. It is for the file
/// `path`; comments and all else stay.
///
/// # Errors
/// The faults of the manifest.
pub(super) fn recorded(
    entry: &Entry,
    path: &Path,
    data: &Digest,
    download: Option<&Digest>,
) -> Result<String, FetchError> {
    let unreadable = |error: toml_edit::TomlError| {
        DataError::Manifest(Box::new(SourceError {
            path: entry.manifest.path.clone(),
            span: error.span().unwrap_or(0..0),
            source: entry.text.clone(),
            message: error.message().to_owned(),
            help: None,
        }))
    };
    let mut document: DocumentMut = entry.text.parse().map_err(unreadable)?;
    sign(document.as_table_mut(), data);
    let table = document.get_mut("download").and_then(Item::as_table_mut);
    if let (Some(table), Some(download)) = (table, download) {
        sign(table, download);
        table.insert("tried", value(true));
    }
    let text = document.to_string();
    Manifest::parse(path, &text)?;
    Ok(text)
}

fn sign(table: &mut Table, digest: &Digest) {
    table.insert("sha256", value(&digest.sha256));
    table.insert("bytes", value(digest.bytes.cast_signed()));
}
