//! Whether the data files at hand are the ones that their manifests declare.

use super::digest::Digest;
use super::{FetchError, Shelf};
use crate::data::Manifest;
use std::path::PathBuf;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The digest is the declared one.
    Equal,
    /// It is another.
    Different {
        /// SHA-256 in the manifest.
        expected: String,
    },
    /// The manifest declares none.
    Undeclared,
}

/// A data file and its digest.
#[derive(Debug)]
pub(crate) struct Verified {
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    pub(crate) sha256: String,
    pub(crate) bytes: u64,
    pub(crate) verdict: Verdict,
}

/// Computes the digest of the data file of the dataset `name` and compares it.
///
/// # Errors
/// [`FetchError::Unknown`] or [`FetchError::Data`] if it is not at hand, [`FetchError::Io`] if it cannot be read.
pub(crate) fn verify(shelf: &Shelf, name: &str) -> Result<Verified, FetchError> {
    let manifest: Manifest = shelf.manifest(name)?;
    let file = shelf.folders.data_file(&manifest)?;
    let digest = Digest::of_file(&file).map_err(FetchError::io("read", &file))?;
    let verdict = match manifest.sha256 {
        None => Verdict::Undeclared,
        Some(expected) if digest.is(&expected) => Verdict::Equal,
        Some(expected) => Verdict::Different { expected },
    };
    Ok(Verified {
        name: manifest.name,
        file,
        sha256: digest.sha256,
        bytes: digest.bytes,
        verdict,
    })
}
