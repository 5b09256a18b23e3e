//! Everything a run makes from its rows, for each kind of experiment.

use super::exit::{Ended, Exit};
use crate::plan::Plan;
use crate::plot::write_plots;
use crate::stats::{Axes, LevelUnit, summarise, summary_csv};
use crate::store::{CellRow, StoreError, write_atomically};
use crate::table::write_tables;
use robust_svm_core::data::Scaling;
use std::path::Path;

/// Summary, tables and plots of the kind `classification`.
pub(super) fn classification(out: &Path, rows: &[CellRow], plan: &Plan) -> Result<(), Ended> {
    let axes = Axes {
        datasets: plan.tasks.iter().map(|task| task.label.clone()).collect(),
        methods: plan
            .methods
            .iter()
            .map(|method| method.name.clone())
            .collect(),
        levels: plan.levels.clone(),
        unit: match plan.scaling {
            Scaling::Standardize => LevelUnit::StandardDeviation,
            Scaling::MinMax => LevelUnit::HalfRange,
            Scaling::None => LevelUnit::Data,
        },
    };
    let io = |error: &dyn std::fmt::Display| Ended::new(Exit::InputOutput, error);
    let summary = summary_csv(&summarise(rows, &axes));
    let summary_path = out.join("summary.csv");
    write_atomically(&summary_path, summary.as_bytes())
        .map_err(|e| io(&StoreError::io("write", &summary_path)(e)))?;
    write_tables(out, rows, &axes).map_err(|e| io(&e))?;
    write_plots(out, rows, &axes).map_err(|e| io(&e))
}
