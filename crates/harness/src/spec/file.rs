//! Reading an experiment file.

use super::Kind;
use super::expand::expand_methods;
use super::merge::joined;
use super::sources::Sources;
use super::stored::joined_text;
use super::template::resolve_templates;
use crate::source_error::SourceError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::de::{DeString, DeTable};

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

/// An experiment file of any kind, with what it includes, before its keys are read.
#[derive(Debug, Clone)]
pub struct SpecFile {
    /// Where it was read from.
    pub path: PathBuf,
    /// Its text; where it includes others, the text of one file that says the same.
    pub text: String,
    /// SHA-256 of its content with keys in order, with includes, templates and lists of methods written out:
    /// comments and layout do not change it.
    pub digest: String,
    sources: Sources,
}

impl SpecFile {
    /// Reads `path` and the files that it includes.
    ///
    /// # Errors
    /// [`SpecError`] if one cannot be read or is not TOML, or what it says of includes, templates or lists cannot
    /// be followed.
    pub fn read(path: &Path) -> Result<Self, SpecError> {
        let text = std::fs::read_to_string(path).map_err(|source| SpecError::Io {
            path: path.to_owned(),
            source,
        })?;
        Self::from_text(path, text)
    }

    /// The file that was read from `path` and has this text, and the files that it includes.
    ///
    /// # Errors
    /// As [`SpecFile::read`].
    pub fn from_text(path: &Path, text: String) -> Result<Self, SpecError> {
        let mut file = Self {
            path: path.to_owned(),
            text: String::new(),
            digest: String::new(),
            sources: Sources::read(path, text)?,
        };
        file.digest = digest(&file.parse()?);
        file.text = file.one_text()?;
        Ok(file)
    }

    /// What the experiment measures; the rest of the file is not looked at.
    ///
    /// # Errors
    /// [`SpecError`] at a `kind` that is not known, or missing where the keys are those of a study.
    pub fn kind(&self) -> Result<Kind, SpecError> {
        #[derive(Deserialize)]
        struct Head {
            kind: Option<Kind>,
        }
        match self.parse::<Head>()?.kind {
            Some(kind) => Ok(kind),
            None => self.kind_of_keys(),
        }
    }

    /// A classification, unless keys tell a study and none tells a classification.
    fn kind_of_keys(&self) -> Result<Kind, SpecError> {
        let content = self.resolved()?;
        let keys = || content.get_ref().keys();
        let told_by = |kind: Kind| -> Vec<&toml::Spanned<DeString<'_>>> {
            let telling = |key: &&toml::Spanned<DeString<'_>>| {
                let telling = kind.telling_keys();
                telling.contains(&key.get_ref().as_ref())
            };
            keys().filter(telling).collect()
        };
        let studies = Kind::STUDIES.map(|kind| (kind, told_by(kind)));
        let likely = studies.iter().rev().max_by_key(|(_, keys)| keys.len());
        let Some((kind, [key, ..])) = likely.map(|(kind, keys)| (kind, keys.as_slice())) else {
            return Ok(Kind::default());
        };
        if !told_by(Kind::default()).is_empty() {
            return Ok(Kind::default());
        }
        let message = format!("`{}` is no key of a classification", key.get_ref());
        let help = format!("this looks like a study: add kind = \"{kind}\" at the top");
        Err(Box::new(self.error_at(key.span(), message, help)).into())
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
        let content = toml::Deserializer::from(self.resolved()?);
        S::deserialize(content).map_err(|error| {
            let (source, span) = self.sources.locate(&error.span().unwrap_or(0..0));
            let text = source.text.as_str();
            let error = SourceError::from_toml(&source.path, text, &error);
            let error = with_example(SourceError { span, ..error }, examples);
            Box::new(error).into()
        })
    }

    /// The content with includes, templates and lists of methods written out.
    fn resolved(&self) -> Result<toml::Spanned<DeTable<'_>>, SpecError> {
        let mut content = joined(&self.sources, 0)?;
        let table = content.get_mut();
        let kind = table.get("kind").map(|kind| kind.get_ref().as_str());
        if kind.is_none_or(|kind| kind == Some("classification")) {
            resolve_templates(&self.sources, table)?;
            expand_methods(&self.sources, table)?;
        }
        Ok(content)
    }

    /// The text of one file with this content.
    fn one_text(&self) -> Result<String, SpecError> {
        let own = self.sources.get(0);
        if own.includes.is_empty() {
            return Ok(own.text.clone());
        }
        let text = joined_text(&self.sources);
        match Self::from_text(&self.path, text) {
            Ok(alone) if alone.digest == self.digest => Ok(alone.text),
            _ => {
                let message = "this file and what it includes cannot be put into one text";
                let help =
                    "write sections in the same way in all files, or the experiment as one file";
                Err(Box::new(self.error_at(0..0, message, help)).into())
            }
        }
    }

    /// The place of `span` in words: the file, and its line, from 1.
    pub fn place(&self, span: &Range<usize>) -> String {
        let (source, span) = self.sources.locate(span);
        let before = source.text.get(..span.start).unwrap_or_default();
        let line = 1 + before.matches('\n').count();
        format!("{}, line {line}", source.path.display())
    }

    /// An error at `span` of the file, or of one that it includes.
    pub fn error_at(
        &self,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> SourceError {
        self.sources.error(span, message, help)
    }
}

/// SHA-256 of the content with keys in order.
fn digest(table: &toml::Table) -> String {
    let canonical = toml::to_string(table).expect("a parsed table can be written");
    format!("{:x}", Sha256::digest(canonical))
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

/// What to say of values that are often tried.
const HINTS: &[(&str, &str)] = &[(
    "unknown value `robust-error`",
    "the robust error itself is not known: `certified-error` bounds it from above, `attack-error` from below",
)];

/// `error`, with an example if it is about a key that is missing: of `examples`, or else of [`EXAMPLES`]; or with its
/// hint.
fn with_example(error: SourceError, examples: &[Example]) -> SourceError {
    if let Some((_, hint)) = HINTS.iter().find(|(message, _)| *message == error.message) {
        return SourceError {
            help: Some((*hint).to_owned()),
            ..error
        };
    }
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
