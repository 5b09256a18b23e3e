//! What the harness costs beside the work of cells: an experiment whose cells do nothing, run into a real folder, with
//! and without worker processes, and what tables, figures, traces and a report of such rows cost. Each measurement is a process of its own,
//! so that its peak of memory is its own.
//!
//! `cargo bench -p robust-svm-harness --bench overhead`

#![expect(clippy::print_stdout, reason = "it reports what it measures")]

use robust_svm_harness::plan::{PlannedCell, Selection};
use robust_svm_harness::plot::convergence_plot;
use robust_svm_harness::report::write_report;
use robust_svm_harness::run::{
    CellSink, Experiment, Failure, Isolation, Limits, RunOptions, Show, Todo, WorkerCommand,
    attach, process_seconds, run_experiment,
};
use robust_svm_harness::spec::{Kind, SpecFile};
use robust_svm_harness::stats::{Axes, Groups, LevelUnit};
use robust_svm_harness::store::{
    CellResult, CellRow, Cells, Manifest, Measurement, ResultsFolder, StageSeconds, Status,
    solver_seconds,
};
use robust_svm_harness::views::{Viewed, Views, ViewsError, classification};
use robust_svm_solvers::{RelativeGap, TracePoint};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const WORKER: &str = "worker-of-this-bench";
const MEASURE: &str = "measure";
/// (groups, cells of each).
const SIZES: [(usize, usize); 5] = [(100, 100), (10_000, 1), (10, 100), (100, 100), (1000, 100)];

/// Of the measurements with tables and figures.
const VIEWED: [(usize, usize); 2] = [(100, 100), (1000, 100)];
/// What solvers tell of a cell, where they tell something.
const POINTS: usize = 20;
const DATASETS: usize = 10;
const METHODS: usize = 10;

/// Cells that do nothing and have every number: of ten datasets, methods and levels, where a group has a hundred.
struct Idle {
    file: SpecFile,
    size: Size,
}

#[derive(Deserialize)]
struct Size {
    groups: usize,
    cells: usize,
    points: usize,
}

impl Idle {
    fn new(file: SpecFile) -> Self {
        let size = file.parse().expect("the bench writes it well");
        Self { file, size }
    }

    fn row(group: usize, cell: usize) -> CellRow {
        let number = |k: usize| ((group * 1009 + cell * 31 + k) as f64).sqrt().fract();
        CellRow {
            cell_id: format!(
                "{:016x}",
                ((group * 1_000_003 + cell) as u64).wrapping_mul(0x9e37_79b9_7f4a)
            ),
            dataset: format!("dataset-{}", group % DATASETS),
            method: format!("method-{}", cell % METHODS),
            level: (cell / METHODS) as f64,
            train_level: number(1),
            repeat: (group / DATASETS) as u32,
            status: Status::Ok,
            reason: None,
            seed: group as u64,
            measurement: Some(Measurement {
                n_train: 600,
                n_validation: 200,
                n_test: 200,
                n_features: 30,
                feature_dim: Some(256),
                lambda: number(2),
                sigma: Some(number(3)),
                bound: Some("geodesic".into()),
                solver: "interior-point".into(),
                iterations: Some(20),
                objective: number(4),
                dual_objective: number(5),
                relative_gap: number(6),
                gamma_mean: number(7),
                accuracy: number(8),
                noisy_accuracy: number(9),
                attack_error: number(10),
                certified_error: number(11),
                nominal_lambda: Some(number(12)),
                nominal_gap: Some(number(13)),
                exact_attack_error: Some(number(14)),
                exact_certified_error: Some(number(15)),
                paper_certified_error: Some(number(16)),
            }),
        }
    }
}

impl Experiment for Idle {
    type Row = CellRow;
    type Group = usize;

    fn name(&self) -> &'static str {
        "idle"
    }

    fn file(&self) -> &SpecFile {
        &self.file
    }

    fn manifest(&self) -> Manifest {
        Manifest::new(Kind::Classification, "idle", 0, &self.file, &[])
    }

    fn groups(&self) -> Vec<usize> {
        (0..self.size.groups).collect()
    }

    fn part(&self, group: usize) -> String {
        format!("{group:06}")
    }

    fn cells(&self, group: usize) -> Vec<PlannedCell> {
        let planned = |cell| PlannedCell {
            id: Self::row(group, cell).cell_id,
            axes: Vec::new(),
        };
        (0..self.size.cells).map(planned).collect()
    }

    fn run_group(&self, group: usize, sink: &mut dyn CellSink<CellRow>) {
        for cell in 0..self.size.cells {
            let row = Self::row(group, cell);
            if sink.wants(&row.cell_id) {
                sink.begin(&row.cell_id);
                sink.finish(CellResult {
                    row,
                    seconds: StageSeconds::default(),
                    trace: (1..=self.size.points).map(point).collect(),
                });
            }
        }
    }

    fn unmeasured(&self, group: usize, index: usize, failure: Failure) -> CellRow {
        CellRow {
            status: failure.status,
            reason: Some(failure.reason),
            measurement: None,
            ..Self::row(group, index)
        }
    }
}

impl Viewed for Idle {
    fn views(&self, cells: &Cells<CellRow>) -> Result<Views, ViewsError> {
        let repeats = (self.size.groups / DATASETS) as u32;
        let axes = axes(&self.size);
        classification(&Groups::new(cells, &axes)?, &[], repeats, 0)
    }

    fn views_in(&self, out: &Path, cells: &Cells<CellRow>) -> Result<Views, ViewsError> {
        let mut views = self.views(cells)?;
        let axes = axes(&self.size);
        let traces = out.join("convergence.parquet");
        let convergence = convergence_plot(&Groups::new(cells, &axes)?, &traces)?;
        views.plots.extend(convergence);
        Ok(views)
    }
}

fn axes(size: &Size) -> Axes {
    Axes {
        datasets: (0..DATASETS).map(|k| format!("dataset-{k}")).collect(),
        methods: (0..METHODS).map(|k| format!("method-{k}")).collect(),
        robust: Vec::new(),
        levels: (0..size.cells / METHODS).map(|k| k as f64).collect(),
        unit: LevelUnit::StandardDeviation,
    }
}

fn point(iteration: usize) -> TracePoint {
    let dual_objective = 1.0 - (iteration as f64).recip();
    TracePoint {
        iteration,
        objective: 1.0,
        dual_objective,
        relative_gap: RelativeGap::new(1.0, dual_objective),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        [WORKER] => {
            let attached = attach().expect("a parent");
            let file = SpecFile::from_text(&attached.path, attached.text.clone()).expect("TOML");
            attached.serve(&Idle::new(file)).expect("a parent");
        }
        [MEASURE, groups, cells, how] => measure(groups, cells, how),
        _ => compare(),
    }
}

fn compare() {
    println!("groups x cells            ms a cell  CPU ms a cell  peak MiB");
    for (how, sizes) in [
        ("threads", &SIZES[..]),
        ("isolated", &SIZES),
        ("views", &VIEWED),
        ("traces", &VIEWED),
        ("report", &VIEWED),
    ] {
        for (groups, cells) in sizes {
            let (groups, cells) = (groups.to_string(), cells.to_string());
            let program = std::env::current_exe().expect("it runs");
            let ended = Command::new(program)
                .args([MEASURE, &groups, &cells, how])
                .status();
            assert!(ended.expect("it starts").success());
        }
    }
}

/// Runs so many cells and tells what they took beyond a run of one cell for each worker, which starts them. Tables and figures
/// are part of `views`, of `traces`, where solvers tell something, and of `report`, which makes the report too.
fn measure(groups: &str, cells: &str, how: &str) {
    let isolation = (how == "isolated").then(|| Isolation {
        command: WorkerCommand::this_program(&[WORKER]).expect("it runs"),
        limits: Limits::default(),
    });
    let start_up = run("2", "1", isolation.as_ref(), "threads");
    let all = run(groups, cells, isolation.as_ref(), how);
    let count = groups.parse::<f64>().expect("a number") * cells.parse::<f64>().expect("a number");
    let each = |all: f64, start_up: f64| 1e3 * (all - start_up) / count;
    println!(
        "{groups:>6} x {cells:<6} {how:<10} {:>8.3}  {:>13.3}  {:>8.0}",
        each(all.0, start_up.0),
        each(all.1, start_up.1),
        peak_mebibytes().unwrap_or(f64::NAN)
    );
}

/// Tables and figures of the cells in `folder`, as a run makes them, and the report if `reports`.
fn view(experiment: &Idle, folder: &Path, reports: bool) {
    let cells = Cells::open(&folder.join("cells.parquet")).expect("they are joined");
    let views = experiment.views_in(folder, &cells);
    let views = views.expect("the axes are well formed");
    views.write(folder, "idle").expect("they can be written");
    if reports {
        let seconds = solver_seconds(folder).expect("they are joined");
        write_report(experiment, folder, &cells, seconds, &views).expect("it can be written");
    }
}

/// Seconds of a run, on the clock and on processors.
fn run(groups: &str, cells: &str, isolation: Option<&Isolation>, how: &str) -> (f64, f64) {
    let folder = tempfile::tempdir_in(".").expect("a folder");
    let points = if how == "traces" { POINTS } else { 0 };
    let text = format!("groups = {groups}\ncells = {cells}\npoints = {points}\n");
    let file = SpecFile::from_text(Path::new("idle.toml"), text).expect("TOML");
    let experiment = Idle::new(file);
    let (start, before) = (Instant::now(), process_seconds());
    let results = ResultsFolder::open(
        &folder.path().join("results"),
        experiment.manifest(),
        &experiment.file().text,
        false,
    );
    let options = RunOptions {
        threads: 2,
        show: Show::Nothing,
        isolation,
        stop: None,
    };
    let results = results.expect("it can be written");
    let todo = Todo::new(&experiment, &Selection::default(), &BTreeSet::new());
    let todo = todo.expect("all cells");
    run_experiment(&experiment, &results, todo, options).expect("it can be stored");
    if ["views", "traces", "report"].contains(&how) {
        view(&experiment, results.path(), how == "report");
    }
    let processor = process_seconds().zip(before).map(|(now, then)| now - then);
    (start.elapsed().as_secs_f64(), processor.unwrap_or(f64::NAN))
}

fn peak_mebibytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes / 1024.0)
}
