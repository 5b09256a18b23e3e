//! Standard output.

use super::exit::{Ended, Exit};
use std::fmt::Display;
use std::io::Write as _;

/// Writes a line to standard output.
pub(super) fn say(line: impl Display) -> Result<(), Ended> {
    writeln!(std::io::stdout(), "{line}").map_err(|error| {
        let message = format!("cannot write to standard output: {error}");
        Ended::new(Exit::InputOutput, message)
    })
}
