//! The search of open points and what the paper's bounds certify, in the rows of runs.

use crate::support::{OTHER_METHODS, SMALL, Workspace, replaced};
use polars::prelude::{DataFrame, ParquetReader, ParquetWriter, SerReader};
use robust_svm_harness::store::{CellRow, Measurement, read_cells};
use std::fmt::Write as _;
use std::fs::File;

fn numbers(row: &CellRow) -> &Measurement {
    row.measurement.as_ref().expect("every cell is measured")
}

/// The rows of [`SMALL`] with every method, these levels, and a search where `exact` is one.
fn rows_of(workspace: &Workspace, levels: &str, exact: &str) -> Vec<CellRow> {
    let text = replaced(SMALL, "[0.0, 0.3]", levels);
    let text = replaced(&text, "[evaluation]", &format!("[evaluation]\n{exact}"));
    workspace.write("small.toml", &(text + OTHER_METHODS));
    workspace.run_well(&["--fresh"]);
    workspace.rows("results/small")
}

/// Two features of iris, one class against the others: in two dimensions the search decides every point.
fn plane() -> Workspace {
    let workspace = Workspace::new();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets/iris.csv");
    let iris = std::fs::read_to_string(path).unwrap();
    let mut plane = "a,b,label\n".to_owned();
    for line in iris.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let is_versicolor = u8::from(cells[4] == "1");
        let _ = writeln!(plane, "{},{},{is_versicolor}", cells[0], cells[1]);
    }
    workspace.dataset("blobs", &plane);
    workspace
}

#[test]
fn in_two_dimensions_the_robust_error_is_known_exactly() {
    let workspace = plane();
    let levels = "[0.0, 0.2, 0.5, 0.9]";
    let rows = rows_of(
        &workspace,
        levels,
        "exact = { cells = 20000, tolerance = 1e-7 }",
    );
    let mut decided = 0;
    for row in &rows {
        let m = numbers(row);
        let (attack, certified) = (m.exact_attack_error, m.exact_certified_error);
        assert_eq!(attack, certified, "{row:?}");
        let exact = attack.expect("the search was asked for");
        assert!(
            m.attack_error <= exact && exact <= m.certified_error,
            "{row:?}"
        );
        decided += usize::from(m.attack_error < m.certified_error);
    }
    assert!(
        decided >= 5,
        "only {decided} of {} brackets were open",
        rows.len()
    );
}

/// With few cells something stays open, and the order holds all the same.
#[test]
fn a_search_narrows_the_bracket_of_every_row() {
    let workspace = Workspace::new();
    let levels = "[0.0, 0.15, 0.4, 0.8]";
    let rows = rows_of(
        &workspace,
        levels,
        "exact = { cells = 4, tolerance = 1e-6 }",
    );
    let (mut narrower, mut open) = (0, 0);
    for row in &rows {
        let m = numbers(row);
        let (attack, certified) = (
            m.exact_attack_error.expect("the search was asked for"),
            m.exact_certified_error.expect("the search was asked for"),
        );
        let order = [m.attack_error, attack, certified, m.certified_error];
        assert!(order.is_sorted(), "{row:?}");
        narrower += usize::from(certified - attack < m.certified_error - m.attack_error);
        open += usize::from(attack < certified);
    }
    assert!(narrower > 0 && open > 0, "{narrower} narrower, {open} open");
}

/// Nothing else depends on the search.
#[test]
fn without_the_key_the_columns_are_null_and_the_others_the_same() {
    let workspace = Workspace::new();
    let levels = "[0.0, 0.4]";
    let with = rows_of(
        &workspace,
        levels,
        "exact = { cells = 50, tolerance = 1e-6 }",
    );
    let without = rows_of(&workspace, levels, "");
    assert_eq!(with.len(), without.len());
    for (mut with, without) in with.into_iter().zip(without) {
        let m = with.measurement.as_mut().expect("every cell is measured");
        assert!(m.exact_attack_error.take().is_some());
        assert!(m.exact_certified_error.take().is_some());
        assert_eq!(with, without);
    }
}

#[test]
fn the_papers_bounds_certify_less_and_no_kernel() {
    let workspace = Workspace::new();
    let rows = rows_of(&workspace, "[0.0, 0.02, 0.1, 0.4]", "");
    let mut looser = 0;
    for row in &rows {
        let m = numbers(row);
        let Some(paper) = m.paper_certified_error else {
            assert_eq!(row.method, "kernel-svm");
            continue;
        };
        assert_ne!(row.method, "kernel-svm");
        assert!(paper >= m.certified_error && paper <= 1.0, "{row:?}");
        if row.method.ends_with("linear") {
            assert_eq!(paper, m.certified_error, "{row:?}");
        }
        if row.level == 0.0 {
            assert!((paper - (1.0 - m.accuracy)).abs() < 1e-12, "{row:?}");
        }
        looser += usize::from(paper > m.certified_error);
        // A bound holds for small sets at least: not everything is lost.
        assert!(
            row.level > 0.02 || row.method.contains("nystrom") || paper < 1.0,
            "{row:?}"
        );
    }
    assert!(looser > 10, "{looser} of {}", rows.len());
}

/// Prop. 4.1 is for every p, Prop. 4.2 for p = 2, and neither is for phased features.
#[test]
fn the_papers_bounds_are_null_where_there_are_none() {
    let workspace = Workspace::new();
    let text = replaced(SMALL, "norm = 2", "norm = \"infinity\"");
    let phased = "\n[[method]]\nname = \"phased\"\nsolver = \"interior-point\"\n\
                  features = { map = \"rff\", dim = 15, form = \"phased\" }\nbound = \"arcs\"\n";
    let others = OTHER_METHODS.replace("bound = \"exact\"\n", "");
    workspace.write("small.toml", &(text + &others + phased));
    workspace.run_well(&[]);
    for row in workspace.rows("results/small") {
        let expected =
            !["nystrom", "robust-nystrom", "kernel-svm", "phased"].contains(&&*row.method);
        assert_eq!(
            numbers(&row).paper_certified_error.is_some(),
            expected,
            "{row:?}"
        );
    }
}

/// Files of versions before the search and the paper's certificate.
#[test]
fn results_without_the_later_columns_are_read() {
    let workspace = Workspace::finished();
    let path = workspace.path("results/small/cells.parquet");
    let rows = read_cells::<CellRow>(&path).unwrap();
    let frame = ParquetReader::new(File::open(&path).unwrap()).finish();
    let mut older: DataFrame = frame.unwrap().drop_many([
        "exact_attack_error",
        "exact_certified_error",
        "paper_certified_error",
    ]);
    let file = File::create(&path).unwrap();
    ParquetWriter::new(file).finish(&mut older).unwrap();
    let read = read_cells::<CellRow>(&path).unwrap();
    assert_eq!(read.len(), rows.len());
    for (read, mut row) in read.into_iter().zip(rows) {
        let m = row.measurement.as_mut().expect("every cell is measured");
        assert!(m.paper_certified_error.take().is_some());
        assert_eq!(read, row);
    }
}
