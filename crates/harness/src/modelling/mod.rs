//! The commands that train and use models: from a data file to a model file, predictions and certificates.

pub(crate) mod certify;
pub(crate) mod predict;
pub(crate) mod summary;
pub(crate) mod train;
pub(crate) mod user_file;
