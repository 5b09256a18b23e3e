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
    #[error("{place}{source}")]
    Data {
        /// `FILE, line N: ` of the experiment's entry, if the fault is there and not in a data file.
        place: String,
        /// What is wrong.
        source: Box<DataError>,
    },
    /// A dataset cannot be split as asked.
    #[error("{place}dataset `{dataset}`, repeat {repeat}: {source}")]
    Split {
        /// `FILE, line N: ` of the experiment's entry.
        place: String,
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

impl PlanError {
    /// Whether the system failed, not the input.
    pub fn is_io(&self) -> bool {
        match self {
            Self::Spec(error) => error.is_io(),
            Self::Data { source, .. } => source.is_io(),
            Self::Value(_) | Self::Split { .. } => false,
        }
    }
}
