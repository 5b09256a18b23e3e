//! What is told of the work, warnings too, on standard error.

use super::output::OutputFormat;
use log::{Level, LevelFilter, Log, Metadata, Record};
use serde_json::json;
use std::io::Write as _;
use std::sync::OnceLock;

/// How it is told.
static FORMAT: OnceLock<OutputFormat> = OnceLock::new();

/// Tells messages of this program, not those of its dependencies.
struct ToStderr;

impl Log for ToStderr {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("robust_svm")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            let level = word(record.level());
            let line = match FORMAT.get() {
                Some(OutputFormat::Json) => {
                    json!({ level: { "message": record.args().to_string() } }).to_string()
                }
                Some(OutputFormat::Text) | None => format!("{level}: {}", record.args()),
            };
            // Nobody listening is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }

    fn flush(&self) {}
}

fn word(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warn => "warning",
        Level::Info => "info",
        Level::Debug => "debug",
        Level::Trace => "trace",
    }
}

/// From now on messages up to `level` are told: as `warning: TEXT`, or as the object `{"warning": {"message": TEXT}}`.
pub(super) fn tell(level: LevelFilter, format: OutputFormat) {
    let _ = FORMAT.set(format);
    // It fails where there is a logger already, which then does the telling.
    let _ = log::set_logger(&ToStderr);
    log::set_max_level(level);
}
