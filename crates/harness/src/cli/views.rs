//! Everything a run makes from its rows, for each kind of experiment.

use super::exit::{Ended, Exit};
use crate::plan::{LevelKind, Plan};
use crate::plot::{LineFigure, write_convergence, write_figures, write_plots};
use crate::run::Experiment;
use crate::stats::{Axes, LevelUnit, summarise, summary_csv};
use crate::store::{CellRow, StoreError, read_traces, write_atomically};
use crate::study::bandwidth_rule::{self, BandwidthPlan, BandwidthRow};
use crate::study::bound_tightness::{self, TightnessPlan, TightnessRow};
use crate::study::safe_ellipsoid::{self, SafePlan, SafeRow};
use crate::table::{write_comparison, write_tables};
use robust_svm_core::data::Scaling;
use std::path::Path;

/// An experiment whose rows people can look at.
pub(super) trait Viewed: Experiment {
    /// Writes into the results folder `out` what is made of `rows`.
    fn write_views(&self, out: &Path, rows: &[Self::Row]) -> Result<(), Ended>;
}

impl Viewed for Plan {
    fn write_views(&self, out: &Path, rows: &[CellRow]) -> Result<(), Ended> {
        classification(out, rows, self)
    }
}

impl Viewed for TightnessPlan {
    fn write_views(&self, out: &Path, rows: &[TightnessRow]) -> Result<(), Ended> {
        bound_tightness(out, rows, self)
    }
}

impl Viewed for BandwidthPlan {
    fn write_views(&self, out: &Path, rows: &[BandwidthRow]) -> Result<(), Ended> {
        bandwidth_rule(out, rows, self)
    }
}

impl Viewed for SafePlan {
    fn write_views(&self, out: &Path, rows: &[SafeRow]) -> Result<(), Ended> {
        safe_ellipsoid(out, rows, self)
    }
}

/// The axes of a classification, as its file lists them.
pub(super) fn axes(plan: &Plan) -> Axes {
    Axes {
        datasets: plan.tasks.iter().map(|task| task.label.clone()).collect(),
        methods: plan
            .methods
            .iter()
            .map(|method| method.name.clone())
            .collect(),
        levels: plan.levels.clone(),
        unit: match (plan.level_kind, plan.scaling) {
            (LevelKind::Chance(_), _) => LevelUnit::Chance,
            (LevelKind::Size, Scaling::Standardize) => LevelUnit::StandardDeviation,
            (LevelKind::Size, Scaling::MinMax) => LevelUnit::HalfRange,
            (LevelKind::Size, Scaling::None) => LevelUnit::Data,
        },
    }
}

/// Summary, tables and plots of the kind `classification`.
fn classification(out: &Path, rows: &[CellRow], plan: &Plan) -> Result<(), Ended> {
    let axes = axes(plan);
    let io = |error: &dyn std::fmt::Display| Ended::new(Exit::InputOutput, error);
    let summary = summary_csv(&summarise(rows, &axes));
    let summary_path = out.join("summary.csv");
    write_atomically(&summary_path, summary.as_bytes())
        .map_err(|e| io(&StoreError::io("write", &summary_path)(e)))?;
    write_tables(out, rows, &axes).map_err(|e| io(&e))?;
    write_comparison(out, rows, &axes, &plan.comparisons).map_err(|e| io(&e))?;
    write_plots(out, rows, &axes).map_err(|e| io(&e))?;
    let traces = read_traces(&out.join("convergence.parquet")).map_err(|e| io(&e))?;
    write_convergence(out, rows, &traces, &axes).map_err(|e| io(&e))
}

/// Tables and plots of the kind `bound-tightness`.
fn bound_tightness(out: &Path, rows: &[TightnessRow], plan: &TightnessPlan) -> Result<(), Ended> {
    let tables = [
        ("tightness.md", bound_tightness::markdown(plan, rows)),
        ("tightness.csv", bound_tightness::csv(plan, rows)),
    ];
    study(out, tables, &bound_tightness::figures(plan, rows))
}

/// Tables and plots of the kind `bandwidth-rule`.
fn bandwidth_rule(out: &Path, rows: &[BandwidthRow], plan: &BandwidthPlan) -> Result<(), Ended> {
    let tables = [
        ("bandwidth.md", bandwidth_rule::markdown(plan, rows)),
        ("bandwidth.csv", bandwidth_rule::csv(plan, rows)),
    ];
    study(out, tables, &bandwidth_rule::figures(plan, rows))
}

/// Tables and plots of the kind `safe-ellipsoid`.
fn safe_ellipsoid(out: &Path, rows: &[SafeRow], plan: &SafePlan) -> Result<(), Ended> {
    let tables = [
        ("safe.md", safe_ellipsoid::markdown(plan, rows)),
        ("safe.csv", safe_ellipsoid::csv(plan, rows)),
    ];
    study(out, tables, &safe_ellipsoid::figures(plan, rows))
}

/// Writes the tables and figures of a study.
fn study<const N: usize>(
    out: &Path,
    tables: [(&str, String); N],
    figures: &[(String, LineFigure)],
) -> Result<(), Ended> {
    for (name, text) in tables {
        let path = out.join("tables").join(name);
        write_atomically(&path, text.as_bytes()).map_err(|error| {
            Ended::new(Exit::InputOutput, StoreError::io("write", &path)(error))
        })?;
    }
    write_figures(out, figures).map_err(|error| Ended::new(Exit::InputOutput, error))
}
