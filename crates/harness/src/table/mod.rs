//! Tables of a run, in Markdown and CSV.

pub(crate) mod caption;
mod certificates;
mod comparison;
mod footnotes;
mod grid;
pub(crate) mod markdown;
mod metric;
mod metric_csv;
mod metric_markdown;
mod p_value;
mod path;
mod selection;
mod write;

pub use comparison::write_comparison;
pub(crate) use p_value::p_value;
pub use write::write_tables;
