//! `robust-svm schema`.

use super::exit::{Ended, Exit};
use super::say::say;
use crate::schema::{reference, schema};
use crate::spec::Kind;
use clap::{Args, ValueEnum};

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
}

impl From<KindName> for Kind {
    fn from(name: KindName) -> Self {
        match name {
            KindName::Classification => Self::Classification,
            KindName::BoundTightness => Self::BoundTightness,
            KindName::BandwidthRule => Self::BandwidthRule,
            KindName::SafeEllipsoid => Self::SafeEllipsoid,
            KindName::Classifiers => Self::Classifiers,
        }
    }
}

pub(super) fn print(arguments: &SchemaArguments) -> Result<Exit, Ended> {
    let text = if arguments.markdown {
        reference()
    } else {
        format!("{:#}", schema(arguments.kind.map(Kind::from)))
    };
    say(text.trim_end())?;
    Ok(Exit::Ok)
}
