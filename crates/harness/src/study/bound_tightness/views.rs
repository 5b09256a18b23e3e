//! Table and figures of the study.

use super::plan::TightnessPlan;
use super::plot::plots;
use super::row::TightnessRow;
use super::table::table;
use crate::views::Views;

/// Everything people look at, from the rows in any order.
pub fn views(rows: &[TightnessRow], plan: &TightnessPlan) -> Views {
    Views {
        summary: None,
        tables: vec![table(plan, rows)],
        plots: plots(plan, rows),
    }
}
