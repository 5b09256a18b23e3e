//! Table and figures of the study.

use super::plan::SafePlan;
use super::plot::plots;
use super::row::SafeRow;
use super::table::table;
use crate::views::Views;

/// Everything people look at, from the rows in any order.
pub fn views(rows: &[SafeRow], plan: &SafePlan) -> Views {
    Views {
        summary: None,
        tables: vec![table(plan, rows)],
        plots: plots(plan, rows),
    }
}
