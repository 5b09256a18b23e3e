//! What a kind of experiment must give to be looked at.

use super::{Views, ViewsError};
use crate::run::Experiment;
use std::path::Path;

/// An experiment whose rows people can look at.
pub trait Viewed: Experiment {
    /// Everything people look at, from `rows` in any order; nothing is read or written.
    ///
    /// # Errors
    /// [`ViewsError`] for a figure that cannot be drawn.
    fn views(&self, rows: &[Self::Row]) -> Result<Views, ViewsError>;

    /// As [`Viewed::views`]; where `rows` are not all cells of the experiment, every table and figure says so.
    ///
    /// # Errors
    /// [`ViewsError`] if a figure cannot be drawn.
    fn views_of_part(&self, rows: &[Self::Row]) -> Result<Views, ViewsError> {
        Ok(self.told_of_part(self.views(rows)?, rows.len()))
    }

    /// As [`Viewed::views_of_part`], with what the results folder `out` tells beside the rows.
    ///
    /// # Errors
    /// [`ViewsError`] if a figure cannot be drawn, or a file cannot be read.
    fn views_in(&self, out: &Path, rows: &[Self::Row]) -> Result<Views, ViewsError> {
        let _ = out;
        self.views_of_part(rows)
    }

    /// `views` of `rows` cells, each table and figure saying so where these are not all.
    fn told_of_part(&self, views: Views, rows: usize) -> Views {
        let groups = self.groups().into_iter();
        let planned: usize = groups.map(|group| self.cells(group).len()).sum();
        if rows < planned {
            views.warned(&format!(
                "Made from {rows} of {planned} cells: the others are missing."
            ))
        } else {
            views
        }
    }
}
