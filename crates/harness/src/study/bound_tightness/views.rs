//! Table and figures of the study.

use super::plan::TightnessPlan;
use super::plot::plots;
use super::row::TightnessRow;
use super::table::table;
use crate::store::Cells;
use crate::views::{Viewed, Views, ViewsError};

impl Viewed for TightnessPlan {
    fn views(&self, cells: &Cells<TightnessRow>) -> Result<Views, ViewsError> {
        let rows = cells.rows()?;
        Ok(Views {
            summary: None,
            tables: vec![table(self, &rows)],
            plots: plots(self, &rows),
        })
    }
}
