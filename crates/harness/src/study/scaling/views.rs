//! Tables and figures of the study.

use super::measured::curves;
use super::plan::ScalingPlan;
use super::plot::plots;
use super::row::ScalingRow;
use super::table::tables;
use crate::store::{Cells, TimingRow, timings_in};
use crate::views::{Viewed, Views, ViewsError};
use std::path::Path;

impl Viewed for ScalingPlan {
    /// Without times and memory, which are not of the cells.
    fn views(&self, cells: &Cells<ScalingRow>) -> Result<Views, ViewsError> {
        self.with_timings(cells, &[])
    }

    fn views_in(&self, out: &Path, cells: &Cells<ScalingRow>) -> Result<Views, ViewsError> {
        let views = self.with_timings(cells, &timings_in(out)?)?;
        Ok(self.told_of_part(views, cells.len()))
    }
}

impl ScalingPlan {
    fn with_timings(
        &self,
        cells: &Cells<ScalingRow>,
        timings: &[TimingRow],
    ) -> Result<Views, ViewsError> {
        let curves = curves(self, &cells.rows()?, timings);
        Ok(Views {
            summary: None,
            tables: tables(self, &curves),
            plots: plots(self, &curves),
        })
    }
}
