//! The classification experiments that are passed on can be planned with the data that are.

use robust_svm_harness::data::DataFolders;
use robust_svm_harness::plan::plan;
use robust_svm_harness::spec::{Kind, SpecFile};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

fn shipped(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(folder)
}

#[test]
fn every_shipped_classification_is_planned() {
    let mut planned = Vec::new();
    for entry in std::fs::read_dir(shipped("experiments")).unwrap() {
        let path = entry.unwrap().path();
        let file = SpecFile::read(&path).unwrap_or_else(|error| panic!("{error}"));
        if file.kind().unwrap() != Kind::Classification {
            continue;
        }
        let folders = DataFolders::new([shipped("datasets")]);
        let plan = plan(file, &folders).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(path.file_stem().unwrap().to_str(), Some(&*plan.name));
        planned.push(plan.name);
    }
    assert!(
        planned.iter().any(|name| name == "uncertainty-shapes"),
        "{planned:?}"
    );
}

/// Comments, layout and the way in which files are read leave the digest what it is: that of the content, keys in order.
#[test]
fn digests_are_those_of_the_content() {
    for entry in std::fs::read_dir(shipped("experiments")).unwrap() {
        let path = entry.unwrap().path();
        let file = SpecFile::read(&path).unwrap_or_else(|error| panic!("{error}"));
        let text = std::fs::read_to_string(&path).unwrap();
        let content: toml::Table = text.parse().unwrap();
        let canonical = toml::to_string(&content).unwrap();
        assert_eq!(file.digest, format!("{:x}", Sha256::digest(canonical)));
        assert_eq!(file.text, text);
    }
}

/// The file shows one set, and names the others in comments: each of them can be put in its place.
#[test]
fn every_set_that_the_example_names_is_planned() {
    let path = shipped("experiments/uncertainty-shapes.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let written = "shape = \"full\"\ncovariance = \"training\"\n";
    assert!(text.contains(written));
    let others: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("#   "))
        .collect();
    assert!(others.len() >= 4, "{others:?}");
    for other in others {
        let keys = other.replace(" and ", "\n") + "\n";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("changed.toml");
        std::fs::write(&path, text.replace(written, &keys)).unwrap();
        let file = SpecFile::read(&path).unwrap();
        let folders = DataFolders::new([shipped("datasets")]);
        plan(file, &folders).unwrap_or_else(|error| panic!("{other}: {error}"));
    }
}
