//! From a method and training rows to the classifier that is best on the validation rows: one file a family.

mod fit;
mod fitted;
mod neighbours;

pub(super) use fit::fit;
pub(super) use fitted::{Chosen, Fitted};
