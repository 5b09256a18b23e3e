//! What has come of a download so far: it stays where the download breaks off, and the next goes on from there.

use super::FetchError;
use crate::store::write_atomically;
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The file `NAME.part`, locked, and beside it `NAME.part.json`, which says what it is a part of.
#[derive(Debug)]
pub(super) struct Part {
    path: PathBuf,
    state_path: PathBuf,
    unpacked_path: PathBuf,
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
    /// The part of the dataset `name` in `folder`, made if need be.
    ///
    /// # Errors
    /// [`FetchError::Busy`] if another process has it, [`FetchError::Io`].
    pub(super) fn open(folder: &Path, name: &str) -> Result<Self, FetchError> {
        std::fs::create_dir_all(folder).map_err(FetchError::io("make", folder))?;
        let path = folder.join(format!("{name}.part"));
        let state_path = folder.join(format!("{name}.part.json"));
        let file = locked(&path)?;
        let metadata = file.metadata();
        let len = metadata.map_err(FetchError::io("read", &path))?.len();
        let text = std::fs::read(&state_path).unwrap_or_default();
        let state: State = serde_json::from_slice(&text).unwrap_or_default();
        Ok(Self {
            path,
            state_path,
            unpacked_path: folder.join(format!("{name}.part.new")),
            file,
            len,
            state,
        })
    }

    /// Drops what is there of another address than `url`.
    pub(super) fn keep_of(&mut self, url: &str) -> Result<(), FetchError> {
        let State { total, .. } = self.state;
        if self.state.url != url || total.is_some_and(|total| self.len > total) {
            self.cut()?;
            self.state = State {
                url: url.to_owned(),
                ..State::default()
            };
        }
        Ok(())
    }

    /// Where it is unpacked to.
    pub(super) fn unpacked_path(&self) -> &Path {
        &self.unpacked_path
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

    /// Removes it, and what was unpacked of it.
    pub(super) fn remove(self) -> Result<(), FetchError> {
        for path in [&self.unpacked_path, &self.state_path, &self.path] {
            match std::fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
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

/// The file `path`, made if need be, which no other process has.
fn locked(path: &Path) -> Result<File, FetchError> {
    loop {
        let file = File::options().create(true).append(true).open(path);
        let file = file.map_err(FetchError::io("write", path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let path = path.to_owned();
                return Err(FetchError::Busy { path });
            }
            Err(TryLockError::Error(source)) => return Err(FetchError::io("lock", path)(source)),
        }
        // Who had it may have removed it between opening and locking: then the lock keeps nobody out.
        if is_at(&file, path).map_err(FetchError::io("read", path))? {
            return Ok(file);
        }
    }
}

/// Whether `file` is the one that has the name `path` now.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let here = file.metadata()?;
    match std::fs::metadata(path) {
        Ok(there) => Ok((here.dev(), here.ino()) == (there.dev(), there.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Other systems keep the name of a file that is open from new files.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(all(test, unix))]
mod tests {
    use super::{is_at, locked};
    use crate::fetch::FetchError;

    #[test]
    fn a_file_that_was_removed_or_replaced_is_told_from_the_one_in_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.part");
        let first = locked(&path).unwrap();
        assert!(is_at(&first, &path).unwrap());
        assert!(matches!(locked(&path), Err(FetchError::Busy { .. })));
        std::fs::remove_file(&path).unwrap();
        assert!(!is_at(&first, &path).unwrap());
        let second = locked(&path).unwrap();
        assert!(!is_at(&first, &path).unwrap());
        assert!(is_at(&second, &path).unwrap());
    }

    #[test]
    fn many_at_once_never_have_the_same_part() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.part");
        let inside = std::sync::atomic::AtomicUsize::new(0);
        let work = || {
            for _ in 0..3000 {
                let Ok(file) = locked(&path) else { continue };
                let others = inside.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                assert_eq!(others, 0);
                std::thread::yield_now();
                inside.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                std::fs::remove_file(&path).unwrap();
                drop(file);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(work);
            }
        });
    }
}
