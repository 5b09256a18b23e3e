//! Why results cannot be held against a baseline, or become one.

use crate::spec::Kind;
use crate::store::StoreError;
use std::path::PathBuf;

/// Why two folders cannot be compared, or one cannot become the baseline.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    /// One of them cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// One of them has no finished results.
    #[error("{} has no finished results\n  = help: {help}", folder.display())]
    NoResults {
        /// The folder.
        folder: PathBuf,
        /// What to do.
        help: &'static str,
    },
    /// One of them holds results of a kind that has no comparison.
    #[error(
        "{} holds results of the kind `{kind}`, which have no baseline\n  \
         = help: `robust-svm check` compares results of the kind `{}`",
        folder.display(),
        Kind::Classification
    )]
    Kind {
        /// The folder.
        folder: PathBuf,
        /// Its kind.
        kind: Kind,
    },
    /// They are results of different experiments or data.
    #[error(
        "{} and {} cannot be compared: {reason}\n  \
         = help: if that is meant, make the results the baseline with --update",
        results.display(),
        baseline.display()
    )]
    NotComparable {
        /// The results.
        results: PathBuf,
        /// The baseline.
        baseline: PathBuf,
        /// What differs.
        reason: String,
    },
    /// One has cells that the other lacks, and is a part of the experiment.
    #[error(
        "{} and {} cannot be compared: {} has a part of the experiment's cells\n  \
         = help: run the rest of it, or merge the folders of its parts",
        results.display(),
        baseline.display(),
        part.display()
    )]
    PartOnly {
        /// The results.
        results: PathBuf,
        /// The baseline.
        baseline: PathBuf,
        /// The one that is a part.
        part: PathBuf,
    },
    /// They cannot become the baseline: they are a part of the experiment, and the rest would not be guarded.
    #[error(
        "{} cannot be the baseline: it has {cells} of the {planned} cells of its experiment\n  \
         = help: run the whole experiment, or merge the folders of its parts",
        folder.display()
    )]
    Part {
        /// The folder.
        folder: PathBuf,
        /// Cells that are there.
        cells: usize,
        /// Cells of the whole experiment.
        planned: usize,
    },
    /// They cannot become the baseline: some number of a cell is none.
    #[error(
        "{} cannot be the baseline: {cell} has a number that is not finite\n  \
         = help: nothing can be compared with it; find out where it comes from",
        folder.display()
    )]
    NotFinite {
        /// The folder.
        folder: PathBuf,
        /// The cell, as dataset / method / level / repeat.
        cell: String,
    },
    /// They cannot become the baseline: nothing can fail against them.
    #[error("{} cannot be the baseline: nothing was measured", folder.display())]
    NothingMeasured {
        /// The folder.
        folder: PathBuf,
    },
    /// They cannot become the baseline: what fails in it is not guarded.
    #[error(
        "{} cannot be the baseline: {failed} of {cells} cells failed\n  \
         = help: mend what the column `reason` of its cells.parquet says, and run it again",
        folder.display()
    )]
    FailedCells {
        /// The folder.
        folder: PathBuf,
        /// Cells without numbers that were not left out on purpose.
        failed: usize,
        /// All cells.
        cells: usize,
    },
}
