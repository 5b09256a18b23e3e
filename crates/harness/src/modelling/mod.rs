//! The commands that train and use models: from a data file to a model file, predictions and certificates.

pub(crate) mod certify;
pub(crate) mod error;
mod in_order;
pub(crate) mod predict;
pub(crate) mod progress;
pub(crate) mod row_stream;
pub(crate) mod streaming;
pub(crate) mod summary;
pub(crate) mod train;
pub(crate) mod user_file;
