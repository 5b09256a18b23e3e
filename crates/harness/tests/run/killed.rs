//! A run that is killed, whenever that is, loses no cell that was stored, and its continuation gives the bytes of a run
//! that was not.

use crate::support::{OTHER_METHODS, SMALL, Workspace, replaced};
use robust_svm_harness::store::{CellCounter, CellRow, Stored};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

const REPEATS: usize = 30;
/// Of a run that takes some seconds on any machine.
const LONG: usize = 200;

/// The files of stored cells.
fn stored(parts: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(parts) else {
        return Vec::new();
    };
    let paths = entries.flatten().map(|entry| entry.path());
    paths
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "part")
        })
        .collect()
}

/// How many files are being written now.
fn half_stored(parts: &Path) -> usize {
    let Ok(entries) = fs::read_dir(parts) else {
        return 0;
    };
    let names = entries.flatten().map(|entry| entry.file_name());
    names
        .filter(|name| name.to_string_lossy().starts_with(".tmp"))
        .count()
}

/// Kills `run` as soon as `now` says so; `false` if it ended before.
fn kill_when(mut run: Child, now: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !now() {
        if run.try_wait().unwrap().is_some() {
            return false;
        }
        assert!(
            start.elapsed() < Duration::from_mins(2),
            "it never comes to that"
        );
        sleep(Duration::from_micros(500));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    true
}

/// With an experiment of many groups.
fn many_groups(repeats: usize) -> Workspace {
    let workspace = Workspace::new();
    let many = replaced(SMALL, "repeats = 2", &format!("repeats = {repeats}"));
    workspace.write("small.toml", &(many + OTHER_METHODS));
    workspace
}

#[test]
fn a_killed_run_is_continued() {
    let workspace = many_groups(LONG);
    workspace.run_well(&["--out", "uninterrupted"]);
    let run = workspace.start(&["run", "small.toml", "--out", "killed", "--threads", "2"]);
    let parts = workspace.path("killed/parts");
    let killed = kill_when(run, || {
        assert!(
            half_stored(&parts) <= 1,
            "cells wait to be stored: a kill would lose them"
        );
        stored(&parts).len() >= 3
    });
    assert!(killed, "the run ended before it was killed");

    let done = stored(&parts);
    assert!(
        (3..LONG).contains(&done.len()),
        "{} files were stored",
        done.len()
    );
    assert!(!workspace.path("killed/cells.parquet").exists());
    assert!(!workspace.path("killed/summary.csv").exists());

    // A power cut on a disk that does not keep its word: a file without content, one with a wrong bit.
    fs::write(&done[0], b"").unwrap();
    let mut bytes = fs::read(&done[1]).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&done[1], bytes).unwrap();
    let there = Stored::<CellRow>::read(&workspace.path("killed")).expect("it can be read");
    let (there, torn) = (there.rows.len(), there.torn.len());
    assert_eq!(torn, 2);
    // Who watches counts the same, at the first look and when what was read is known.
    let mut counter = CellCounter::new(&workspace.path("killed"));
    for _ in 0..2 {
        assert_eq!(counter.count::<CellRow>().unwrap(), there);
    }
    assert!((1..14 * LONG).contains(&there), "{there}");
    let ended = workspace.run_well(&["--out", "killed"]);
    assert_eq!(counter.count::<CellRow>().unwrap(), 14 * LONG);
    // Seven methods at two levels are 14 cells a group.
    let count = format!("{} cells ({there} were there)", 14 * LONG);
    assert!(
        ended.stderr.contains(&count),
        "expected {count}: {}",
        ended.told()
    );
    for torn in &done[..2] {
        let name = torn.file_name().unwrap().to_string_lossy();
        let warning = format!("{name} is not whole: its cells are to do again");
        assert!(ended.stderr.contains(&warning), "{}", ended.told());
    }
    assert_eq!(
        workspace.promised("killed"),
        workspace.promised("uninterrupted")
    );
    assert!(!parts.exists());
}

/// At each of the moments in which a file has just come into place, and at moments spread over a whole run.
#[test]
fn whenever_a_run_is_killed_its_continuation_gives_the_same_bytes() {
    let workspace = Workspace::new();
    let start = Instant::now();
    workspace.run_well(&["--out", "uninterrupted"]);
    let whole = start.elapsed();
    let expected = workspace.promised("uninterrupted");
    let kill = |folder: &str, now: &dyn Fn() -> bool| {
        let run = workspace.start(&["run", "small.toml", "--out", folder]);
        let killed = kill_when(run, now);
        // What is in its place is whole.
        for name in ["cells.parquet", "summary.csv", "tables/accuracy.md"] {
            let path = workspace.path(folder).join(name);
            if path.exists() {
                assert_eq!(fs::read(path).unwrap(), expected[Path::new(name)], "{name}");
            }
        }
        killed
    };
    let files = [
        ".lock",
        "manifest.toml",
        "parts",
        "timings.parquet",
        "cells.parquet",
        "summary.csv",
        "tables",
        "tables/selection.md",
        "plots",
        "plots/robust_error.svg",
    ];
    let mut killed = 0;
    for (index, file) in files.iter().enumerate() {
        let folder = format!("at-file-{index}");
        let path = workspace.path(&folder).join(file);
        let in_time = kill(&folder, &|| path.exists());
        killed += usize::from(in_time);
        if index % 3 == 0 {
            // Killed again while it continues.
            let start = Instant::now();
            let late = whole.mul_f64(0.6);
            kill(&folder, &|| start.elapsed() > late);
        }
        let ended = workspace.run_well(&["--out", &folder]);
        assert_eq!(workspace.promised(&folder), expected, "{file}");
        // From the join on every cell is stored, and none is run again.
        if index >= 3 {
            assert!(
                ended.stderr.contains("8 cells (8 were there)"),
                "{file}: {}",
                ended.told()
            );
        }
    }
    assert!(killed >= 6, "only {killed} runs were killed in time");
    for index in 0_u32..4 {
        let folder = format!("at-time-{index}");
        let start = Instant::now();
        let moment = whole.mul_f64((f64::from(index) + 0.5) / 4.0);
        kill(&folder, &|| start.elapsed() > moment);
        workspace.run_well(&["--out", &folder]);
        assert_eq!(
            workspace.promised(&folder),
            expected,
            "{moment:?} of {whole:?}"
        );
    }
}

#[test]
fn a_second_run_is_told_who_works_on_the_folder_until_that_one_dies() {
    let workspace = many_groups(REPEATS);
    let first = workspace.start(&["run", "small.toml", "--threads", "1"]);
    let holder = first.id();
    let parts = workspace.path("results/small/parts");
    let killed = kill_when(first, || {
        if stored(&parts).is_empty() {
            return false;
        }
        for arguments in [&[][..], &["--fresh"]] {
            let second = workspace.run(arguments);
            assert_eq!(second.code, 2, "{}", second.told());
            let told = format!("another run is writing to results/small: process {holder}\n");
            assert!(second.stderr.contains(&told), "{}", second.told());
        }
        true
    });
    assert!(killed, "the first run ended before the second began");
    let ended = workspace.run_well(&[]);
    assert!(!ended.stderr.contains("(0 were there)"), "{}", ended.told());
}
