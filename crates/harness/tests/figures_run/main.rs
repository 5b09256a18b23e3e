//! Summaries, tables and figures of a run.

mod comparison;
mod plots;
mod summary;
mod support;
mod tables;
