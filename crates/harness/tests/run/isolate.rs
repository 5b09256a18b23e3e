//! `run --isolate`: the rows of a run without it, at limits too, and no process that outlives the run.

use crate::classifiers::NOISY;
use crate::safe_ellipsoid::SAFE;
use crate::studies::{BANDWIDTH, TIGHTNESS};
use crate::support::{OTHER_METHODS, SMALL, TIMES, Workspace, blobs, replaced};
use insta::assert_snapshot;
use robust_svm_harness::store::{CellRow, Status};
use std::fs;

/// A method that takes far more time and memory than those of [`SMALL`].
const LARGE: &str = r#"
[[method]]
name = "large"
features = { map = "rff", dim = 8192 }
solver = "interior-point"
"#;

/// [`SMALL`] on rows enough for [`LARGE`], one repeat.
fn with_large() -> Workspace {
    let workspace = Workspace::new();
    workspace.dataset("blobs", &blobs(4000));
    let one = replaced(SMALL, "repeats = 2", "repeats = 1");
    workspace.write("small.toml", &(one + LARGE));
    workspace
}

fn ends_of<'a>(rows: &'a [CellRow], method: &str) -> Vec<(Status, Option<&'a str>)> {
    let rows = rows.iter().filter(|row| row.method == method);
    rows.map(|row| (row.status, row.reason.as_deref()))
        .collect()
}

#[test]
fn isolation_changes_no_byte_of_any_kind() {
    let many = replaced(SMALL, "\"blobs\"", "\"blobs\", \"rings\"") + OTHER_METHODS;
    for experiment in [many.as_str(), TIGHTNESS, BANDWIDTH, SAFE, NOISY] {
        let workspace = Workspace::new();
        workspace.write("small.toml", experiment);
        workspace.run_well(&["--out", "plain"]);
        for workers in ["1", "2"] {
            workspace.run_well(&["--out", workers, "--isolate", "--threads", workers]);
            assert_eq!(workspace.cells(workers), workspace.cells("plain"));
            let views = |folder: &str| -> Vec<Vec<u8>> {
                let files = workspace.files(&format!("{folder}/tables"));
                files.into_values().collect()
            };
            assert_eq!(views(workers), views("plain"));
        }
        let again = workspace.run_well(&["--out", "plain", "--isolate"]);
        assert!(!again.stderr.contains("(0 were there)"), "{}", again.told());
    }
}

#[test]
fn a_limit_of_time_costs_the_cells_that_pass_it() {
    let workspace = with_large();
    let ended = workspace.run(&["--cell-seconds", "10", "--threads", "1"]);
    assert_eq!(ended.code, 1, "{}", ended.told());
    let rows = workspace.rows("results/small");
    let reason = "not done after 10 s, the run's limit for a cell";
    let late = (Status::TimedOut, Some(reason));
    assert_eq!(ends_of(&rows, "large"), [late, late]);
    for method in ["linear", "robust-rff"] {
        assert_eq!(ends_of(&rows, method), [(Status::Ok, None); 2]);
    }
    insta::with_settings!({ filters => TIMES }, {
        assert_snapshot!("timed_out_run", ended.told());
    });
    let read = |name: &str| fs::read_to_string(workspace.path(name)).unwrap();
    let manifest: toml::Table = toml::from_str(&read("results/small/manifest.toml")).unwrap();
    assert_eq!(manifest["cells"]["timed_out"], 2.into());
    assert_eq!(manifest["cells"].get("crashed"), None);
    let table = read("results/small/tables/accuracy.md");
    assert!(table.contains("n = 0 of 1: 1 timed out."), "{table}");
    let summary = read("results/small/summary.csv");
    assert!(
        summary
            .lines()
            .next()
            .unwrap()
            .ends_with(",timed_out,out_of_memory,crashed")
    );
    assert!(
        summary
            .lines()
            .any(|line| line.starts_with("blobs,large,0.3,1,0,0,0,0,") && line.ends_with(",1,0,0"))
    );
}

#[cfg(target_os = "linux")]
mod linux {
    use super::{LARGE, ends_of, with_large};
    use crate::support::{OTHER_METHODS, PROGRAM, SMALL, Workspace, blobs, replaced};
    use insta::assert_snapshot;
    use robust_svm_harness::store::Status;
    use std::fs;
    use std::process::{Child, Command, Output, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    #[test]
    fn a_limit_of_memory_costs_the_cells_that_pass_it() {
        let workspace = with_large();
        let ended = workspace.run(&["--memory-limit", "150MiB", "--threads", "1"]);
        assert_eq!(ended.code, 1, "{}", ended.told());
        let rows = workspace.rows("results/small");
        let reason = "its worker passed 150 MiB of memory, the run's limit";
        let large = (Status::OutOfMemory, Some(reason));
        assert_eq!(ends_of(&rows, "large"), [large, large]);
        for method in ["linear", "robust-rff"] {
            assert_eq!(ends_of(&rows, method), [(Status::Ok, None); 2]);
        }
    }

    #[test]
    fn nothing_measured_within_the_limits() {
        let workspace = Workspace::new();
        let ended = workspace.run(&["--cell-seconds", "1e-9"]);
        assert_eq!(ended.code, 4, "{}", ended.told());
        let refused = workspace.run(&["--out", "other", "--memory-limit", "1MiB"]);
        assert_eq!(refused.code, 2, "{}", refused.told());
        insta::with_settings!({ filters => vec![(r"takes [\d.]+ MiB", "takes [size]")] }, {
            assert_snapshot!("memory_limit_too_small", refused.told());
        });
    }

    /// `--fresh` empties no folder for a run whose workers cannot begin.
    #[test]
    fn a_run_that_cannot_begin_discards_nothing() {
        let workspace = Workspace::finished();
        let before = workspace.files("results/small");
        let refused = workspace.run(&["--fresh", "--memory-limit", "1MiB"]);
        assert_eq!(refused.code, 2, "{}", refused.told());
        assert!(refused.stderr.contains("a worker process takes "));
        assert_eq!(workspace.files("results/small"), before);
        let late = workspace.run(&["--fresh", "--start-seconds", "1e-9"]);
        assert_eq!(late.code, 2, "{}", late.told());
        assert!(late.stderr.contains("--start-seconds more"));
        assert_eq!(workspace.files("results/small"), before);
        let ended = workspace.run(&["--fresh", "--memory-limit", "4GiB"]);
        assert_eq!(ended.code, 0, "{}", ended.told());
        assert!(ended.stderr.contains("(0 were there)"), "{}", ended.told());
    }

    /// Many groups of short cells.
    fn many() -> Workspace {
        let workspace = Workspace::new();
        let many = replaced(SMALL, "repeats = 2", "repeats = 60");
        workspace.write("small.toml", &(many + OTHER_METHODS));
        workspace
    }

    /// Two groups of short cells, and then two whose first cells are those of [`LARGE`] for many λ, which last for minutes: a
    /// run that has stored cells goes on until it is stopped.
    fn lasting() -> Workspace {
        let workspace = Workspace::new();
        workspace.dataset("slow", &blobs(4000));
        let experiment = replaced(SMALL, "\"blobs\"", "\"blobs\", \"slow\"");
        let lambdas: Vec<String> = (1..=40).map(|i| format!("{i}.0")).collect();
        let lambdas = format!("lambda = [{}]", lambdas.join(", "));
        let experiment = replaced(&experiment, "lambda = [0.1, 1.0]", &lambdas);
        let (head, methods) = experiment.split_once("[[method]]").unwrap();
        let methods = format!("{head}{LARGE}\n[[method]]{methods}{OTHER_METHODS}");
        workspace.write("small.toml", &methods);
        workspace
    }

    fn start(workspace: &Workspace, arguments: &[&str]) -> Child {
        Command::new(PROGRAM)
            .args(["run", "small.toml"])
            .args(arguments)
            .current_dir(workspace.path(""))
            .env_remove("ROBUST_SVM_DATA")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// The workers of `run`.
    fn workers(run: &Child) -> Vec<u32> {
        let list = format!("/proc/{0}/task/{0}/children", run.id());
        let all = format!("/proc/{}/task", run.id());
        assert!(fs::exists(list).unwrap(), "the run goes on");
        let mut workers = Vec::new();
        for task in fs::read_dir(all).unwrap() {
            let children = fs::read_to_string(task.unwrap().path().join("children"));
            // A thread may have ended meanwhile.
            let children = children.unwrap_or_default();
            workers.extend(
                children
                    .split_whitespace()
                    .map(|id| id.parse::<u32>().unwrap()),
            );
        }
        workers
    }

    fn is_alive(process: u32) -> bool {
        let status = fs::read_to_string(format!("/proc/{process}/status"));
        status.is_ok_and(|status| !status.contains("State:\tZ"))
    }

    fn wait_until(what: &str, is_so: impl Fn() -> bool) {
        let start = Instant::now();
        while !is_so() {
            assert!(start.elapsed() < Duration::from_mins(1), "waiting: {what}");
            sleep(Duration::from_millis(5));
        }
    }

    fn kill(signal: &str, process: u32) {
        let sent = Command::new("kill")
            .args(["-s", signal, &process.to_string()])
            .status();
        assert!(sent.unwrap().success());
    }

    fn parts(workspace: &Workspace, folder: &str) -> usize {
        let parts = fs::read_dir(workspace.path(folder).join("parts"));
        parts.map_or(0, Iterator::count)
    }

    fn said(output: &Output) -> String {
        String::from_utf8(output.stderr.clone()).unwrap()
    }

    #[test]
    fn workers_that_are_killed_cost_nothing() {
        let workspace = many();
        workspace.run_well(&["--out", "plain"]);
        let run = start(
            &workspace,
            &["--out", "killed", "--isolate", "--threads", "2"],
        );
        wait_until("cells are stored", || parts(&workspace, "killed") > 0);
        // Each once, as a cell whose worker is killed twice is given up.
        let workers = workers(&run);
        assert_eq!(workers.len(), 2);
        for worker in workers {
            kill("KILL", worker);
        }
        let output = run.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        assert_eq!(workspace.cells("killed"), workspace.cells("plain"));
    }

    /// Of a run with and without workers: SIGINT ends it with 130 and one line, SIGTERM with 143; what had ended is
    /// stored, no worker is left, and going on gives the bytes of a run that was not interrupted.
    #[test]
    fn an_interrupted_run_is_continued() {
        let workspace = lasting();
        let short = ["--only", "dataset=blobs"];
        workspace.run_well(&[&["--out", "plain"], &short[..]].concat());
        for (folder, isolate, signal, code) in [
            ("isolated", true, "INT", 130),
            ("terminated", true, "TERM", 143),
            ("threads", false, "INT", 130),
        ] {
            let arguments = ["--out", folder, "--threads", "2", "--isolate"];
            let arguments = &arguments[..4 + usize::from(isolate)];
            let run = start(&workspace, arguments);
            wait_until("cells are stored", || parts(&workspace, folder) > 0);
            let workers = workers(&run);
            assert_eq!(workers.is_empty(), !isolate);
            kill(signal, run.id());
            let output = run.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{}", said(&output));
            wait_until("workers end", || !workers.iter().any(|id| is_alive(*id)));
            let said = said(&output);
            assert_eq!(said.lines().count(), 1, "{said}");
            assert!(said.starts_with("interrupted: "), "{said}");
            assert!(
                said.contains(" of 64 cells are stored, and the same command"),
                "{said}"
            );
            assert!(!workspace.path(folder).join("cells.parquet").exists());
            let ended = workspace.run_well(&[arguments, &short[..]].concat());
            assert!(!ended.stderr.contains("(0 were there)"), "{}", ended.told());
            assert_eq!(workspace.cells(folder), workspace.cells("plain"));
        }
    }

    /// As by Ctrl-Z: what the workers did meanwhile is heard after, and no cell is late for it.
    #[test]
    fn a_watch_that_is_stopped_makes_no_cell_late() {
        let workspace = many();
        workspace.run_well(&["--out", "plain"]);
        let limited = ["--out", "stopped", "--threads", "2", "--cell-seconds", "3"];
        let run = start(&workspace, &limited);
        wait_until("cells are stored", || parts(&workspace, "stopped") > 0);
        kill("STOP", run.id());
        sleep(Duration::from_secs(4));
        kill("CONT", run.id());
        let output = run.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        assert_eq!(workspace.cells("stopped"), workspace.cells("plain"));
    }

    #[test]
    fn workers_end_with_a_run_that_is_killed() {
        let workspace = with_large();
        let mut run = start(&workspace, &["--isolate", "--threads", "1"]);
        wait_until("a worker is there", || !workers(&run).is_empty());
        // By then it is at the large method, which takes longer than the wait below.
        sleep(Duration::from_secs(4));
        let workers = workers(&run);
        assert!(workers.iter().all(|id| is_alive(*id)));
        run.kill().unwrap();
        run.wait().unwrap();
        let start = Instant::now();
        wait_until("workers end", || !workers.iter().any(|id| is_alive(*id)));
        assert!(start.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn limits_that_are_none_are_refused() {
    let workspace = Workspace::new();
    for (arguments, said) in [
        (
            ["--cell-seconds", "0"],
            "expected a number of seconds above 0",
        ),
        (
            ["--cell-seconds", "soon"],
            "expected a number of seconds above 0",
        ),
        (["--memory-limit", "2"], "expected a number and a unit"),
    ] {
        let ended = workspace.run(&arguments);
        assert_eq!(ended.code, 2);
        assert!(ended.stderr.contains(said), "{}", ended.told());
    }
    assert!(!workspace.path("results").exists());
}
