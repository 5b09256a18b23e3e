//! Whether results are those of a committed baseline.

mod changed_keys;
mod compare;
mod error;
mod few_repeats;
mod folder;
mod metric;
mod report;
mod report_table;
mod series;
mod sign_flip;
mod tolerance;
mod update;

pub use compare::{Basis, Comparison, Verdict, compare, compare_rows};
pub use error::GateError;
pub use few_repeats::{FewRepeats, LEAST_LOSS, SHARE_AS_BEFORE};
pub use metric::{METRICS, Metric};
pub use series::{PValue, Series, Tested, TooFewRepeats, series, test};
pub use sign_flip::{EXACT_PAIRS, interval, p_above, p_below, smallest_p};
pub(crate) use tolerance::OBJECTIVE_TOLERANCE;
pub use tolerance::{Moved, Movement};
pub use update::update;
