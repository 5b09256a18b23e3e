//! `run --launcher slurm`, with a Slurm of shell scripts: jobs run while they are handed in, or are only noted.

use crate::support::{Ended, SMALL, Workspace, outliers, replaced};
use insta::assert_snapshot;
use robust_svm_harness::store::FolderLock;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Notes each call. A task N runs at once, but for those with a file `fail-N`, which fail, or leave the queue without a word
/// where the file says `vanish`, or do so the next time where it says `then-vanish`; with a file `hold` all are only noted, as
/// running or, the merge, as waiting. A file `refuse` is what it refuses with; with `refuse-merge` it refuses the merge alone.
/// With `forget` the merge dies when all is joined, and nobody knows.
const SBATCH: &str = r#"#!/bin/bash
echo "sbatch $*" >>"$FAKE/calls"
env | grep '^SBATCH_' >>"$FAKE/environment"
if [ -f "$FAKE/refuse" ]; then cat "$FAKE/refuse" >&2; exit 1; fi
if [ -f "$FAKE/refuse-merge" ] && [[ ${!#} = */merge.sh ]]; then echo "sbatch: error: QOSMaxSubmitJobPerUserLimit" >&2; exit 1; fi
job=$(($(cat "$FAKE/jobs" 2>/dev/null || echo 0) + 1))
echo "$job" >"$FAKE/jobs"
script=${!#}
name=$(sed -n 's/^#SBATCH --job-name=//p' "$script")
export SLURM_CPUS_PER_TASK=$(sed -n 's/^#SBATCH --cpus-per-task=//p' "$script")
log=$(sed -n 's/^#SBATCH --output=//p' "$script" | tr -d '"')
tasks=N/A
for argument; do
    case $argument in --array=*) tasks=$(tr ',' '\n' <<<"${argument#--array=}" | sed 's/-/ /' | while read -r a b; do seq "$a" "${b:-$a}"; done) ;; esac
done
for task in $tasks; do
    export SLURM_ARRAY_TASK_ID=$task
    state=COMPLETED
    if [ -f "$FAKE/hold" ]; then
        state=RUNNING
        if [ "$task" = N/A ]; then state=PENDING; fi
    elif [ -f "$FAKE/fail-$task" ]; then
        state=FAILED
        echo "the machine is on fire" >>"${log//%a/$task}"
        if [ "$(cat "$FAKE/fail-$task")" = vanish ]; then state=; fi
        case $(cat "$FAKE/fail-$task") in
        always) ;;
        then-vanish) echo vanish >"$FAKE/fail-$task" ;;
        *) rm "$FAKE/fail-$task" ;;
        esac
    else
        bash "$script" >>"${log//%a/$task}" 2>&1 || state=FAILED
        if [ -f "$FAKE/forget" ] && [ "$task" = N/A ]; then rm "${script%/slurm/*}/report.html"; state=; fi
    fi
    if [ -n "$state" ]; then echo "$job|$task|$state|None|$name" >>"$FAKE/queue"; fi
done
echo "$job"
"#;
/// Tells of all, those that wait first.
const SQUEUE: &str = r#"#!/bin/bash
echo "squeue $*" >>"$FAKE/calls"
env | grep '^SQUEUE_' >>"$FAKE/environment"
if [ -f "$FAKE/away" ]; then echo "slurm_load_jobs error: Unable to contact slurm controller (connect failure)" >&2; exit 1; fi
grep -F '|PENDING|' "$FAKE/queue" 2>/dev/null
grep -vF '|PENDING|' "$FAKE/queue" 2>/dev/null
exit 0
"#;
const SCANCEL: &str = "#!/bin/bash\necho \"scancel $*\" >>\"$FAKE/calls\"\n";

/// What launches [`cluster`]'s experiment.
const LAUNCH: [&str; 8] = [
    "run",
    "small.toml",
    "--launcher",
    "slurm",
    "--poll",
    "0.1",
    "--settle",
    "0.1",
];
/// In two tasks.
const TWO: [&str; 2] = ["--jobs", "2"];

/// Two datasets and two repeats, four groups, and the commands of Slurm.
fn cluster() -> Workspace {
    let workspace = Workspace::new();
    workspace.write(
        "small.toml",
        &replaced(SMALL, "\"blobs\"", "\"blobs\", \"rings\""),
    );
    for (name, script) in [("sbatch", SBATCH), ("squeue", SQUEUE), ("scancel", SCANCEL)] {
        let path = format!("bin/{name}");
        workspace.write(&path, script);
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(workspace.path(&path), mode).unwrap();
    }
    fs::create_dir(workspace.path("fake")).unwrap();
    workspace
}

/// The variables under which the program finds the commands.
fn environment(workspace: &Workspace) -> [(&'static str, String); 2] {
    let path = std::env::var("PATH").unwrap();
    let bin = workspace.path("bin").display().to_string();
    [
        ("PATH", format!("{bin}:{path}")),
        ("FAKE", workspace.path("fake").display().to_string()),
    ]
}

fn program(workspace: &Workspace, arguments: &[&str]) -> Ended {
    let mut command = workspace.command();
    let output = command
        .args(arguments)
        .envs(environment(workspace))
        .output()
        .unwrap();
    Ended {
        code: output.status.code().expect("no signal ended it"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn launch(workspace: &Workspace, arguments: &[&str]) -> Ended {
    program(workspace, &[&LAUNCH[..], &TWO, arguments].concat())
}

/// The calls of the command `name`, without the folder of the workspace.
fn calls(workspace: &Workspace, name: &str) -> Vec<String> {
    let root = format!("{}/", workspace.path("").display()).replace("//", "/");
    let calls = fs::read_to_string(workspace.path("fake/calls")).unwrap_or_default();
    let ours = calls.lines().filter(|line| line.starts_with(name));
    ours.map(|line| line.replace(&root, "")).collect()
}

/// What is promised of a run, without what is of the cluster.
fn promised(workspace: &Workspace, folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = workspace.promised(folder);
    files.retain(|path, _| !path.starts_with("slurm"));
    files
}

const ARRAY: &str = "sbatch --parsable --array=1-2 results/small/slurm/array.sh";
const MERGE: &str = "sbatch --parsable --dependency=afterany:1 results/small/slurm/merge.sh";

#[test]
fn a_launched_run_is_that_of_this_machine() {
    let workspace = cluster();
    workspace.run_well(&["--out", "local"]);
    let ended = launch(
        &workspace,
        &["--threads", "2", "--partition", "short", "--memory=2G"],
    );
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert_eq!(
        promised(&workspace, "results/small"),
        workspace.promised("local")
    );
    assert!(workspace.path("results/small/report.html").exists());
    assert!(
        ended.stderr.contains("small: 16 cells (0 were there) in "),
        "{}",
        ended.told()
    );
    assert_eq!(calls(&workspace, "sbatch"), [ARRAY, MERGE]);
    let script = fs::read_to_string(workspace.path("results/small/slurm/array.sh")).unwrap();
    for asked in ["--partition=short", "--mem=2G", "--cpus-per-task=2"] {
        assert!(script.contains(&format!("\n#SBATCH {asked}\n")), "{script}");
    }
    // Both tasks had their half, and nothing is left to do.
    for shard in ["1", "2"] {
        let shard = format!("results/small/slurm/shards/{shard}");
        assert_eq!(workspace.rows(&shard).len(), 8);
        assert!(!workspace.path(&shard).join("tables").exists());
    }
    let ended = launch(&workspace, &[]);
    assert!(
        ended.stderr.contains("16 cells (16 were there)"),
        "{}",
        ended.told()
    );
    assert_eq!(calls(&workspace, "sbatch").len(), 2);
}

#[test]
fn a_part_of_an_experiment() {
    let workspace = cluster();
    let only = ["--only", "level=0.3", "--only", "method=linear"];
    workspace.run_well(&[&only[..], &["--out", "local"]].concat());
    let ended = launch(
        &workspace,
        &[&only[..], &["--no-report", "--cell-seconds", "60"]].concat(),
    );
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert_eq!(workspace.cells("results/small"), workspace.cells("local"));
    assert!(!workspace.path("results/small/report.html").exists());
    // The whole is another launch.
    let ended = launch(&workspace, &[]);
    assert_eq!(ended.code, 2, "{}", ended.told());
    assert_snapshot!("launch_other_selection", without_root(&workspace, &ended));
}

/// Their tasks and the merge have done what they are for.
#[test]
fn cells_without_numbers_are_results() {
    let workspace = cluster();
    workspace.dataset("outliers", &outliers());
    let both = replaced(SMALL, "\"blobs\"", "\"outliers\"");
    workspace.write("small.toml", &both);
    let local = workspace.run(&["--out", "local", "--no-report"]);
    assert_eq!(local.code, 1, "{}", local.told());
    let ended = launch(&workspace, &["--no-report"]);
    assert_eq!(ended.code, 1, "{}", ended.told());
    assert!(ended.stderr.contains("4 failed"), "{}", ended.told());
    assert_eq!(workspace.cells("results/small"), workspace.cells("local"));
    assert_eq!(calls(&workspace, "sbatch"), [ARRAY, MERGE]);
}

#[test]
fn what_fails_or_vanishes_is_submitted_again() {
    let workspace = cluster();
    workspace.run_well(&["--out", "local"]);
    workspace.write("fake/fail-1", "vanish");
    workspace.write("fake/fail-2", "once");
    let ended = launch(&workspace, &["--retries", "1"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert_eq!(
        promised(&workspace, "results/small"),
        workspace.promised("local")
    );
    let told = "warning: tasks 1-2 ended unfinished (not in the queue, FAILED): submitted again as job 3\n";
    assert!(ended.stderr.contains(told), "{}", ended.told());
    let again = [ARRAY, MERGE, ARRAY, &MERGE.replace(":1 ", ":3 ")].map(str::to_owned);
    assert_eq!(calls(&workspace, "sbatch"), again);

    // One alone.
    let workspace = cluster();
    workspace.write("fake/fail-2", "once");
    let ended = launch(&workspace, &[]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert_eq!(calls(&workspace, "sbatch")[2], ARRAY.replace("1-2", "2"));
}

#[test]
fn what_fails_too_often_is_told_with_its_log_and_can_be_taken_up_again() {
    let workspace = cluster();
    workspace.write("fake/fail-2", "always");
    let ended = launch(&workspace, &["--retries", "1"]);
    assert_eq!(ended.code, 1, "{}", ended.told());
    let (_, error) = ended.stderr.split_once("error: ").expect("it is an error");
    assert_snapshot!(
        "launch_lost",
        error.replace(workspace.path("").to_str().unwrap(), "")
    );
    assert!(!workspace.path("results/small/cells.parquet").exists());
    let first = workspace.files("results/small/slurm/shards/1");
    fs::remove_file(workspace.path("fake/fail-2")).unwrap();
    let ended = launch(&workspace, &[]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    // What was there was not computed again.
    assert_eq!(workspace.files("results/small/slurm/shards/1"), first);
    workspace.run_well(&["--out", "local"]);
    assert_eq!(
        promised(&workspace, "results/small"),
        workspace.promised("local")
    );
}

#[test]
fn a_merge_that_fails_is_submitted_again() {
    let workspace = cluster();
    // The merge's task is `N/A`.
    workspace.write("fake/fail-N/A", "once");
    let ended = launch(&workspace, &[]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    let merges: Vec<String> = calls(&workspace, "sbatch").split_off(1);
    assert_eq!(
        merges,
        [MERGE, "sbatch --parsable results/small/slurm/merge.sh"]
    );
    assert_eq!(workspace.rows("results/small").len(), 16);
}

/// Runs what the array and the merge of a held job would, and ends their entries in the queue.
fn run_held(workspace: &Workspace) {
    for (script, tasks) in [("array.sh", &["1", "2"][..]), ("merge.sh", &[""])] {
        let script = workspace.path("results/small/slurm").join(script);
        for task in tasks {
            let ran = Command::new("bash")
                .arg(&script)
                .envs([("SLURM_ARRAY_TASK_ID", *task), ("SLURM_CPUS_PER_TASK", "1")])
                .current_dir(workspace.path(""))
                .output()
                .unwrap();
            assert!(ran.status.success(), "{ran:?}");
        }
    }
    let queue = workspace.path("fake/queue");
    let ended = fs::read_to_string(&queue)
        .unwrap()
        .replace("RUNNING", "COMPLETED")
        .replace("PENDING", "COMPLETED");
    fs::write(&queue, ended).unwrap();
}

/// Waits until `now`.
fn until(now: impl Fn() -> bool) {
    let start = Instant::now();
    while !now() {
        assert!(
            start.elapsed() < Duration::from_mins(5),
            "it never comes to that"
        );
        sleep(Duration::from_millis(10));
    }
}

fn start(workspace: &Workspace) -> std::process::Child {
    Command::new(crate::support::PROGRAM)
        .args(LAUNCH)
        .args(TWO)
        .current_dir(workspace.path(""))
        .envs(environment(workspace))
        .env_remove("ROBUST_SVM_DATA")
        .env_remove("ROBUST_SVM_LOG")
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts")
}

#[test]
fn an_interrupt_leaves_the_jobs_and_the_same_command_follows_them() {
    let workspace = cluster();
    workspace.write("fake/hold", "");
    let waiting = start(&workspace);
    let looks = || calls(&workspace, "squeue").len();
    until(|| looks() >= 3);
    // A second that would submit too is told of the first.
    let second = launch(&workspace, &[]);
    assert_eq!(second.code, 2, "{}", second.told());
    let told = format!(
        "another run is writing to results/small/slurm: process {}",
        waiting.id()
    );
    let said = without_root(&workspace, &second);
    assert!(said.contains(&told), "{said}");
    let signal = Command::new("kill")
        .args(["-INT", &waiting.id().to_string()])
        .status();
    assert!(signal.unwrap().success());
    let ended = waiting.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    let told = String::from_utf8(ended.stderr).unwrap();
    let (_, told) = told.split_once("interrupted: ").expect("it says so");
    assert!(
        told.starts_with("the jobs go on without this program\n"),
        "{told}"
    );
    assert!(told.contains("`scancel --name=robust-svm-small-"), "{told}");
    assert_eq!(calls(&workspace, "scancel"), [""; 0]);

    let seen = looks();
    let waiting = start(&workspace);
    until(|| looks() >= seen + 3);
    run_held(&workspace);
    let ended = waiting.wait_with_output().unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(0), "{told}");
    assert!(told.contains("small: 16 cells (0 were there)"), "{told}");
    assert_eq!(calls(&workspace, "sbatch"), [ARRAY, MERGE]);
}

#[test]
fn jobs_that_nobody_waits_for() {
    let workspace = cluster();
    workspace.write("fake/hold", "");
    let ended = launch(&workspace, &["--no-wait"]);
    assert_eq!(ended.code, 0);
    assert_snapshot!("launch_no_wait", ended.told());
    let again = launch(&workspace, &["--no-wait", "--format", "json"]);
    let object: serde_json::Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!(object["jobs"], serde_json::json!(["1", "2"]));
    assert_eq!(calls(&workspace, "sbatch"), [ARRAY, MERGE]);
    // What they work on is not discarded, nor cut in another way.
    let fresh = launch(&workspace, &["--fresh"]);
    assert_eq!(fresh.code, 2);
    assert_snapshot!(
        "launch_fresh_while_active",
        without_root(&workspace, &fresh)
    );
    let other = program(&workspace, &[&LAUNCH[..], &["--jobs", "3"]].concat());
    assert_eq!(other.code, 2, "{}", other.told());
    assert!(
        other.stderr.contains("another number of tasks (2, not 3)"),
        "{}",
        other.told()
    );

    run_held(&workspace);
    assert_eq!(workspace.rows("results/small").len(), 16);
    let ended = launch(&workspace, &["--no-wait"]);
    assert!(
        ended.stderr.contains("16 cells (16 were there)"),
        "{}",
        ended.told()
    );
    assert_eq!(calls(&workspace, "sbatch").len(), 2);
    // Now it may be.
    fs::remove_file(workspace.path("fake/hold")).unwrap();
    let ended = launch(&workspace, &["--fresh"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert!(
        ended.stderr.contains("16 cells (0 were there)"),
        "{}",
        ended.told()
    );
    assert_eq!(calls(&workspace, "sbatch").len(), 4);
}

/// The submission was the last thing that the first process did: the jobs are found by their name.
#[test]
fn a_job_that_was_not_noted_is_found() {
    let workspace = cluster();
    workspace.write("fake/hold", "");
    assert_eq!(launch(&workspace, &["--no-wait"]).code, 0);
    let path = workspace.path("results/small/slurm/job.toml");
    let text = fs::read_to_string(&path).unwrap();
    let mut record: toml::Table = toml::from_str(&text).unwrap();
    let submitted = record.remove("submission").unwrap();
    assert_eq!(submitted.as_array().unwrap().len(), 2);
    fs::write(&path, toml::to_string(&record).unwrap()).unwrap();
    assert_eq!(launch(&workspace, &["--no-wait"]).code, 0);
    assert_eq!(calls(&workspace, "sbatch"), [ARRAY, MERGE]);
}

#[test]
fn a_job_of_other_code_or_of_a_later_version_is_not_followed() {
    let workspace = cluster();
    workspace.write("fake/hold", "");
    assert_eq!(launch(&workspace, &["--no-wait"]).code, 0);
    let path = workspace.path("results/small/slurm/job.toml");
    let mut record: toml::Table = toml::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    record["made_from"]["code"]["sha256"] = "0".repeat(64).into();
    fs::write(&path, toml::to_string(&record).unwrap()).unwrap();
    let ended = launch(&workspace, &["--no-wait"]);
    assert_eq!(ended.code, 2, "{}", ended.told());
    let told = "was launched with another version of the code\n  = help: ";
    assert!(ended.stderr.contains(told), "{}", ended.told());
    fs::write(&path, "format = 2\n").unwrap();
    let ended = launch(&workspace, &["--no-wait"]);
    assert_eq!(ended.code, 2, "{}", ended.told());
    assert!(
        ended.stderr.contains("job.toml is of format 2"),
        "{}",
        ended.told()
    );
    assert_eq!(calls(&workspace, "sbatch"), [ARRAY, MERGE]);
}

#[test]
fn a_merge_that_was_refused_is_handed_in_after_the_tasks_that_go_on() {
    let workspace = cluster();
    workspace.write("fake/hold", "");
    workspace.write("fake/refuse-merge", "");
    let ended = launch(&workspace, &["--no-wait"]);
    assert_eq!(ended.code, 2, "{}", ended.told());
    fs::remove_file(workspace.path("fake/refuse-merge")).unwrap();
    let ended = launch(&workspace, &["--no-wait", "--format", "json"]);
    let object: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(object["jobs"], serde_json::json!(["1", "2"]));
    assert_eq!(calls(&workspace, "sbatch"), [ARRAY, MERGE, MERGE]);
    run_held(&workspace);
    assert_eq!(workspace.rows("results/small").len(), 16);
}

/// A task is lost while another runs.
#[test]
fn the_merge_waits_for_all_that_run_and_takes_the_place_of_an_earlier_one() {
    let workspace = cluster();
    workspace.write("fake/hold", "");
    assert_eq!(launch(&workspace, &["--no-wait"]).code, 0);
    let queue = fs::read_to_string(workspace.path("fake/queue")).unwrap();
    let lines = queue.lines().filter(|line| !line.starts_with("1|2|"));
    let left: Vec<&str> = lines.collect();
    fs::write(workspace.path("fake/queue"), left.join("\n") + "\n").unwrap();
    assert_eq!(launch(&workspace, &["--no-wait"]).code, 0);
    let again = [ARRAY.replace("1-2", "2"), MERGE.replace(":1 ", ":1:3 ")];
    assert_eq!(calls(&workspace, "sbatch")[2..], again);
    assert_eq!(calls(&workspace, "scancel"), ["scancel 2"]);
}

#[test]
fn what_a_merge_that_died_has_not_made_is_made_here() {
    let workspace = cluster();
    workspace.run_well(&["--out", "local"]);
    workspace.write("fake/forget", "");
    let ended = launch(&workspace, &[]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert_eq!(calls(&workspace, "sbatch"), [ARRAY, MERGE]);
    assert!(workspace.path("results/small/report.html").exists());
    assert_eq!(
        promised(&workspace, "results/small"),
        workspace.promised("local")
    );
}

/// Its first end says nothing of the second.
#[test]
fn a_lost_task_is_told_with_its_last_end() {
    let workspace = cluster();
    workspace.write("fake/fail-2", "then-vanish");
    let ended = launch(&workspace, &["--retries", "1"]);
    assert_eq!(ended.code, 1, "{}", ended.told());
    let told = "\n  task 2: left the queue, submitted 2 times; see ";
    assert!(ended.stderr.contains(told), "{}", ended.told());
}

#[test]
fn the_environment_gives_no_options() {
    let workspace = cluster();
    workspace.write("fake/hold", "");
    let ended = workspace
        .command()
        .args(LAUNCH)
        .args(TWO)
        .arg("--no-wait")
        .envs(environment(&workspace))
        .env("SBATCH_JOB_NAME", "mine")
        .env("SBATCH_QOS", "long")
        .env("SQUEUE_PARTITION", "none")
        .output()
        .unwrap();
    assert!(ended.status.success(), "{ended:?}");
    let seen = fs::read_to_string(workspace.path("fake/environment")).unwrap();
    assert!(seen.contains("SBATCH_QOS=long\n"), "{seen}");
    let (job_name, partition) = ("SBATCH_JOB_NAME", "SQUEUE_PARTITION");
    assert!(
        !seen.contains(job_name) && !seen.contains(partition),
        "{seen}"
    );
}

#[test]
fn the_cluster_to_try_removes_its_own_folder_alone() {
    let workspace = cluster();
    workspace.write("mine/thesis.tex", "years of work");
    workspace.write("mine/slurm.conf", "ClusterName=big\n");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/slurm-local.sh");
    let mut stop = Command::new("bash");
    stop.arg(script).arg("stop");
    stop.env("SLURM_LOCAL_DIR", workspace.path("mine"));
    assert_eq!(stop.output().unwrap().status.code(), Some(2));
    assert_eq!(workspace.files("mine").len(), 2);
    workspace.write("mine/slurm.conf", "ClusterName=local\n");
    assert_eq!(stop.output().unwrap().status.code(), Some(0));
    assert!(!workspace.path("mine").exists());
}

/// Of what `--fresh` may not have.
#[test]
fn what_another_made_is_not_discarded() {
    let workspace = cluster();
    workspace.write("results/small/slurm/thesis.tex", "years of work");
    for fresh in [&["--fresh"][..], &[]] {
        let ended = launch(&workspace, fresh);
        assert_eq!(ended.code, 2, "{}", ended.told());
        let files = workspace.files("results/small");
        assert_eq!(files.len(), 1, "{files:?}");
    }
    // Nor beside results that are the program's.
    fs::rename(workspace.path("results"), workspace.path("aside")).unwrap();
    workspace.run_well(&["--out", "results/small"]);
    let mine = workspace.path("aside/small/slurm");
    fs::rename(mine, workspace.path("results/small/slurm")).unwrap();
    for _ in 0..2 {
        let ended = launch(&workspace, &["--fresh"]);
        assert_eq!(ended.code, 0, "{}", ended.told());
        assert!(workspace.path("results/small/slurm/thesis.tex").exists());
    }

    // Nor what a process works on.
    let before = workspace.files("results/small/slurm");
    let lock = FolderLock::take(&workspace.path("results/small")).unwrap();
    let ended = launch(&workspace, &["--fresh"]);
    assert_eq!(ended.code, 2, "{}", ended.told());
    assert!(ended.stderr.contains("another run is writing"));
    drop(lock);
    assert_eq!(workspace.files("results/small/slurm"), before);
    assert!(!before.is_empty());
}

#[test]
fn a_cluster_that_refuses_or_is_not_there() {
    let workspace = cluster();
    workspace.write(
        "fake/refuse",
        "sbatch: error: invalid partition specified: shrt\nsbatch: error: Batch job submission failed: Invalid partition name specified\n",
    );
    let ended = launch(&workspace, &[]);
    assert_eq!(ended.code, 2);
    assert_snapshot!("launch_refused", without_root(&workspace, &ended));
    fs::remove_file(workspace.path("fake/refuse")).unwrap();
    workspace.write("fake/away", "");
    let ended = launch(&workspace, &[]);
    assert_eq!(ended.code, 74);
    assert!(
        ended
            .stderr
            .contains("  | slurm_load_jobs error: Unable to contact"),
        "{}",
        ended.told()
    );
    // A controller that comes back is waited for.
    fs::remove_file(workspace.path("fake/away")).unwrap();
    workspace.write("fake/hold", "");
    let waiting = start(&workspace);
    until(|| calls(&workspace, "sbatch").len() == 3);
    workspace.write("fake/away", "");
    let seen = calls(&workspace, "squeue").len();
    until(|| calls(&workspace, "squeue").len() >= seen + 3);
    fs::remove_file(workspace.path("fake/away")).unwrap();
    run_held(&workspace);
    let ended = waiting.wait_with_output().unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(0), "{told}");
    assert_eq!(
        told.matches("warning: Slurm does not tell").count(),
        1,
        "{told}"
    );

    let workspace = cluster();
    let mut command = workspace.command();
    let empty = workspace.path("fake");
    let output = command.args(LAUNCH).env("PATH", empty).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    let told = "`squeue` is not installed here, or not on the PATH\n  = help: ";
    assert!(said.contains(told), "{said}");
}

#[test]
fn options_that_do_not_go_together() {
    let workspace = cluster();
    for arguments in [
        &["--jobs", "2"][..],
        &["--no-wait"],
        &["--launcher", "slurm", "--shard", "1/2"],
        &["--launcher", "slurm", "--cells-only"],
        &["--launcher", "slurm", "--sbatch-arg", "--array=1-9"],
        &["--launcher", "slurm", "--partition", "a b"],
    ] {
        let ended = program(&workspace, &[&["run", "small.toml"], arguments].concat());
        assert_eq!(ended.code, 2, "{arguments:?}: {}", ended.told());
        assert!(ended.stderr.contains("= help: ") || ended.stderr.contains("--help"));
    }
    assert!(!workspace.path("results").exists());
    assert_eq!(calls(&workspace, ""), [""; 0]);
}

#[test]
fn a_dry_run_shows_scripts_and_commands_and_writes_nothing() {
    let workspace = cluster();
    let ended = launch(&workspace, &["--dry-run", "--account", "me"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert!(
        ended.stdout.contains("\n#SBATCH --account=me\n"),
        "{}",
        ended.told()
    );
    assert!(
        ended.stdout.contains("\nsbatch --parsable --array=1-2 "),
        "{}",
        ended.told()
    );
    // Nothing was ever timed here.
    let first = ended.stdout.lines().next().unwrap();
    let guess = ", by a rule of thumb, as cells like these were never timed";
    assert!(first.ends_with(guess), "{first}");
    assert!(!first.contains("about less"), "{first}");
    let json = ["--dry-run", "--format", "json", "--jobs", "99"];
    let json = program(&workspace, &[&LAUNCH[..], &json].concat());
    let object: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    // At most a task a group, and not without a word.
    let told = "--jobs 99 is more than there are groups of cells: it is taken as 4";
    assert!(json.stderr.contains(told), "{}", json.told());
    assert_eq!(object["seconds_guessed"], true);
    assert_eq!(
        (&object["tasks"], &object["groups"]),
        (&4.into(), &4.into())
    );
    assert!(!workspace.path("results").exists());
    assert_eq!(calls(&workspace, ""), [""; 0]);
}

/// Limits that are none of Slurm's are told at the start, not by `sbatch`.
#[test]
fn limits_are_checked_before_anything_is_done() {
    let workspace = cluster();
    for (limit, told) in [
        (["--memory", "4GiB"], "as 4G for 4 GiB"),
        (["--time", "2h"], "expected a time as Slurm writes it"),
    ] {
        let ended = launch(&workspace, &limit);
        assert_eq!(ended.code, 2, "{}", ended.told());
        assert!(ended.stderr.contains(told), "{}", ended.told());
    }
    assert!(!workspace.path("results").exists());
    assert_eq!(calls(&workspace, ""), [""; 0]);
}

/// What was told, without the folder of the workspace.
fn without_root(workspace: &Workspace, ended: &Ended) -> String {
    let root = workspace.path("");
    let root = Path::new(&root).display().to_string();
    ended
        .told()
        .replace(&format!("{}/", root.trim_end_matches('/')), "")
}
