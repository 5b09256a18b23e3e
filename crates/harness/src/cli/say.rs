//! Standard output.

use super::exit::{Ended, Exit};
use serde::Serialize;
use std::fmt::Display;
use std::io::{ErrorKind, Write as _};

/// Writes a line to standard output. A reader that has read enough and closed it, as `head` does, is no error.
pub(super) fn say(line: impl Display) -> Result<(), Ended> {
    say_bytes(format!("{line}\n").as_bytes())
}

/// Writes `object` to standard output, on one line.
pub(super) fn say_json(object: &impl Serialize) -> Result<(), Ended> {
    let text = serde_json::to_string(object).map_err(|error| Ended::new(Exit::Internal, error))?;
    say(text)
}

/// Writes `bytes` to standard output, as [`say`] a line.
pub(super) fn say_bytes(bytes: &[u8]) -> Result<(), Ended> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let message = format!("cannot write to standard output: {error}");
            Err(Ended::new(Exit::InputOutput, message))
        }
        _ => Ok(()),
    }
}
