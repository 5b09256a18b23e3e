//! All views of a run: what their entries rest on, and their files.

use crate::support::{axes, classification_tables, grouped, names, run};
use robust_svm_harness::plan::Comparison;
use robust_svm_harness::spec::CompareMetric;
use robust_svm_harness::stats::Axes;
use robust_svm_harness::store::{CellRow, Measurement};
use robust_svm_harness::table::{CellsOf, Document};
use robust_svm_harness::views::classification;
use std::collections::BTreeSet;
use std::path::Path;

fn few() -> Axes {
    Axes {
        levels: vec![0.0, 0.2],
        ..axes(3)
    }
}

fn claims() -> [Comparison; 1] {
    [Comparison {
        method: "robust-rff".to_owned(),
        with: names(&["rff", "kernel-svm"]),
        metric: CompareMetric::CertifiedError,
    }]
}

fn cells<'a>(rows: &'a [CellRow], of: &[CellsOf]) -> Vec<&'a Measurement> {
    let is_of = |row: &CellRow, of: &CellsOf| {
        assert!(of.further.is_empty());
        of.dataset.as_ref().is_none_or(|name| *name == row.dataset)
            && of.method.as_ref().is_none_or(|name| *name == row.method)
            && of.level.is_none_or(|level| level == row.level)
    };
    let rows = rows.iter().filter(|row| of.iter().any(|of| is_of(row, of)));
    rows.filter_map(|row| row.measurement.as_ref()).collect()
}

/// The first numbers of the entries below `key` of the document's first table are `of` the cells that the entries name.
fn follows(
    document: &Document,
    key: &str,
    rows: &[CellRow],
    of: impl Fn(&[&Measurement]) -> f64,
) -> usize {
    let table = &document.tables[0];
    let column = table.columns.iter().position(|column| column.key == key);
    let column = column.unwrap_or_else(|| panic!("{} lacks {key}", document.name));
    for line in &table.lines {
        let entry = &line[column];
        let (found, expected) = (entry.numbers[0], of(&cells(rows, &entry.cells)));
        assert!(
            (found - expected).abs() < 1e-12,
            "{key}: {entry:?}, {expected}"
        );
    }
    table.lines.len()
}

fn mean(of: impl Fn(&Measurement) -> f64) -> impl Fn(&[&Measurement]) -> f64 {
    move |cells| cells.iter().map(|m| of(m)).sum::<f64>() / cells.len() as f64
}

/// What an entry shows is made again from the cells that it names, those averaged over datasets included.
#[test]
fn entries_follow_from_the_cells_they_name() {
    let (axes, rows) = (few(), run(&few(), 4));
    let documents = classification_tables(&rows, &axes, &claims());
    let of = |name: &str| {
        documents
            .iter()
            .find(|document| document.name == name)
            .unwrap()
    };
    for method in &axes.methods {
        let lines = follows(of("accuracy"), method, &rows, mean(|m| m.accuracy));
        assert_eq!(lines, 2 * (3 + 1));
        follows(
            of("noisy_accuracy"),
            method,
            &rows,
            mean(|m| m.noisy_accuracy),
        );
        follows(of("robust_error"), method, &rows, mean(|m| m.attack_error));
    }
    follows(
        of("certificates"),
        "certified_error",
        &rows,
        mean(|m| m.certified_error),
    );
    let width = mean(|m| m.certified_error - m.attack_error);
    assert_eq!(
        follows(of("certificates"), "width", &rows, width),
        3 * 7 * 2
    );
    let worst = |cells: &[&Measurement]| cells.iter().map(|m| m.relative_gap).fold(0.0, f64::max);
    follows(of("selection"), "relative_gap_max", &rows, worst);
    follows(of("comparison"), "mean", &rows, mean(|m| m.certified_error));
    follows(
        of("comparison"),
        "against_mean",
        &rows,
        mean(|m| m.certified_error),
    );
    let both = |document: &Document| document.tables[0].lines[0][6].cells.len();
    assert_eq!(both(of("comparison")), 2);
}

fn files(folder: &Path) -> BTreeSet<String> {
    let entries = ["tables", "plots"].map(|name| std::fs::read_dir(folder.join(name)).unwrap());
    let names = entries
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).collect()
}

/// A table and a figure that are no longer made go; what is not the program's stays, and so do the others.
#[test]
fn files_of_an_earlier_run_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = run(&few(), 2);
    for m in rows.iter_mut().filter_map(|row| row.measurement.as_mut()) {
        m.paper_certified_error = Some(1.0);
    }
    let views = |rows: &[CellRow], claims: &[Comparison]| {
        grouped(rows, &few(), |groups| classification(groups, claims, 2, 1))
    };
    views(&rows, &claims()).write(folder.path(), "ex").unwrap();
    let before = files(folder.path());
    std::fs::write(folder.path().join("tables/notes.txt"), "mine").unwrap();
    views(&run(&few(), 2), &[])
        .write(folder.path(), "ex")
        .unwrap();
    let after = files(folder.path());
    let gone: Vec<&String> = before.difference(&after).collect();
    let expected = [
        "certificates.pdf",
        "certificates.png",
        "certificates.svg",
        "comparison.csv",
        "comparison.md",
        "comparison.tex",
    ];
    assert_eq!(gone, expected);
    let added: Vec<&String> = after.difference(&before).collect();
    assert_eq!(added, ["notes.txt"]);
}
