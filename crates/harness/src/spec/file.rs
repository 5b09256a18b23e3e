//! Reading an experiment file.

use super::Spec;
use crate::source_error::SourceError;
use sha2::{Digest, Sha256};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Why an experiment file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// The file could not be read.
    #[error("cannot read the experiment file {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is not TOML, or not an experiment.
    #[error(transparent)]
    Source(#[from] Box<SourceError>),
}

/// An experiment file: its place, text and content.
#[derive(Debug, Clone)]
pub struct SpecFile {
    /// Where it was read from.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// Its content.
    pub spec: Spec,
    /// SHA-256 of its content with keys in order: comments and layout do not change it.
    pub digest: String,
}

impl SpecFile {
    /// Reads `path`.
    ///
    /// # Errors
    /// [`SpecError`] with the line and column of what is wrong.
    pub fn read(path: &Path) -> Result<Self, SpecError> {
        let text = std::fs::read_to_string(path).map_err(|source| SpecError::Io {
            path: path.to_owned(),
            source,
        })?;
        Self::parse(path, text)
    }

    /// Reads the experiment in `text`, said to stand in `path`.
    ///
    /// # Errors
    /// As [`SpecFile::read`].
    pub fn parse(path: &Path, text: String) -> Result<Self, SpecError> {
        let at = |error| Box::new(SourceError::from_toml(path, text.clone(), &error));
        let spec: Spec = toml::from_str(&text).map_err(at)?;
        let table: toml::Table = toml::from_str(&text).map_err(at)?;
        let canonical = toml::to_string(&table).expect("a parsed table can be written");
        let digest = format!("{:x}", Sha256::digest(canonical));
        Ok(Self {
            path: path.to_owned(),
            text,
            spec,
            digest,
        })
    }

    /// An error at `span` of the file.
    pub fn error_at(
        &self,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> SourceError {
        SourceError {
            path: self.path.clone(),
            source: self.text.clone(),
            span,
            message: message.into(),
            help: Some(help.into()),
        }
    }
}
