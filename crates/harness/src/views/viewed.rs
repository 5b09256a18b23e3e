//! From the rows of each kind of experiment to its views.

use super::{Views, ViewsError, axes, classification};
use crate::plan::Plan;
use crate::run::Experiment;
use crate::store::CellRow;
use crate::study::bandwidth_rule::{self, BandwidthPlan, BandwidthRow};
use crate::study::bound_tightness::{self, TightnessPlan, TightnessRow};
use crate::study::safe_ellipsoid::{self, SafePlan, SafeRow};

/// An experiment whose rows people can look at.
pub trait Viewed: Experiment {
    /// What is made of `rows`.
    ///
    /// # Errors
    /// [`ViewsError`] if a figure cannot be drawn.
    fn views(&self, rows: &[Self::Row]) -> Result<Views, ViewsError>;
}

impl Viewed for Plan {
    fn views(&self, rows: &[CellRow]) -> Result<Views, ViewsError> {
        Ok(classification(rows, &axes(self), &self.comparisons)?)
    }
}

impl Viewed for TightnessPlan {
    fn views(&self, rows: &[TightnessRow]) -> Result<Views, ViewsError> {
        Ok(bound_tightness::views(rows, self))
    }
}

impl Viewed for BandwidthPlan {
    fn views(&self, rows: &[BandwidthRow]) -> Result<Views, ViewsError> {
        Ok(bandwidth_rule::views(rows, self))
    }
}

impl Viewed for SafePlan {
    fn views(&self, rows: &[SafeRow]) -> Result<Views, ViewsError> {
        Ok(safe_ellipsoid::views(rows, self))
    }
}
