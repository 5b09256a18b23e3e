//! The tables of a run.

use crate::support::{axes, classification_tables, names, run};
use robust_svm_harness::stats::{Axes, LevelUnit};
use robust_svm_harness::store::{CellRow, Status};
use robust_svm_harness::table::{csv, latex, markdown};

/// A table's Markdown or CSV, by the name of its file.
fn tables(rows: &[CellRow], axes: &Axes) -> impl Fn(&str) -> String + use<> {
    let documents = classification_tables(rows, axes, &[]);
    move |file| {
        let (name, ending) = file.split_once('.').unwrap();
        let document = documents.iter().find(|document| document.name == name);
        let document = document.expect("there is such a table");
        match ending {
            "md" => markdown(document),
            _ => csv(&document.data),
        }
    }
}

fn few() -> Axes {
    Axes {
        unit: LevelUnit::StandardDeviation,
        methods: names(&["linear", "robust-linear", "rff", "robust-rff"]),
        levels: vec![0.0, 0.2],
        ..axes(2)
    }
}

#[test]
fn tables_of_a_complete_run() {
    let read = tables(&run(&few(), 3), &few());
    insta::assert_snapshot!("accuracy", read("accuracy.md"));
    insta::assert_snapshot!("robust_error", read("robust_error.md"));
    insta::assert_snapshot!("robust_error_csv", read("robust_error.csv"));
    insta::assert_snapshot!("selection", read("selection.md"));
}

/// Searched, with the paper's bounds where they are: numbers worked by hand.
#[test]
fn certificates_of_a_complete_run() {
    let axes = Axes {
        methods: names(&["rff", "kernel-svm"]),
        levels: vec![0.0, 0.2],
        ..few()
    };
    let mut rows = run(&axes, 2);
    for row in &mut rows {
        let wide = row.level > 0.0 && row.dataset == axes.datasets[0];
        let m = row.measurement.as_mut().unwrap();
        (m.attack_error, m.certified_error) = (0.125, if wide { 0.375 } else { 0.25 });
        // One repeat of the two: the mean is between.
        let broken = if row.repeat == 0 { 0.0625 } else { 0.0 };
        m.exact_attack_error = Some(m.attack_error + broken);
        m.exact_certified_error = Some(m.certified_error - broken);
        m.paper_certified_error = (row.method == "rff").then_some(0.5);
    }
    let read = tables(&rows, &axes);
    insta::assert_snapshot!("certificates", read("certificates.md"));
    insta::assert_snapshot!("certificates_csv", read("certificates.csv"));
}

/// A number that some repeat lacks has no mean over the repeats.
#[test]
fn certificates_without_a_search_and_with_lost_cells() {
    let mut rows = run(&few(), 3);
    for row in rows.iter_mut().filter(|row| row.repeat > 0) {
        row.measurement.as_mut().unwrap().paper_certified_error = Some(0.9);
    }
    for row in rows
        .iter_mut()
        .filter(|row| row.method == "rff" && row.repeat == 0)
    {
        row.status = Status::Failed;
        row.measurement = None;
    }
    let read = tables(&rows, &few());
    insta::assert_snapshot!("certificates_with_gaps", read("certificates.md"));
}

#[test]
fn missing_cells_are_marked_and_keep_an_entry_from_being_best() {
    let mut rows = run(&few(), 3);
    for row in &mut rows {
        let lost = match (row.dataset.as_str(), row.method.as_str(), row.repeat) {
            ("ionosphere", "rff", 1) => Some(Status::Failed),
            ("ionosphere", "robust-rff", 0) => Some(Status::Diverged),
            ("ionosphere", "robust-linear", _) => Some(Status::Skipped),
            _ => None,
        };
        if let Some(status) = lost {
            row.status = status;
            row.measurement = None;
        }
    }
    let read = tables(&rows, &few());
    insta::assert_snapshot!("missing_accuracy", read("accuracy.md"));
    assert!(!read("noisy_accuracy.md").contains("all datasets"));
    let csv = read("accuracy.csv");
    let fields = csv.lines().map(|line| line.split(',').count());
    assert_eq!(fields.collect::<Vec<_>>(), [18; 5]);
}

#[test]
fn the_best_entries_are_bold_by_what_is_displayed() {
    let axes = Axes {
        unit: LevelUnit::StandardDeviation,
        datasets: names(&["wine"]),
        methods: names(&["linear", "robust-linear", "rff"]),
        levels: vec![0.0],
        robust: Vec::new(),
    };
    let mut rows = run(&axes, 1);
    for (row, accuracy) in rows.iter_mut().zip([0.91238, 0.91242, 0.91149]) {
        row.measurement.as_mut().unwrap().accuracy = accuracy;
    }
    let table = tables(&rows, &axes)("accuracy.md");
    let line = table
        .lines()
        .find(|line| line.starts_with("| wine"))
        .unwrap();
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    assert_eq!(fields[3..6], ["**91.2**", "**91.2**", "91.1"]);
}

/// A bracket whose ends are displayed alike is one number, without a spread: the error is not known exactly. Of a single
/// dataset there is nothing to summarise over datasets.
#[test]
fn narrow_brackets_and_a_single_dataset() {
    let axes = Axes {
        methods: names(&["rff", "kernel-svm"]),
        levels: vec![0.1],
        ..axes(1)
    };
    let mut rows = run(&axes, 2);
    for row in &mut rows {
        let m = row.measurement.as_mut().unwrap();
        let wide = row.method == "rff";
        (m.attack_error, m.certified_error) = (0.1806, if wide { 0.182 } else { 0.1814 });
    }
    let read = tables(&rows, &axes);
    let table = read("robust_error.md");
    assert!(table.contains("| 18.1–18.2 |   **18.1** |"), "{table}");
    for form in ["certificates.md", "certificates.csv"] {
        assert!(!read(form).contains("of datasets") && !read(form).contains("##"));
    }
}

#[test]
fn latex_of_a_run() {
    let documents = classification_tables(&run(&few(), 3), &few(), &[]);
    let of = |name: &str| documents.iter().find(|document| document.name == name);
    insta::assert_snapshot!(
        "robust_error_latex",
        latex(of("robust_error").unwrap(), "ex")
    );
}
