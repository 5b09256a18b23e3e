//! What the solvers of cells told, cell by cell.

use crate::stats::Groups;
use crate::store::cell::Cell;
use crate::store::{StoreError, gaps};
use polars::prelude::{DataFrame, PolarsResult};
use std::path::Path;

/// A cell on the axes whose solver told how it got there.
#[derive(Debug)]
pub(super) struct Traced {
    /// The place of its method on the axes.
    pub(super) method: usize,
    /// Its level.
    pub(super) level: f64,
    /// Mean γ_i of its training points.
    pub(super) size: f64,
    /// Relative gaps after iterations, in their order.
    pub(super) points: Vec<(u32, f64)>,
}

/// Hands to `take` the cells of `groups` with points in the file `traces`, one after the other: both are sorted by cell.
///
/// # Errors
/// [`StoreError`] if either cannot be read.
pub(super) fn each_traced(
    groups: &Groups<'_>,
    traces: &Path,
    mut take: impl FnMut(Traced),
) -> Result<(), StoreError> {
    let columns = ["cell_id", "dataset", "method", "level", "gamma_mean"];
    let mut gaps = gaps(traces)?.peekable();
    for frame in groups.cells().frames(&columns)? {
        let frame = frame?;
        for i in 0..frame.height() {
            let cell = cell(&frame, i, groups).map_err(|error| groups.cells().damaged(error))?;
            let (id, mut traced) = cell;
            // Points of cells that are not there are passed over.
            let is_next =
                |next: &Result<_, StoreError>| next.as_ref().map_or(true, |(own, _)| *own <= id);
            while let Some(next) = gaps.next_if(is_next).transpose()? {
                if let Some(traced) = &mut traced
                    && next.0 == id
                {
                    traced.points.push(next.1);
                }
            }
            if let Some(traced) = traced.filter(|traced| !traced.points.is_empty()) {
                take(traced);
            }
        }
    }
    Ok(())
}

/// The identity of a row, and what it is on the axes, if it is on them.
fn cell(
    frame: &DataFrame,
    i: usize,
    groups: &Groups<'_>,
) -> PolarsResult<(String, Option<Traced>)> {
    let (cell, axes) = (Cell { frame, i }, groups.axes);
    let level = cell.number("level")?;
    let position = axes.position(&cell.text("dataset")?, &cell.text("method")?, level);
    let size = cell.maybe_number("gamma_mean")?.unwrap_or(0.0);
    let traced = position.map(|position| Traced {
        method: position / axes.levels.len() % axes.methods.len(),
        level,
        size,
        points: Vec::new(),
    });
    Ok((cell.text("cell_id")?, traced))
}
