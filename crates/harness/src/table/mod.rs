//! Tables as values, and as Markdown, CSV and LaTeX.

pub(crate) mod caption;
mod certificates;
mod classification;
mod comparison;
mod csv;
mod footnotes;
mod grid;
mod html;
mod latex;
mod latex_text;
pub(crate) mod markdown;
mod marks;
mod metric;
mod metric_data;
mod metric_table;
mod model;
mod path;
mod selection;
pub(crate) mod shown;
mod significance;
mod widths;
mod write;

pub use classification::classification_tables;
pub use csv::csv;
pub(crate) use footnotes::letter;
pub(crate) use html::marked;
pub use latex::latex;
pub use markdown::markdown;
pub use model::{Align, CellsOf, Column, Data, Document, Entry, Table};
pub use significance::significance_tables;
pub use write::{forms, write_tables};
