//! A run made up by arithmetic: plausible values without a random number.

use robust_svm_harness::plan::Comparison;
use robust_svm_harness::stats::{
    self, Axes, ComparisonRow, Groups, LevelStatistics, LevelUnit, OverallRow, SummaryRow,
};
use robust_svm_harness::store::{CellRow, Cells, Measurement, Status};
use robust_svm_harness::table::{self, Document};

pub(crate) const METHODS: [&str; 7] = [
    "linear",
    "robust-linear",
    "rff",
    "robust-rff",
    "nystrom",
    "robust-nystrom",
    "kernel-svm",
];

pub(crate) const DATASETS: [&str; 10] = [
    "breast-cancer-wisconsin-diagnostic",
    "ionosphere",
    "wine",
    "sonar",
    "parkinsons",
    "banknote-authentication",
    "heart-disease",
    "iris",
    "phishing",
    "magic",
];

pub(crate) fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

/// The main experiment's axes, with its first `datasets` datasets.
pub(crate) fn axes(datasets: usize) -> Axes {
    Axes {
        unit: LevelUnit::StandardDeviation,
        datasets: names(&DATASETS[..datasets]),
        methods: names(&METHODS),
        robust: names(&["robust-linear", "robust-rff", "robust-nystrom"]),
        levels: vec![0.0, 0.1, 0.2, 0.5, 1.0],
    }
}

/// What `of` makes of `rows` on `axes`.
pub(crate) fn grouped<T, E: std::fmt::Debug>(
    rows: &[CellRow],
    axes: &Axes,
    of: impl FnOnce(&Groups<'_>) -> Result<T, E>,
) -> T {
    let cells = Cells::of(rows.to_vec());
    of(&Groups::new(&cells, axes).unwrap()).unwrap()
}

pub(crate) fn summarise(rows: &[CellRow], axes: &Axes) -> Vec<SummaryRow> {
    grouped(rows, axes, stats::summarise)
}

pub(crate) fn overall(rows: &[CellRow], axes: &Axes) -> Option<Vec<OverallRow>> {
    grouped(rows, axes, stats::overall)
}

pub(crate) fn compare(
    rows: &[CellRow],
    axes: &Axes,
    comparisons: &[Comparison],
) -> Vec<ComparisonRow> {
    grouped(rows, axes, |groups| stats::compare(groups, comparisons))
}

pub(crate) fn statistics(
    rows: &[CellRow],
    axes: &Axes,
    repeats: u32,
    seed: u64,
) -> Vec<LevelStatistics> {
    grouped(rows, axes, |groups| {
        stats::statistics(groups, repeats, seed)
    })
}

pub(crate) fn classification_tables(
    rows: &[CellRow],
    axes: &Axes,
    comparisons: &[Comparison],
) -> Vec<Document> {
    grouped(rows, axes, |groups| {
        table::classification_tables(groups, &stats::summarise(groups)?, comparisons)
    })
}

/// A row for every triple of the axes and every repeat, all measured.
pub(crate) fn run(axes: &Axes, repeats: u32) -> Vec<CellRow> {
    let mut rows = Vec::new();
    for (d, dataset) in axes.datasets.iter().enumerate() {
        for (m, method) in axes.methods.iter().enumerate() {
            for &level in &axes.levels {
                for repeat in 0..repeats {
                    let measurement = measurement(d as f64, m, method, level, repeat);
                    rows.push(row(dataset, method, level, repeat, Some(measurement)));
                }
            }
        }
    }
    rows
}

pub(crate) fn row(
    dataset: &str,
    method: &str,
    level: f64,
    repeat: u32,
    measurement: Option<Measurement>,
) -> CellRow {
    let status = if measurement.is_some() {
        Status::Ok
    } else {
        Status::Failed
    };
    CellRow {
        cell_id: format!("{dataset}/{method}/{level}/{repeat}"),
        dataset: dataset.to_owned(),
        method: method.to_owned(),
        level,
        train_level: level,
        repeat,
        status,
        reason: None,
        seed: u64::from(repeat),
        measurement,
    }
}

/// Errors grow with the level, more slowly for robust methods, whose brackets are also narrower.
fn measurement(d: f64, m: usize, method: &str, level: f64, repeat: u32) -> Measurement {
    let robust = method.starts_with("robust-");
    let linear = method.ends_with("linear");
    let jitter = 0.012 * (1.3 * d + 2.1 * m as f64 + 3.7 * f64::from(repeat)).sin();
    let difficulty = 0.03 + 0.05 * (0.9 * d).sin().powi(2) + 0.012 * d;
    let clean = difficulty + if linear { 0.03 } else { 0.004 * m as f64 } + jitter;
    let clean = clean + if robust { 0.02 * level } else { 0.0 };
    let noisy = clean + level * if robust { 0.03 } else { 0.08 };
    let attack = clean
        + level
            * if robust {
                0.22 + 0.02 * d
            } else {
                0.42 + 0.02 * d
            };
    let slack = match (linear, robust) {
        (true, _) => 0.0,
        (false, true) => 0.04 * level,
        (false, false) => 0.35 * level,
    };
    Measurement {
        n_train: 341,
        n_validation: 114,
        n_test: 114,
        n_features: 30,
        feature_dim: (!linear).then_some(256),
        lambda: [0.1, 1.0, 10.0][m % 3],
        sigma: (!linear).then_some(2.5 + 0.5 * f64::from(repeat)),
        bound: robust.then(|| "geodesic".to_owned()),
        solver: "interior-point".to_owned(),
        iterations: Some(17),
        objective: 0.4 + level,
        dual_objective: 0.4 + level - 1e-9,
        relative_gap: 1e-9 * (1.0 + m as f64),
        gamma_mean: level,
        accuracy: 1.0 - clean,
        noisy_accuracy: 1.0 - noisy,
        attack_error: attack.min(1.0),
        certified_error: (attack + slack).min(1.0),
        nominal_lambda: None,
        nominal_gap: None,
        exact_attack_error: None,
        exact_certified_error: None,
        paper_certified_error: None,
    }
}
