//! What has come of a download so far: it stays where the download breaks off, and the next goes on from there.

use super::FetchError;
use crate::store::write_atomically;
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The file `NAME.part`, locked, and beside it `NAME.part.json`, which says what it is a part of.
#[derive(Debug)]
pub(super) struct Part {
    path: PathBuf,
    state_path: PathBuf,
    file: File,
    len: u64,
    state: State,
}

/// What the bytes are a part of.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    url: String,
    /// What the server knows this version of the file by: an entity tag or a date.
    validator: Option<String>,
    /// The length of the whole, where it is known.
    total: Option<u64>,
}

impl Part {
    /// The part of the dataset `name` in `folder`, made if need be. What is there of another address is dropped.
    pub(super) fn open(folder: &Path, name: &str, url: &str) -> Result<Self, FetchError> {
        std::fs::create_dir_all(folder).map_err(FetchError::io("make", folder))?;
        let path = folder.join(format!("{name}.part"));
        let state_path = folder.join(format!("{name}.part.json"));
        let file = File::options()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(FetchError::io("write", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(FetchError::Busy { path }),
            Err(TryLockError::Error(source)) => return Err(FetchError::io("lock", &path)(source)),
        }
        let metadata = file.metadata();
        let len = metadata.map_err(FetchError::io("read", &path))?.len();
        let text = std::fs::read(&state_path).unwrap_or_default();
        let state: State = serde_json::from_slice(&text).unwrap_or_default();
        let fits = state.url == url && state.total.is_none_or(|total| len <= total);
        let mut part = Self {
            path,
            state_path,
            file,
            len,
            state,
        };
        if !fits {
            part.cut()?;
            part.state = State {
                url: url.to_owned(),
                ..State::default()
            };
        }
        Ok(part)
    }

    /// Where its bytes are.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Its length in bytes.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The length of the whole, where it is known.
    pub(super) fn total(&self) -> Option<u64> {
        self.state.total
    }

    /// Whether it is the whole.
    pub(super) fn is_whole(&self) -> bool {
        self.len > 0 && self.state.total == Some(self.len)
    }

    /// From where it can be continued, and of which version of the file; `None` if it has to begin anew.
    pub(super) fn continues(&self) -> Option<(u64, &str)> {
        let validator = self.state.validator.as_deref()?;
        (self.len > 0).then_some((self.len, validator))
    }

    /// Begins anew with this version of the file.
    pub(super) fn begin(
        &mut self,
        validator: Option<String>,
        total: Option<u64>,
    ) -> Result<(), FetchError> {
        self.cut()?;
        self.state.validator = validator;
        self.state.total = total;
        self.note()
    }

    /// Adds bytes at its end.
    pub(super) fn add(&mut self, bytes: &[u8]) -> Result<(), FetchError> {
        let written = self.file.write_all(bytes);
        written.map_err(FetchError::io("write", &self.path))?;
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// What is there is all there is: the server did not say how much it would be.
    pub(super) fn end(&mut self) -> Result<(), FetchError> {
        self.state.total = Some(self.len);
        self.note()
    }

    /// Removes it.
    pub(super) fn remove(self) -> Result<(), FetchError> {
        for path in [&self.state_path, &self.path] {
            match std::fs::remove_file(path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(FetchError::io("remove", path)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Drops all bytes.
    fn cut(&mut self) -> Result<(), FetchError> {
        self.len = 0;
        let cut = self.file.set_len(0);
        cut.map_err(FetchError::io("write", &self.path))
    }

    fn note(&self) -> Result<(), FetchError> {
        let text = serde_json::to_vec(&self.state).expect("texts and numbers can be written");
        let written = write_atomically(&self.state_path, &text);
        written.map_err(FetchError::io("write", &self.state_path))
    }
}
