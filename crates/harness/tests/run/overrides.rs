//! Keys of one dataset in the place of the experiment's.

use crate::rejected_experiments::{changed, refused};
use crate::studies::{BANDWIDTH, TIGHTNESS};
use crate::support::{SMALL, Workspace, replaced};
use insta::assert_snapshot;
use robust_svm_harness::store::{CellRow, Measurement};

/// The rows of `dataset` that an experiment gives.
fn rows(experiment: &str, dataset: &str) -> Vec<CellRow> {
    let workspace = Workspace::new();
    workspace.write("small.toml", experiment);
    workspace.run_well(&[]);
    let rows = workspace.rows("results/small").into_iter();
    rows.filter(|row| row.dataset == dataset).collect()
}

fn measured(row: &CellRow) -> &Measurement {
    row.measurement.as_ref().expect("every cell is measured")
}

/// A dataset with keys of its own has the rows that it has in an experiment with these keys for all; the other
/// dataset has those that it had.
#[test]
fn a_dataset_s_own_keys_count_for_it_alone() {
    let entries = replaced(
        SMALL,
        "\"blobs\"",
        "\"blobs\", { name = \"rings\", max_rows = { train = 30 }, scale = \"min-max\", lambda = [0.05], \
         split = { train = 0.5, validation = 0.25, test = 0.25 }, sigma = { times_median = [0.5, 2.0] } }",
    );
    let entries = replaced(
        &entries,
        "levels =",
        "per_sample = \"nearest-neighbour\"\nlevels =",
    );
    let entries = replaced(
        &entries,
        "[uncertainty]",
        "max_rows = { train = 40, test = 15 }\n\n[uncertainty]",
    );
    let alone = [
        ("\"blobs\"", "\"rings\""),
        ("levels =", "per_sample = \"nearest-neighbour\"\nlevels ="),
        (
            "[uncertainty]",
            "max_rows = { train = 30, test = 15 }\nscale = \"min-max\"\n\n[uncertainty]",
        ),
        ("lambda = [0.1, 1.0]", "lambda = [0.05]"),
        (
            "train = 0.6, validation = 0.2, test = 0.2",
            "train = 0.5, validation = 0.25, test = 0.25",
        ),
        ("times_median = [1.0]", "times_median = [0.5, 2.0]"),
    ];
    let alone = alone.iter().fold(SMALL.to_owned(), |text, (old, new)| {
        replaced(&text, old, new)
    });
    let rings = rows(&entries, "rings");
    assert_eq!(rings, rows(&alone, "rings"));
    assert!(
        rings
            .iter()
            .map(measured)
            .all(|row| row.n_train == 30 && row.lambda == 0.05)
    );
    let without = replaced(
        SMALL,
        "levels =",
        "per_sample = \"nearest-neighbour\"\nlevels =",
    );
    let without = replaced(
        &without,
        "[uncertainty]",
        "max_rows = { train = 40, test = 15 }\n\n[uncertainty]",
    );
    let blobs = rows(&entries, "blobs");
    assert_eq!(blobs, rows(&without, "blobs"));
    assert!(blobs.iter().map(measured).all(|row| row.n_train == 40));
}

/// Tables and figures of datasets that are scaled in different ways do not name a unit that only some have.
#[test]
fn levels_in_different_units_are_told_so() {
    let workspace = Workspace::changed(
        "\"blobs\"",
        "\"blobs\", { name = \"rings\", scale = \"none\" }",
    );
    workspace.run_well(&[]);
    let table = workspace.path("results/small/tables/robust_error.md");
    let text = std::fs::read_to_string(table).unwrap();
    assert!(text.contains("in scaled units of the features"), "{text}");
}

/// σ may be given by each dataset alone.
#[test]
fn a_grid_of_sigma_may_stand_with_the_dataset() {
    let text = replaced(SMALL, "\nsigma = { times_median = [1.0] }", "");
    let own = "{ name = \"blobs\", sigma = { times_median = [1.0] } }";
    let text = replaced(&text, "\"blobs\"", own);
    assert_eq!(rows(&text, "blobs"), rows(SMALL, "blobs"));
}

#[test]
fn wrong_keys_of_a_dataset() {
    let entry = |keys: &str| changed("\"blobs\"", &format!("{{ name = \"blobs\", {keys} }}"));
    assert_snapshot!("dataset_lambda", entry("lambda = [1.0, -1.0]"));
    assert_snapshot!("dataset_sigma", entry("sigma = { times_medain = [1.0] }"));
    assert_snapshot!("dataset_sigma_list", entry("sigma = [1.0]"));
    assert_snapshot!(
        "dataset_split",
        entry("split = { train = 0.9, validation = 0.2, test = 0.2 }")
    );
    assert_snapshot!("dataset_split_part", entry("split = { train = 0.9 }"));
    assert_snapshot!("dataset_max_rows", entry("max_rows = { test = 1 }"));
    assert_snapshot!("dataset_scale", entry("scale = \"minmax\""));
    assert_snapshot!("dataset_levels", entry("levels = [0.1]"));
}

#[test]
fn a_study_has_no_grids() {
    let workspace = Workspace::new();
    let dataset = "\"blobs\"";
    assert!(!BANDWIDTH.contains(dataset));
    let study = |keys: &str| {
        let entry = format!("{{ name = \"blobs\", {keys} }}");
        workspace.write("small.toml", &replaced(TIGHTNESS, dataset, &entry));
        refused(&workspace)
    };
    assert_snapshot!("study_dataset_lambda", study("lambda = [1.0]"));
    assert_snapshot!(
        "study_dataset_sigma",
        study("sigma = { times_median = [1.0] }")
    );
    assert_snapshot!("study_dataset_test_rows", study("max_rows = { test = 10 }"));
}
