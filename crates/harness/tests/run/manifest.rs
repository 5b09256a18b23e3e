//! What `manifest.toml` says of the code and of the runs that computed the cells.

use crate::support::Workspace;
use std::fs;
use toml::{Table, Value};

fn manifest(workspace: &Workspace) -> Table {
    let text = fs::read_to_string(workspace.path("results/small/manifest.toml")).unwrap();
    text.parse().unwrap()
}

fn runs(workspace: &Workspace) -> Vec<Value> {
    let manifest = manifest(workspace);
    let runs = manifest.get("run").and_then(Value::as_array);
    runs.cloned().unwrap_or_default()
}

#[test]
fn a_run_that_computes_cells_is_noted_with_its_command_and_processor() {
    let workspace = Workspace::new();
    workspace.run_well(&["--threads", "1"]);
    let first = runs(&workspace);
    assert_eq!(first.len(), 1);
    let command = first[0]["command"].as_array().unwrap();
    let command: Vec<&str> = command.iter().filter_map(Value::as_str).collect();
    assert_eq!(
        command,
        ["robust-svm", "run", "small.toml", "--threads", "1"]
    );
    assert_eq!(first[0]["threads"].as_integer(), Some(1));
    let (started, ended) = (first[0]["started"].as_str(), first[0]["ended"].as_str());
    assert!(started <= ended, "{started:?} {ended:?}");
    #[cfg(target_arch = "x86_64")]
    {
        let features = first[0]["cpu_features"].as_array().unwrap();
        let here = std::arch::is_x86_feature_detected!("avx2");
        assert_eq!(features.contains(&Value::from("avx2")), here);
    }
    // A run that finds all there made nothing.
    workspace.run_well(&[]);
    assert_eq!(runs(&workspace), first);
    // One that computes what is missing comes after it.
    for name in ["cells.parquet", "timings.parquet"] {
        fs::remove_file(workspace.path(&format!("results/small/{name}"))).unwrap();
    }
    workspace.run_well(&[]);
    let both = runs(&workspace);
    assert_eq!(both.len(), 2);
    assert_eq!(both[0], first[0]);
    workspace.run_well(&["--fresh"]);
    assert_eq!(runs(&workspace).len(), 1);
}

/// The revision is git's own, where the sources are a checkout.
#[test]
fn the_revision_is_that_of_the_checkout() {
    let workspace = Workspace::finished();
    let manifest = manifest(&workspace);
    let code = manifest["code"].as_table().unwrap();
    let here = env!("CARGO_MANIFEST_DIR");
    let git = std::process::Command::new("git")
        .args(["-C", here, "rev-parse", "HEAD"])
        .output();
    let revision = git.ok().filter(|git| git.status.success());
    let revision = revision.map(|git| String::from_utf8(git.stdout).unwrap().trim().to_owned());
    assert_eq!(
        code.get("revision").and_then(Value::as_str),
        revision.as_deref()
    );
}

/// Manifests of before there were revisions and runs are read by every command, and continued.
#[test]
fn older_manifests_are_read() {
    let workspace = Workspace::finished();
    let path = workspace.path("results/small/manifest.toml");
    let mut old = manifest(&workspace);
    old.remove("run");
    let code = old.get_mut("code").and_then(Value::as_table_mut).unwrap();
    code.remove("revision");
    code.remove("dirty");
    fs::write(&path, toml::to_string(&old).unwrap()).unwrap();
    for arguments in [
        &["verify", "results/small", "--cells", "1"][..],
        &["explain", "results/small"],
        &["check", "results/small", "--baseline", "results/small"],
        &["run", "small.toml"],
    ] {
        let ended = workspace.program(arguments);
        assert_eq!(ended.code, 0, "{arguments:?}: {}", ended.told());
    }
    assert_eq!(runs(&workspace), []);
}
