//! The program as its users meet it: experiment files in, results folders, messages and exit codes out.

mod check;
mod cli;
mod convergence;
mod determinism;
mod exact;
mod failures;
mod figures;
mod folders;
mod killed;
mod models;
mod models_rejected;
mod parts;
mod rejected_data;
mod rejected_experiments;
mod rejected_methods;
mod rejected_numbers;
mod rejected_studies;
mod rows;
mod safe_ellipsoid;
mod sets;
mod shipped;
mod solvers;
mod studies;
mod support;
mod views;
mod wanted;
