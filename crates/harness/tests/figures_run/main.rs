//! Summaries, tables and figures of a run.

mod comparison;
mod plots;
mod statistics;
mod summary;
mod support;
mod tables;
