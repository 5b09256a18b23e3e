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
        let groups = self.groups().into_iter();
        let planned: usize = groups.map(|group| self.cells(group).len()).sum();
        let views = self.views(rows)?;
        Ok(if rows.len() < planned {
            views.warned(&format!(
                "Made from {} of {planned} cells: the others are missing.",
                rows.len()
            ))
        } else {
            views
        })
    }

    /// Writes [`Viewed::views_of_part`] into the results folder `out`; see [`Views::write`].
    ///
    /// # Errors
    /// [`ViewsError`] for a figure that cannot be drawn, or a file that cannot be written or removed.
    fn write_views(&self, out: &Path, rows: &[Self::Row]) -> Result<(), ViewsError> {
        self.views_of_part(rows)?.write(out, self.name())
    }
}
