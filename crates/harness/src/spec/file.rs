//! Reading an experiment file.

use super::Kind;
use crate::source_error::SourceError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Why an experiment file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// The file could not be read.
    #[error(
        "cannot read the experiment file {}: {source}\n  \
         = help: name a TOML file, for example experiments/noise-grid.toml",
        path.display()
    )]
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

impl SpecError {
    /// Whether the system failed, not the input: a file that is not there, or is no text, is bad input.
    pub fn is_io(&self) -> bool {
        use std::io::ErrorKind::{InvalidData, IsADirectory, NotFound};
        match self {
            Self::Io { source, .. } => {
                !matches!(source.kind(), NotFound | IsADirectory | InvalidData)
            }
            Self::Source(_) => false,
        }
    }
}

/// An experiment file of any kind: its place and text, before its keys are read.
#[derive(Debug, Clone)]
pub struct SpecFile {
    /// Where it was read from.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// SHA-256 of its content with keys in order: comments and layout do not change it.
    pub digest: String,
}

impl SpecFile {
    /// Reads `path`.
    ///
    /// # Errors
    /// [`SpecError`] if it cannot be read or is not TOML.
    pub fn read(path: &Path) -> Result<Self, SpecError> {
        let text = std::fs::read_to_string(path).map_err(|source| SpecError::Io {
            path: path.to_owned(),
            source,
        })?;
        Self::from_text(path, text)
    }

    /// The file that was read from `path` and has this text.
    ///
    /// # Errors
    /// [`SpecError`] if it is not TOML.
    pub fn from_text(path: &Path, text: String) -> Result<Self, SpecError> {
        let mut file = Self {
            path: path.to_owned(),
            text,
            digest: String::new(),
        };
        let table: toml::Table = file.parse()?;
        let canonical = toml::to_string(&table).expect("a parsed table can be written");
        file.digest = format!("{:x}", Sha256::digest(canonical));
        Ok(file)
    }

    /// What the experiment measures; the rest of the file is not looked at.
    ///
    /// # Errors
    /// [`SpecError`] at a `kind` that is not known.
    pub fn kind(&self) -> Result<Kind, SpecError> {
        #[derive(Deserialize)]
        struct Head {
            #[serde(default)]
            kind: Kind,
        }
        Ok(self.parse::<Head>()?.kind)
    }

    /// The content, as the keys of a kind.
    ///
    /// # Errors
    /// [`SpecError`] with the line and column of what is wrong.
    pub fn parse<S: DeserializeOwned>(&self) -> Result<S, SpecError> {
        self.parse_with(&[])
    }

    /// As [`SpecFile::parse`] for a kind whose keys have `examples` of their own.
    pub(crate) fn parse_with<S: DeserializeOwned>(
        &self,
        examples: &[Example],
    ) -> Result<S, SpecError> {
        toml::from_str(&self.text).map_err(|error| {
            let error = SourceError::from_toml(&self.path, self.text.as_str(), &error);
            Box::new(with_example(error, examples)).into()
        })
    }

    /// The file's line, from 1, in which `span` starts.
    pub fn line(&self, span: &Range<usize>) -> usize {
        let before = self.text.get(..span.start).unwrap_or_default();
        1 + before.matches('\n').count()
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

/// A key, and what it may look like where it is missing.
pub(crate) type Example = (&'static str, &'static str);

/// The keys of a classification; studies have the section `[data]` in common with it.
const EXAMPLES: &[Example] = &[
    ("name", "name = \"noise-grid\""),
    ("seed", "seed = 2018"),
    ("repeats", "repeats = 12"),
    ("data", "a section [data] with datasets and split"),
    ("datasets", "datasets = [\"wine\"]"),
    (
        "split",
        "split = { train = 0.6, validation = 0.2, test = 0.2 }",
    ),
    ("train", "train = 0.6"),
    ("validation", "validation = 0.2"),
    ("test", "test = 0.2"),
    ("uncertainty", "a section [uncertainty] with levels"),
    ("epsilon", "epsilon = [0.3, 0.1, 0.05]"),
    ("noise", "noise = \"gaussian\""),
    ("scale", "scale = 0.1"),
    ("selection", "a section [selection] with lambda"),
    ("lambda", "lambda = [0.1, 1.0, 10.0]"),
    ("cells", "cells = 2000"),
    ("tolerance", "tolerance = 1e-6"),
    (
        "method",
        "a section [[method]] with name, features and solver",
    ),
    ("features", "features = { map = \"rff\", dim = 256 }"),
    ("map", "map = \"rff\""),
    ("solver", "solver = \"interior-point\""),
];

/// `error`, with an example if it is about a key that is missing: of `examples`, or else of [`EXAMPLES`].
fn with_example(error: SourceError, examples: &[Example]) -> SourceError {
    let key = error.message.strip_prefix("missing key `");
    let key = key.and_then(|rest| rest.strip_suffix('`'));
    let example = key.and_then(|key| {
        let mut known = examples.iter().chain(EXAMPLES);
        known.find(|(name, _)| *name == key)
    });
    match example {
        Some((_, example)) => SourceError {
            help: Some(format!("add it, for example {example}")),
            ..error
        },
        None => error,
    }
}
