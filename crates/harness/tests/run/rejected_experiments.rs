//! Experiment files that are wrong as texts or as experiments: said with the place, before anything is
//! written.

use crate::support::{SMALL, Workspace, replaced};
use insta::assert_snapshot;

/// Runs `small.toml`, which must be refused without a results folder; what is told.
pub(crate) fn refused(workspace: &Workspace) -> String {
    let ended = workspace.run(&[]);
    assert_eq!(ended.code, 2, "{}", ended.told());
    assert_eq!(ended.stdout, "");
    assert!(!workspace.path("results").exists(), "a folder was made");
    ended.told()
}

/// [`refused`] for [`SMALL`] with `old` replaced.
pub(crate) fn changed(old: &str, new: &str) -> String {
    refused(&Workspace::changed(old, new))
}

#[test]
fn keys() {
    assert_snapshot!(
        "unknown_key",
        changed("seed = 7", "seed = 7\ncolour = \"red\"")
    );
    assert_snapshot!("misspelt_key", changed("repeats = 2", "repaets = 2"));
    assert_snapshot!("misspelt_key_of_a_method", changed("dim = 16", "dmi = 16"));
    assert_snapshot!("misspelt_key_of_a_dataset", {
        changed("\"blobs\"", "{ name = \"blobs\", positve = [\"in\"] }")
    });
    assert_snapshot!("missing_key", changed("seed = 7\n", ""));
    assert_snapshot!(
        "twice_the_same_key",
        changed("seed = 7", "seed = 7\nseed = 8")
    );
}

#[test]
fn kinds() {
    let kind = |value: &str| changed("seed = 7", &format!("seed = 7\nkind = {value}"));
    assert_snapshot!("misspelt_kind", kind("\"clasification\""));
    assert_snapshot!("unknown_kind", kind("\"regression\""));
    assert_snapshot!("number_for_a_kind", kind("3"));
    assert_snapshot!("misspelt_key_of_a_kind", {
        kind("\"classification\"\nrepaets = 2")
    });
}

/// The kind that is meant where none is written.
#[test]
fn a_kind_may_be_written() {
    let written = "kind = \"classification\"\nseed = 7";
    let workspace = Workspace::changed("seed = 7", written);
    workspace.run_well(&["--out", "written"]);
    workspace.write("small.toml", SMALL);
    workspace.run_well(&["--out", "absent"]);
    assert_eq!(workspace.cells("written"), workspace.cells("absent"));
}

#[test]
fn sections() {
    let uncertainty = "[uncertainty]\nnorm = 2\nlevels = [0.0, 0.3]\n";
    assert_snapshot!("missing_section", changed(uncertainty, ""));
    let methods = SMALL.find("[[method]]").expect("there are methods");
    let workspace = Workspace::new();
    workspace.write("small.toml", &SMALL[..methods]);
    assert_snapshot!("no_method", refused(&workspace));
    let empty = replaced(&SMALL[..methods], "seed = 7", "seed = 7\nmethod = []");
    workspace.write("small.toml", &empty);
    assert_snapshot!("empty_methods", refused(&workspace));
}

#[test]
fn types() {
    assert_snapshot!(
        "text_for_a_number",
        changed("repeats = 2", "repeats = \"many\"")
    );
    assert_snapshot!(
        "negative_for_a_count",
        changed("repeats = 2", "repeats = -2")
    );
    assert_snapshot!(
        "fraction_for_a_count",
        changed("repeats = 2", "repeats = 2.5")
    );
    assert_snapshot!(
        "number_for_a_list",
        changed("levels = [0.0, 0.3]", "levels = 0.3")
    );
    assert_snapshot!("text_in_a_list", changed("[0.1, 1.0]", "[0.1, \"1.0\"]"));
    assert_snapshot!(
        "list_for_a_table",
        changed("{ times_median = [1.0] }", "[1.0]")
    );
    assert_snapshot!("number_for_a_dataset", changed("\"blobs\"", "3"));
    assert_snapshot!("text_for_a_dimension", changed("dim = 16", "dim = \"16\""));
}

#[test]
fn misspelt_and_missing_keys_of_sigma() {
    let sigma = |new: &str| changed("{ times_median = [1.0] }", new);
    assert_snapshot!("misspelt_key_of_sigma", sigma("{ times_medain = [1.0] }"));
    assert_snapshot!("missing_key_of_sigma", sigma("{}"));
}

#[test]
fn syntax() {
    assert_snapshot!(
        "syntax_open_text",
        changed("name = \"small\"", "name = \"small")
    );
    assert_snapshot!("syntax_open_list", changed("[0.0, 0.3]", "[0.0, 0.3"));
    assert_snapshot!("syntax_no_value", changed("seed = 7", "seed ="));
}

#[test]
fn names() {
    assert_snapshot!(
        "name_with_a_slash",
        changed("name = \"small\"", "name = \"../small\"")
    );
    assert_snapshot!("empty_name", changed("name = \"small\"", "name = \"\""));
    assert_snapshot!(
        "empty_method_name",
        changed("name = \"linear\"", "name = \"\"")
    );
    let twice = changed("name = \"robust-rff\"", "name = \"linear\"");
    assert_snapshot!("two_methods_of_one_name", twice);
}

#[test]
fn experiment_files_that_cannot_be_read() {
    let workspace = Workspace::new();
    let ended = workspace.program(&["run", "smal.toml"]);
    assert_eq!(ended.code, 2);
    assert_snapshot!("no_experiment_file", ended.told());
    let ended = workspace.program(&["run", "datasets"]);
    assert_eq!(ended.code, 2);
    assert_snapshot!("folder_for_an_experiment_file", ended.told());
    std::fs::write(workspace.path("small.toml"), b"name = \"\xff\"").unwrap();
    assert_snapshot!("experiment_file_is_not_text", refused(&workspace));
}
