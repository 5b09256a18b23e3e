//! The text of an experiment file and of the files it includes, one after the other: a place in this row of
//! texts is a place in one of them.

use super::SpecError;
use crate::source_error::SourceError;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The file itself first, then what it includes, in the order in which they are read.
#[derive(Debug, Clone)]
pub(super) struct Sources(Vec<Source>);

#[derive(Debug, Clone)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) text: String,
    /// Where it starts in the row.
    pub(super) start: usize,
    /// The files included, by their index in the row.
    pub(super) includes: Vec<usize>,
}

impl Sources {
    /// The file `path` of this text, and everything that it includes.
    pub(super) fn read(path: &Path, text: String) -> Result<Self, SpecError> {
        let mut sources = Self(Vec::new());
        sources.add(path, text, &[])?;
        Ok(sources)
    }

    /// Adds a file and what it includes; `above` are the files that it is included by, their paths canonical.
    fn add(&mut self, path: &Path, text: String, above: &[PathBuf]) -> Result<usize, SpecError> {
        let index = self.0.len();
        let start = self.0.last().map_or(0, Source::end);
        self.0.push(Source {
            path: path.to_owned(),
            text,
            start,
            includes: Vec::new(),
        });
        let names = self.includes(index)?;
        if names.is_empty() {
            return Ok(index);
        }
        let chain = [above, &[canonical(path)?]].concat();
        let folder = path.parent().unwrap_or(Path::new(""));
        for name in names {
            let path = folder.join(name.get_ref());
            let text = read(&path).map_err(|error| {
                let message = format!("cannot read the included file {}: {error}", path.display());
                let help = "a path is relative to the folder of the file that it is written in";
                Box::new(self.error(name.span(), message, help))
            })?;
            if chain.contains(&canonical(&path)?) {
                let message = format!("{} includes itself", path.display());
                let help = "leave this entry out, or put what both files need into a third";
                return Err(Box::new(self.error(name.span(), message, help)).into());
            }
            let included = self.add(&path, text, &chain)?;
            self.0[index].includes.push(included);
        }
        Ok(index)
    }

    /// The names in the key `include` of a file, with their places in the row.
    fn includes(&self, index: usize) -> Result<Vec<Spanned<String>>, SpecError> {
        let table = self.table(index)?;
        let Some(value) = table.get_ref().get(INCLUDE) else {
            return Ok(Vec::new());
        };
        let start = self.0[index].start;
        let refuse = |value: &Spanned<DeValue<'_>>| -> SpecError {
            let help = "write include = [\"common.toml\"]";
            let message = "`include` is a list of file names";
            Box::new(self.error(shifted(value.span(), start), message, help)).into()
        };
        let list = value.get_ref().as_array().ok_or_else(|| refuse(value))?;
        let name = |entry: &Spanned<DeValue<'_>>| {
            let name = entry.get_ref().as_str().ok_or_else(|| refuse(entry))?;
            Ok(Spanned::new(shifted(entry.span(), start), name.to_owned()))
        };
        list.iter().map(name).collect()
    }

    /// The content of a file, its places those in the file.
    pub(super) fn table(&self, index: usize) -> Result<Spanned<DeTable<'_>>, SpecError> {
        let source = &self.0[index];
        DeTable::parse(&source.text).map_err(|error| {
            Box::new(SourceError::from_toml(
                &source.path,
                source.text.as_str(),
                &error,
            ))
            .into()
        })
    }

    /// A file.
    pub(super) fn get(&self, index: usize) -> &Source {
        &self.0[index]
    }

    /// The files.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Source> {
        self.0.iter()
    }

    /// The file that a place of the row is in, and its place there.
    pub(super) fn locate(&self, span: &Range<usize>) -> (&Source, Range<usize>) {
        let after = self.0.partition_point(|source| source.start <= span.start);
        let source = &self.0[after.saturating_sub(1)];
        let place = |at: usize| at.saturating_sub(source.start);
        (source, place(span.start)..place(span.end))
    }

    /// An error at a place of the row.
    pub(super) fn error(
        &self,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> SourceError {
        let (source, span) = self.locate(&span);
        SourceError {
            path: source.path.clone(),
            source: source.text.clone(),
            span,
            message: message.into(),
            help: Some(help.into()),
        }
    }
}

impl Source {
    /// Where the next file starts: behind the place after the last byte, which errors may point at.
    fn end(&self) -> usize {
        self.start + self.text.len() + 1
    }
}

/// The key with the files that a file includes.
pub(super) const INCLUDE: &str = "include";

/// A place of a file that starts at `start`, in the row.
pub(super) fn shifted(span: Range<usize>, start: usize) -> Range<usize> {
    span.start + start..span.end + start
}

fn read(path: &Path) -> std::io::Result<String> {
    std::fs::read_to_string(path)
}

fn canonical(path: &Path) -> Result<PathBuf, SpecError> {
    path.canonicalize().map_err(|source| SpecError::Io {
        path: path.to_owned(),
        source,
    })
}
