//! Options that every command has: JSON, colours, messages; completions and manual pages.

use crate::support::{SMALL, Workspace, replaced};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const COMMANDS: [&str; 11] = [
    "plan",
    "merge",
    "run",
    "check",
    "explain",
    "verify",
    "train",
    "predict",
    "certify",
    "completions",
    "man",
];

fn json(text: &str) -> Value {
    assert_eq!(text.lines().count(), 1, "one object on one line: {text}");
    serde_json::from_str(text).unwrap()
}

#[test]
fn every_command_has_help_with_examples() {
    let workspace = Workspace::new();
    let listed = commands(&workspace.program(&["--help"]).stdout);
    for command in COMMANDS {
        assert!(listed.iter().any(|name| name == command), "{command}");
    }
    for command in listed {
        let ended = workspace.program(&[&command, "--help"]);
        assert_eq!(ended.code, 0);
        let example = format!("\n  robust-svm {command}");
        assert!(ended.stdout.contains("\nExamples:\n"), "{command}");
        assert!(ended.stdout.contains(&example), "{command}");
    }
}

#[test]
fn a_run_is_one_json_object() {
    let workspace = Workspace::new();
    let ended = workspace.run_well(&["--format", "json"]);
    assert_eq!(ended.stderr, "");
    let run = json(&ended.stdout);
    assert_eq!(run["command"], "run");
    assert_eq!(run["experiment"], "small");
    assert_eq!(run["results"], "results/small");
    assert_eq!(run["cells"], 8);
    assert_eq!(run["continued"], 0);
    assert_eq!(run["counts"]["ok"], 8);
    assert_eq!(run["first_without_numbers"], Value::Null);
    assert!(run["seconds"].as_f64().unwrap() > 0.0);
    let again = json(&workspace.run_well(&["--format", "json"]).stdout);
    assert_eq!(again["continued"], 8);
}

/// A warning is a line of its own on standard error, in the form of the rest.
#[test]
fn warnings_are_json_objects_where_results_are() {
    let workspace = Workspace::finished();
    workspace.write("results/small/parts/0000-0.part", "torn");
    let path = "results/small/parts/0000-0.part is not whole: its cells are to do again";
    let plan =
        |arguments: &[&str]| workspace.program(&[&["plan", "small.toml"], arguments].concat());
    let ended = plan(&["--format", "json"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert_eq!(json(&ended.stderr)["warning"]["message"], path);
    assert_eq!(json(&ended.stdout)["command"], "plan");
    assert_eq!(plan(&[]).stderr, format!("warning: {path}\n"));
    assert_eq!(plan(&["--log-level", "error"]).stderr, "");
}

#[test]
fn what_is_written_or_printed_is_json_too() {
    let workspace = Workspace::new();
    let object = |arguments: &[&str]| {
        let ended = workspace.program(&[arguments, &["--format", "json"]].concat());
        assert_eq!((ended.code, &*ended.stderr), (0, ""), "{}", ended.told());
        json(&ended.stdout)
    };
    let made = object(&["new", "experiment", "first"]);
    assert_eq!(
        (&made["command"], &made["made"], &made["name"]),
        (&"new".into(), &"experiment".into(), &"first".into())
    );
    let path = made["path"].as_str().unwrap();
    assert!(workspace.path(path).is_file(), "{path}");
    let schema = object(&["schema", "--kind", "classification"]);
    assert!(schema["$schema"].is_string());
    assert!(object(&["schema", "--markdown"])["markdown"].is_string());
    let listed = object(&["figures", "--list"]);
    assert_eq!(listed["figures"][0]["figure"], "rff-toy");
    assert_eq!(listed["figures"][1]["experiment"], "noise-grid");
    let made = object(&["figures", "rff-toy", "--out", "figures"]);
    let files = made["figures"][0]["files"].as_array().unwrap();
    assert_eq!(files.len(), 3);
    for file in files {
        assert!(workspace.path(file.as_str().unwrap()).is_file(), "{file}");
    }
    let failed = workspace.program(&["figures", "noise", "--format", "json"]);
    assert_eq!((failed.code, &*failed.stderr), (1, ""), "{}", failed.told());
    let figure = &json(&failed.stdout)["figures"][0];
    assert_eq!(figure["files"], Value::Array(Vec::new()));
    assert!(
        figure["error"]
            .as_str()
            .unwrap()
            .contains("noise-grid.toml")
    );
    let dry = object(&["run", "small.toml", "--dry-run"]);
    assert_eq!((&dry["command"], &dry["to_do"]), (&"run".into(), &8.into()));
}

#[test]
fn errors_are_json_objects_where_results_are() {
    let workspace = Workspace::changed("lambda =", "lamda =");
    for (arguments, code, kind, part) in [
        (
            &["run", "small.toml"][..],
            2,
            "bad-input",
            "unknown key `lamda`",
        ),
        (&["rnu"], 2, "bad-input", "unrecognized subcommand 'rnu'"),
        (
            &["run", "nowhere.toml"],
            2,
            "bad-input",
            "cannot read the experiment file nowhere.toml",
        ),
        (
            &["verify", "nowhere"],
            2,
            "bad-input",
            "nowhere has no finished results",
        ),
    ] {
        let ended = workspace.program(&[arguments, &["--format", "json"]].concat());
        assert_eq!(
            (ended.code, ended.stdout.as_str()),
            (code, ""),
            "{arguments:?}"
        );
        let error = &json(&ended.stderr)["error"];
        assert_eq!(error["exit_code"], code);
        assert_eq!(error["kind"], kind);
        assert!(
            error["message"].as_str().unwrap().starts_with(part),
            "{error}"
        );
    }
}

#[test]
fn models_are_json_objects() {
    let workspace = Workspace::new();
    let data = workspace.path("datasets/blobs.csv").display().to_string();
    let train = workspace.program(&[
        "train",
        &data,
        "--label",
        "label",
        "--features",
        "identity",
        "--bound",
        "exact",
        "--gamma",
        "0.1",
        "--lambda",
        "1",
        "--out",
        "model.json",
        "--format",
        "json",
    ]);
    assert_eq!(train.code, 0, "{}", train.told());
    let train = json(&train.stdout);
    assert_eq!(train["command"], "train");
    assert_eq!(train["lambda"], 1.0);
    assert_eq!(train["bound"], "exact");
    assert!(train["relative_gap"].as_f64().unwrap() < 1e-6);
    let predict = workspace.program(&["predict", "model.json", &data, "--format", "json"]);
    assert_eq!((predict.code, predict.stderr.as_str()), (0, ""));
    let predict = json(&predict.stdout);
    let predictions = predict["predictions"].as_array().unwrap();
    assert_eq!(
        (predictions.len(), &predict["rows"]),
        (90, &Value::from(90))
    );
    let right = predictions
        .iter()
        .filter(|row| row["class"] == row["label"]);
    let share = right.count() as f64 / 90.0;
    assert!((predict["accuracy"].as_f64().unwrap() - share).abs() < 1e-12);
    // As in the CSV file, to the last digit.
    let csv = workspace.program(&["predict", "model.json", &data]).stdout;
    let line: Vec<&str> = csv.lines().nth(3).unwrap().split(',').collect();
    assert_eq!(predictions[2]["decision"].as_f64(), line[1].parse().ok());
    assert_eq!(predictions[2]["class"], line[2]);
    let certify = workspace.program(&[
        "certify",
        "model.json",
        &data,
        "--gamma",
        "0,0.1",
        "--format",
        "json",
    ]);
    assert_eq!(certify.code, 0, "{}", certify.told());
    let certify = json(&certify.stdout);
    let levels = certify["levels"].as_array().unwrap();
    assert_eq!(levels.len(), 2);
    assert!((levels[0]["certified_error"].as_f64().unwrap() - (1.0 - share)).abs() < 1e-12);
    assert!(levels[1]["attack_error"].as_f64() <= levels[1]["certified_error"].as_f64());
}

#[test]
fn colours_are_where_they_are_asked_for() {
    let workspace = Workspace::changed("lambda =", "lamda =");
    let escape = '\u{1b}';
    for arguments in [&["run", "small.toml"][..], &["rnu"], &["verify", "nowhere"]] {
        let plain = workspace.program(arguments);
        assert!(!plain.stderr.contains(escape), "{}", plain.told());
        let always = workspace.program(&[arguments, &["--color", "always"]].concat());
        assert!(always.stderr.contains(escape), "{}", always.told());
        assert_eq!(console::strip_ansi_codes(&always.stderr), plain.stderr);
        let never = workspace.program(&[arguments, &["--color", "never"]].concat());
        assert_eq!(never.stderr, plain.stderr);
    }
    let help = workspace.program(&["--help", "--color", "always"]).stdout;
    assert!(help.contains(escape));
}

#[test]
fn a_check_is_one_json_object() {
    let workspace = Workspace::finished();
    let folders = ["results/small", "--baseline", "results/small"];
    let ended = workspace.program(&[&["check", "--format", "json"][..], &folders].concat());
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    let check = json(&ended.stdout);
    assert_eq!(check["command"], "check");
    assert_eq!(
        (&check["verdict"], &check["basis"]),
        (&Value::from("same"), &Value::from("equal"))
    );
    assert_eq!(check["cells"], 8);
    assert_eq!(check["moved"], Value::Array(Vec::new()));
}

/// A terminal, made by `script` where there is one: colours are there, and `NO_COLOR` takes them away.
#[cfg(target_os = "linux")]
#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn no_color_is_honoured_on_a_terminal() {
    let workspace = Workspace::changed("lambda =", "lamda =");
    let on_terminal = |no_color: &str, arguments: &str| -> Option<String> {
        let command = format!("{} {arguments}", crate::support::PROGRAM);
        let mut script = Command::new("script");
        script
            .args(["-qec", &command, "/dev/null"])
            .current_dir(workspace.path(""));
        script
            .env("TERM", "xterm")
            .env("NO_COLOR", no_color)
            .stdin(Stdio::null());
        let output = script.output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    if on_terminal("", "--version").is_none_or(|said| !said.contains("robust-svm")) {
        eprintln!("skipped: there is no `script` here to make a terminal");
        return;
    }
    for arguments in ["run small.toml", "rnu"] {
        let coloured = on_terminal("", arguments).unwrap();
        assert!(coloured.contains('\u{1b}'), "{coloured:?}");
        let plain = on_terminal("1", arguments).unwrap();
        assert!(!plain.contains('\u{1b}'), "{plain:?}");
    }
}

#[test]
fn the_work_is_told_as_far_as_is_asked_for() {
    let workspace = Workspace::new();
    let quiet = workspace.run_well(&["--quiet"]);
    assert_eq!(quiet.stderr, "");
    let cells = workspace.cells("results/small");
    let info = workspace.run_well(&["--quiet", "--fresh", "--log-level", "info"]);
    let debug = workspace.run_well(&["--quiet", "--fresh", "--log-level", "debug"]);
    assert_eq!(workspace.cells("results/small"), cells);
    for part in [
        "info: dataset `blobs`: 90 rows",
        "info: group 000-0001 ended",
        "info: 8 cells, 0 of them there",
    ] {
        assert!(info.stderr.contains(part), "{part}: {}", info.told());
    }
    assert!(!info.stderr.contains("debug: "), "{}", info.told());
    assert!(
        debug.stderr.contains("debug: group 000-0001 begins"),
        "{}",
        debug.told()
    );
    assert!(debug.stderr.contains("debug: cell "), "{}", debug.told());
    let mut command = workspace.command();
    command
        .env("ROBUST_SVM_LOG", "info")
        .args(["run", "small.toml", "-q"]);
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.contains("info: 8 cells, 8 of them there"),
        "{stderr}"
    );
    let wrong = workspace.program(&["run", "small.toml", "--log-level", "loud"]);
    assert_eq!(wrong.code, 2);
}

/// A candidate that cannot be solved is told, since it takes no part in the selection.
#[test]
fn candidates_that_fail_are_told() {
    let workspace = Workspace::new();
    workspace.dataset("outliers", &crate::support::outliers());
    workspace.write(
        "small.toml",
        &replaced(SMALL, "[\"blobs\"]", "[\"outliers\"]"),
    );
    let ended = workspace.run(&["--quiet", "--log-level", "info"]);
    assert_eq!(ended.code, 1, "{}", ended.told());
    assert!(
        ended.stderr.contains("failed: the median distance"),
        "{}",
        ended.told()
    );
}

#[test]
fn completions_are_scripts_of_their_shells() {
    let workspace = Workspace::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ended = workspace.program(&["completions", shell]);
        assert_eq!(ended.code, 0, "{}", ended.told());
        for command in COMMANDS {
            assert!(ended.stdout.contains(command), "{shell}: {command}");
        }
        // The syntax, by the shells that are here and can check it alone.
        if let ("bash" | "zsh", Ok(mut checked)) = (
            shell,
            Command::new(shell)
                .arg("-n")
                .stdin(Stdio::piped())
                .stderr(Stdio::null())
                .spawn(),
        ) {
            let mut input = checked.stdin.take().unwrap();
            input.write_all(ended.stdout.as_bytes()).unwrap();
            drop(input);
            assert!(checked.wait().unwrap().success(), "{shell}");
        }
    }
}

/// Bash finds the options of a command.
#[test]
fn bash_completes_options() {
    let workspace = Workspace::new();
    let script = workspace.program(&["completions", "bash"]).stdout;
    let asked = "COMP_WORDS=(robust-svm run --sh); COMP_CWORD=2; _robust__svm robust-svm --sh run; echo \"${COMPREPLY[@]}\"";
    let bash = Command::new("bash")
        .args(["-c", &format!("{script}\n{asked}")])
        .output();
    let Ok(bash) = bash else {
        eprintln!("skipped: there is no bash");
        return;
    };
    let replied = String::from_utf8_lossy(&bash.stdout).trim().to_owned();
    assert_eq!(
        replied,
        "--shard",
        "{}",
        String::from_utf8_lossy(&bash.stderr)
    );
}

#[test]
fn every_command_has_a_manual_page() {
    let workspace = Workspace::new();
    let ended = workspace.program(&["man", "--out", "pages"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    let pages = COMMANDS.map(|command| format!("robust-svm-{command}.1"));
    let below = ["robust-svm-new-experiment.1", "robust-svm-new-dataset.1"];
    let others = below.into_iter().chain(["robust-svm.1"]);
    for name in pages.iter().map(String::as_str).chain(others) {
        let path = workspace.path(&format!("pages/{name}"));
        let page = fs::read_to_string(&path).unwrap();
        for part in [".TH ", ".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS"] {
            assert!(page.contains(part), "{name}: {part}");
        }
        // As groff renders it, where it is: nothing is said of a fault.
        let groff = Command::new("groff")
            .args(["-Kutf8", "-man", "-Tutf8", "-ww"])
            .arg(&path)
            .output();
        if let Ok(rendered) = groff {
            let said = String::from_utf8_lossy(&rendered.stderr).into_owned();
            assert!(
                rendered.status.success() && said.is_empty(),
                "{name}: {said}"
            );
            assert!(String::from_utf8_lossy(&rendered.stdout).contains("robust-svm"));
        }
    }
    let one = workspace.program(&["man"]);
    assert!(one.stdout.contains(".SH SUBCOMMANDS"), "{}", one.told());
}

/// `docs/cli.md` is what the program says. With `UPDATE_DOCS` set it is written anew.
#[test]
fn docs_cli() {
    let workspace = Workspace::new();
    let help = |arguments: &[&str]| {
        let ended = workspace.program(&[arguments, &["--help"]].concat());
        let lines: Vec<&str> = ended.stdout.lines().map(str::trim_end).collect();
        lines.join("\n")
    };
    let program = help(&[]);
    let mut page = format!(
        "# The command line\n\nWhat `robust-svm --help` and the help of each command say; made by the program.\n\n```\n{program}\n```\n"
    );
    for command in commands(&program) {
        let help = help(&[&command]);
        write!(page, "\n## {command}\n\n```\n{help}\n```\n").unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "docs/cli.md is not what the program says: set UPDATE_DOCS and run this test again"
    );
}

/// The commands that the program's help lists, but for `help`.
fn commands(help: &str) -> Vec<String> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    // Lines that go on are farther in.
    let listed = listed.filter(|line| !line.starts_with("   "));
    let names = listed.filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}
