//! What a run leaves on disk. A group's rows are written when it ends, and joined when all are there;
//! every file appears whole or not at all.

pub(crate) mod cell;
mod error;
mod file;
mod folder;
mod frame;
mod manifest;
mod record;
mod result;
mod row;
mod timing;
mod trace;

pub use error::StoreError;
pub use file::write_atomically;
pub use folder::ResultsFolder;
pub use manifest::{CellCounts, Manifest};
pub use record::{Record, read_cells, write_cells};
pub use result::CellResult;
pub use row::{CellRow, Measurement, Status};
pub use timing::{StageSeconds, TimingRow};
pub use trace::{TraceRow, read_traces};
