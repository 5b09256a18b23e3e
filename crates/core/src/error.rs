//! The errors of this crate.

/// What can be wrong with the data or parameters handed to this crate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CoreError {
    /// A parameter is outside its range.
    #[error("{name} must be {expected}, found {found}")]
    Parameter {
        /// The parameter's name as users write it.
        name: &'static str,
        /// The admissible values.
        expected: String,
        /// The value given.
        found: String,
    },
    /// Two arrays that must agree in length do not.
    #[error("{what}: expected {expected}, found {found}")]
    Shape {
        /// Which arrays.
        what: &'static str,
        /// The length or width expected.
        expected: usize,
        /// The length or width found.
        found: usize,
    },
    /// A value is NaN or infinite.
    #[error("{what}: value at row {row}, column {column} is not finite")]
    NotFinite {
        /// Which array.
        what: &'static str,
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        column: usize,
    },
    /// A part of a split has rows of one class only.
    #[error(
        "the {part} part has rows of one class only ({rows} rows): use more rows, another split or another task"
    )]
    OneClass {
        /// `train`, `validation` or `test`.
        part: &'static str,
        /// How many rows it has.
        rows: usize,
    },
    /// A factorisation or decomposition failed.
    #[error("{0}")]
    Numerical(String),
}

impl CoreError {
    /// A [`CoreError::Parameter`] from displayable values.
    pub fn parameter(
        name: &'static str,
        expected: impl Into<String>,
        found: impl std::fmt::Display,
    ) -> Self {
        Self::Parameter {
            name,
            expected: expected.into(),
            found: found.to_string(),
        }
    }
}
