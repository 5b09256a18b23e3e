//! All views of an experiment.

use crate::plot::Plot;
use crate::table::Document;

/// Tables and figures as values, in the order in which a report shows them.
///
/// Each kind of experiment makes them of its plan and its rows; [`write`](Self::write) puts them into the results folder.
#[derive(Debug)]
pub struct Views {
    /// The text of `summary.csv`, where the kind has one.
    pub summary: Option<String>,
    /// The files of `tables/`.
    pub tables: Vec<Document>,
    /// The files of `plots/`.
    pub plots: Vec<Plot>,
}

impl Views {
    /// The views with `warning` before all that tables and figures say of themselves.
    pub(super) fn warned(mut self, warning: &str) -> Self {
        for table in &mut self.tables {
            table.caption = format!("**{warning}** {}", table.caption);
        }
        for plot in &mut self.plots {
            plot.warn(warning);
        }
        self
    }
}
