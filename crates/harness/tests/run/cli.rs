//! Help, usage and what a run says.

use crate::support::{PROGRAM, TIMES, Workspace};
use insta::assert_snapshot;

#[test]
fn help() {
    let workspace = Workspace::new();
    for (arguments, name) in [
        (&["--help"][..], "help"),
        (&["run", "--help"], "help_run"),
        (&["plan", "--help"], "help_plan"),
        (&["merge", "--help"], "help_merge"),
        (&["check", "--help"], "help_check"),
        (&["report", "--help"], "help_report"),
        (&["train", "--help"], "help_train"),
        (&["predict", "--help"], "help_predict"),
        (&["certify", "--help"], "help_certify"),
        (&["--version"], "version"),
    ] {
        let ended = workspace.program(arguments);
        assert_eq!(ended.code, 0, "{arguments:?}");
        assert_snapshot!(name, ended.told());
    }
}

#[test]
fn usage() {
    let workspace = Workspace::new();
    for (arguments, name) in [
        (&[][..], "usage_no_subcommand"),
        (&["rnu", "small.toml"], "usage_unknown_subcommand"),
        (&["run"], "usage_no_file"),
        (
            &["run", "small.toml", "--thread", "2"],
            "usage_unknown_option",
        ),
        (&["run", "small.toml", "--threads", "0"], "usage_no_threads"),
        (&["check", "results/small"], "usage_no_baseline"),
    ] {
        let ended = workspace.program(arguments);
        assert_eq!(ended.code, 2, "{arguments:?}: {}", ended.told());
        assert_snapshot!(name, ended.told());
    }
    assert!(!workspace.path("results").exists());
}

#[test]
fn a_run_says_three_lines_where_nobody_watches() {
    let workspace = Workspace::new();
    let ended = workspace.run_well(&[]);
    insta::with_settings!({ filters => TIMES }, {
        assert_snapshot!("summary", ended.told());
    });
    assert_eq!(ended.stderr.lines().count(), 3);
    let quiet = workspace.run_well(&["--quiet", "--fresh"]);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
}

#[test]
fn a_run_writes_what_it_promises() {
    let workspace = Workspace::new();
    workspace.run_well(&["--out", "here/and/there"]);
    assert!(!workspace.path("results").exists());
    let root = workspace.path("here/and/there");
    let files = workspace.files("here/and/there").into_keys();
    let names = files.map(|path| path.strip_prefix(&root).unwrap().display().to_string());
    assert_snapshot!("files", names.collect::<Vec<_>>().join("\n"));
}

/// What ran before in the same process, as `cargo run` does, is not the run's.
#[cfg(target_os = "linux")]
#[test]
fn the_run_is_charged_with_its_own_time_alone() {
    let workspace = Workspace::new();
    let script = format!(
        "i=0; while [ $i -lt 1000000 ]; do i=$((i + 1)); done; exec {PROGRAM} run small.toml"
    );
    let ended = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(workspace.path(""))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
    let (before, _) = told.split_once(" % busy").expect("the last line");
    let busy = before.rsplit(' ').next().unwrap();
    assert!(busy.parse::<f64>().unwrap() <= 150.0, "{told}");
}
