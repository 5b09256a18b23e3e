//! Why an experiment cannot be planned.

use crate::data::DataError;
use crate::source_error::SourceError;
use crate::spec::SpecError;
use robust_svm_core::CoreError;

/// Why an experiment cannot be planned.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file cannot be read or parsed.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A value in the file is not admissible.
    #[error(transparent)]
    Value(#[from] Box<SourceError>),
    /// A dataset cannot be used.
    #[error("{0}")]
    Data(#[from] Box<DataError>),
    /// A dataset cannot be split as asked.
    #[error("dataset `{dataset}`, repeat {repeat}: {source}")]
    Split {
        /// The dataset's name in the experiment.
        dataset: String,
        /// The repeat.
        repeat: u32,
        /// What is wrong.
        source: CoreError,
    },
}

impl From<SourceError> for PlanError {
    fn from(error: SourceError) -> Self {
        Self::Value(Box::new(error))
    }
}

impl From<DataError> for PlanError {
    fn from(error: DataError) -> Self {
        Self::Data(Box::new(error))
    }
}

impl PlanError {
    /// Whether the system failed, not the input.
    pub fn is_io(&self) -> bool {
        match self {
            Self::Data(error) => error.is_io(),
            _ => false,
        }
    }
}
