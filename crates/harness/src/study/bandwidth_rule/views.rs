//! Table and figures of the study.

use super::plan::BandwidthPlan;
use super::plot::plots;
use super::row::BandwidthRow;
use super::table::table;
use crate::store::Cells;
use crate::views::{Viewed, Views, ViewsError};

impl Viewed for BandwidthPlan {
    fn views(&self, cells: &Cells<BandwidthRow>) -> Result<Views, ViewsError> {
        let rows = cells.rows()?;
        Ok(Views {
            summary: None,
            tables: vec![table(self, &rows)],
            plots: plots(self, &rows),
        })
    }
}
