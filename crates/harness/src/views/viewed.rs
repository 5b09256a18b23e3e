//! What a kind of experiment must give to be looked at.

use super::{Views, ViewsError};
use crate::run::Experiment;

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
}
