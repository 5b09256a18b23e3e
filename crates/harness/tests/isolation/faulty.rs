//! An experiment whose cells do what their names say.

use robust_svm_harness::plan::PlannedCell;
use robust_svm_harness::run::{CellSink, Experiment, Failure};
use robust_svm_harness::spec::{Kind, SpecFile};
use robust_svm_harness::store::{CellResult, CellRow, Manifest, StageSeconds, Status};
use serde::Deserialize;
use std::fs::File;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Groups of cells; the name of a cell is what it does, and maybe a number after a space.
pub(crate) struct Faulty {
    file: SpecFile,
    groups: Vec<Vec<String>>,
    /// Where cells leave marks.
    marks: PathBuf,
}

#[derive(Deserialize)]
struct Spec {
    groups: Vec<Vec<String>>,
    marks: PathBuf,
}

impl Faulty {
    pub(crate) fn new(file: SpecFile) -> Self {
        let Spec { groups, marks } = file.parse().expect("the test writes it well");
        Self {
            file,
            groups,
            marks,
        }
    }

    fn id(group: usize, cell: &str) -> String {
        format!("{group}: {cell}")
    }

    fn row(group: usize, cell: &str, failure: Option<Failure>) -> CellRow {
        let status = failure.as_ref().map_or(Status::Skipped, |f| f.status);
        CellRow {
            cell_id: Self::id(group, cell),
            dataset: "none".into(),
            method: cell.into(),
            level: f64::from_bits(0x3ff0_0000_0000_0001),
            train_level: -0.0,
            repeat: group as u32,
            status,
            reason: failure.map(|failure| failure.reason),
            seed: u64::MAX - 1,
            measurement: None,
        }
    }
}

impl Experiment for Faulty {
    type Row = CellRow;
    type Group = usize;

    fn name(&self) -> &'static str {
        "faulty"
    }

    fn file(&self) -> &SpecFile {
        &self.file
    }

    fn manifest(&self) -> Manifest {
        Manifest::new(Kind::Classification, "faulty", 0, &self.file, &[])
    }

    fn groups(&self) -> Vec<usize> {
        (0..self.groups.len()).collect()
    }

    fn part(&self, group: usize) -> String {
        format!("{group:04}")
    }

    fn cells(&self, group: usize) -> Vec<PlannedCell> {
        let planned = |cell: &String| PlannedCell {
            id: Self::id(group, cell),
            axes: Vec::new(),
        };
        self.groups[group].iter().map(planned).collect()
    }

    fn run_group(&self, group: usize, sink: &mut dyn CellSink<CellRow>) {
        let mut kept = Vec::new();
        for cell in &self.groups[group] {
            let id = Self::id(group, cell);
            if sink.wants(&id) {
                sink.begin(&id);
                self.act(cell, &mut kept);
                sink.finish(CellResult {
                    row: Self::row(group, cell, None),
                    seconds: StageSeconds::default(),
                    trace: Vec::new(),
                });
            }
        }
    }

    fn unmeasured(&self, group: usize, index: usize, failure: Failure) -> CellRow {
        Self::row(group, &self.groups[group][index], Some(failure))
    }
}

impl Faulty {
    /// Does what `cell` says; memory that is to stay taken goes to `kept`.
    fn act(&self, cell: &str, kept: &mut Vec<Vec<u8>>) {
        match cell.split(' ').next().expect("a word") {
            "well" => {}
            "panics" => panic!("as the test wants"),
            "aborts" => std::process::abort(),
            "exits" => std::process::exit(3),
            "overflows" => {
                black_box(deeper(0));
            }
            "segfaults" => signal("SEGV"),
            "hangs" => loop {
                black_box(0);
            },
            "prints" => {
                use std::io::Write as _;
                writeln!(std::io::stdout(), "what a worker must not print").expect("a pipe");
            }
            "devours" => loop {
                kept.push(vec![1; 1 << 22]);
            },
            "keeps" => {
                kept.push(vec![1; 100 << 20]);
                std::thread::sleep(Duration::from_millis(200));
            }
            "is-killed-once" => {
                if !was_here(&self.marks.join("killed")) {
                    signal("KILL");
                }
            }
            "is-killed-always" => signal("KILL"),
            other => panic!("no cell does `{other}`"),
        }
    }
}

/// Overflows the stack.
#[expect(unconditional_recursion, reason = "that is what it is for")]
fn deeper(depth: u64) -> u64 {
    let frame = black_box([depth; 512]);
    frame[0] + deeper(depth + 1)
}

/// Sends itself a signal until it ends: the first SIGSEGV takes Rust's own handler away.
fn signal(name: &str) {
    let id = std::process::id().to_string();
    loop {
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.expect("a command of the system").success());
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Whether this was asked of the same path before, by any process.
fn was_here(path: &Path) -> bool {
    File::create_new(path).is_err()
}
