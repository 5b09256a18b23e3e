//! `--only`: a part of the cells, and the rest later.

use crate::support::{OTHER_METHODS, SMALL, Workspace, replaced};
use insta::assert_snapshot;
use robust_svm_harness::store::CellRow;
use std::fs;

/// Two datasets, two repeats, seven methods, two levels.
fn grid() -> Workspace {
    let workspace = Workspace::new();
    let two = replaced(SMALL, "\"blobs\"", "\"blobs\", \"rings\"");
    workspace.write("small.toml", &(two + OTHER_METHODS));
    workspace
}

fn manifest(workspace: &Workspace, folder: &str) -> toml::Table {
    let path = workspace.path(folder).join("manifest.toml");
    toml::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_part_then_the_rest_is_the_whole() {
    let workspace = grid();
    workspace.run_well(&["--out", "whole"]);
    let first = workspace.run_well(&[
        "--only",
        "level=0.30,method=rff,method=robust-rff",
        "--out",
        "parts",
    ]);
    assert!(
        first.stderr.contains("8 of 56 cells (0 were there)"),
        "{}",
        first.told()
    );
    let rows = workspace.rows("parts");
    assert!(
        rows.iter()
            .all(|row| row.level == 0.3 && row.method.ends_with("rff"))
    );
    let part = |folder: &str| manifest(&workspace, folder).get("part").cloned();
    let asked = "planned = 56\nasked = [\"--only level=0.30,method=rff,method=robust-rff\"]\n";
    assert_eq!(
        part("parts").unwrap(),
        toml::from_str::<toml::Value>(asked).unwrap()
    );
    let says = "Made from 8 of 56 cells: the others are missing.";
    for view in [
        "tables/accuracy.md",
        "tables/selection.md",
        "plots/robust_error.svg",
    ] {
        let text = fs::read_to_string(workspace.path("parts").join(view)).unwrap();
        // A figure's lines are broken.
        assert!(text.contains(&says[..24]), "{view}: {text}");
    }
    // Cells of groups that are there in part.
    let second = workspace.run_well(&[
        "--only",
        "dataset=rings",
        "--only",
        "repeat=1",
        "--out",
        "parts",
    ]);
    assert!(
        second.stderr.contains("20 of 56 cells (2 were there)"),
        "{}",
        second.told()
    );
    let asked = part("parts").unwrap()["asked"].as_array().unwrap().len();
    assert_eq!(asked, 2);
    let rest = workspace.run_well(&["--out", "parts"]);
    assert!(
        rest.stderr.contains("56 cells (20 were there)"),
        "{}",
        rest.told()
    );
    assert_eq!(workspace.promised("parts"), workspace.promised("whole"));
    assert_eq!(part("parts"), None);
    // Of what is whole, a part is there.
    workspace.run_well(&["--only", "repeat=0", "--out", "parts"]);
    assert_eq!(workspace.promised("parts"), workspace.promised("whole"));
}

#[test]
fn rows_of_a_part_are_those_of_the_whole() {
    let workspace = grid();
    workspace.run_well(&["--out", "whole"]);
    let whole = workspace.rows("whole");
    let only = "method=nystrom,method=robust-rff,train_level=0.3,dataset=blobs";
    workspace.run_well(&["--only", only, "--out", "part", "--threads", "1"]);
    let part = workspace.rows("part");
    let asked = |row: &&CellRow| {
        let method = row.method == "nystrom" || row.method == "robust-rff";
        method && row.train_level == 0.3 && row.dataset == "blobs"
    };
    let expected: Vec<CellRow> = whole.iter().filter(asked).cloned().collect();
    assert_eq!(expected.len(), 2, "only robust-rff is trained at 0.3");
    assert_eq!(part, expected);
}

#[test]
fn what_is_not_there_is_told() {
    let workspace = grid();
    for (arguments, name) in [
        (&["--only", "datset=blobs"][..], "only_unknown_key"),
        (&["--only", "dataset=blob"], "only_unknown_value"),
        (&["--only", "level=0.31"], "only_unknown_number"),
        (&["--only", "dataset"], "only_no_value"),
        (&["--only", "method=linear,train_level=0.3"], "only_nothing"),
        (&["--shard", "3/2"], "shard_too_large"),
        (
            &["--shard", "3/5", "--only", "dataset=rings"],
            "shard_empty",
        ),
    ] {
        let ended = workspace.run(arguments);
        assert_eq!(ended.code, 2, "{}", ended.told());
        assert_snapshot!(name, ended.told());
    }
    assert!(!workspace.path("results").exists());
}

#[test]
fn a_dry_run_is_a_plan() {
    let workspace = grid();
    workspace.run_well(&["--only", "repeat=0"]);
    let before = workspace.files("results");
    let part = ["--threads", "2", "--only", "method=linear"];
    let dry = workspace.run(&[&["--dry-run"], &part[..]].concat());
    let plan = workspace.program(&[&["plan", "small.toml"], &part[..]].concat());
    assert_eq!((dry.code, &dry.stdout), (0, &plan.stdout));
    assert!(
        dry.stdout.contains("4 cells there, 4 in 2 groups to do"),
        "{}",
        dry.told()
    );
    let fresh = workspace.run(&["--dry-run", "--fresh"]);
    assert!(
        fresh.stdout.contains("0 cells there, 56 in 4 groups to do"),
        "{}",
        fresh.told()
    );
    assert_eq!(workspace.files("results"), before);
}

/// A name with a comma in it is asked for as `plan --cells` writes it.
#[test]
fn a_value_with_a_comma_is_asked_for_with_a_backslash() {
    let workspace = Workspace::new();
    workspace.write(
        "small.toml",
        &replaced(SMALL, "\"linear\"", "\"linear, plain\""),
    );
    let named = r"method=linear\, plain";
    let listed = workspace.program(&["plan", "small.toml", "--cells"]);
    assert!(listed.stdout.contains(named), "{}", listed.told());
    let ended = workspace.run_well(&["--only", named]);
    assert!(ended.stderr.contains("4 of 8 cells"), "{}", ended.told());
    let rows = workspace.rows("results/small");
    assert!(rows.iter().all(|row| row.method == "linear, plain"));
}
