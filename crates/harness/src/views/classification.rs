//! The views of the kind `classification`.

use super::{Viewed, Views, ViewsError};
use crate::plan::{Comparison, LevelKind, Plan, Robustness, common_scaling};
use crate::plot::{classification_plots, convergence_plot, rank_plots, tradeoff_plot};
use crate::stats::{Axes, Groups, LevelUnit, statistics, summarise, summary_csv};
use crate::store::{CellRow, Cells};
use crate::table::{classification_tables, significance_tables};
use robust_svm_core::data::Scaling;
use std::path::Path;

/// The views of a classification's cells on axes, each dataset planned to have `repeats`, of an experiment with this `seed`.
///
/// # Errors
/// [`ViewsError`] for axes without a dataset, method or level, for a level that is not finite, and if the cells cannot be read.
pub fn classification(
    groups: &Groups<'_>,
    comparisons: &[Comparison],
    repeats: u32,
    seed: u64,
) -> Result<Views, ViewsError> {
    let axes = groups.axes;
    let summary = summarise(groups)?;
    let statistics = statistics(groups, repeats, seed)?;
    let mut tables = classification_tables(groups, &summary, comparisons)?;
    tables.extend(significance_tables(&statistics, axes));
    let mut plots = classification_plots(&summary, axes)?;
    plots.extend(tradeoff_plot(&summary, axes));
    plots.extend(rank_plots(&statistics, axes));
    Ok(Views {
        summary: Some(summary_csv(&summary)),
        tables,
        plots,
    })
}

impl Viewed for Plan {
    fn views(&self, cells: &Cells<CellRow>) -> Result<Views, ViewsError> {
        let axes = axes(self);
        let groups = Groups::new(cells, &axes)?;
        classification(&groups, &self.comparisons, self.repeats, self.seed)
    }

    /// With how the solvers got there.
    fn views_in(&self, out: &Path, cells: &Cells<CellRow>) -> Result<Views, ViewsError> {
        let mut views = self.views(cells)?;
        let axes = axes(self);
        let groups = Groups::new(cells, &axes)?;
        let convergence = convergence_plot(&groups, &out.join("convergence.parquet"))?;
        views.plots.extend(convergence);
        Ok(self.told_of_part(views, cells.len()))
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
