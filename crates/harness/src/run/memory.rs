//! The memory of processes, by Linux's own account; other systems do not say.

use std::fs;

/// This process's peak resident memory in bytes, since its start or the last [`reset_peak`].
pub(crate) fn peak_bytes() -> Option<u64> {
    status_bytes("self", "VmHWM:")
}

/// This process's resident memory in bytes.
pub(crate) fn own_bytes() -> Option<u64> {
    status_bytes("self", "VmRSS:")
}

/// The resident memory of the process `pid` in bytes; `None` also where it has ended.
pub(crate) fn resident_bytes(pid: u32) -> Option<u64> {
    status_bytes(&pid.to_string(), "VmRSS:")
}

/// Lets [`peak_bytes`] begin anew. Where that is not allowed, it stays the process's peak so far.
pub(crate) fn reset_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// Where memory runs out, the system is to end this process before others.
pub(crate) fn volunteer() {
    let _ = fs::write("/proc/self/oom_score_adj", "800");
}

fn status_bytes(process: &str, key: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{peak_bytes, resident_bytes};

    #[test]
    fn a_large_array_is_seen() {
        let before = resident_bytes(std::process::id()).expect("Linux says");
        let array = vec![1_u8; 64 << 20];
        let after = resident_bytes(std::process::id()).expect("Linux says");
        let seen = before + (48 << 20);
        assert!(after >= seen, "{before} {after}");
        drop(array);
        assert!(peak_bytes().expect("Linux says") >= seen);
        assert_eq!(resident_bytes(u32::MAX), None);
    }
}
