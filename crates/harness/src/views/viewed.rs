//! What a kind of experiment must give to be looked at.

use super::{Views, ViewsError};
use crate::run::Experiment;
use crate::store::Cells;
use std::path::Path;

/// An experiment whose cells people can look at.
pub trait Viewed: Experiment {
    /// Everything people look at, from `cells`; nothing else is read, and nothing written.
    ///
    /// # Errors
    /// [`ViewsError`] if a figure cannot be drawn, or the cells cannot be read.
    fn views(&self, cells: &Cells<Self::Row>) -> Result<Views, ViewsError>;

    /// As [`Viewed::views`]; where `cells` are not all of the experiment, every table and figure says so.
    ///
    /// # Errors
    /// [`ViewsError`] if a figure cannot be drawn, or the cells cannot be read.
    fn views_of_part(&self, cells: &Cells<Self::Row>) -> Result<Views, ViewsError> {
        Ok(self.told_of_part(self.views(cells)?, cells.len()))
    }

    /// As [`Viewed::views_of_part`], with what the results folder `out` tells beside the cells.
    ///
    /// # Errors
    /// [`ViewsError`] if a figure cannot be drawn, or a file cannot be read.
    fn views_in(&self, out: &Path, cells: &Cells<Self::Row>) -> Result<Views, ViewsError> {
        let _ = out;
        self.views_of_part(cells)
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
