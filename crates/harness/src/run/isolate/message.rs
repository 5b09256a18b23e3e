//! What parent and worker tell each other.

use super::wire::{WireColumn, WirePoint};
use crate::store::StageSeconds;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// To a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ToWorker {
    /// Plan this experiment; the first message.
    Plan {
        /// Where its file was read from, for messages.
        path: PathBuf,
        /// The file's text.
        text: String,
    },
    /// Run cells of a group.
    Run {
        /// The group, by [`crate::run::Experiment::part`].
        part: String,
        /// The identities of the cells.
        cells: Vec<String>,
    },
}

/// From a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum FromWorker {
    /// The experiment is planned; with the manifest of what it is made from.
    Ready {
        /// Its text.
        manifest: String,
    },
    /// The experiment cannot be planned.
    Refused {
        /// Why.
        message: String,
    },
    /// The work for a cell begins.
    Begun {
        /// The cell.
        id: String,
    },
    /// A cell has ended.
    Finished {
        /// Its row.
        row: Vec<WireColumn>,
        /// What it took.
        seconds: StageSeconds,
        /// What the solver of its model knew on the way.
        trace: Vec<WirePoint>,
        /// The worker's memory when the group began, in bytes.
        start_bytes: Option<u64>,
        /// The worker's peak memory since then, in bytes.
        peak_bytes: Option<u64>,
    },
    /// A panic ended the group at the cell at hand.
    Panicked {
        /// What it said.
        message: String,
    },
    /// The cells asked for have ended.
    Ended,
}
