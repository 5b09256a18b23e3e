//! `robust-svm new`: what it writes runs as it is, and never takes the place of a file.

use crate::support::{Ended, Workspace, blobs, replaced};
use insta::assert_snapshot;
use robust_svm_harness::schema::schema;
use std::fs;

fn well(workspace: &Workspace, arguments: &[&str]) -> Ended {
    let ended = workspace.program(arguments);
    assert_eq!(ended.code, 0, "{}", ended.told());
    ended
}

fn refused(workspace: &Workspace, arguments: &[&str]) -> String {
    let before = workspace.files("");
    let ended = workspace.program(arguments);
    assert_eq!(ended.code, 2, "{}", ended.told());
    assert_eq!(workspace.files(""), before, "a file was written");
    ended.told()
}

/// An experiment of every kind is planned and run as it was written, and is what the schema allows.
#[test]
fn new_experiments_run() {
    let schema = schema(None);
    for kind in [
        "classification",
        "bound-tightness",
        "bandwidth-rule",
        "safe-ellipsoid",
        "classifiers",
        "scaling",
    ] {
        let workspace = Workspace::new();
        let name = format!("first-{kind}");
        let ended = well(&workspace, &["new", "experiment", &name, "--kind", kind]);
        let path = format!("experiments/{name}.toml");
        assert!(ended.stdout.contains(&path), "{}", ended.told());
        let text = fs::read_to_string(workspace.path(&path)).unwrap();
        assert!(!text.contains('@'), "a place is left open: {text}");
        let content: toml::Table = text.parse().unwrap();
        let content = serde_json::to_value(content).unwrap();
        assert!(
            jsonschema::draft202012::is_valid(&schema, &content),
            "{text}"
        );
        // Cells that are measured themselves need processes of their own.
        let isolated: &[&str] = if kind == "scaling" {
            &["--isolate"]
        } else {
            &[]
        };
        well(&workspace, &[&["run", path.as_str()], isolated].concat());
        assert!(
            workspace
                .path(&format!("results/{name}/cells.parquet"))
                .exists()
        );
    }
}

#[test]
fn a_new_experiment_may_have_a_path() {
    let workspace = Workspace::new();
    workspace.write("docs/experiment.schema.json", "{}");
    well(
        &workspace,
        &[
            "new",
            "experiment",
            "mine/second.toml",
            "--kind",
            "bandwidth-rule",
        ],
    );
    let text = fs::read_to_string(workspace.path("mine/second.toml")).unwrap();
    assert!(
        text.starts_with("#:schema ../docs/experiment.schema.json\n"),
        "{text}"
    );
    assert!(text.contains("name = \"second\""), "{text}");
}

#[test]
fn no_file_is_overwritten() {
    let workspace = Workspace::new();
    workspace.write("experiments/there.toml", "mine");
    assert_snapshot!(
        "new_experiment_there",
        refused(&workspace, &["new", "experiment", "there"])
    );
    let dataset = ["new", "dataset", "blobs", "--from", "datasets/blobs.csv"];
    assert_snapshot!("new_dataset_there", refused(&workspace, &dataset));
}

#[test]
fn names_and_datasets_that_will_not_do() {
    let workspace = Workspace::new();
    assert_snapshot!(
        "new_experiment_bad_name",
        refused(&workspace, &["new", "experiment", "a b"])
    );
    assert_snapshot!("new_experiment_bad_kind", {
        refused(
            &workspace,
            &["new", "experiment", "a", "--kind", "tightness"],
        )
    });
    fs::remove_dir_all(workspace.path("datasets")).unwrap();
    assert_snapshot!(
        "new_experiment_no_data",
        refused(&workspace, &["new", "experiment", "a"])
    );
}

/// A workspace with the file `datasets/own.csv`.
fn with_csv(text: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.write("datasets/own.csv", text);
    workspace
}

const OWN: [&str; 5] = ["new", "dataset", "own", "--from", "datasets/own.csv"];

/// The manifest says what is in the file, and an experiment runs on it.
#[test]
fn a_new_dataset_is_read() {
    let text = replaced(&blobs(90), "a,b,c,label", "a,b,c,Class");
    let workspace = with_csv(&text);
    well(&workspace, &OWN);
    let manifest = fs::read_to_string(workspace.path("datasets/own.toml")).unwrap();
    insta::with_settings!({ filters => vec![("sha256 = \"[0-9a-f]{64}\"", "sha256 = \"[digest]\"")] }, {
        assert_snapshot!("new_dataset_csv", manifest);
    });
    workspace.write(
        "small.toml",
        &replaced(crate::support::SMALL, "\"blobs\"", "\"own\""),
    );
    workspace.run_well(&[]);
    // The same rows give the same numbers whatever the file is called: but for the name, it is `blobs`.
    workspace.write(
        "small.toml",
        &replaced(
            crate::support::SMALL,
            "\"blobs\"",
            "{ name = \"blobs\", label = \"own\" }",
        ),
    );
    workspace.run_well(&["--out", "blobs"]);
    assert_eq!(workspace.rows("blobs"), workspace.rows("results/small"));
}

#[test]
fn labels_of_any_numbers_are_listed() {
    let workspace = with_csv("id,x,kind\n1,0.5,-1\n2,1.5,1\n3,2.5,7.5\n4,0.1,-1\n");
    well(
        &workspace,
        &[&OWN[..], &["--label", "kind", "--ignore", "id"]].concat(),
    );
    let manifest = fs::read_to_string(workspace.path("datasets/own.toml")).unwrap();
    for line in [
        "label_values = [-1, 1, 7.5]",
        "class_names = [\"-1\", \"1\", \"7.5\"]",
        "ignore_columns = [\"id\"]",
        "features = 1",
        "rows = 4",
        "task = \"multiclass\"",
    ] {
        assert!(
            manifest.lines().any(|found| found == line),
            "{line}: {manifest}"
        );
    }
}

#[test]
fn a_new_dataset_of_libsvm_s_format() {
    let workspace = Workspace::new();
    workspace.write("datasets/own.svm", "+1 1:0.5 3:1\n-1 2:0.25\n+1 1:2\n");
    well(
        &workspace,
        &["new", "dataset", "own", "--from", "datasets/own.svm"],
    );
    let manifest = fs::read_to_string(workspace.path("datasets/own.toml")).unwrap();
    insta::with_settings!({ filters => vec![("sha256 = \"[0-9a-f]{64}\"", "sha256 = \"[digest]\"")] }, {
        assert_snapshot!("new_dataset_svm", manifest);
    });
}

#[test]
fn data_files_that_will_not_do() {
    let told = |text: &str, more: &[&str]| refused(&with_csv(text), &[&OWN[..], more].concat());
    assert_snapshot!("new_dataset_which_label", told("a,b\n1,0\n2,1\n", &[]));
    assert_snapshot!("new_dataset_two_labels", told("y,class\n1,0\n2,1\n", &[]));
    assert_snapshot!(
        "new_dataset_no_such_label",
        told("a,y\n1,0\n2,1\n", &["--label", "z"])
    );
    assert_snapshot!("new_dataset_text_label", told("a,y\n1,0\n2,yes\n", &[]));
    assert_snapshot!("new_dataset_one_class", told("a,y\n1,1\n2,1\n", &[]));
    assert_snapshot!("new_dataset_text_feature", told("a,y\nred,1\n2,0\n", &[]));
    let workspace = Workspace::new();
    workspace.write("own.csv", "a,y\n1,0\n2,1\n");
    assert_snapshot!(
        "new_dataset_elsewhere",
        refused(&workspace, &["new", "dataset", "own", "--from", "own.csv"])
    );
    assert_snapshot!(
        "new_dataset_no_file",
        refused(
            &workspace,
            &["new", "dataset", "own", "--from", "datasets/nowhere.csv"]
        )
    );
}
