//! Summaries, tables and figures of a run.

mod plots;
mod summary;
mod support;
mod tables;
