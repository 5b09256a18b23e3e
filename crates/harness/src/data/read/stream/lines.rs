//! The lines of a text file, of which a few are in memory.

use super::super::super::DataError;
use super::super::csv_lines::at_line;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

/// Bytes that are read at a time.
const BUFFER: usize = 1 << 18;

/// The lines of a UTF-8 file as [`str::lines`] has them, without a byte-order mark.
pub(super) struct Lines {
    path: PathBuf,
    file: BufReader<File>,
    /// Lines read so far.
    count: usize,
}

impl Lines {
    pub(super) fn open(path: &Path) -> Result<Self, DataError> {
        let file = File::open(path).map_err(|source| DataError::Io {
            path: path.to_owned(),
            source,
        })?;
        Ok(Self {
            path: path.to_owned(),
            file: BufReader::with_capacity(BUFFER, file),
            count: 0,
        })
    }

    /// Lines read so far: the number, from 1, of the one that was read last.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The next line in `line`; `false` at the end.
    pub(super) fn next(&mut self, line: &mut String) -> Result<bool, DataError> {
        let mut bytes = std::mem::take(line).into_bytes();
        bytes.clear();
        let read = self.file.read_until(b'\n', &mut bytes);
        let read = read.map_err(|source| DataError::Io {
            path: self.path.clone(),
            source,
        })?;
        if read == 0 {
            return Ok(false);
        }
        let text = String::from_utf8(bytes).map_err(|_| {
            let problem = "not UTF-8 text: save the file as UTF-8";
            at_line(&self.path, self.count, problem)
        });
        *line = text?;
        if line.ends_with('\n') {
            line.pop();
            if line.ends_with('\r') {
                line.pop();
            }
        }
        if self.count == 0 && line.starts_with('\u{feff}') {
            line.remove(0);
        }
        self.count += 1;
        Ok(true)
    }

    /// Reads on to the end: only what is no UTF-8 text is an error.
    pub(super) fn drain(&mut self) -> Result<(), DataError> {
        let mut line = String::new();
        while self.next(&mut line)? {}
        Ok(())
    }
}

/// The lines of a file without the blanks at its end.
pub(super) struct Trimmed {
    lines: Lines,
    /// The next line that is not blank, with its index from 0.
    ahead: Option<(usize, String)>,
    /// How many lines were given.
    given: usize,
}

impl Trimmed {
    pub(super) fn open(path: &Path) -> Result<Self, DataError> {
        let mut trimmed = Self {
            lines: Lines::open(path)?,
            ahead: None,
            given: 0,
        };
        trimmed.look_ahead(String::new())?;
        Ok(trimmed)
    }

    /// The next line in `line`, and its index from 0; `None` at the end.
    pub(super) fn next(&mut self, line: &mut String) -> Result<Option<usize>, DataError> {
        let index = self.given;
        match &mut self.ahead {
            None => return Ok(None),
            Some((ahead, _)) if *ahead > index => line.clear(),
            Some((_, text)) => {
                std::mem::swap(line, text);
                let room = self.ahead.take().map(|(_, text)| text);
                self.look_ahead(room.unwrap_or_default())?;
                if self.ahead.is_none() {
                    line.truncate(line.trim_end().len());
                }
            }
        }
        self.given += 1;
        Ok(Some(index))
    }

    fn look_ahead(&mut self, mut room: String) -> Result<(), DataError> {
        while self.lines.next(&mut room)? {
            if !room.trim_end().is_empty() {
                self.ahead = Some((self.lines.count() - 1, room));
                break;
            }
        }
        Ok(())
    }

    /// Reads on to the end: only what is no UTF-8 text is an error.
    pub(super) fn drain(&mut self) -> Result<(), DataError> {
        self.ahead = None;
        self.lines.drain()
    }
}
