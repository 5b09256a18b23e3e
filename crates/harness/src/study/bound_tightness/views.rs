//! Table and figures of the study.

use super::plan::TightnessPlan;
use super::plot::plots;
use super::row::TightnessRow;
use super::table::table;
use crate::views::{Viewed, Views, ViewsError};

impl Viewed for TightnessPlan {
    fn views(&self, rows: &[TightnessRow]) -> Result<Views, ViewsError> {
        Ok(Views {
            summary: None,
            tables: vec![table(self, rows)],
            plots: plots(self, rows),
        })
    }
}
