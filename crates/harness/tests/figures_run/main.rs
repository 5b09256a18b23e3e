//! Summaries, tables and figures of a run.

mod comparison;
mod plots;
mod renderers;
mod significance;
mod statistics;
mod summary;
mod support;
mod tables;
mod views;
