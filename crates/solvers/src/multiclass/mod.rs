//! Support vector machines for any number of classes, made of machines for two.

mod input;
mod scheme;
mod svm;

pub(crate) use input::{check_all_finite, check_gram, check_rows};
pub use scheme::Scheme;
pub use svm::MulticlassSvm;
