//! Table and figures of the study.

use super::plan::BandwidthPlan;
use super::plot::plots;
use super::row::BandwidthRow;
use super::table::table;
use crate::views::{Viewed, Views, ViewsError};

impl Viewed for BandwidthPlan {
    fn views(&self, rows: &[BandwidthRow]) -> Result<Views, ViewsError> {
        Ok(Views {
            summary: None,
            tables: vec![table(self, rows)],
            plots: plots(self, rows),
        })
    }
}
