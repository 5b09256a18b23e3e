//! How much space there is on a disk.

use std::path::Path;

/// Bytes that this user may still write to the file system of `folder`, where the system tells.
#[cfg(target_os = "linux")]
pub(super) fn free(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

/// Other systems say so when there is no more.
#[cfg(not(target_os = "linux"))]
pub(super) fn free(_folder: &Path) -> Option<u64> {
    None
}
