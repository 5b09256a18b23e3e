//! A device that is full: a file system of its own with little space, where this user may mount one.

use crate::support::{Workspace, rings};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// A file system in memory, gone with the value.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Of `kibibytes`, at `path`; `None` where it cannot be mounted.
    fn mount(path: PathBuf, kibibytes: usize) -> Option<Self> {
        fs::create_dir(&path).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={kibibytes}k"), "tmpfs"])
            .arg(&path)
            .output();
        mounted
            .is_ok_and(|o| o.status.success())
            .then(|| Self(path))
    }

    /// Makes it one of `kibibytes`.
    fn resize(&self, kibibytes: usize) {
        let options = format!("remount,size={kibibytes}k");
        let mounted = Command::new("mount")
            .args(["-o", &options])
            .arg(&self.0)
            .status();
        assert!(mounted.unwrap().success());
    }

    /// Leaves `kibibytes` free.
    fn fill(&self, total: usize, kibibytes: usize) {
        let zeros = vec![0; 1024 * (total - kibibytes)];
        fs::write(self.0.join("filler"), zeros).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn a_full_disk_loses_nothing() {
    const TOTAL: usize = 4096;
    let workspace = Workspace::new();
    let Some(disk) = SmallDisk::mount(workspace.path("disk"), TOTAL) else {
        eprintln!("skipped: this user may not mount a file system");
        return;
    };
    workspace.run_well(&["--out", "elsewhere"]);
    let expected = workspace.promised("elsewhere");
    let mut refused = Vec::new();
    // What is left decides which file is the first that has no space: lock, manifest, part, rows, table, plot.
    for free in [0, 8, 24, 36, 52, 96, 256] {
        disk.fill(TOTAL, free);
        let ended = workspace.run(&["--out", "disk/results"]);
        assert_eq!(ended.code, 74, "{free} KiB are enough: {}", ended.told());
        let told = ended.stderr.replace('\n', " ");
        assert!(told.contains("disk/results"), "{told}");
        if let Some((file, needs)) = told.split_once(": no space is left for its ") {
            let file = file.rsplit("disk/results/").next().unwrap().to_owned();
            assert!(
                needs.contains(" bytes   = help: free some and run the same command again"),
                "{told}"
            );
            refused.push(file);
        }
        // Nothing is torn.
        let there = workspace.files("disk").into_keys();
        for path in there.filter(|path| path.starts_with(workspace.path("disk/results"))) {
            let relative = path.strip_prefix(workspace.path("disk/results")).unwrap();
            assert!(!relative.to_string_lossy().contains(".tmp"), "{relative:?}");
            if let Some(whole) = expected
                .get(relative)
                .filter(|_| !relative.ends_with("manifest.toml"))
            {
                assert_eq!(fs::read(&path).unwrap(), *whole, "{relative:?}");
            }
        }
    }
    refused.dedup();
    assert!(
        refused.len() > 4,
        "always the same file was the first: {refused:?}"
    );
    fs::remove_file(disk.0.join("filler")).unwrap();
    workspace.run_well(&["--out", "disk/results"]);
    assert_eq!(workspace.promised("disk/results"), expected);
}

/// The copy of the rows: that there is too little space is told before it is begun, or when it is found, and nothing is left.
#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn a_copy_of_the_rows_that_does_not_fit_leaves_nothing() {
    let workspace = Workspace::new();
    workspace.write("rings.csv", &rings(20_000));
    let train = "train rings.csv --label label --stream always --epochs 1 --dim 16 --lambda 1 \
                 --out m.json --scratch disk --quiet";
    let arguments: Vec<&str> = train.split_whitespace().collect();
    // 20,000 rows of three columns and a label are 320,000 bytes; what was found in them is some 100,000 more.
    for (kibibytes, expected) in [
        (64, Some("needs 312.50 KiB of disk, and ")),
        (340, Some("312.50 KiB of disk, and none is left")),
        (2048, None),
    ] {
        let Some(disk) = SmallDisk::mount(workspace.path("disk"), kibibytes) else {
            eprintln!("skipped: this user may not mount a file system");
            return;
        };
        let ended = workspace.program(&arguments);
        match expected {
            Some(told) => {
                assert_eq!(ended.code, 74, "{}", ended.told());
                assert!(ended.stderr.contains(told), "{}", ended.stderr);
                assert!(ended.stderr.contains("--scratch"), "{}", ended.stderr);
                assert!(!workspace.path("m.json").exists());
            }
            None => assert_eq!(ended.code, 0, "{}", ended.told()),
        }
        assert_eq!(fs::read_dir(workspace.path("disk")).unwrap().count(), 0);
        drop(disk);
        fs::remove_dir(workspace.path("disk")).unwrap();
    }
}

/// The copy of the rows fits, and a checkpoint does not: the copy stays, and the same command goes on.
#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn a_training_whose_checkpoint_does_not_fit_goes_on() {
    let workspace = Workspace::new();
    workspace.write("rings.csv", &rings(20_000));
    let run = |scratch: &str| {
        let train = "train rings.csv --label label --stream always --epochs 2 --dim 4096 --lambda 1 \
                     --checkpoint-every 1 --out m.json --scratch";
        let arguments: Vec<&str> = train.split_whitespace().chain([scratch]).collect();
        workspace.program(&arguments)
    };
    assert_eq!(run("elsewhere").code, 0);
    let expected = fs::read(workspace.path("m.json")).unwrap();
    fs::remove_file(workspace.path("m.json")).unwrap();
    let Some(disk) = SmallDisk::mount(workspace.path("disk"), 470) else {
        eprintln!("skipped: this user may not mount a file system");
        return;
    };
    let ended = run("disk");
    assert_eq!(ended.code, 74, "{}", ended.told());
    let told = "checkpoint: no space is left for its ";
    assert!(ended.stderr.contains(told), "{}", ended.told());
    assert!(workspace.path("disk/m.json.scratch/training").exists());
    assert!(!workspace.path("m.json").exists());
    disk.resize(4096);
    let ended = run("disk");
    assert_eq!(ended.code, 0, "{}", ended.told());
    let told = "going on with the copy of the rows in ";
    assert!(ended.stderr.contains(told), "{}", ended.told());
    assert!(fs::read(workspace.path("m.json")).unwrap() == expected);
    assert!(!workspace.path("disk/m.json.scratch").exists());
}
