//! From a TOML file to results, tables and plots. See `ARCHITECTURE.md` for the way of the data.

pub mod data;
pub mod source_error;
pub mod plot;
pub mod stats;
pub mod store;
pub mod table;
