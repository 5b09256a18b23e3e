//! What a training on streamed rows tells: what ended it, what it leaves when it is interrupted, and what it goes on from.

use crate::streamed::{number, well};
use crate::support::{Workspace, rings};

/// A gap above the tolerance is no end without a word: which limit came first, and what to do.
#[test]
fn what_ended_a_training_is_told() {
    let workspace = Workspace::new();
    workspace.write("rings.csv", &rings(1500));
    let train = "train rings.csv --label label --features rff --dim 16 --lambda 1 --sigma 1 --stream always --out m.json";
    for (options, ended, told) in [
        (
            "--epochs 2 --tolerance 1e-6",
            "epochs",
            "certified, above the tolerance of 1e-6: the limit of 2 epochs came first\n              \
             more --epochs lower it, or --solver interior-point\n",
        ),
        (
            "--tolerance 0.9",
            "tolerance",
            "certified, within the tolerance of 0.9\n              a smaller --tolerance lowers it\n",
        ),
        (
            "--solver interior-point",
            "tolerance",
            "certified, within the tolerance of 1e-9\n",
        ),
    ] {
        let said = well(&workspace, &format!("{train} {options}"));
        assert!(said.contains(told), "{said}");
        let said = well(&workspace, &format!("{train} {options} --format json"));
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!(said["ended"], ended, "{said}");
        assert_eq!(said["streamed"], true);
        let (gap, tolerance) = (number(&said["relative_gap"]), number(&said["tolerance"]));
        assert_eq!(gap <= tolerance, ended == "tolerance", "{said}");
        assert_eq!(said["rows"], 1500);
        let parts = ["training_rows", "validation_rows"].map(|part| said[part].as_u64().unwrap());
        assert_eq!(parts[0] + parts[1], 1500);
    }
    let never = train.replace("always", "never");
    let said = well(&workspace, &format!("{never} --format json"));
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["streamed"], false);
    assert!(said["tolerance"].is_null() && said["ended"].is_null());
    assert_eq!(said["rows"], 1500);
}

/// 1,501 lines, the header one of them, of 4 columns and 16 features at one σ are 240,160 bytes.
#[test]
fn why_rows_are_streamed_or_not_is_told() {
    let workspace = Workspace::new();
    workspace.write("rings.csv", &rings(1500));
    let refused =
        "held there all the same, as --bound local needs them there (use geodesic or projection)";
    let streamed = "streamed, and one λ and σ tried unless several are given (--lambda, --sigma, --stream never)";
    let train = "train rings.csv --label label --dim 16 --lambda 1 --sigma 1 --out m.json";
    for (level, options, memory, where_to) in [
        ("warning", "", "234 KiB", streamed),
        ("info", "--quiet", "234 KiB", streamed),
        ("info", "", "235 KiB", "held there"),
        ("warning", "--bound local --gamma 0.1", "234 KiB", refused),
    ] {
        let size = memory.replace(' ', "");
        let arguments = format!("{train} {options} --memory {size}");
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let ended = workspace.program(&[&arguments[..], &["--log-level", "info"]].concat());
        let told = format!(
            "{level}: rows and features would take 234.5 KiB in memory, where --memory is {memory}: rows are {where_to}\n"
        );
        assert_eq!(ended.code, 0, "{}", ended.told());
        assert!(ended.stderr.contains(&told), "{}", ended.told());
        let by_default = workspace.program(&arguments);
        assert_eq!(by_default.stderr.contains(&told), level == "warning");
    }
}

#[cfg(unix)]
mod unix {
    use crate::streamed::{split, well};
    use crate::support::{PROGRAM, Workspace, rings};
    use std::fs;
    use std::process::{Command, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    /// Ctrl-C says what stays, and the same command says that it goes on from there: there are checkpoints of five blocks.
    #[test]
    fn an_interrupted_training_says_how_to_go_on() {
        let workspace = Workspace::new();
        workspace.write("rings.csv", &rings(40_000));
        let train = "train rings.csv --label label --features rff --dim 64 --gamma 0.1 --bound geodesic \
                     --stream always --epochs 60 --tolerance 1e-9";
        let command = format!("{train} --out m.json");
        let training = Command::new(PROGRAM)
            .args(split(&command))
            .current_dir(workspace.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let checkpoint = workspace.path("m.json.scratch/checkpoint");
        let start = Instant::now();
        while !checkpoint.exists() {
            assert!(start.elapsed() < Duration::from_mins(2), "no checkpoint");
            sleep(Duration::from_micros(500));
        }
        let id = training.id().to_string();
        let sent = Command::new("kill").args(["-s", "INT", &id]).status();
        assert!(sent.unwrap().success());
        let output = training.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{said}");
        let folder = "./m.json.scratch";
        let told = format!(
            "interrupted: no model is written; the same command goes on from what is in {folder}\n\
             to give this training up, remove {folder}\n"
        );
        assert!(said.ends_with(&told), "{said}");
        assert!(checkpoint.exists() && !workspace.path("m.json").exists());
        // Other limits are another training: which, and what to do.
        let more = command.replace("--epochs 60", "--epochs 90");
        let refused = workspace.program(&split(&more));
        let told = format!(
            "error: {folder} is of a training that was not ended, with --epochs 60 (now 90)\n  \
             = help: the same command as then goes on with it; to begin anew remove the folder, or name another with --scratch\n"
        );
        assert_eq!((refused.code, refused.stderr), (2, told));
        let ended = workspace.program(&split(&command));
        assert_eq!(ended.code, 0, "{}", ended.told());
        let copy = format!("going on with the copy of the rows in {folder}\n");
        assert!(ended.stderr.contains(&copy), "{}", ended.told());
        let from = "training goes on from a checkpoint, after ";
        assert!(ended.stderr.contains(from), "{}", ended.told());
        assert!(!workspace.path("m.json.scratch").exists());
        well(&workspace, &format!("{train} --quiet --out whole.json"));
        let [went_on, whole] =
            ["m.json", "whole.json"].map(|file| fs::read(workspace.path(file)).unwrap());
        assert!(went_on == whole);
    }
}
