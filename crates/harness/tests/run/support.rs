//! A working folder with datasets made by arithmetic, an experiment on them, and the program run there.

use assert_cmd::Command;
use robust_svm_harness::store::{CellRow, read_cells};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::LazyLock;
use std::{fs, str};
use tempfile::TempDir;

/// The program.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_robust-svm");

/// What differs from run to run in messages, for snapshots.
pub(crate) const TIMES: [(&str, &str); 2] = [
    (r"in \d+\.\d s", "in [seconds] s"),
    (
        r"\d+ % of the processor time(.*); \d+ processors? \d+ % busy",
        "[share] % of the processor time$1; [n] processors [share] % busy",
    ),
];

/// A small experiment with a linear and a robust nonlinear method.
pub(crate) const SMALL: &str = r#"name = "small"
seed = 7
repeats = 2

[data]
datasets = ["blobs"]
split = { train = 0.6, validation = 0.2, test = 0.2 }

[uncertainty]
norm = 2
levels = [0.0, 0.3]

[evaluation]
noise_draws = 3
attack = { steps = 5, restarts = 2 }

[selection]
lambda = [0.1, 1.0]
sigma = { times_median = [1.0] }

[[method]]
name = "linear"
features = { map = "identity" }
solver = "interior-point"

[[method]]
name = "robust-rff"
features = { map = "rff", dim = 16 }
bound = "geodesic"
solver = "interior-point"
"#;

/// The methods that [`SMALL`] leaves out: with them every map is there, nominal and robust.
pub(crate) const OTHER_METHODS: &str = r#"
[[method]]
name = "robust-linear"
features = { map = "identity" }
bound = "exact"
solver = "interior-point"

[[method]]
name = "rff"
features = { map = "rff", dim = 16 }
solver = "interior-point"

[[method]]
name = "nystrom"
features = { map = "nystrom", landmarks = 12 }
solver = "interior-point"

[[method]]
name = "robust-nystrom"
features = { map = "nystrom", landmarks = 12 }
bound = "projection"
solver = "interior-point"

[[method]]
name = "kernel-svm"
features = { map = "exact-kernel" }
solver = "linfa-svm"
"#;

/// How the program ended and what it said.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// For snapshots: exit code and messages.
    pub(crate) fn told(&self) -> String {
        let mut text = format!("exit code {}\n", self.code);
        for (stream, said) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !said.is_empty() {
                let _ = write!(text, "--- {stream} ---\n{said}");
            }
        }
        text
    }
}

/// A working folder of its own, gone with the value.
pub(crate) struct Workspace(TempDir);

impl Workspace {
    /// With the datasets `blobs` and `rings`, and [`SMALL`] as `small.toml`.
    pub(crate) fn new() -> Self {
        let workspace = Self(TempDir::new().expect("a folder for the test"));
        workspace.dataset("blobs", &blobs(90));
        workspace.dataset("rings", &rings(100));
        workspace.write("small.toml", SMALL);
        workspace
    }

    /// With `small.toml` run to its end: the results are those of one run, copied.
    pub(crate) fn finished() -> Self {
        static RESULTS: LazyLock<BTreeMap<PathBuf, Vec<u8>>> = LazyLock::new(|| {
            let workspace = Workspace::new();
            workspace.run_well(&[]);
            workspace.relative("results")
        });
        let workspace = Self::new();
        workspace.copy(&RESULTS);
        workspace
    }

    /// Every file below `folder`, by its path in the workspace.
    pub(crate) fn relative(&self, folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let root = self.path("");
        let relative = |path: PathBuf| path.strip_prefix(&root).unwrap().to_owned();
        let files = self.files(folder).into_iter();
        files.map(|(path, bytes)| (relative(path), bytes)).collect()
    }

    /// Puts `files` in their places in the workspace.
    pub(crate) fn copy(&self, files: &BTreeMap<PathBuf, Vec<u8>>) {
        for (path, bytes) in files {
            let path = self.0.path().join(path);
            fs::create_dir_all(path.parent().expect("a file is in a folder")).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }

    /// With `small.toml` = [`SMALL`] after one change.
    pub(crate) fn changed(old: &str, new: &str) -> Self {
        let workspace = Self::new();
        workspace.write("small.toml", &replaced(SMALL, old, new));
        workspace
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.0.path().join(relative)
    }

    pub(crate) fn write(&self, relative: &str, content: &str) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).unwrap();
        fs::write(path, content).unwrap();
    }

    /// The dataset `name` with classes `out` and `in`.
    pub(crate) fn dataset(&self, name: &str, csv: &str) {
        self.dataset_of(name, csv, r#"["out", "in"]"#);
    }

    pub(crate) fn dataset_of(&self, name: &str, csv: &str, class_names: &str) {
        let manifest = format!(
            "name = \"{name}\"\nfile = \"{name}.csv\"\nformat = \"csv\"\n\
             label_column = \"label\"\nclass_names = {class_names}\n"
        );
        self.write(&format!("datasets/{name}.toml"), &manifest);
        self.write(&format!("datasets/{name}.csv"), csv);
    }

    /// The program in this folder, knowing its datasets only.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(PROGRAM);
        command.current_dir(self.0.path());
        command.env_remove("ROBUST_SVM_DATA");
        command.env_remove("ROBUST_SVM_LOG");
        command.env_remove("NO_COLOR");
        command
    }

    pub(crate) fn program(&self, arguments: &[&str]) -> Ended {
        let output = self.command().args(arguments).output().expect("it starts");
        let text = |bytes: &[u8]| {
            str::from_utf8(bytes)
                .expect("messages are UTF-8")
                .to_owned()
        };
        Ended {
            code: output.status.code().expect("no signal ended it"),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// `robust-svm run small.toml` with these arguments.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        self.program(&[&["run", "small.toml"], arguments].concat())
    }

    /// As [`Workspace::run`], which must end well.
    pub(crate) fn run_well(&self, arguments: &[&str]) -> Ended {
        let ended = self.run(arguments);
        assert_eq!(ended.code, 0, "{}", ended.told());
        ended
    }

    /// The bytes of the finished cells in `folder`.
    pub(crate) fn cells(&self, folder: &str) -> Vec<u8> {
        fs::read(self.path(folder).join("cells.parquet")).expect("the run is finished")
    }

    /// The rows of the finished cells in `folder`.
    pub(crate) fn rows(&self, folder: &str) -> Vec<CellRow> {
        read_cells(&self.path(folder).join("cells.parquet")).expect("the run is finished")
    }

    /// What a run promises the bytes of: every file below `folder`, by its path there, but for timings, the report, which
    /// tells them, and lock.
    pub(crate) fn promised(&self, folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let root = self.path(folder);
        let files = self.files(folder).into_iter();
        let relative =
            files.map(|(path, bytes)| (path.strip_prefix(&root).unwrap().to_owned(), bytes));
        let outside = ["timings.parquet", "report.html", ".lock"].map(PathBuf::from);
        relative
            .filter(|(path, _)| !outside.contains(path))
            .map(|(path, bytes)| {
                let is_manifest = path.ends_with("manifest.toml");
                let bytes = if is_manifest {
                    without_runs(&bytes)
                } else {
                    bytes
                };
                (path, bytes)
            })
            .collect()
    }

    /// The program with these arguments, started and left to itself.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        std::process::Command::new(PROGRAM)
            .args(arguments)
            .current_dir(self.0.path())
            .env_remove("ROBUST_SVM_DATA")
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts")
    }

    /// Every file below `folder` and its bytes.
    pub(crate) fn files(&self, folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.path(folder), &mut files);
        files
    }
}

/// A manifest without the times, threads and command lines of its runs.
fn without_runs(manifest: &[u8]) -> Vec<u8> {
    let text = str::from_utf8(manifest).expect("manifests are UTF-8");
    let mut table: toml::Table = text.parse().expect("manifests are TOML");
    table.remove("run");
    toml::to_string(&table).expect("it was read").into_bytes()
}

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            let bytes = fs::read(&path).unwrap();
            files.insert(path, bytes);
        }
    }
}

/// `text` with `old` replaced, which must be in it.
pub(crate) fn replaced(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "{old:?} is not in the text");
    text.replace(old, new)
}

/// The fractional part of `index` times an irrational number: evenly spread over [−1, 1), without a
/// random number.
fn spread(index: usize, irrational: f64) -> f64 {
    2.0 * ((index + 1) as f64 * irrational).fract() - 1.0
}

fn csv(rows: usize, row: impl Fn(usize, [f64; 3]) -> ([f64; 3], u8)) -> String {
    let mut text = "a,b,c,label\n".to_owned();
    for index in 0..rows {
        let point = [2.0_f64, 3.0, 5.0].map(|square| spread(index, square.sqrt()));
        let ([a, b, c], label) = row(index, point);
        let _ = writeln!(text, "{a:.4},{b:.4},{c:.4},{label}");
    }
    text
}

/// Two clouds that overlap: no classifier is perfect.
pub(crate) fn blobs(rows: usize) -> String {
    csv(rows, |index, [a, b, c]| {
        let label = u8::from(index % 2 == 0);
        let side = 2.0 * f64::from(label) - 1.0;
        ([2.0 * a + 0.9 * side, 2.0 * b + 0.6 * side, 3.0 * c], label)
    })
}

/// A disc in a plane: no linear classifier is good.
pub(crate) fn rings(rows: usize) -> String {
    csv(rows, |_, [a, b, c]| {
        ([a, b, 0.2 * c], u8::from(a * a + b * b < 0.6))
    })
}

/// Rows all different in the file, and most of them equal once they are scaled, because what tells them
/// apart is lost beside outliers: more than half of the distances are 0, so that kernels have no bandwidth.
pub(crate) fn outliers() -> String {
    csv(100, |index, [a, b, c]| {
        if index % 5 == 0 {
            ([1e20 * (2.0 + a), b, c], 1)
        } else {
            ([index as f64, 0.5, -0.5], 0)
        }
    })
}
