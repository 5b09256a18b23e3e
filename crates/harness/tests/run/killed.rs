//! A run that is killed loses no finished group, and its continuation gives the bytes of a run that was
//! not.

use crate::support::{OTHER_METHODS, PROGRAM, SMALL, Workspace, replaced};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const REPEATS: usize = 30;

/// The files of finished groups: those with their rows.
fn finished(parts: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let Ok(entries) = fs::read_dir(parts) else {
        return BTreeMap::new();
    };
    let paths = entries.flatten().map(|entry| entry.path());
    let of_rows = paths.filter(|path| path.to_string_lossy().ends_with(".cells.parquet"));
    of_rows
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect()
}

/// Kills `run` once some of its groups are finished.
fn kill_midway(mut run: Child, parts: &Path) {
    let start = Instant::now();
    while finished(parts).len() < 3 {
        assert_eq!(
            run.try_wait().unwrap(),
            None,
            "the run ended before it was killed"
        );
        assert!(
            start.elapsed() < Duration::from_mins(1),
            "no group was finished"
        );
        sleep(Duration::from_millis(2));
    }
    run.kill().unwrap();
    run.wait().unwrap();
}

#[test]
fn a_killed_run_is_continued() {
    let workspace = Workspace::new();
    let many = replaced(SMALL, "repeats = 2", &format!("repeats = {REPEATS}"));
    workspace.write("small.toml", &(many + OTHER_METHODS));
    workspace.run_well(&["--out", "uninterrupted"]);
    let run = Command::new(PROGRAM)
        .args(["run", "small.toml", "--out", "killed", "--threads", "1"])
        .current_dir(workspace.path(""))
        .env_remove("ROBUST_SVM_DATA")
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let parts = workspace.path("killed/parts");
    kill_midway(run, &parts);

    let done = finished(&parts);
    assert!(
        (3..REPEATS).contains(&done.len()),
        "{} groups were finished",
        done.len()
    );
    assert!(!workspace.path("killed/cells.parquet").exists());
    assert!(!workspace.path("killed/summary.csv").exists());

    let ended = workspace.run_well(&["--out", "killed"]);
    // Seven methods at two levels are 14 cells a group.
    let count = format!("{} cells ({} were there)", 14 * REPEATS, 14 * done.len());
    assert!(
        ended.stderr.contains(&count),
        "expected {count}: {}",
        ended.told()
    );
    assert_eq!(workspace.cells("killed"), workspace.cells("uninterrupted"));
    assert!(!parts.exists());
}
