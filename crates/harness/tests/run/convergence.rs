//! `convergence.parquet` and its figure.

use crate::support::{OTHER_METHODS, SMALL, Workspace};
use robust_svm_harness::store::{TraceRow, read_traces};
use std::fs;

fn traces(workspace: &Workspace, folder: &str) -> Vec<TraceRow> {
    read_traces(&workspace.path(folder).join("convergence.parquet")).expect("it can be read")
}

/// Each cell whose solver tells has its points in order, and they end with what its row says.
#[test]
fn traces_end_with_the_rows_of_their_cells() {
    let workspace = Workspace::new();
    workspace.write("small.toml", &(SMALL.to_owned() + OTHER_METHODS));
    workspace.run_well(&[]);
    let traces = traces(&workspace, "results/small");
    let sorted = |pair: &[TraceRow]| {
        let place = |row: &TraceRow| (row.cell_id.clone(), row.iteration);
        place(&pair[0]) < place(&pair[1])
    };
    assert!(traces.windows(2).all(sorted));
    let (mut cells, mut told) = (0, 0);
    for row in workspace.rows("results/small") {
        let own: Vec<&TraceRow> = traces.iter().filter(|t| t.cell_id == row.cell_id).collect();
        assert_eq!(own.is_empty(), row.method == "kernel-svm", "{}", row.method);
        let Some(last) = own.last() else { continue };
        let m = row.measurement.expect("it went well");
        assert_eq!(Some(last.iteration), m.iterations);
        assert_eq!(
            (last.primal, last.dual, last.relative_gap),
            (m.objective, m.dual_objective, m.relative_gap)
        );
        let falls = |pair: &[&TraceRow]| pair[1].relative_gap <= pair[0].relative_gap + 1e-9;
        assert!(own.windows(2).all(falls));
        (cells, told) = (cells + 1, told + own.len());
    }
    assert_eq!(told, traces.len(), "no points of other cells");
    assert!(told > 5 * cells, "{told} points of {cells} cells");
    let svg = fs::read_to_string(workspace.path("results/small/plots/convergence.svg")).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let shown = |text: &str| {
        document
            .descendants()
            .any(|node| node.text().is_some_and(|t| t.trim() == text))
    };
    assert!(shown("relative gap") && shown("iteration") && shown("robust-nystrom"));
    assert!(!shown("kernel-svm"), "its solver does not tell");
}

#[test]
fn traces_have_the_same_bytes_for_any_number_of_threads() {
    let workspace = Workspace::new();
    let bytes = |threads: &str| {
        workspace.run_well(&["--threads", threads, "--out", threads]);
        fs::read(workspace.path(threads).join("convergence.parquet")).unwrap()
    };
    assert!(bytes("1") == bytes("2"));
}

/// A folder of an earlier version has no traces: it is continued, without the figure.
#[test]
fn folders_without_traces_are_continued() {
    let workspace = Workspace::finished();
    let file = workspace.path("results/small/convergence.parquet");
    let figure = workspace.path("results/small/plots/convergence.svg");
    fs::remove_file(&file).unwrap();
    fs::remove_file(&figure).unwrap();
    workspace.run_well(&[]);
    assert!(!file.exists() && !figure.exists());
}
