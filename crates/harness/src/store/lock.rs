//! The lock of a results folder: one process writes at a time. The system lets go of it when the process ends, however
//! that happens.

use super::StoreError;
use std::fs::{File, TryLockError};
use std::io::Write as _;
use std::path::Path;

/// The file that is locked; it holds the number of the process that does, and is empty after.
pub(super) const LOCK: &str = ".lock";

/// The right to write to a folder.
#[derive(Debug)]
pub struct FolderLock {
    file: File,
}

impl FolderLock {
    /// Takes the lock of the folder `path`.
    ///
    /// # Errors
    /// [`StoreError::Busy`] at once if another process has it.
    pub fn take(path: &Path) -> Result<Self, StoreError> {
        let lock = path.join(LOCK);
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&lock)
            .map_err(StoreError::unusable(path))?;
        match file.try_lock() {
            Ok(()) => {
                let mut taken = Self { file };
                taken.sign().map_err(StoreError::io("write", &lock))?;
                Ok(taken)
            }
            Err(TryLockError::WouldBlock) => Err(busy(path)),
            Err(TryLockError::Error(source)) => Err(StoreError::io("lock", &lock)(source)),
        }
    }

    fn sign(&mut self) -> std::io::Result<()> {
        self.file.set_len(0)?;
        write!(self.file, "{}", std::process::id())
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // A number that stays is that of a process which has ended: the lock is what counts.
        let _ = self.file.set_len(0);
    }
}

/// [`StoreError::Busy`] if a process writes to the folder `path` now.
pub(super) fn require_idle(path: &Path) -> Result<(), StoreError> {
    let Ok(file) = File::open(path.join(LOCK)) else {
        return Ok(());
    };
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Err(busy(path)),
        // A file system without locks: nobody holds one.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// With the number of the process that has the lock, where it can be read.
fn busy(path: &Path) -> StoreError {
    let text = std::fs::read_to_string(path.join(LOCK)).unwrap_or_default();
    StoreError::Busy {
        path: path.to_owned(),
        process: text.trim().parse().ok(),
    }
}
