//! `--shard` and `robust-svm merge`: the parts of an experiment, run apart and joined.

use crate::studies::{BANDWIDTH, TIGHTNESS};
use crate::support::{Ended, OTHER_METHODS, SMALL, Workspace, replaced};
use insta::assert_snapshot;
use robust_svm_harness::store::{CellRow, Status, read_cells, write_cells};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Two datasets and two repeats: four groups.
fn grid() -> Workspace {
    let workspace = Workspace::new();
    let two = replaced(SMALL, "\"blobs\"", "\"blobs\", \"rings\"");
    workspace.write("small.toml", &two);
    workspace
}

/// `grid` with the shards `s1` and `s2`, and the results of a run of the whole in `whole`: those of one run each, copied.
fn sharded() -> Workspace {
    static RESULTS: LazyLock<BTreeMap<PathBuf, Vec<u8>>> = LazyLock::new(|| {
        let workspace = grid();
        let mut results = BTreeMap::new();
        for (folder, part) in [
            ("s1", &["--shard", "1/2"][..]),
            ("s2", &["--shard", "2/2"]),
            ("whole", &[]),
        ] {
            workspace.run_well(&[part, &["--out", folder]].concat());
            results.extend(workspace.relative(folder));
        }
        results
    });
    let workspace = grid();
    workspace.copy(&RESULTS);
    workspace
}

fn merge(workspace: &Workspace, shards: &[&str]) -> Ended {
    workspace.program(&[&["merge"], shards, &["--out", "merged"]].concat())
}

#[test]
fn shards_joined_are_the_whole() {
    let workspace = grid();
    let small = fs::read_to_string(workspace.path("small.toml")).unwrap();
    workspace.write("small.toml", &(small + OTHER_METHODS));
    workspace.run_well(&["--out", "whole"]);
    for shard in ["1", "2", "3"] {
        workspace.run_well(&["--shard", &format!("{shard}/3"), "--out", shard]);
    }
    let ended = merge(&workspace, &["3", "1", "2"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert_eq!(workspace.promised("merged"), workspace.promised("whole"));
    let timings = workspace.path("merged/timings.parquet");
    assert!(fs::metadata(timings).unwrap().len() > 0);
}

#[test]
fn of_studies_too() {
    for experiment in [TIGHTNESS, BANDWIDTH] {
        let workspace = Workspace::new();
        workspace.write("small.toml", experiment);
        workspace.run_well(&["--out", "whole"]);
        workspace.run_well(&["--shard", "1/2", "--out", "s1"]);
        workspace.run_well(&["--shard", "2/2", "--out", "s2"]);
        let ended = merge(&workspace, &["s1", "s2"]);
        assert_eq!(ended.code, 0, "{}", ended.told());
        assert_eq!(workspace.promised("merged"), workspace.promised("whole"));
    }
}

#[test]
fn missing_cells_are_named_and_come_later() {
    let workspace = sharded();
    let ended = merge(&workspace, &["s1"]);
    assert_eq!(ended.code, 1);
    assert_snapshot!("merge_missing", ended.told());
    // What is there already takes part.
    let ended = merge(&workspace, &["s2"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert_eq!(workspace.promised("merged"), workspace.promised("whole"));
}

#[test]
fn a_shard_that_was_killed_gives_what_it_stored() {
    let workspace = sharded();
    let mut run = workspace.start(&["run", "small.toml", "--out", "killed", "--threads", "1"]);
    let parts = workspace.path("killed/parts");
    let stored = || {
        let entries = fs::read_dir(&parts).into_iter().flatten().flatten();
        entries
            .filter(|e| e.path().extension().is_some_and(|e| e == "part"))
            .count()
    };
    while stored() == 0 && run.try_wait().unwrap().is_none() {}
    run.kill().unwrap();
    run.wait().unwrap();
    let before = workspace.files("killed");
    let ended = merge(&workspace, &["killed"]);
    assert_eq!(ended.code, 1, "{}", ended.told());
    assert!(!workspace.rows("merged").is_empty());
    assert_eq!(workspace.files("killed"), before);
    let ended = merge(&workspace, &["s1", "s2"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
}

/// A change of a manifest.
type Change = fn(&mut toml::Table);

/// Changes the manifest of a shard.
fn edit(workspace: &Workspace, folder: &str, change: Change) {
    let path = workspace.path(folder).join("manifest.toml");
    let mut manifest: toml::Table = toml::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    change(&mut manifest);
    fs::write(&path, toml::to_string(&manifest).unwrap()).unwrap();
}

#[test]
fn shards_that_do_not_belong_together() {
    let changes: [(&str, Change); 3] = [
        ("merge_other_experiment", |m| {
            m["experiment"]["seed"] = 8.into();
        }),
        ("merge_other_code", |m| {
            m["code"]["sha256"] = "0".repeat(64).into();
        }),
        ("merge_other_data", |m| {
            m["dataset"][1]["sha256"] = "0".repeat(64).into();
        }),
    ];
    for (name, change) in changes {
        let workspace = sharded();
        edit(&workspace, "s2", change);
        let ended = merge(&workspace, &["s1", "s2"]);
        assert_eq!(ended.code, 2);
        assert_snapshot!(name, ended.told());
        assert!(!workspace.path("merged").exists());
    }
    let workspace = sharded();
    let data = fs::read_to_string(workspace.path("datasets/blobs.csv")).unwrap();
    workspace.dataset("blobs", &(data + "0.5,0.5,0.5,1\n"));
    let ended = merge(&workspace, &["s1", "s2"]);
    assert_eq!(ended.code, 2);
    assert_snapshot!("merge_data_gone", ended.told());
}

#[test]
fn rows_that_contradict_each_other() {
    let workspace = sharded();
    // Equal rows do not.
    assert_eq!(merge(&workspace, &["s1", "whole", "s2", "s1"]).code, 0);
    assert_eq!(workspace.promised("merged"), workspace.promised("whole"));
    fs::remove_dir_all(workspace.path("merged")).unwrap();
    let path = workspace.path("s2/cells.parquet");
    let mut rows: Vec<CellRow> = read_cells(&path).unwrap();
    let measured = rows[0].measurement.as_mut().unwrap();
    measured.objective = measured.objective.next_up();
    measured.accuracy += 0.1;
    write_cells(&path, &rows).unwrap();
    let ended = merge(&workspace, &["whole", "s2"]);
    assert_eq!(ended.code, 2);
    assert_snapshot!("merge_conflict", ended.told());
    assert!(!workspace.path("merged").exists());
}

/// What a run or its machine stopped gives way to what came to an end elsewhere, wherever it comes among the folders.
#[test]
fn a_measured_cell_wins_over_one_that_its_run_stopped() {
    let workspace = sharded();
    let path = workspace.path("s2/cells.parquet");
    let mut rows: Vec<CellRow> = read_cells(&path).unwrap();
    let stopped = [Status::TimedOut, Status::OutOfMemory, Status::Crashed];
    for (row, status) in rows.iter_mut().zip(stopped) {
        row.status = status;
        row.reason = Some("for the test".into());
        row.measurement = None;
    }
    write_cells(&path, &rows).unwrap();
    for folders in [["s2", "whole"], ["whole", "s2"]] {
        let ended = merge(&workspace, &folders);
        assert_eq!(ended.code, 0, "{}", ended.told());
        let bytes = ["cells.parquet", "convergence.parquet"]
            .map(|name| [workspace.path("merged"), workspace.path("whole")].map(|f| f.join(name)));
        for [merged, whole] in bytes {
            assert_eq!(fs::read(merged).unwrap(), fs::read(whole).unwrap());
        }
        fs::remove_dir_all(workspace.path("merged")).unwrap();
    }
    // Of two that were stopped the first stays.
    let all = workspace.relative("s2");
    let copy = |path: PathBuf| Path::new("s3").join(path.strip_prefix("s2").unwrap());
    workspace.copy(
        &all.into_iter()
            .map(|(path, bytes)| (copy(path), bytes))
            .collect(),
    );
    for row in rows.iter_mut().take(stopped.len()) {
        row.status = Status::Crashed;
        row.reason = Some("later".into());
    }
    write_cells(&workspace.path("s3/cells.parquet"), &rows).unwrap();
    let ended = merge(&workspace, &["s2", "s3"]);
    assert_eq!(ended.code, 1, "{}", ended.told());
    let merged = workspace.rows("merged");
    let reasons = merged.iter().filter_map(|row| row.reason.as_deref());
    assert_eq!(reasons.collect::<Vec<_>>(), ["for the test"; 3]);
    // A cell that failed by itself is none of these: it contradicts.
    rows[0].status = Status::Failed;
    write_cells(&workspace.path("s3/cells.parquet"), &rows).unwrap();
    assert_eq!(merge(&workspace, &["whole", "s3"]).code, 2);
}

/// Folders of other code are joined as theirs, not as this program's.
#[test]
fn a_merge_says_whose_code_made_the_rows() {
    let workspace = sharded();
    for shard in ["s1", "s2"] {
        edit(&workspace, shard, |m| {
            m["code"]["sha256"] = "0".repeat(64).into();
        });
    }
    let arguments = ["merge", "s1", "s2", "--out", "merged", "--format", "json"];
    let ended = workspace.program(&arguments);
    assert_eq!(ended.code, 0, "{}", ended.told());
    let warning: serde_json::Value = serde_json::from_str(&ended.stderr).expect("one line");
    let message = warning["warning"]["message"].as_str().unwrap();
    assert!(message.starts_with("another version of the code made the results"));
    let object: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(object["other_code"], true);
    let manifest = fs::read_to_string(workspace.path("merged/manifest.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    assert_eq!(manifest["code"]["sha256"].as_str(), Some(&*"0".repeat(64)));
    assert_eq!(manifest["run"].as_array().unwrap().len(), 2);
}

#[test]
fn folders_that_are_not_merged() {
    let workspace = sharded();
    workspace.write("merged/thesis.tex", "mine");
    let foreign = merge(&workspace, &["s1", "s2"]);
    assert_eq!(foreign.code, 2);
    assert_snapshot!("merge_into_other_files", foreign.told());
    assert_eq!(workspace.files("merged").len(), 1);
    fs::remove_dir_all(workspace.path("merged")).unwrap();
    let nothing = merge(&workspace, &["s1", "datasets"]);
    assert_eq!(nothing.code, 2);
    assert_snapshot!("merge_no_results", nothing.told());
    let lock = File::options()
        .write(true)
        .open(workspace.path("s2/.lock"))
        .unwrap();
    lock.try_lock().unwrap();
    let busy = merge(&workspace, &["s1", "s2"]);
    assert_eq!(busy.code, 2);
    assert_snapshot!("merge_busy", busy.told());
    drop(lock);
    assert_eq!(merge(&workspace, &["s1", "s2"]).code, 0);
}

#[test]
fn what_people_look_at_is_made_anew_and_told_as_json() {
    let workspace = sharded();
    let report = |folder: &str| {
        let path = workspace.path(folder).join("report.html");
        fs::read_to_string(path).expect("there is a report")
    };
    let of_one = report("s1");
    let merged = workspace.program(&["merge", "s1", "s2", "--out", "s1", "--format", "json"]);
    assert_eq!((merged.code, merged.stderr.as_str()), (0, ""));
    assert_ne!(report("s1"), of_one);
    let object: serde_json::Value = serde_json::from_str(&merged.stdout).unwrap();
    assert_eq!(object["cells"], object["planned"]);
    assert_eq!(object["missing"], serde_json::json!([]));
    let part = workspace.program(&["merge", "s2", "--out", "half", "--format", "json"]);
    let object: serde_json::Value = serde_json::from_str(&part.stdout).unwrap();
    assert_eq!(part.code, 1);
    let cells = |key: &str| object[key].as_u64().unwrap() as usize;
    let missing = object["missing"].as_array().unwrap();
    assert_eq!(missing.len(), cells("planned") - cells("cells"));
    let there: Vec<String> = workspace
        .rows("half")
        .into_iter()
        .map(|row| row.cell_id)
        .collect();
    assert_eq!(there.len(), cells("cells"));
    assert!(missing.iter().all(|id| !there.iter().any(|own| own == id)));
}
