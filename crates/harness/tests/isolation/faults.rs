//! What becomes of a run whose cells go wrong.

use crate::WORKER;
use crate::faulty::Faulty;
use robust_svm_harness::plan::Selection;
use robust_svm_harness::run::{
    Bytes, Experiment as _, Isolation, IsolationError, Limits, RunError, RunOptions, Show, Todo,
    WorkerCommand, run_experiment,
};
use robust_svm_harness::spec::SpecFile;
use robust_svm_harness::store::{CellRow, ResultsFolder, Status, read_cells};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The tests of this file.
pub(crate) const TESTS: [(&str, fn()); 8] = [
    (
        "each_fault_costs_its_cell_alone",
        each_fault_costs_its_cell_alone,
    ),
    (
        "memory_of_earlier_cells_is_not_charged",
        memory_of_earlier_cells_is_not_charged,
    ),
    (
        "a_worker_killed_from_outside_costs_nothing",
        a_worker_killed_from_outside_costs_nothing,
    ),
    ("every_cell_may_go_wrong", every_cell_may_go_wrong),
    (
        "a_limit_below_a_worker_is_refused",
        a_limit_below_a_worker_is_refused,
    ),
    (
        "workers_that_never_begin_end_the_run",
        workers_that_never_begin_end_the_run,
    ),
    (
        "a_worker_that_hangs_while_it_plans_ends_the_run",
        a_worker_that_hangs_while_it_plans_ends_the_run,
    ),
    (
        "the_bits_of_a_row_come_through",
        the_bits_of_a_row_come_through,
    ),
];

/// More than a worker takes for itself.
const MEMORY: Bytes = Bytes(300 << 20);

fn file(folder: &Path, groups: &[&[&str]]) -> SpecFile {
    let marks = folder.display().to_string();
    let text = format!("marks = {marks:?}\ngroups = {groups:?}\n");
    SpecFile::from_text(Path::new("faulty.toml"), text).expect("TOML")
}

fn this_test() -> WorkerCommand {
    WorkerCommand::this_program(&[WORKER]).expect("it runs")
}

fn run_with(
    groups: &[&[&str]],
    workers: usize,
    isolation: Option<&Isolation>,
) -> Result<Vec<CellRow>, RunError> {
    let folder = TempDir::new().expect("a folder for the test");
    let experiment = Faulty::new(file(folder.path(), groups));
    let results = folder.path().join("results");
    let text = &experiment.file().text;
    let results = ResultsFolder::open(&results, experiment.manifest(), text, false)
        .expect("it can be written");
    let options = RunOptions {
        threads: workers,
        show: Show::Nothing,
        isolation,
        stop: None,
    };
    let todo = Todo::new(&experiment, &Selection::default(), &BTreeSet::new());
    run_experiment(&experiment, &results, todo.expect("all"), options)?;
    Ok(read_cells(&results.path().join("cells.parquet"))?)
}

fn run(groups: &[&[&str]], workers: usize, limits: Limits) -> Vec<CellRow> {
    let isolation = Isolation {
        command: this_test(),
        limits,
    };
    let rows = run_with(groups, workers, Some(&isolation));
    let rows = rows.expect("cells that go wrong are rows");
    assert_eq!(
        rows.len(),
        groups.iter().map(|group| group.len()).sum::<usize>()
    );
    rows
}

/// How the cell `name` ended. That of a cell that does well is `skipped`, as it has no numbers.
fn outcome<'a>(rows: &'a [CellRow], name: &str) -> (&'static str, &'a str) {
    let row = rows.iter().find(|row| row.method == name).expect("a row");
    (row.status.name(), row.reason.as_deref().unwrap_or_default())
}

const WELL: (&str, &str) = ("skipped", "");

fn each_fault_costs_its_cell_alone() {
    let first: &[&str] = &[
        "well 0",
        "panics",
        "well 1",
        "aborts",
        "well 2",
        "overflows",
        "well 3",
        "segfaults",
        "well 4",
    ];
    let second: &[&str] = &[
        "hangs", "well 5", "devours", "well 6", "prints", "exits", "well 7",
    ];
    let limits = Limits {
        time: Some(Duration::from_secs(10)),
        memory: Some(MEMORY),
        ..Limits::default()
    };
    for workers in [1, 2] {
        let rows = run(&[first, second], workers, limits);
        for well in 0..8 {
            assert_eq!(outcome(&rows, &format!("well {well}")), WELL);
        }
        let crashed = |end: &'static str| ("crashed", end);
        assert_eq!(
            outcome(&rows, "panics"),
            ("failed", "panic: as the test wants")
        );
        assert_eq!(
            outcome(&rows, "aborts"),
            crashed("its worker was ended by SIGABRT")
        );
        assert_eq!(
            outcome(&rows, "overflows"),
            crashed("its worker was ended by SIGABRT")
        );
        assert_eq!(
            outcome(&rows, "segfaults"),
            crashed("its worker was ended by SIGSEGV")
        );
        assert_eq!(
            outcome(&rows, "exits"),
            crashed("its worker ended with exit code 3")
        );
        let late = "not done after 10 s, the run's limit for a cell";
        assert_eq!(outcome(&rows, "hangs"), ("timed-out", late));
        let large = "its worker passed 300 MiB of memory, the run's limit";
        assert_eq!(outcome(&rows, "devours"), ("out-of-memory", large));
        let (status, reason) = outcome(&rows, "prints");
        assert_eq!(status, "crashed");
        assert!(
            reason.starts_with("its worker said what is no message"),
            "{reason}"
        );
    }
}

/// A worker keeps the 100 MiB of a cell until its group ends: three are above the limit, each alone is not.
fn memory_of_earlier_cells_is_not_charged() {
    let limits = Limits {
        memory: Some(MEMORY),
        ..Limits::default()
    };
    let rows = run(&[&["keeps 0", "keeps 1", "keeps 2", "keeps 3"]], 1, limits);
    for row in rows {
        assert_eq!((row.status, row.reason), (Status::Skipped, None));
    }
}

fn a_worker_killed_from_outside_costs_nothing() {
    let group = &[
        "well 0",
        "is-killed-once",
        "well 1",
        "is-killed-always",
        "well 2",
    ];
    let rows = run(&[group], 1, Limits::default());
    for well in ["well 0", "is-killed-once", "well 1", "well 2"] {
        assert_eq!(outcome(&rows, well), WELL);
    }
    let killed = ("crashed", "its worker was ended by SIGKILL");
    assert_eq!(outcome(&rows, "is-killed-always"), killed);
}

fn every_cell_may_go_wrong() {
    let rows = run(
        &[&["aborts 0", "aborts 1"], &["exits 0"]],
        2,
        Limits::default(),
    );
    assert!(rows.iter().all(|row| row.status == Status::Crashed));
}

fn a_limit_below_a_worker_is_refused() {
    let isolation = Isolation {
        command: this_test(),
        limits: Limits {
            memory: Some(Bytes(1 << 20)),
            ..Limits::default()
        },
    };
    let ended = run_with(&[&["well"]], 1, Some(&isolation));
    let refused = matches!(
        ended,
        Err(RunError::Isolation(IsolationError::Memory { .. }))
    );
    assert!(refused, "{ended:?}");
}

/// At once, not after three of them: the next would hang too.
fn a_worker_that_hangs_while_it_plans_ends_the_run() {
    let isolation = Isolation {
        command: WorkerCommand {
            program: "sh".into(),
            arguments: ["-c", "exec sleep 60"].map(Into::into).into(),
        },
        limits: Limits {
            start: Some(Duration::from_millis(1500)),
            ..Limits::default()
        },
    };
    let start = Instant::now();
    let ended = run_with(&[&["well"]], 1, Some(&isolation));
    let taken = start.elapsed();
    let Err(RunError::Isolation(error @ IsolationError::Late { .. })) = ended else {
        panic!("{ended:?}");
    };
    assert!(error.to_string().contains("after 1.5 s\n"), "{error}");
    assert!(taken >= Duration::from_millis(1500) && taken < Duration::from_secs(4));
    // A worker that is quick enough is none of these, and does its cell.
    let limits = Limits {
        start: Some(Duration::from_secs(20)),
        ..Limits::default()
    };
    assert_eq!(outcome(&run(&[&["well"]], 1, limits), "well"), WELL);
}

fn workers_that_never_begin_end_the_run() {
    let ends = |program: &str, arguments: &[&str]| {
        let isolation = Isolation {
            command: WorkerCommand {
                program: program.into(),
                arguments: arguments.iter().map(Into::into).collect(),
            },
            limits: Limits::default(),
        };
        let start = Instant::now();
        let Err(RunError::Isolation(error)) = run_with(&[&["well"][..]; 5], 2, Some(&isolation))
        else {
            panic!("{program} is no worker");
        };
        assert!(start.elapsed() < Duration::from_secs(30));
        error
    };
    let never = ends("sh", &["-c", "exit 7"]);
    assert!(
        matches!(&never, IsolationError::Never(last) if last == "ended with exit code 7"),
        "{never}"
    );
    let noise = ends("sh", &["-c", "echo hello; sleep 60"]);
    assert!(matches!(noise, IsolationError::Never(_)), "{noise}");
    let missing = ends("/no/such/program", &[]);
    assert!(matches!(missing, IsolationError::Start(_)), "{missing}");
}

fn the_bits_of_a_row_come_through() {
    let groups: [&[&str]; 2] = [&["well 0", "well 1"], &["well 2"]];
    let plain = run_with(&groups, 1, None).expect("nothing goes wrong");
    let isolated = run(&groups, 1, Limits::default());
    assert_eq!(plain, isolated);
    let bits = |row: &CellRow| (row.level.to_bits(), row.train_level.to_bits(), row.seed);
    assert!(isolated.iter().map(bits).eq(plain.iter().map(bits)));
}
