//! Tables and diagrams of what the tests say.

use crate::support::{axes, names, run, statistics};
use robust_svm_harness::plot::rank_plots;
use robust_svm_harness::spec::CompareMetric;
use robust_svm_harness::stats::{Axes, LevelStatistics};
use robust_svm_harness::store::{CellRow, Status};
use robust_svm_harness::table::{CellsOf, Document, csv, latex, markdown, significance_tables};

const SEED: u64 = 2018;

fn few() -> Axes {
    Axes {
        methods: names(&["rff", "robust-rff", "kernel-svm"]),
        robust: names(&["robust-rff"]),
        levels: vec![0.0, 0.5],
        ..axes(6)
    }
}

/// A run whose third dataset lacks one repeat of `rff` at γ = 0.5, and its last dataset all of `kernel-svm` there.
fn incomplete() -> Vec<CellRow> {
    let mut rows = run(&few(), 3);
    let datasets = few().datasets;
    for row in rows.iter_mut().filter(|row| row.level == 0.5) {
        let one = row.dataset == datasets[2] && row.method == "rff" && row.repeat == 1;
        if one || (row.dataset == datasets[5] && row.method == "kernel-svm") {
            row.status = Status::Failed;
            row.measurement = None;
        }
    }
    rows
}

fn documents(rows: &[CellRow]) -> Vec<Document> {
    significance_tables(&statistics(rows, &few(), 3, SEED), &few())
}

fn document(documents: &[Document], name: &str) -> Document {
    let found = documents.iter().find(|document| document.name == name);
    found.expect("it is made").clone()
}

/// The document with its last error, the certified, alone: the tables of the others are alike.
fn certified(mut document: Document, tables: usize) -> Document {
    document.tables.drain(..document.tables.len() - tables);
    document
}

#[test]
fn tables_of_a_run_with_failed_cells() {
    let documents = documents(&incomplete());
    for (name, tables) in [
        ("statistics", 1),
        ("ranks", 2),
        ("wins", 1),
        ("within_datasets", 1),
    ] {
        let shown = markdown(&certified(document(&documents, name), tables));
        insta::assert_snapshot!(format!("significance_{name}"), shown);
    }
}

#[test]
fn the_data_has_a_record_for_everything() {
    let documents = documents(&run(&few(), 3));
    // Two levels of the clean error, one of three others; three methods, three pairs, six datasets.
    for (name, records) in [
        ("statistics", 5 * 3),
        ("ranks", 5 * 3),
        ("wins", 5 * 3),
        ("within_datasets", 5 * 3 * 6),
    ] {
        let document = document(&documents, name);
        assert_eq!(document.data.records.len(), records, "{name}");
        let width = document.data.header.len();
        assert!(
            document
                .data
                .records
                .iter()
                .all(|record| record.len() == width)
        );
        assert_eq!(csv(&document.data).lines().count(), 1 + records);
        assert!(latex(&document, "ex").contains("tab:ex-"));
    }
}

/// Cells that an entry names, as errors of the method named.
fn errors(rows: &[CellRow], cells: &[CellsOf], method: &str, metric: CompareMetric) -> Vec<f64> {
    let is_of = |row: &CellRow, of: &CellsOf| {
        of.dataset.as_ref().is_none_or(|name| *name == row.dataset)
            && of.method.as_ref().is_none_or(|name| *name == row.method)
            && of.level.is_none_or(|level| level == row.level)
    };
    let of_method = rows.iter().filter(|row| row.method == method);
    let named = of_method.filter(|row| cells.iter().any(|of| is_of(row, of)));
    let measured = named.map(|row| {
        row.measurement
            .as_ref()
            .expect("entries name measured cells")
    });
    measured
        .map(|m| match metric {
            CompareMetric::CleanError => 1.0 - m.accuracy,
            CompareMetric::NoisyError => 1.0 - m.noisy_accuracy,
            CompareMetric::AttackError => m.attack_error,
            CompareMetric::CertifiedError => m.certified_error,
        })
        .collect()
}

/// Differences are those of the means of the cells that the entries name, which are the complete datasets' alone; ranks
/// name as many of each method.
#[test]
fn entries_follow_from_the_cells_they_name() {
    let (rows, documents) = (incomplete(), documents(&incomplete()));
    let metric = CompareMetric::CertifiedError;
    let table = &certified(document(&documents, "statistics"), 1).tables[0];
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
    for line in &table.lines {
        let entry = &line[3];
        let of = |method: &str| mean(errors(&rows, &entry.cells, method, metric));
        let expected = of(&line[0].text) - of(&line[1].text);
        assert!((entry.numbers[0] - expected).abs() < 1e-12, "{entry:?}");
    }
    let ranks = &certified(document(&documents, "ranks"), 2).tables;
    for (line, method) in ranks[0].lines.iter().zip(few().methods) {
        for method in &few().methods {
            assert_eq!(errors(&rows, &line[1].cells, method, metric).len(), 4 * 3);
        }
        assert_eq!(line[0].text, method);
    }
    for line in &ranks[1].lines {
        let expected = mean(errors(&rows, &line[1].cells, &line[0].text, metric));
        assert!((line[1].numbers[0] - expected).abs() < 1e-12);
    }
}

fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let nodes = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    nodes
        .filter_map(|node| node.text())
        .map(|text| text.trim().to_owned())
        .collect()
}

fn diagrams(rows: &[CellRow], axes: &Axes) -> Vec<(String, Vec<String>)> {
    let all: Vec<LevelStatistics> = statistics(rows, axes, 3, SEED);
    let plots = rank_plots(&all, axes);
    let shown = |plot: &robust_svm_harness::plot::Plot| {
        assert!(plot.png().unwrap().len() > 1000);
        (plot.name().to_owned(), texts(&plot.svg().unwrap()))
    };
    plots.iter().map(shown).collect()
}

#[test]
fn diagrams_name_every_method_with_its_rank_at_every_level() {
    let found = diagrams(&run(&few(), 3), &few());
    let names: Vec<&str> = found.iter().map(|(name, _)| &**name).collect();
    let expected = [
        "critical_difference_clean_error",
        "critical_difference_noisy_error",
        "critical_difference_attack_error",
        "critical_difference_certified_error",
    ];
    assert_eq!(names, expected);
    for ((name, texts), levels) in found.iter().zip([2, 1, 1, 1]) {
        let count = |wanted: &str| texts.iter().filter(|text| *text == wanted).count();
        for method in &few().methods {
            assert_eq!(count(method), levels, "{name} {method}");
        }
        // q = 2.3437 of three methods: 2.3437 · sqrt(12/36).
        assert_eq!(count("CD = 1.35"), levels, "{name}");
        let ranks = texts
            .iter()
            .filter(|text| text.contains('.') && text.len() == 4);
        let sum: f64 = ranks.filter_map(|text| text.parse::<f64>().ok()).sum();
        assert!(
            (sum - 6.0 * levels as f64).abs() < 0.02 * levels as f64,
            "{name} {sum}"
        );
    }
    // The same rows give the same bytes, in any order.
    let mut rows = run(&few(), 3);
    rows.reverse();
    assert_eq!(diagrams(&rows, &few()), found);
}

#[test]
fn a_level_without_ranks_says_so_and_an_error_without_any_has_no_diagram() {
    let rest = |row: &CellRow| row.level == 0.0 || few().datasets[..2].contains(&row.dataset);
    let rows: Vec<CellRow> = run(&few(), 3).into_iter().filter(rest).collect();
    let found = diagrams(&rows, &few());
    assert_eq!(found.len(), 1);
    let (name, texts) = &found[0];
    assert_eq!(name, "critical_difference_clean_error");
    let why = "2 of 6 datasets, the others incomplete: ranks need 3";
    assert!(texts.iter().any(|text| text == why), "{texts:?}");
    let two = Axes {
        methods: names(&["rff", "kernel-svm"]),
        ..few()
    };
    assert!(diagrams(&run(&two, 3), &two).is_empty());
    assert_eq!(
        significance_tables(&statistics(&run(&two, 3), &two, 3, SEED), &two).len(),
        4
    );
    let one = Axes {
        methods: names(&["rff"]),
        ..few()
    };
    assert!(significance_tables(&statistics(&run(&one, 3), &one, 3, SEED), &one).is_empty());
}
