//! `manifest.toml`: what the results were made from.

use super::{Portion, Record, RunIdentity, Status, StoreError};
use crate::plan::Task;
use crate::spec::{Kind, SpecFile};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The layout of a results folder. In format 1 the parts of an unfinished run were two Parquet files a group, which only
/// the code that wrote them continues; finished results are read as those of format 2.
const FORMAT: u32 = 2;

/// What the results of a folder were made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Layout of the folder.
    pub format: u32,
    /// The experiment.
    pub experiment: ExperimentIdentity,
    /// The code.
    pub code: CodeIdentity,
    /// How many cells ended how; absent while the run goes on.
    pub cells: Option<CellCounts>,
    /// What part of the experiment was asked for; absent of the whole.
    pub part: Option<Portion>,
    /// The datasets; none where an experiment needs no data.
    #[serde(default)]
    pub dataset: Vec<DatasetIdentity>,
    /// The runs that computed the cells, in their order; none in manifests of earlier versions. Nothing is compared by them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub run: Vec<RunIdentity>,
}

/// What can be read of a manifest of any format.
#[derive(Deserialize)]
struct Layout {
    format: u32,
}

/// Which experiment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExperimentIdentity {
    /// What it measures; a classification in manifests from before there were kinds.
    #[serde(default)]
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// Its seed.
    pub seed: u64,
    /// SHA-256 of the file's content, without comments and layout.
    pub sha256: String,
}

/// Which code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeIdentity {
    /// The package's version.
    pub version: String,
    /// SHA-256 of the sources and locked dependencies.
    pub sha256: String,
    /// The compiler.
    pub rustc: String,
    /// The platform compiled for.
    pub target: String,
    /// The revision of the checkout that was built; absent where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// Whether its sources were changed since that revision.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dirty: bool,
}

/// Which data, and what was done to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetIdentity {
    /// The name in the experiment.
    pub name: String,
    /// SHA-256 of the data file and of the task made of it.
    pub sha256: String,
    /// Rows of the task.
    pub rows: usize,
    /// Rows of the positive class, of a task with two sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positive: Option<usize>,
    /// Classes, of a task with any number of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes: Option<usize>,
    /// Features.
    pub features: usize,
    /// Rows left out for missing values.
    pub rows_dropped: usize,
    /// Values filled with the training median.
    pub values_imputed: usize,
    /// Columns that never vary; they are left out, like any that do not vary on the training rows.
    pub constant_features: Vec<String>,
}

/// How many cells ended how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellCounts {
    /// Measured.
    pub ok: usize,
    /// Stopped by an error.
    pub failed: usize,
    /// Left the finite range.
    pub diverged: usize,
    /// Left out on purpose.
    pub skipped: usize,
    /// Stopped at the run's limit of time; not written where there is none, as the others below.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub timed_out: usize,
    /// Stopped at the run's limit of memory.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub out_of_memory: usize,
    /// They ended the process that they ran in.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub crashed: usize,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over references"
)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl CellCounts {
    /// The counts of `rows`.
    pub fn of<R: Record>(rows: &[R]) -> Self {
        let mut counts = Self::default();
        for row in rows {
            counts.add(row.status());
        }
        counts
    }

    /// The cells that ended with `status`.
    pub fn get(&self, status: Status) -> usize {
        match status {
            Status::Ok => self.ok,
            Status::Failed => self.failed,
            Status::Diverged => self.diverged,
            Status::Skipped => self.skipped,
            Status::TimedOut => self.timed_out,
            Status::OutOfMemory => self.out_of_memory,
            Status::Crashed => self.crashed,
        }
    }

    /// All cells.
    pub fn total(&self) -> usize {
        Status::ALL.into_iter().map(|status| self.get(status)).sum()
    }

    /// A cell more ended with `status`.
    pub(super) fn add(&mut self, status: Status) {
        let count = match status {
            Status::Ok => &mut self.ok,
            Status::Failed => &mut self.failed,
            Status::Diverged => &mut self.diverged,
            Status::Skipped => &mut self.skipped,
            Status::TimedOut => &mut self.timed_out,
            Status::OutOfMemory => &mut self.out_of_memory,
            Status::Crashed => &mut self.crashed,
        };
        *count += 1;
    }
}

impl Manifest {
    /// The words for the code, where it differs.
    pub(super) const CODE: &str = "version of the code";

    /// The manifest of a run of the experiment `name` of `kind` in `file`, on `tasks`, that is under way.
    pub fn new(kind: Kind, name: &str, seed: u64, file: &SpecFile, tasks: &[Task]) -> Self {
        let datasets = tasks.iter().map(DatasetIdentity::of).collect();
        Self::of_datasets(kind, name, seed, file, datasets)
    }

    /// The same on `datasets` of any sort.
    pub(crate) fn of_datasets(
        kind: Kind,
        name: &str,
        seed: u64,
        file: &SpecFile,
        datasets: Vec<DatasetIdentity>,
    ) -> Self {
        Self {
            format: FORMAT,
            experiment: ExperimentIdentity {
                kind,
                name: name.to_owned(),
                seed,
                sha256: file.digest.clone(),
            },
            code: CodeIdentity::of_this_program(),
            cells: None,
            part: None,
            dataset: datasets,
            run: Vec::new(),
        }
    }

    /// Reads the manifest at `path`.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read, or is of a layout newer than this program.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        let text = std::fs::read_to_string(path).map_err(StoreError::io("read", path))?;
        let Layout { format } = toml::from_str(&text).map_err(StoreError::damaged(path))?;
        if format > FORMAT {
            return Err(StoreError::Newer {
                path: path.to_owned(),
                format,
                known: FORMAT,
            });
        }
        toml::from_str(&text).map_err(StoreError::damaged(path))
    }

    /// The manifest's text.
    pub fn to_text(&self) -> String {
        toml::to_string(self).expect("a manifest can be written")
    }

    /// What tells `self` from `other` as the origin of results; the compiler and platform are told but
    /// do not.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let mut differences = Vec::new();
        if self.experiment != other.experiment {
            differences.push("experiment file".to_owned());
        }
        if (&self.code.version, &self.code.sha256) != (&other.code.version, &other.code.sha256) {
            differences.push(Self::CODE.to_owned());
        }
        for dataset in &self.dataset {
            let other = other.dataset.iter().find(|d| d.name == dataset.name);
            if other.is_some_and(|other| other.sha256 != dataset.sha256) {
                differences.push(format!("dataset `{}`", dataset.name));
            }
        }
        differences
    }
}

impl CodeIdentity {
    /// Of this program.
    pub fn of_this_program() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").into(),
            sha256: env!("ROBUST_SVM_CODE_SHA256").into(),
            rustc: env!("ROBUST_SVM_RUSTC").into(),
            target: env!("ROBUST_SVM_TARGET").into(),
            revision: option_env!("ROBUST_SVM_REVISION").map(str::to_owned),
            dirty: option_env!("ROBUST_SVM_DIRTY").is_some(),
        }
    }

    /// Version and revision in words.
    pub fn told(&self) -> String {
        match (&self.revision, self.dirty) {
            (None, _) => self.version.clone(),
            (Some(revision), false) => format!("{}, revision {revision}", self.version),
            (Some(revision), true) => {
                format!("{}, revision {revision} with changes", self.version)
            }
        }
    }
}

impl DatasetIdentity {
    /// In the place of the digest of a dataset without data.
    pub const NOT_AT_HAND: &str = "not at hand";

    /// Whether there are its data.
    pub fn is_at_hand(&self) -> bool {
        self.sha256 != Self::NOT_AT_HAND
    }

    fn of(task: &Task) -> Self {
        let (data, report) = (&task.loaded.data, &task.loaded.report);
        Self {
            name: task.label.clone(),
            sha256: task.loaded.digest.clone(),
            rows: data.rows(),
            positive: Some(data.y().iter().filter(|y| **y > 0.0).count()),
            classes: None,
            features: data.features(),
            rows_dropped: report.rows_dropped_missing,
            values_imputed: data.x().iter().filter(|v| v.is_nan()).count(),
            constant_features: report.constant_features.clone(),
        }
    }
}
