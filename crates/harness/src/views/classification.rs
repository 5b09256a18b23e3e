//! The views of the kind `classification`.

use super::{Viewed, Views, ViewsError};
use crate::plan::{Comparison, LevelKind, Plan, Robustness, common_scaling};
use crate::plot::{PlotError, classification_plots, convergence_plot, rank_plots, tradeoff_plot};
use crate::stats::{Axes, LevelStatistics, LevelUnit, statistics, summarise, summary_csv};
use crate::store::{CellRow, read_traces};
use crate::table::{classification_tables, significance_tables};
use robust_svm_core::data::Scaling;
use std::path::Path;

/// The views of a classification, from its rows in any order, those not on the axes left out, and the statistics of these
/// rows over the same axes.
///
/// # Errors
/// [`PlotError`] for axes without a dataset, method or level, and for a level that is not finite.
pub fn classification(
    rows: &[CellRow],
    axes: &Axes,
    comparisons: &[Comparison],
    statistics: &[LevelStatistics],
) -> Result<Views, PlotError> {
    let summary = summarise(rows, axes);
    let mut tables = classification_tables(rows, axes, comparisons);
    tables.extend(significance_tables(statistics, axes));
    let mut plots = classification_plots(&summary, axes)?;
    plots.extend(tradeoff_plot(&summary, axes));
    plots.extend(rank_plots(statistics, axes));
    Ok(Views {
        summary: Some(summary_csv(&summary)),
        tables,
        plots,
    })
}

impl Viewed for Plan {
    fn views(&self, rows: &[CellRow]) -> Result<Views, ViewsError> {
        let axes = axes(self);
        let statistics = statistics(rows, &axes, self.repeats, self.seed);
        Ok(classification(rows, &axes, &self.comparisons, &statistics)?)
    }

    /// With how the solvers got there.
    fn views_in(&self, out: &Path, rows: &[CellRow]) -> Result<Views, ViewsError> {
        let mut views = self.views(rows)?;
        let traces = read_traces(&out.join("convergence.parquet"))?;
        views
            .plots
            .extend(convergence_plot(rows, &traces, &axes(self)));
        Ok(self.told_of_part(views, rows.len()))
    }
}

/// The axes of what is shown of a planned classification.
pub fn axes(plan: &Plan) -> Axes {
    let methods = || plan.methods.iter();
    let robust = methods().filter(|method| method.robustness != Robustness::Nominal);
    Axes {
        datasets: plan.tasks.iter().map(|task| task.label.clone()).collect(),
        methods: methods().map(|method| method.name.clone()).collect(),
        robust: robust.map(|method| method.name.clone()).collect(),
        levels: plan.levels.clone(),
        unit: match (plan.level_kind, common_scaling(&plan.tasks)) {
            (LevelKind::Chance(_), _) => LevelUnit::Chance,
            (LevelKind::Size, Some(Scaling::Standardize)) => LevelUnit::StandardDeviation,
            (LevelKind::Size, Some(Scaling::MinMax)) => LevelUnit::HalfRange,
            (LevelKind::Size, Some(Scaling::None)) => LevelUnit::Data,
            (LevelKind::Size, None) => LevelUnit::Scaled,
        },
    }
}
