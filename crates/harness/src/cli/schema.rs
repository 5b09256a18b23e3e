//! `robust-svm schema`.

use super::exit::{Ended, Exit};
use super::output::OutputFormat;
use super::say::{say, say_json};
use crate::schema::{reference, schema};
use crate::spec::Kind;
use clap::{Args, ValueEnum};
use serde::Serialize;

pub(super) const SCHEMA_EXAMPLES: &str = "\
Examples:
  robust-svm schema > experiment.schema.json
  robust-svm schema --kind bound-tightness
  robust-svm schema --markdown

Editors that know TOML find the schema by a comment in the experiment file:
  #:schema ../docs/experiment.schema.json";

#[derive(Debug, Args)]
pub(super) struct SchemaArguments {
    /// Files of this kind alone [default: all kinds, told apart by their key `kind`]
    #[arg(long, value_name = "KIND", conflicts_with = "markdown")]
    kind: Option<KindName>,
    /// The reference of all keys as Markdown, in the place of the schema
    #[arg(long)]
    markdown: bool,
}

/// A kind of experiment.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum KindName {
    Classification,
    BoundTightness,
    BandwidthRule,
    SafeEllipsoid,
    Classifiers,
    Scaling,
}

impl From<KindName> for Kind {
    fn from(name: KindName) -> Self {
        match name {
            KindName::Classification => Self::Classification,
            KindName::BoundTightness => Self::BoundTightness,
            KindName::BandwidthRule => Self::BandwidthRule,
            KindName::SafeEllipsoid => Self::SafeEllipsoid,
            KindName::Classifiers => Self::Classifiers,
            KindName::Scaling => Self::Scaling,
        }
    }
}

/// The reference as JSON; the schema is JSON itself.
#[derive(Serialize)]
struct Reference {
    command: &'static str,
    markdown: String,
}

pub(super) fn print(arguments: &SchemaArguments, format: OutputFormat) -> Result<Exit, Ended> {
    let schema = || schema(arguments.kind.map(Kind::from));
    match (format, arguments.markdown) {
        (OutputFormat::Text, true) => say(reference().trim_end())?,
        (OutputFormat::Text, false) => say(format_args!("{:#}", schema()))?,
        (OutputFormat::Json, true) => say_json(&Reference {
            command: "schema",
            markdown: reference(),
        })?,
        (OutputFormat::Json, false) => say_json(&schema())?,
    }
    Ok(Exit::Ok)
}
