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

/// How many groups have their timings stored and not their rows, which come after.
fn half_stored(parts: &Path) -> usize {
    let Ok(entries) = fs::read_dir(parts) else {
        return 0;
    };
    let names = entries.flatten().map(|entry| entry.file_name());
    let timings = names.filter(|name| name.to_string_lossy().ends_with(".timings.parquet"));
    // Timings are counted first: groups stored meanwhile make the difference smaller, never larger.
    timings.count().saturating_sub(finished(parts).len())
}

/// Kills `run` once some of its groups are finished. Never are more groups begun in storing than there are
/// writers: one.
fn kill_midway(mut run: Child, parts: &Path) {
    let start = Instant::now();
    while finished(parts).len() < 3 {
        assert!(
            half_stored(parts) <= 1,
            "groups wait to be stored: a kill would lose them"
        );
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
        .args(["run", "small.toml", "--out", "killed", "--threads", "2"])
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
