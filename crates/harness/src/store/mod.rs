//! What a run leaves on disk. Rows are written as their groups end, and joined when all are there; every file appears
//! whole or not at all.

pub(crate) mod cell;
mod error;
mod file;
mod finished;
mod folder;
mod frame;
mod joined;
mod lock;
mod manifest;
mod merge;
mod parquet;
mod part;
mod passes;
mod portion;
mod record;
mod result;
mod row;
mod run_identity;
mod sorted_merge;
mod stored;
mod stored_cell;
mod table_reader;
mod table_writer;
mod tally;
mod timing;
mod trace;
mod work;

pub use error::StoreError;
pub use file::write_atomically;
pub use finished::{Unfinished, missing_file, unfinished};
pub(crate) use folder::EXPERIMENT;
pub use folder::{Recovered, ResultsFolder};
pub use manifest::{CellCounts, CodeIdentity, DatasetIdentity, Manifest};
pub use merge::{Merged, merge, shard_manifest};
pub(crate) use parquet::read_frame;
pub use portion::Portion;
pub use record::{Record, read_cells, write_cells};
pub use result::{CellDone, CellResult};
pub use row::{CellRow, Measurement, Status};
pub use run_identity::{RunIdentity, cpu_features};
pub use stored::{Stored, has_waiting};
pub use tally::Tally;
pub use timing::{StageSeconds, TimingRow, solver_seconds};
pub use trace::{TraceRow, read_traces};
pub use work::{Work, Works};
