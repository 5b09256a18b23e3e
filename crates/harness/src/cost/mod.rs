//! About how long a run takes, and how much memory, from what past runs took.

mod error;
mod estimate;
mod law;
mod memory;
mod past;
mod time;

pub use error::{PredictionError, left_out};
pub use estimate::{Estimate, estimate};
pub use memory::MemoryModel;
pub use past::{Past, Source, Timed, past};
pub use time::TimeModel;
