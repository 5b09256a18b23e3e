//! Which results folders a run takes, and that it leaves the others as they are.

use crate::support::{SMALL, Workspace, replaced};
use insta::assert_snapshot;
use std::fs::{self, File};

#[test]
fn folders_that_cannot_be_written() {
    let workspace = Workspace::new();
    workspace.write("notes.txt", "mine");
    let below = workspace.run(&["--out", "notes.txt/results"]);
    assert_eq!(below.code, 74);
    assert_snapshot!("out_below_a_file", below.told());
    let file = workspace.run(&["--out", "notes.txt"]);
    assert_eq!(file.code, 74);
    assert_snapshot!("out_is_a_file", file.told());
    assert_eq!(fs::read(workspace.path("notes.txt")).unwrap(), b"mine");
}

#[cfg(unix)]
#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn a_read_only_folder_is_told() {
    use std::os::unix::fs::PermissionsExt as _;
    let workspace = Workspace::new();
    let folder = workspace.path("locked");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    if File::create(folder.join("probe")).is_ok() {
        eprintln!("skipped: this user may write to read-only folders");
        return;
    }
    let ended = workspace.run(&["--out", "locked"]);
    assert_eq!(ended.code, 74);
    assert!(
        ended
            .stderr
            .contains("the results folder locked cannot be written"),
        "{}",
        ended.told()
    );
    assert!(
        ended.stderr.contains("Permission denied"),
        "{}",
        ended.told()
    );
}

#[test]
fn a_folder_with_other_files_is_left_alone() {
    let workspace = Workspace::new();
    for name in ["thesis/chapter.tex", "pictures/plots/mine.svg"] {
        workspace.write(name, "mine");
    }
    let before = (workspace.files("thesis"), workspace.files("pictures"));
    for folder in ["thesis", "pictures"] {
        for arguments in [&["--out", folder][..], &["--out", folder, "--fresh"]] {
            let ended = workspace.run(arguments);
            assert_eq!(ended.code, 2, "{arguments:?}: {}", ended.told());
        }
    }
    assert_eq!(
        (workspace.files("thesis"), workspace.files("pictures")),
        before
    );
    assert_snapshot!(
        "folder_with_other_files",
        workspace.run(&["--out", "thesis"]).told()
    );
}

#[test]
fn rows_without_a_manifest_are_nobodys() {
    let workspace = Workspace::finished();
    fs::remove_file(workspace.path("results/small/manifest.toml")).unwrap();
    let before = workspace.files("results");
    workspace.write(
        "small.toml",
        &replaced(SMALL, "lambda = [0.1, 1.0]", "lambda = [5.0]"),
    );
    let ended = workspace.run(&[]);
    assert_eq!(ended.code, 2, "{}", ended.told());
    assert_eq!(workspace.files("results"), before);
}

#[test]
fn another_experiment_is_refused() {
    let workspace = Workspace::finished();
    let before = workspace.files("results");
    workspace.write("small.toml", &replaced(SMALL, "[0.0, 0.3]", "[0.0, 0.4]"));
    let ended = workspace.run(&[]);
    assert_eq!(ended.code, 2);
    assert_snapshot!("another_experiment", ended.told());
    assert_eq!(workspace.files("results"), before);
}

#[test]
fn a_comment_makes_no_other_experiment() {
    let workspace = Workspace::finished();
    let before = workspace.cells("results/small");
    let commented = replaced(
        SMALL,
        "seed = 7\nrepeats = 2",
        "# Two.\nrepeats = 2\nseed   = 7",
    );
    workspace.write("small.toml", &commented);
    let ended = workspace.run_well(&[]);
    assert!(
        ended.stderr.contains("8 cells (8 were there)"),
        "{}",
        ended.told()
    );
    assert_eq!(workspace.cells("results/small"), before);
}

#[test]
fn other_data_are_refused() {
    let workspace = Workspace::changed("\"blobs\"", "\"rings\", \"blobs\"");
    workspace.run_well(&[]);
    let before = workspace.files("results");
    let data = fs::read_to_string(workspace.path("datasets/blobs.csv")).unwrap();
    workspace.dataset("blobs", &(data + "0.5,0.5,0.5,1\n"));
    let ended = workspace.run(&[]);
    assert_eq!(ended.code, 2);
    assert_snapshot!("other_data", ended.told());
    assert_eq!(workspace.files("results"), before);
}

#[test]
fn other_code_is_refused() {
    let workspace = Workspace::finished();
    let path = workspace.path("results/small/manifest.toml");
    let text = fs::read_to_string(&path).unwrap();
    let mut manifest: toml::Table = toml::from_str(&text).unwrap();
    manifest["code"]["sha256"] = "0".repeat(64).into();
    fs::write(&path, toml::to_string(&manifest).unwrap()).unwrap();
    let before = workspace.files("results");
    let ended = workspace.run(&[]);
    assert_eq!(ended.code, 2);
    assert_snapshot!("other_code", ended.told());
    assert_eq!(workspace.files("results"), before);
}

#[test]
fn a_damaged_folder_is_told() {
    for (name, snapshot) in [
        ("manifest.toml", "damaged_manifest"),
        ("cells.parquet", "damaged_cells"),
    ] {
        let workspace = Workspace::finished();
        workspace.write(&format!("results/small/{name}"), "format = 1\n");
        let before = workspace.files("results");
        let ended = workspace.run(&[]);
        assert_eq!(ended.code, 74, "{}", ended.told());
        assert_snapshot!(snapshot, ended.told());
        assert_eq!(workspace.files("results"), before);
        workspace.run_well(&["--fresh"]);
    }
}

#[test]
fn fresh_gives_what_a_clean_run_gives() {
    let workspace = Workspace::new();
    workspace.run_well(&["--out", "clean"]);
    workspace.write("small.toml", &replaced(SMALL, "seed = 7", "seed = 8"));
    workspace.run_well(&[]);
    workspace.write("small.toml", SMALL);
    assert_eq!(workspace.run(&[]).code, 2);
    let ended = workspace.run_well(&["--fresh"]);
    assert!(ended.stderr.contains("(0 were there)"), "{}", ended.told());
    assert_eq!(workspace.cells("results/small"), workspace.cells("clean"));
    let names = |folder: &str| {
        let root = workspace.path(folder);
        let files = workspace.files(folder).into_keys();
        let relative = files.map(|path| path.strip_prefix(&root).unwrap().to_owned());
        relative.collect::<Vec<_>>()
    };
    assert_eq!(names("results/small"), names("clean"));
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let workspace = Workspace::finished();
    let before = workspace.files("results");
    let lock = File::options()
        .write(true)
        .open(workspace.path("results/small/.lock"))
        .unwrap();
    lock.try_lock().unwrap();
    for arguments in [&[][..], &["--fresh"]] {
        let ended = workspace.run(arguments);
        assert_eq!(ended.code, 2);
        assert_snapshot!("busy", ended.told());
    }
    assert_eq!(workspace.files("results"), before);
    drop(lock);
    workspace.run_well(&[]);
}
