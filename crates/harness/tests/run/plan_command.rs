//! `robust-svm plan`: what a run would do, before it.

use crate::classifiers::NOISY;
use crate::safe_ellipsoid::SAFE;
use crate::scaling::SCALING;
use crate::studies::{BANDWIDTH, TIGHTNESS};
use crate::support::{SMALL, Workspace, replaced};
use insta::assert_snapshot;
use serde_json::Value;
use std::fs;

fn json(workspace: &Workspace, arguments: &[&str]) -> Value {
    let ended =
        workspace.program(&[&["plan", "small.toml", "--format", "json"], arguments].concat());
    assert_eq!(ended.code, 0, "{}", ended.told());
    serde_json::from_str(&ended.stdout).expect("it is JSON")
}

#[test]
fn before_any_run() {
    let workspace = Workspace::new();
    let ended = workspace.program(&["plan", "small.toml", "--threads", "2", "--cells"]);
    assert_eq!(ended.code, 0);
    assert_snapshot!("plan_before", ended.told());
    assert!(!workspace.path("results").exists());
    let only = [
        "--only",
        "method=linear,level=0.3",
        "--threads",
        "2",
        "--cells",
    ];
    let json = json(&workspace, &only);
    assert_snapshot!(
        "plan_before_json",
        serde_json::to_string_pretty(&json).unwrap()
    );
}

#[test]
fn what_is_there_and_what_is_left() {
    let workspace = Workspace::changed("\"blobs\"", "\"blobs\", \"rings\"");
    workspace.run_well(&["--only", "repeat=0,dataset=blobs", "--threads", "1"]);
    let before = workspace.files("results");
    let plan = json(&workspace, &["--cells", "--only", "method=linear"]);
    let count = |key: &str| plan[key].as_u64().unwrap();
    assert_eq!(
        [
            "cells",
            "groups",
            "selected",
            "there",
            "to_do",
            "groups_to_do"
        ]
        .map(count),
        [16, 4, 8, 2, 6, 3]
    );
    assert_eq!(plan["kind"], "classification");
    let list = plan["cell_list"].as_array().unwrap();
    assert_eq!(list.len(), 8);
    for cell in list {
        let axes = &cell["axes"];
        let there = axes["repeat"] == "0" && axes["dataset"] == "blobs";
        assert_eq!(cell["state"] == "ok", there, "{cell}");
        assert_eq!(axes["method"], "linear");
    }
    assert_eq!(workspace.files("results"), before);
}

/// The estimate of a run is what it took, if the past is that run.
#[test]
fn estimates_come_from_the_past() {
    let workspace = Workspace::changed("\"blobs\"", "\"blobs\", \"rings\"");
    workspace.write(
        "other.toml",
        &replaced(SMALL, "name = \"small\"", "name = \"other\""),
    );
    let ended = workspace.program(&["run", "other.toml", "--threads", "1"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    let one = json(&workspace, &["--threads", "1"]);
    let basis = &one["basis"];
    assert_eq!(basis["sources"][0]["folder"], "results/other");
    assert_eq!(basis["sources"][0]["same_code"], true);
    assert_eq!(basis["cells_never_timed"], 0);
    assert!(
        basis["left_out"].is_null(),
        "one dataset cannot be left out"
    );
    workspace.run_well(&["--threads", "1"]);
    let again = json(&workspace, &["--out", "elsewhere", "--threads", "1"]);
    let spent = spent(&workspace, "results/small");
    let both = spent + self::spent(&workspace, "results/other");
    let seconds = again["thread_seconds"].as_f64().unwrap();
    // Both folders are the past, and each tells the same groups: between half and twice is all that chance may do.
    assert!(
        seconds > 0.2 * spent && seconds < 5.0 * both,
        "{seconds} of {spent}"
    );
    assert_eq!(again["basis"]["sources"].as_array().unwrap().len(), 2);
    assert!(again["basis"]["left_out"]["median"].as_f64().unwrap() > 0.0);
    let two = json(&workspace, &["--out", "elsewhere", "--threads", "2"]);
    assert!(two["seconds"].as_f64().unwrap() < 0.8 * seconds);
    assert_eq!(two["thread_seconds"].as_f64().unwrap(), seconds);
    let done = json(&workspace, &[]);
    assert_eq!(
        (done["to_do"].as_u64(), done["seconds"].as_f64()),
        (Some(0), Some(0.0))
    );
    let memory = again["memory_bytes"].as_u64().unwrap();
    assert!((20_000_000..2_000_000_000).contains(&memory), "{memory}");
}

/// All seconds in the timings of `folder`.
fn spent(workspace: &Workspace, folder: &str) -> f64 {
    use polars::prelude::{ParquetReader, SerReader as _};
    let file = fs::File::open(workspace.path(folder).join("timings.parquet")).unwrap();
    let frame = ParquetReader::new(file).finish().unwrap();
    let seconds = frame
        .columns()
        .iter()
        .filter(|column| column.name().ends_with("_seconds"));
    seconds
        .map(|column| column.f64().unwrap().iter().flatten().sum::<f64>())
        .sum()
}

/// The plan is told, and the exit code is the run's.
#[test]
fn a_folder_that_a_run_would_refuse() {
    let workspace = Workspace::finished();
    workspace.write("small.toml", &replaced(SMALL, "seed = 7", "seed = 8"));
    let run = workspace.run(&[]);
    for command in ["plan", "run --dry-run"] {
        let words: Vec<&str> = command.split(' ').collect();
        let say = |more: &[&str]| workspace.program(&[&*words, &["small.toml"], more].concat());
        let ended = say(&["--threads", "1"]);
        assert_eq!(ended.code, run.code, "{}", ended.told());
        let said = "a run would refuse the folder";
        assert!(ended.stdout.contains(said), "{}", ended.told());
        let ended = say(&["--format", "json"]);
        assert_eq!(ended.code, run.code, "{}", ended.told());
        let plan: Value = serde_json::from_str(&ended.stdout).expect("it is JSON");
        assert_eq!(
            plan["refused"],
            "results/small holds results made from another experiment file"
        );
        assert_eq!(plan["to_do"], 8);
        assert_eq!(plan["command"], words[0]);
    }
    let fresh = workspace.run(&["--dry-run", "--fresh"]);
    assert_eq!(fresh.code, 0, "{}", fresh.told());
}

#[test]
fn timings_that_cannot_be_used_are_told() {
    let workspace = Workspace::finished();
    workspace.write("results/small/timings.parquet", "not Parquet");
    let basis = json(&workspace, &["--out", "elsewhere"])["basis"].clone();
    assert_eq!(basis["passed_over"][0]["folder"], "results/small");
    assert!(basis["sources"].as_array().unwrap().is_empty());
}

/// Of every kind each cell has its work, so that there is an estimate.
#[test]
fn studies_are_planned_too() {
    for (experiment, kind) in [
        (TIGHTNESS, "bound-tightness"),
        (BANDWIDTH, "bandwidth-rule"),
        (SAFE, "safe-ellipsoid"),
        (NOISY, "classifiers"),
        (SCALING, "scaling"),
    ] {
        let workspace = Workspace::new();
        workspace.write("small.toml", experiment);
        let isolated: &[&str] = if kind == "scaling" {
            &["--isolate"]
        } else {
            &[]
        };
        workspace.run_well(isolated);
        let plan = json(&workspace, &["--out", "elsewhere", "--cells"]);
        assert_eq!(plan["kind"], kind);
        let cells = plan["cell_list"].as_array().unwrap().len() as u64;
        assert_eq!(plan["basis"]["sources"][0]["cells"].as_u64(), Some(cells));
        assert_eq!(plan["to_do"].as_u64(), Some(cells));
        assert_eq!(plan["basis"]["cells_never_timed"], 0);
        assert!(plan["seconds"].as_f64().unwrap() > 0.0);
    }
}
