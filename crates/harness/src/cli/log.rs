//! What is told of the work, on standard error.

use log::{LevelFilter, Log, Metadata, Record};
use std::io::Write as _;

/// Tells messages of this program, not those of its dependencies.
struct ToStderr;

impl Log for ToStderr {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("robust_svm")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            let level = record.level().as_str().to_ascii_lowercase();
            // Nobody listening is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{level}: {}", record.args());
        }
    }

    fn flush(&self) {}
}

/// From now on messages up to `level` are told.
pub(super) fn tell(level: LevelFilter) {
    // It fails where there is a logger already, which then does the telling.
    let _ = log::set_logger(&ToStderr);
    log::set_max_level(level);
}
