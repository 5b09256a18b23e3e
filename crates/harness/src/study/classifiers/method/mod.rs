//! From a method and training rows to the classifier that is best on the validation rows: one file a family.

mod embedded;
mod fit;
mod fitted;
mod kernel_machines;
mod kernels;
mod margin;
mod measured;
mod neighbours;
mod projected;
mod projections;
mod tree;

pub(super) use fit::fit;
pub use fitted::Chosen;
pub(super) use fitted::{Capacity, Fitted};
