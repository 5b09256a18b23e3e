//! How a worker is started.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// A program that ends up in [`super::attach`].
#[derive(Debug, Clone)]
pub struct WorkerCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

impl WorkerCommand {
    /// The program that runs now, with `arguments`. On Linux it is the same even if its file has been replaced.
    ///
    /// # Errors
    /// Where the system does not tell which program runs.
    pub fn this_program(arguments: &[&str]) -> io::Result<Self> {
        let program = if cfg!(target_os = "linux") {
            PathBuf::from("/proc/self/exe")
        } else {
            std::env::current_exe()?
        };
        Ok(Self {
            program,
            arguments: arguments.iter().map(OsString::from).collect(),
        })
    }

    /// Starts it with pipes, on one thread, and where an interrupt from the keyboard does not reach it.
    pub(super) fn start(&self) -> io::Result<Child> {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .env("RAYON_NUM_THREADS", "1")
            .env("POLARS_MAX_THREADS", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn()
    }
}
