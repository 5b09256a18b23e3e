//! The exit codes, which scripts may rely on.

use std::process::ExitCode;

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// All is well.
    Ok = 0,
    /// Some cells have no numbers.
    SomeCellsFailed = 1,
    /// The input or the usage is wrong.
    BadInput = 2,
    /// Results are worse than the baseline.
    Regression = 3,
    /// No cell has numbers.
    NothingMeasured = 4,
    /// Results and baseline are of different experiments or data.
    NotComparable = 5,
    /// Results are better than the baseline, which wants refreshing.
    Improved = 6,
    /// A fault of the program.
    Internal = 70,
    /// Reading or writing failed.
    InputOutput = 74,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
