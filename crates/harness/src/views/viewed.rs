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

    /// The same, with what the results folder `out` tells beside the rows.
    ///
    /// # Errors
    /// [`ViewsError`] for a figure that cannot be drawn, or a file that cannot be read.
    fn views_in(&self, out: &Path, rows: &[Self::Row]) -> Result<Views, ViewsError> {
        let _ = out;
        self.views(rows)
    }

    /// Writes it into the results folder `out`; see [`Views::write`].
    ///
    /// # Errors
    /// [`ViewsError`] for a figure that cannot be drawn, or a file that cannot be read, written or removed.
    fn write_views(&self, out: &Path, rows: &[Self::Row]) -> Result<(), ViewsError> {
        self.views_in(out, rows)?.write(out, self.name())
    }
}
