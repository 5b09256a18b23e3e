//! Means over repeats, one row per dataset × method × level.

use super::{Axes, Moments, median};
use crate::store::{CellRow, Measurement, Status};

/// How the cells of one dataset, method and level ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Cells, however they ended.
    pub cells: usize,
    /// Measured cells: the n of every mean.
    pub ok: usize,
    /// Cells stopped by an error.
    pub failed: usize,
    /// Cells whose solver left the finite range.
    pub diverged: usize,
    /// Cells left out on purpose.
    pub skipped: usize,
    /// Cells stopped at the run's limit of time.
    pub timed_out: usize,
    /// Cells stopped at the run's limit of memory.
    pub out_of_memory: usize,
    /// Cells that ended the process they ran in.
    pub crashed: usize,
}

impl Counts {
    /// Whether there are cells and every one was measured.
    pub fn complete(&self) -> bool {
        self.cells > 0 && self.ok == self.cells
    }

    /// Counts of two sets of cells taken together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            cells: self.cells + other.cells,
            ok: self.ok + other.ok,
            failed: self.failed + other.failed,
            diverged: self.diverged + other.diverged,
            skipped: self.skipped + other.skipped,
            timed_out: self.timed_out + other.timed_out,
            out_of_memory: self.out_of_memory + other.out_of_memory,
            crashed: self.crashed + other.crashed,
        }
    }

    fn add(&mut self, status: Status) {
        self.cells += 1;
        match status {
            Status::Ok => self.ok += 1,
            Status::Failed => self.failed += 1,
            Status::Diverged => self.diverged += 1,
            Status::Skipped => self.skipped += 1,
            Status::TimedOut => self.timed_out += 1,
            Status::OutOfMemory => self.out_of_memory += 1,
            Status::Crashed => self.crashed += 1,
        }
    }
}

/// Accuracies and errors over repeats, as fractions in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Performance {
    /// Accuracy on clean test points.
    pub accuracy: Moments,
    /// Accuracy on test points with random noise.
    pub noisy_accuracy: Moments,
    /// Lower bound of the robust error, shown by the attack.
    pub attack_error: Moments,
    /// Upper bound of the robust error, from the certificate.
    pub certified_error: Moments,
    /// The lower bound after a search; `None` unless every measured cell has one.
    pub exact_attack_error: Option<Moments>,
    /// The upper bound after a search; `None` unless every measured cell has one.
    pub exact_certified_error: Option<Moments>,
    /// Upper bound of the robust error from the paper's bounds; `None` unless every measured cell has one.
    pub paper_certified_error: Option<Moments>,
}

/// A number of a measurement that it may lack.
pub(super) type Number = fn(&Measurement) -> Option<f64>;

impl Performance {
    /// Moments over measurements; `None` where there are none.
    pub(super) fn of(of: impl Fn(Number) -> Option<Moments>) -> Option<Self> {
        Some(Self {
            accuracy: of(|m| Some(m.accuracy))?,
            noisy_accuracy: of(|m| Some(m.noisy_accuracy))?,
            attack_error: of(|m| Some(m.attack_error))?,
            certified_error: of(|m| Some(m.certified_error))?,
            exact_attack_error: of(|m| m.exact_attack_error),
            exact_certified_error: of(|m| m.exact_certified_error),
            paper_certified_error: of(|m| m.paper_certified_error),
        })
    }
}

/// The metrics of the measured cells of one dataset, method and level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MetricSummary {
    /// Accuracies and errors.
    pub performance: Performance,
    /// Primal objective.
    pub objective: Moments,
    /// Certified relative gap `(P − D)/P`.
    pub relative_gap: Moments,
    /// The largest relative gap.
    pub relative_gap_max: f64,
    /// Median of the selected λ.
    pub lambda_median: f64,
    /// Median of the selected σ; `None` for linear models.
    pub sigma_median: Option<f64>,
}

/// One dataset, method and level over its repeats.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryRow {
    /// The dataset's name.
    pub dataset: String,
    /// The method's name.
    pub method: String,
    /// The evaluation level γ, in units of the scaled features.
    pub level: f64,
    /// How the cells ended.
    pub counts: Counts,
    /// The metrics of the measured cells; `None` where no cell was measured.
    pub metrics: Option<MetricSummary>,
}

/// Summarises cells: one row for every dataset × method × level of the axes, in that nesting, cells or not.
///
/// The order of `rows` does not matter: sums run in the order of the repeats.
pub fn summarise(rows: &[CellRow], axes: &Axes) -> Vec<SummaryRow> {
    let groups = grouped(rows, axes);
    let mut summary = Vec::with_capacity(axes.len());
    for (d, dataset) in axes.datasets.iter().enumerate() {
        for (m, method) in axes.methods.iter().enumerate() {
            for (l, &level) in axes.levels.iter().enumerate() {
                let cells = &groups[axes.index(d, m, l)];
                let mut counts = Counts::default();
                for row in cells {
                    counts.add(row.status);
                }
                summary.push(SummaryRow {
                    dataset: dataset.clone(),
                    method: method.clone(),
                    level,
                    counts,
                    metrics: metrics(cells),
                });
            }
        }
    }
    summary
}

/// The cells of every triple of the axes, in the order of their repeats.
pub(super) fn grouped<'a>(rows: &'a [CellRow], axes: &Axes) -> Vec<Vec<&'a CellRow>> {
    let mut groups = vec![Vec::new(); axes.len()];
    for row in rows {
        if let Some(position) = axes.position(row) {
            groups[position].push(row);
        }
    }
    for group in &mut groups {
        group.sort_by(|a, b| (a.repeat, &a.cell_id).cmp(&(b.repeat, &b.cell_id)));
    }
    groups
}

/// The measurement of a cell that ended well.
pub(super) fn measured(row: &CellRow) -> Option<&Measurement> {
    row.measurement
        .as_ref()
        .filter(|_| row.status == Status::Ok)
}

fn metrics(cells: &[&CellRow]) -> Option<MetricSummary> {
    let ok: Vec<&Measurement> = cells.iter().filter_map(|row| measured(row)).collect();
    let values = |of: fn(&Measurement) -> f64| ok.iter().map(|m| of(m)).collect::<Vec<f64>>();
    let all = |of: Number| ok.iter().map(|m| of(m)).collect::<Option<Vec<f64>>>();
    let moments = |of| Moments::of(&values(of));
    let sigmas: Vec<f64> = ok.iter().filter_map(|m| m.sigma).collect();
    Some(MetricSummary {
        performance: Performance::of(|of| Moments::of(&all(of)?))?,
        objective: moments(|m| m.objective)?,
        relative_gap: moments(|m| m.relative_gap)?,
        relative_gap_max: values(|m| m.relative_gap)
            .into_iter()
            .max_by(f64::total_cmp)?,
        lambda_median: median(&values(|m| m.lambda))?,
        sigma_median: median(&sigmas),
    })
}
