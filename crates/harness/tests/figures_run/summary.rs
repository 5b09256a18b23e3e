//! Summary numbers worked by hand.

use crate::support::{axes, names, overall, row, run, summarise};
use robust_svm_harness::stats::{self, Axes, Groups, LevelUnit, Moments, median, summary_csv};
use robust_svm_harness::store::{CellRow, Cells, Measurement, Status, write_cells};

fn small() -> Axes {
    Axes {
        unit: LevelUnit::StandardDeviation,
        datasets: names(&["a,b"]),
        methods: names(&["m"]),
        levels: vec![0.5],
        robust: Vec::new(),
    }
}

fn measured(repeat: u32, accuracy: f64, lambda: f64, gap: f64) -> CellRow {
    let sample = run(&axes(1), 1)[0].measurement.clone().unwrap();
    let measurement = Measurement {
        accuracy,
        noisy_accuracy: 0.5,
        attack_error: 0.25,
        certified_error: 0.25,
        objective: 2.0,
        lambda,
        relative_gap: gap,
        ..sample
    };
    row("a,b", "m", 0.5, repeat, Some(measurement))
}

#[test]
fn means_spreads_medians_and_maxima_are_those_worked_by_hand() {
    let rows = [
        measured(0, 0.5, 0.1, 1e-9),
        measured(1, 1.0, 10.0, 3e-9),
        measured(2, 0.75, 1.0, 2e-9),
        measured(3, 0.75, 100.0, 2e-9),
    ];
    let summary = summarise(&rows, &small());
    let metrics = summary[0].metrics.unwrap();
    // Deviations −¼, ¼, 0, 0: squares sum to 1/8, over three.
    let accuracy = metrics.performance.accuracy;
    assert_eq!(accuracy.mean, 0.75);
    assert!((accuracy.sd.unwrap() - (1.0_f64 / 24.0).sqrt()).abs() < 1e-15);
    assert_eq!(metrics.lambda_median, 5.5);
    assert_eq!(metrics.sigma_median, None);
    assert_eq!(metrics.relative_gap_max, 3e-9);
    assert_eq!(metrics.objective.sd, Some(0.0));
}

#[test]
fn moments_of_few_values_and_of_close_values_are_sound() {
    assert_eq!(Moments::of(&[]), None);
    assert_eq!(Moments::of(&[3.0]).unwrap().sd, None);
    assert_eq!(median(&[]), None);
    assert_eq!(median(&[7.0, -1.0, 2.0]), Some(2.0));
    // The one-pass formula loses every digit here.
    let close = Moments::of(&[1e9, 1e9 + 1.0, 1e9 + 2.0]).unwrap();
    assert_eq!(close.sd, Some(1.0));
}

/// More rows than are read at a time, in a file and in memory; and a number that is not there is not passed over.
#[test]
fn cells_in_a_file_are_those_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cells.parquet");
    let axes = axes(10);
    let mut rows = run(&axes, 48);
    assert!(rows.len() > 16_384);
    write_cells(&path, &Cells::of(rows.clone()).rows().unwrap()).unwrap();
    let cells: Cells<CellRow> = Cells::open(&path).unwrap();
    let groups = Groups::new(&cells, &axes).unwrap();
    let summary = stats::summarise(&groups).unwrap();
    assert_eq!(summary, summarise(&rows, &axes));
    // By hand: the twelfth repeat is after the second.
    let own = |row: &&CellRow| (&*row.dataset, &*row.method, row.level) == ("iris", "rff", 0.5);
    let accuracies: Vec<f64> = rows
        .iter()
        .filter(own)
        .map(|row| row.measurement.as_ref().unwrap().accuracy)
        .collect();
    let found = summary
        .iter()
        .find(|row| (&*row.dataset, &*row.method, row.level) == ("iris", "rff", 0.5));
    let accuracy = found.unwrap().metrics.unwrap().performance.accuracy;
    assert_eq!(accuracy, Moments::of(&accuracies).unwrap());
    rows[7].measurement = None;
    let cells = Cells::of(rows);
    let error = stats::summarise(&Groups::new(&cells, &axes).unwrap()).unwrap_err();
    assert!(
        error.to_string().contains("column `accuracy` has no value"),
        "{error}"
    );
}

#[test]
fn cells_without_result_are_counted_and_left_out_of_means() {
    let mut rows = vec![measured(0, 0.5, 1.0, 0.0), measured(5, 1.0, 1.0, 0.0)];
    for (repeat, status) in [
        (1, Status::Failed),
        (2, Status::Diverged),
        (3, Status::Skipped),
        (4, Status::Failed),
    ] {
        let mut lost = row("a,b", "m", 0.5, repeat, None);
        lost.status = status;
        rows.push(lost);
    }
    let summary = summarise(&rows, &small());
    let counts = summary[0].counts;
    assert_eq!(
        (
            counts.cells,
            counts.ok,
            counts.failed,
            counts.diverged,
            counts.skipped
        ),
        (6, 2, 2, 1, 1)
    );
    assert_eq!(summary[0].metrics.unwrap().performance.accuracy.mean, 0.75);
    assert!(!counts.complete());
}

#[test]
fn rows_beside_the_axes_are_left_out_and_triples_without_cells_stay() {
    let axes = Axes {
        unit: LevelUnit::StandardDeviation,
        levels: vec![0.5, 1.0],
        ..small()
    };
    let other = row("a,b", "other", 0.5, 0, None);
    let summary = summarise(&[measured(0, 0.5, 1.0, 0.0), other], &axes);
    assert_eq!(
        summary
            .iter()
            .map(|row| row.counts.cells)
            .collect::<Vec<_>>(),
        [1, 0]
    );
    assert_eq!(summary[1].metrics, None);
}

#[test]
fn the_csv_quotes_names_and_leaves_missing_numbers_empty() {
    let axes = Axes {
        unit: LevelUnit::StandardDeviation,
        levels: vec![0.5, 1.0],
        ..small()
    };
    let csv = summary_csv(&summarise(&[measured(0, 0.1 + 0.2, 1.0, 2.5e-10)], &axes));
    insta::assert_snapshot!(csv);
    let shortest = "0.30000000000000004";
    assert!(csv.contains(shortest) && shortest.parse::<f64>().unwrap() == 0.1 + 0.2);
}

#[test]
fn the_average_over_datasets_needs_every_cell() {
    let axes = axes(3);
    let mut rows = run(&axes, 4);
    let average = overall(&rows, &axes).unwrap();
    assert_eq!(average.len(), axes.methods.len() * axes.levels.len());
    // The mean over all cells, since every dataset has as many.
    let cells = rows
        .iter()
        .filter(|row| row.method == "rff" && row.level == 0.2);
    let accuracies: Vec<f64> = cells
        .map(|row| row.measurement.as_ref().unwrap().accuracy)
        .collect();
    let mean = accuracies.iter().sum::<f64>() / accuracies.len() as f64;
    let found = average
        .iter()
        .find(|row| row.method == "rff" && row.level == 0.2)
        .unwrap();
    assert!((found.performance.accuracy.mean - mean).abs() < 1e-15);
    // Over repeats, not over cells: averaging over datasets first narrows the spread.
    assert!(found.performance.accuracy.sd.unwrap() < Moments::of(&accuracies).unwrap().sd.unwrap());
    assert_eq!(found.repeats, 4);
    rows.pop();
    assert_eq!(overall(&rows, &axes), None);
}
