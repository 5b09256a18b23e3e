//! Results folders of other versions of the program: those of format 1 are read, those of a later format are not.

use crate::support::Workspace;
use std::fs;
use std::path::{Path, PathBuf};

/// A workspace with the finished results of `small.toml` that a program of format 1 wrote, in `old`.
fn with_old() -> Workspace {
    let workspace = Workspace::new();
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/format-1");
    fs::create_dir(workspace.path("old")).unwrap();
    for entry in fs::read_dir(old).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), workspace.path("old").join(entry.file_name())).unwrap();
    }
    workspace
}

fn edit_manifest(workspace: &Workspace, folder: &str, edit: impl Fn(&mut toml::Table)) {
    let path = workspace.path(folder).join("manifest.toml");
    let mut manifest: toml::Table = toml::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    edit(&mut manifest);
    fs::write(&path, toml::to_string(&manifest).unwrap()).unwrap();
}

/// The files of sums to the last digit, which are others on processors with AVX-512 than in the old results, made by vectors of 256 bits.
const SUMS: [&str; 4] = [
    "cells.parquet",
    "summary.csv",
    "tables/path_equivalence.csv",
    "tables/selection.csv",
];

/// Whether the file at `path` of a run has the bytes of the old results: none but [`SUMS`] has others, and these where sums are.
fn is_as_then(path: &Path) -> bool {
    #[cfg(target_arch = "x86_64")]
    let other_sums = std::arch::is_x86_feature_detected!("avx512f");
    #[cfg(not(target_arch = "x86_64"))]
    let other_sums = false;
    !(other_sums && SUMS.iter().any(|name| path == Path::new(name)))
}

#[test]
fn results_of_format_1_are_a_baseline() {
    let workspace = with_old();
    workspace.run_well(&[]);
    let ended = workspace.program(&["check", "results/small", "--baseline", "old"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
}

#[test]
fn results_of_format_1_are_merged() {
    let workspace = with_old();
    let ended = workspace.program(&["merge", "old", "--out", "merged"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert!(
        ended
            .stderr
            .contains("another version of the code made the results"),
        "{}",
        ended.told()
    );
    assert_eq!(workspace.cells("merged"), workspace.cells("old"));
    workspace.run_well(&[]);
    let (merged, run) = (
        workspace.promised("merged"),
        workspace.promised("results/small"),
    );
    let differ = |(path, bytes): &(PathBuf, _)| run[path] != *bytes && is_as_then(path);
    let differing: Vec<_> = merged
        .into_iter()
        .filter(differ)
        .map(|(path, _)| path)
        .collect();
    assert_eq!(
        differing,
        [Path::new("manifest.toml")],
        "which names the code"
    );
    // Computed again, all cells have these numbers, sums to a relative 1e−6.
    let ended = workspace.program(&["verify", "old", "--all", "--anyway"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
}

#[test]
fn results_of_format_1_are_continued_by_their_code_alone() {
    let workspace = with_old();
    let before = workspace.promised("old");
    let ended = workspace.run(&["--out", "old"]);
    assert_eq!(ended.code, 2, "{}", ended.told());
    assert!(
        ended
            .stderr
            .contains("made from another version of the code"),
        "{}",
        ended.told()
    );
    assert_eq!(workspace.promised("old"), before);
    workspace.run_well(&["--out", "new"]);
    let text = fs::read_to_string(workspace.path("new/manifest.toml")).unwrap();
    let new: toml::Table = toml::from_str(&text).unwrap();
    edit_manifest(&workspace, "old", |manifest| {
        manifest["code"] = new["code"].clone();
    });
    let ended = workspace.run_well(&["--out", "old"]);
    assert!(
        ended.stderr.contains("8 cells (8 were there)"),
        "{}",
        ended.told()
    );
    // It did not store how solvers got there.
    let mut new = workspace.promised("new");
    new.retain(|path, _| !path.to_string_lossy().contains("convergence"));
    let old = workspace.promised("old");
    let differing: Vec<_> = old.keys().chain(new.keys()).collect();
    let differing: Vec<_> = differing
        .into_iter()
        .filter(|path| old.get(*path) != new.get(*path) && is_as_then(path))
        .collect();
    assert!(differing.is_empty(), "{differing:?}");
}

#[test]
fn a_later_format_is_refused() {
    let workspace = with_old();
    edit_manifest(&workspace, "old", |manifest| {
        manifest.insert("format".into(), 3.into());
        // Keys may have another meaning then.
        manifest.insert("experiment".into(), "small".into());
    });
    let before = workspace.promised("old");
    for arguments in [
        &["run", "small.toml", "--out", "old"][..],
        &["check", "old", "--baseline", "old"],
        &["merge", "old", "--out", "merged"],
    ] {
        let ended = workspace.program(arguments);
        assert_eq!(ended.code, 2, "{}", ended.told());
        let told = "old/manifest.toml is of format 3, and this program knows the formats up to 2\n  \
                    = help: update robust-svm";
        assert!(ended.stderr.contains(told), "{}", ended.told());
    }
    assert_eq!(workspace.promised("old"), before);
}
