//! The same experiment gives the same bytes, however it is run.

use crate::support::{OTHER_METHODS, SMALL, Workspace, replaced};
use std::fs;

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let workspace = Workspace::new();
    let both = replaced(SMALL, "\"blobs\"", "\"blobs\", \"rings\"");
    let both = replaced(&both, "repeats = 2", "repeats = 3");
    let nearest = replaced(&both, "norm = 2", "per_sample = \"nearest-neighbour\"");
    workspace.write("small.toml", &(nearest + OTHER_METHODS));
    workspace.run_well(&["--out", "one", "--threads", "1"]);
    workspace.run_well(&["--out", "two", "--threads", "2"]);
    assert_eq!(workspace.rows("one").len(), 2 * 7 * 2 * 3);
    assert_eq!(workspace.cells("one"), workspace.cells("two"));
    assert_eq!(
        fs::read(workspace.path("one/summary.csv")).unwrap(),
        fs::read(workspace.path("two/summary.csv")).unwrap()
    );
}

#[test]
fn a_cell_does_not_depend_on_the_cells_around_it() {
    let workspace = Workspace::new();
    workspace.run_well(&["--out", "alone"]);
    let more = replaced(SMALL, "\"blobs\"", "\"rings\", \"blobs\"");
    let more = replaced(&more, "[0.0, 0.3]", "[0.1, 0.3, 0.0]");
    let more = replaced(&more, "repeats = 2", "repeats = 3");
    workspace.write("small.toml", &(more + OTHER_METHODS));
    workspace.run_well(&["--out", "among-others"]);
    let among = workspace.rows("among-others");
    let alone = workspace.rows("alone");
    assert_eq!(alone.len(), 8);
    for row in &alone {
        assert!(among.contains(row), "{row:?}");
    }
}

#[test]
fn another_seed_gives_other_numbers() {
    let workspace = Workspace::new();
    workspace.run_well(&["--out", "seven"]);
    workspace.write("small.toml", &replaced(SMALL, "seed = 7", "seed = 8"));
    workspace.run_well(&["--out", "eight"]);
    let objectives = |folder: &str| -> Vec<f64> {
        let rows = workspace.rows(folder).into_iter();
        rows.map(|row| row.measurement.expect("all is well").objective)
            .collect()
    };
    for (seven, eight) in objectives("seven").into_iter().zip(objectives("eight")) {
        assert!((seven - eight).abs() > 1e-9 * seven, "{seven} {eight}");
    }
}

#[test]
fn a_finished_run_is_not_run_again() {
    let workspace = Workspace::new();
    let first = workspace.run_well(&[]);
    assert!(
        first.stderr.contains("8 cells (0 were there)"),
        "{}",
        first.told()
    );
    let path = workspace.path("results/small/cells.parquet");
    let modified = || fs::metadata(&path).unwrap().modified().unwrap();
    let (bytes, time) = (workspace.cells("results/small"), modified());
    let again = workspace.run_well(&[]);
    assert!(
        again.stderr.contains("8 cells (8 were there)"),
        "{}",
        again.told()
    );
    assert_eq!(workspace.cells("results/small"), bytes);
    assert_eq!(modified(), time);
    assert!(!workspace.path("results/small/parts").exists());
}
