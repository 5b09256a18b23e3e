//! The `robust-svm` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    robust_svm_harness::cli::main().into()
}
