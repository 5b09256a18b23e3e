//! Worker processes that go wrong in every way there is. This test is its own worker, so that the faults are here and not
//! in the program; that is why it has a `main` of its own.

mod faults;
mod faulty;

use faulty::Faulty;
use robust_svm_harness::run::attach;
use robust_svm_harness::spec::SpecFile;
use std::io::Write as _;
use std::panic::catch_unwind;
use std::process::ExitCode;

/// The argument that makes a process a worker.
const WORKER: &str = "worker-of-this-test";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == WORKER) {
        let attached = attach().expect("a parent");
        let file = SpecFile::from_text(&attached.path, attached.text.clone()).expect("TOML");
        attached.serve(&Faulty::new(file)).expect("a parent");
        return ExitCode::SUCCESS;
    }
    let filter = arguments.iter().find(|argument| !argument.starts_with('-'));
    let mut code = ExitCode::SUCCESS;
    for (name, test) in faults::TESTS {
        if filter.is_none_or(|filter| name.contains(filter.as_str())) {
            let ended = catch_unwind(test);
            let word = if ended.is_ok() { "ok" } else { "FAILED" };
            let _ = writeln!(std::io::stderr(), "test {name} ... {word}");
            if ended.is_err() {
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}
