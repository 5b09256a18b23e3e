//! Standard output.

use super::exit::{Ended, Exit};
use std::fmt::Display;
use std::io::{ErrorKind, Write as _};

/// Writes a line to standard output. A reader that has read enough and closed it, as `head` does, is no error.
pub(super) fn say(line: impl Display) -> Result<(), Ended> {
    match writeln!(std::io::stdout(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let message = format!("cannot write to standard output: {error}");
            Err(Ended::new(Exit::InputOutput, message))
        }
        _ => Ok(()),
    }
}
