//! Means over repeats, one row per dataset × method × level.

use super::groups::{Groups, Numbers};
use super::{Moments, median};
use crate::store::{Status, StoreError};

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

impl Performance {
    /// The columns, in the order of the fields.
    const COLUMNS: [&str; 7] = [
        "accuracy",
        "noisy_accuracy",
        "attack_error",
        "certified_error",
        "exact_attack_error",
        "exact_certified_error",
        "paper_certified_error",
    ];

    fn of(moments: [Option<Moments>; Self::COLUMNS.len()]) -> Option<Self> {
        let [
            accuracy,
            noisy_accuracy,
            attack_error,
            certified_error,
            exact_attack_error,
            exact_certified_error,
            paper_certified_error,
        ] = moments;
        Some(Self {
            accuracy: accuracy?,
            noisy_accuracy: noisy_accuracy?,
            attack_error: attack_error?,
            certified_error: certified_error?,
            exact_attack_error,
            exact_certified_error,
            paper_certified_error,
        })
    }

    /// The performances with indices below `count`, each by the moments that `of` gives for its index and a column; `None` where
    /// there are none.
    ///
    /// # Errors
    /// [`StoreError`] if a column cannot be read.
    pub(super) fn each(
        groups: &Groups<'_>,
        count: usize,
        of: impl Fn(usize, &Numbers) -> Option<Moments>,
    ) -> Result<Vec<Option<Self>>, StoreError> {
        let mut moments = vec![[None; Self::COLUMNS.len()]; count];
        for (column, name) in Self::COLUMNS.into_iter().enumerate() {
            let numbers = groups.numbers(name)?;
            for (index, moments) in moments.iter_mut().enumerate() {
                moments[column] = of(index, &numbers);
            }
        }
        Ok(moments.into_iter().map(Self::of).collect())
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

/// Summarises cells: one row for every dataset × method × level of the axes, in that nesting, cells or not. Sums run in the
/// order of the repeats.
///
/// # Errors
/// [`StoreError`] if the cells cannot be read.
pub fn summarise(groups: &Groups<'_>) -> Result<Vec<SummaryRow>, StoreError> {
    let axes = groups.axes;
    let all = |triple, numbers: &Numbers| Moments::of(&groups.all(triple, numbers)?);
    let performances = Performance::each(groups, axes.len(), all)?;
    let objectives = by_triple(groups, "objective", Moments::of)?;
    let gaps = by_triple(groups, "relative_gap", |gaps| {
        let largest = gaps.iter().copied().max_by(f64::total_cmp);
        Moments::of(gaps).zip(largest)
    })?;
    let lambdas = by_triple(groups, "lambda", median)?;
    let sigmas = by_triple(groups, "sigma", median)?;
    let metrics = |triple: usize| {
        let (relative_gap, relative_gap_max) = gaps[triple]?;
        Some(MetricSummary {
            performance: performances[triple]?,
            objective: objectives[triple]?,
            relative_gap,
            relative_gap_max,
            lambda_median: lambdas[triple]?,
            sigma_median: sigmas[triple],
        })
    };
    let mut summary = Vec::with_capacity(axes.len());
    for (d, dataset) in axes.datasets.iter().enumerate() {
        for (m, method) in axes.methods.iter().enumerate() {
            for (l, &level) in axes.levels.iter().enumerate() {
                let triple = axes.index(d, m, l);
                let mut counts = Counts::default();
                for cell in groups.of(triple) {
                    counts.add(cell.status);
                }
                summary.push(SummaryRow {
                    dataset: dataset.clone(),
                    method: method.clone(),
                    level,
                    counts,
                    metrics: metrics(triple),
                });
            }
        }
    }
    Ok(summary)
}

/// By triple: what `of` gives for the numbers that its cells have in the column `name`.
fn by_triple<T>(
    groups: &Groups<'_>,
    name: &str,
    of: impl Fn(&[f64]) -> Option<T>,
) -> Result<Vec<Option<T>>, StoreError> {
    let numbers = groups.numbers(name)?;
    let triples = 0..groups.axes.len();
    Ok(triples
        .map(|triple| of(&groups.some(triple, &numbers)))
        .collect())
}
