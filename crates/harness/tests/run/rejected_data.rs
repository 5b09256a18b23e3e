//! Datasets that do not exist, or are not what the experiment needs.

use crate::rejected_experiments::{changed, refused};
use crate::support::{SMALL, Workspace, blobs, replaced};
use insta::assert_snapshot;
use std::fs;

/// What is told of `blobs` with line 5 of its data file written anew from its cells a, b, c and label.
fn data(line: impl Fn([&str; 4]) -> String) -> String {
    let text = blobs(90);
    let mut lines: Vec<&str> = text.lines().collect();
    let cells: Vec<&str> = lines[4].split(',').collect();
    let written = line(cells.try_into().expect("three features and a label"));
    lines[4] = &written;
    let workspace = Workspace::new();
    workspace.dataset("blobs", &(lines.join("\n") + "\n"));
    refused(&workspace)
}

/// What is told of a dataset of three classes used as `entry`.
fn three_classes(entry: &str) -> String {
    let workspace = Workspace::changed("\"blobs\"", entry);
    let mut text = blobs(90);
    text.push_str("0.1,0.2,0.3,2\n");
    workspace.dataset_of("fruit", &text, "[\"apple\", \"pear\", \"plum\"]");
    refused(&workspace)
}

#[test]
fn names() {
    assert_snapshot!("unknown_dataset", changed("\"blobs\"", "\"iris\""));
    assert_snapshot!(
        "misspelt_dataset",
        changed("\"blobs\"", "\"rings\", \"blops\"")
    );
    assert_snapshot!(
        "dataset_twice",
        changed("\"blobs\"", "\"blobs\", \"rings\", \"blobs\"")
    );
    assert_snapshot!("no_dataset", changed("\"blobs\"", ""));
    let workspace = Workspace::new();
    fs::remove_dir_all(workspace.path("datasets")).unwrap();
    assert_snapshot!("no_datasets_folder", refused(&workspace));
}

#[test]
fn classes() {
    assert_snapshot!("classes_not_declared", three_classes("\"fruit\""));
    let unknown = "{ name = \"fruit\", positive = [\"banana\"] }";
    assert_snapshot!("unknown_class", three_classes(unknown));
    let misspelt = "{ name = \"fruit\", positive = [\"plumm\"] }";
    assert_snapshot!("misspelt_class", three_classes(misspelt));
    let both = "{ name = \"fruit\", positive = [\"plum\"], negative = [\"pear\", \"plum\"] }";
    assert_snapshot!("class_on_both_sides", three_classes(both));
    let all = "{ name = \"fruit\", positive = [\"apple\", \"pear\", \"plum\"] }";
    assert_snapshot!("no_negative_class", three_classes(all));
}

#[test]
fn one_class_of_a_part() {
    let workspace = Workspace::new();
    // Two rows of one class cannot be in three parts.
    let rows: Vec<String> = blobs(40).lines().map(str::to_owned).collect();
    let positive = rows.iter().filter(|row| row.ends_with(",1")).take(2);
    let others = rows.iter().filter(|row| !row.ends_with(",1"));
    let text: Vec<&str> = others.chain(positive).map(String::as_str).collect();
    workspace.dataset("blobs", &(text.join("\n") + "\n"));
    assert_snapshot!("one_class_of_a_part", refused(&workspace));
}

#[test]
fn cells() {
    let cell = |new: &str| data(|[a, _, c, label]| format!("{a},{new},{c},{label}"));
    assert_snapshot!("cell_is_no_number", cell("high"));
    assert_snapshot!("cell_is_nan", cell("NaN"));
    assert_snapshot!("cell_is_infinite", cell("inf"));
    assert_snapshot!("missing_value", cell(""));
    assert_snapshot!(
        "undeclared_label",
        data(|[a, b, c, _]| format!("{a},{b},{c},2"))
    );
    assert_snapshot!(
        "label_is_a_name",
        data(|[a, b, c, _]| format!("{a},{b},{c},in"))
    );
}

#[test]
fn lines() {
    assert_snapshot!(
        "short_line",
        data(|[a, _, c, label]| format!("{a},{c},{label}"))
    );
    assert_snapshot!(
        "long_line",
        data(|[a, b, c, label]| format!("{a},{b},{b},{c},{label}"))
    );
    let workspace = Workspace::new();
    workspace.dataset("blobs", "");
    assert_snapshot!("empty_data_file", refused(&workspace));
}

#[test]
fn files() {
    let workspace = Workspace::new();
    fs::remove_file(workspace.path("datasets/blobs.csv")).unwrap();
    assert_snapshot!("no_data_file", refused(&workspace));
    let workspace = Workspace::new();
    let manifest = fs::read_to_string(workspace.path("datasets/blobs.toml")).unwrap();
    let digest = format!("{manifest}sha256 = \"{}\"\n", "0".repeat(64));
    workspace.write("datasets/blobs.toml", &digest);
    assert_snapshot!("wrong_digest", refused(&workspace));
}

#[test]
fn a_results_folder_stays_as_it_was() {
    let workspace = Workspace::finished();
    let before = workspace.files("results");
    for (old, new) in [
        ("repeats = 2", "repaets = 2"),
        ("lambda = [0.1, 1.0]", "lambda = [0.0]"),
        ("\"blobs\"", "\"blops\""),
        ("\"geodesic\"", "\"projection\""),
    ] {
        workspace.write("small.toml", &replaced(SMALL, old, new));
        for arguments in [&[][..], &["--fresh"]] {
            let ended = workspace.run(arguments);
            assert_eq!(ended.code, 2, "{}", ended.told());
            assert_eq!(workspace.files("results"), before, "{new}");
        }
    }
}
