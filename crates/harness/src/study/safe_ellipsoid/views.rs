//! Table and figures of the study.

use super::plan::SafePlan;
use super::plot::plots;
use super::row::SafeRow;
use super::table::table;
use crate::views::{Viewed, Views, ViewsError};

impl Viewed for SafePlan {
    fn views(&self, rows: &[SafeRow]) -> Result<Views, ViewsError> {
        Ok(Views {
            summary: None,
            tables: vec![table(self, rows)],
            plots: plots(self, rows),
        })
    }
}
