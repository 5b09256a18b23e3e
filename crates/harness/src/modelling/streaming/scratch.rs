//! The folder of a training: removed when it ends, found again by the same training after a kill or where the disk was full.

use super::error::ScratchError;
use super::job::differences;
use super::prepare::SURVEY;
use crate::store::write_atomically;
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// The file that says which training the folder is of.
const JOB: &str = "job";
/// The file that is locked by the process that trains.
const LOCK: &str = ".lock";
/// What the file begins with, whatever the version of this program.
const HEAD: &str = "robust-svm training ";
/// What follows it in this version.
const VERSION: &str = "2";

/// A folder that is removed with the value, unless it is kept.
#[derive(Debug)]
pub(super) struct Scratch {
    path: PathBuf,
    /// Held as long as the value is there.
    lock: File,
    kept: bool,
}

impl Scratch {
    /// The folder in `folder` for the model that will be at `out`, of the training that `asked` describes.
    ///
    /// # Errors
    /// [`ScratchError`] if it is of another training, not of this program, in use or cannot be made.
    pub(super) fn open(folder: &Path, out: &Path, asked: &str) -> Result<Self, ScratchError> {
        let mut name = out.file_name().unwrap_or(OsStr::new("model")).to_owned();
        name.push(".scratch");
        let path = folder.join(name);
        let refused = ScratchError::io("write", &path);
        fs::create_dir_all(&path).map_err(&refused)?;
        let job = path.join(JOB);
        let found = fs::read_to_string(&job).unwrap_or_default();
        let is_ours = found.starts_with(HEAD);
        if !is_ours && !holds_nothing(&path).map_err(&refused)? {
            return Err(ScratchError::Foreign { path });
        }
        let lock = path.join(LOCK);
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(lock)
            .map_err(&refused)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ScratchError::Busy { path }),
            Err(TryLockError::Error(source)) => return Err(refused(source)),
        }
        let own = format!("{HEAD}{VERSION}\n{asked}\n");
        if is_ours && found != own {
            let differences = differences(&found, asked);
            return Err(ScratchError::OtherTraining { path, differences });
        }
        write_atomically(&job, own.as_bytes()).map_err(refused)?;
        Ok(Self {
            path,
            lock,
            kept: false,
        })
    }

    /// Leaves the folder where it is: the same training goes on from it.
    pub(super) fn keep(&mut self) {
        self.kept = true;
    }

    /// The place of the file `name`.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Where locks are no files' own, another process may wait for it.
        let _ = self.lock.unlock();
        if !self.kept {
            // The first, so that no copy seems to be whole if the process ends in between.
            let _ = fs::remove_file(self.file(SURVEY));
            // What cannot be removed is told by its being there.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Whether the folder has no file but, maybe, a lock and what a kill left half-written.
fn holds_nothing(folder: &Path) -> std::io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        if name != LOCK && !name.to_string_lossy().starts_with(".tmp") {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::Scratch;
    use crate::modelling::streaming::error::ScratchError;
    use std::fs;
    use std::path::Path;

    #[test]
    fn a_folder_is_found_again_by_its_training_alone() {
        let folder = tempfile::TempDir::new().unwrap();
        let open = |data: &str| {
            let job = format!("data {data}\n--epochs 8");
            Scratch::open(folder.path(), Path::new("a/m.json"), &job)
        };
        let scratch = open("one").unwrap();
        assert!(matches!(open("one"), Err(ScratchError::Busy { .. })));
        let path = folder.path().join("m.json.scratch");
        assert_eq!(scratch.path(), path);
        fs::write(scratch.file("rows"), "x").unwrap();
        let mut scratch = scratch;
        scratch.keep();
        drop(scratch);
        let Err(ScratchError::OtherTraining { differences, .. }) = open("two") else {
            panic!("it is of another training");
        };
        assert_eq!(differences, ["another data file"]);
        let scratch = open("one").unwrap();
        assert_eq!(fs::read_to_string(scratch.file("rows")).unwrap(), "x");
        drop(scratch);
        assert!(!path.exists());
        fs::create_dir(&path).unwrap();
        fs::write(path.join("thesis.tex"), "x").unwrap();
        assert!(matches!(open("one"), Err(ScratchError::Foreign { .. })));
        assert!(path.join("thesis.tex").exists());
    }
}
