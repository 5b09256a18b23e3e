//! Table and figures of the study.

use super::plan::SafePlan;
use super::plot::plots;
use super::row::SafeRow;
use super::table::table;
use crate::store::Cells;
use crate::views::{Viewed, Views, ViewsError};

impl Viewed for SafePlan {
    fn views(&self, cells: &Cells<SafeRow>) -> Result<Views, ViewsError> {
        let rows = cells.rows()?;
        Ok(Views {
            summary: None,
            tables: vec![table(self, &rows)],
            plots: plots(self, &rows),
        })
    }
}
