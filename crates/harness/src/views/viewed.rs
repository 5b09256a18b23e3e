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

    /// Writes it into the results folder `out`; see [`Views::write`].
    ///
    /// # Errors
    /// [`ViewsError`] for a figure that cannot be drawn, or a file that cannot be written or removed.
    fn write_views(&self, out: &Path, rows: &[Self::Row]) -> Result<(), ViewsError> {
        self.views(rows)?.write(out, self.name())
    }
}
