//! The file itself: JSON, an entry a line.

use super::format::{FORMAT, Header, ModelFile, VERSION};
use super::{ModelFileError, SavedModel};
use crate::store::write_atomically;
use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter};
use std::io;
use std::path::Path;

impl SavedModel {
    /// Reads the model file `path`.
    ///
    /// # Errors
    /// [`ModelFileError::Io`] if it cannot be read, else as [`SavedModel::parse`].
    pub fn read(path: &Path) -> Result<Self, ModelFileError> {
        let text = std::fs::read_to_string(path).map_err(|source| ModelFileError::Io {
            action: "read",
            path: path.to_owned(),
            source,
        })?;
        Self::parse(path, &text)
    }

    /// The model in `text`, the content of the file `path`.
    ///
    /// # Errors
    /// [`ModelFileError`] if it is no model file, one of another version, or its entries contradict each other.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ModelFileError> {
        let syntax = |error: serde_json::Error| ModelFileError::Syntax {
            path: path.to_owned(),
            message: error.to_string(),
        };
        let header: Header = serde_json::from_str(text).map_err(syntax)?;
        if header.format != FORMAT {
            return Err(ModelFileError::OtherFormat {
                path: path.to_owned(),
                found: header.format,
            });
        }
        if header.version != VERSION {
            return Err(ModelFileError::OtherVersion {
                path: path.to_owned(),
                found: header.version,
                known: VERSION,
            });
        }
        let file: ModelFile = serde_json::from_str(text).map_err(syntax)?;
        Self::from_file(file).map_err(|fault| ModelFileError::Invalid {
            path: path.to_owned(),
            fault,
        })
    }

    /// The text of the file `path`. It is parsed again, so that what is written can be read.
    ///
    /// # Errors
    /// As [`SavedModel::parse`], for models that are not valid.
    pub fn to_json(&self, path: &Path) -> Result<String, ModelFileError> {
        let mut bytes = Vec::new();
        let layout = EntryALine(PrettyFormatter::new());
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, layout);
        let written = self.to_file().serialize(&mut serializer);
        written.expect("a model file is plain data, written to memory");
        bytes.push(b'\n');
        let text = String::from_utf8(bytes).expect("JSON is UTF-8");
        Self::parse(path, &text)?;
        Ok(text)
    }

    /// Writes the model to the file `path`, which appears whole or not at all.
    ///
    /// # Errors
    /// [`ModelFileError::Io`] if it cannot be written, else as [`SavedModel::to_json`].
    pub fn write(&self, path: &Path) -> Result<(), ModelFileError> {
        let text = self.to_json(path)?;
        write_atomically(path, text.as_bytes()).map_err(|source| ModelFileError::Io {
            action: "write",
            path: path.to_owned(),
            source,
        })
    }
}

/// Objects with an entry a line, lists on one line.
struct EntryALine(PrettyFormatter<'static>);

impl Formatter for EntryALine {
    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}
