//! From cells to means over repeats.

mod axes;
pub(crate) mod csv;
mod moments;
mod overall;
mod summary;
mod summary_csv;

pub use axes::{Axes, LevelUnit};
pub use moments::{Moments, median};
pub use overall::{OverallRow, overall};
pub use summary::{Counts, MetricSummary, Performance, SummaryRow, summarise};
pub use summary_csv::summary_csv;
