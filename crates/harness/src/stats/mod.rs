//! From cells to means over repeats.

mod axes;
mod comparison;
pub(crate) mod csv;
mod moments;
mod overall;
mod summary;
mod summary_csv;
mod wilcoxon;

pub use axes::{Axes, LevelUnit};
pub use comparison::{ComparisonRow, compare};
pub use moments::{Moments, median};
pub use overall::{OverallRow, overall};
pub use summary::{Counts, MetricSummary, Performance, SummaryRow, summarise};
pub use summary_csv::summary_csv;
pub use wilcoxon::{SignedRank, holm};
