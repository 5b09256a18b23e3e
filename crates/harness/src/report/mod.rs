//! `report.html`: everything people look at of a run, in one file that needs no network.

mod cells;
mod documents;
mod error;
mod figures;
mod origin;
mod overview;
mod page;
mod problems;
mod svg;
mod template;
mod write;

pub use error::ReportError;
pub use page::{Source, page};
pub use write::write_report;
