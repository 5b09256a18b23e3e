//! The exit codes, which scripts may rely on, and the errors that lead to them.

use crate::plan::{PlanError, SelectError};
use crate::report::ReportError;
use crate::spec::SpecError;
use crate::store::StoreError;
use crate::views::ViewsError;
use std::fmt::Display;
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
    /// Results are worse than the baseline, a cell computed again is not what is stored, or a data file is not the one
    /// that is declared.
    Regression = 3,
    /// No cell has numbers.
    NothingMeasured = 4,
    /// Results are of another experiment, code or data than what they are compared with.
    NotComparable = 5,
    /// Results are better than the baseline, which wants refreshing.
    Improved = 6,
    /// A fault of the program.
    Internal = 70,
    /// Reading, writing or the network failed.
    InputOutput = 74,
}

impl Exit {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::SomeCellsFailed => "some-cells-failed",
            Self::BadInput => "bad-input",
            Self::Regression => "regression",
            Self::NothingMeasured => "nothing-measured",
            Self::NotComparable => "not-comparable",
            Self::Improved => "improved",
            Self::Internal => "internal",
            Self::InputOutput => "input-output",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An error for the user, and the exit code it leads to.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) exit: Exit,
    pub(super) message: String,
    /// The message with colours, as far as it has any.
    pub(super) coloured: String,
}

impl Ended {
    pub(super) fn new(exit: Exit, error: impl Display) -> Self {
        Self {
            exit,
            message: error.to_string(),
            coloured: format!("{error:#}"),
        }
    }

    /// Bad input, or an input/output error.
    pub(super) fn input(is_io: bool, error: impl Display) -> Self {
        let exit = if is_io {
            Exit::InputOutput
        } else {
            Exit::BadInput
        };
        Self::new(exit, error)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
pub(super) fn spec_error(error: SpecError) -> Ended {
    Ended::input(error.is_io(), &error)
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
pub(super) fn plan_error(error: PlanError) -> Ended {
    Ended::input(error.is_io(), &error)
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
pub(super) fn select_error(error: SelectError) -> Ended {
    Ended::new(Exit::BadInput, &error)
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
pub(super) fn store_error(error: StoreError) -> Ended {
    Ended::input(error.is_io(), &error)
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
pub(super) fn report_error(error: ReportError) -> Ended {
    let exit = match &error {
        ReportError::Store(error) => return Ended::input(error.is_io(), error),
        ReportError::Plot(_) => Exit::InputOutput,
        ReportError::Figure { .. } | ReportError::Template(_) | ReportError::Cells(_) => {
            Exit::Internal
        }
    };
    Ended::new(exit, &error)
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
pub(super) fn views_error(error: ViewsError) -> Ended {
    match &error {
        ViewsError::Store(error) => Ended::input(error.is_io(), error),
        ViewsError::Plot(error) => Ended::new(Exit::InputOutput, error),
    }
}
