//! What a run leaves on disk.

mod row;

pub use row::{CellRow, Measurement, Status};
