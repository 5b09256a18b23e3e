//! From a TOML file to results, tables and plots. See `ARCHITECTURE.md` for the way of the data.

pub mod cli;
pub mod cost;
pub mod data;
mod fetch;
mod figures;
pub mod gate;
pub mod launch;
pub mod model_file;
mod modelling;
pub mod plan;
pub mod plot;
mod provenance;
pub mod report;
pub mod run;
mod scaffold;
pub mod schema;
pub mod source_error;
pub mod spec;
pub mod stats;
pub mod store;
pub mod study;
pub mod table;
pub mod views;
