//! The commands of Slurm.

use super::LaunchError;
use super::queue::{Entry, FORMAT, entries};
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Hands in `script`; the number of the job.
///
/// # Errors
/// [`LaunchError`] if sbatch is not there or refuses, with all that it said.
pub(super) fn submit(options: &[String], script: &Path) -> Result<String, LaunchError> {
    let mut command = Command::new("sbatch");
    command.arg("--parsable").args(options).arg(script);
    let output = output(&mut command, "sbatch")?;
    if !output.status.success() {
        return Err(LaunchError::Refused {
            command: line(&command),
            said: said(&output),
        });
    }
    let answer = String::from_utf8_lossy(&output.stdout);
    // NUMBER, or NUMBER;CLUSTER where there are several.
    let number = answer.trim().split(';').next().unwrap_or_default();
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(LaunchError::Answer {
            program: "sbatch",
            answer: answer.trim().to_owned(),
        });
    }
    Ok(number.to_owned())
}

/// The user's jobs with these names: those that wait or run, and those that ended in the last minutes.
///
/// # Errors
/// [`LaunchError`] if squeue is not there or cannot tell, with all that it said.
pub(super) fn queue(names: &[&str]) -> Result<Vec<Entry>, LaunchError> {
    let mut command = Command::new("squeue");
    command.args(["--noheader", "--array", "--me", "--states=all"]);
    command.arg(format!("--name={}", names.join(",")));
    command.arg(format!("--format={FORMAT}"));
    let output = output(&mut command, "squeue")?;
    if !output.status.success() {
        return Err(LaunchError::Queue {
            command: line(&command),
            said: said(&output),
        });
    }
    let entries = entries(&String::from_utf8_lossy(&output.stdout))?;
    let ours = |entry: &Entry| names.contains(&entry.name.as_str());
    Ok(entries.into_iter().filter(ours).collect())
}

/// The numbers of the jobs with these names that wait or run, each once.
///
/// # Errors
/// [`LaunchError`] if squeue is not there or cannot tell.
pub fn active_jobs(names: &[&str]) -> Result<Vec<String>, LaunchError> {
    Ok(active(&queue(names)?, |_| true))
}

/// The numbers of the active jobs among `entries` that are `wanted`, each once.
pub(super) fn active(entries: &[Entry], wanted: impl Fn(&Entry) -> bool) -> Vec<String> {
    let mut jobs: Vec<String> = Vec::new();
    for entry in entries {
        if entry.is_active() && wanted(entry) && !jobs.contains(&entry.job) {
            jobs.push(entry.job.clone());
        }
    }
    jobs
}

/// Takes `job` out of the queue. One that has ended meanwhile is no error, nor is one that cannot be reached: it would find
/// nothing to do.
pub(super) fn cancel(job: &str) {
    let mut command = Command::new("scancel");
    command.arg(job);
    match output(&mut command, "scancel") {
        Ok(output) if output.status.success() => {}
        Ok(output) => log::info!("scancel {job}: {}", said(&output).trim()),
        Err(error) => log::info!("scancel {job}: {error}"),
    }
}

/// Runs a command where an interrupt from the keyboard does not reach it: what it was asked to do, it does.
fn output(command: &mut Command, program: &'static str) -> Result<Output, LaunchError> {
    command.stdin(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    log::debug!("{}", line(command));
    command.output().map_err(|source| match source.kind() {
        ErrorKind::NotFound => LaunchError::NotInstalled { program },
        _ => LaunchError::Start { program, source },
    })
}

/// The command line, for people.
fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<String> = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    words.join(" ")
}

/// All that a command said, a line each, and how it ended where it said nothing.
fn said(output: &Output) -> String {
    let both = [&output.stderr, &output.stdout].map(|bytes| String::from_utf8_lossy(bytes));
    let lines = both.iter().flat_map(|text| text.lines());
    let said: Vec<String> = lines.map(|line| format!("  | {line}")).collect();
    if said.is_empty() {
        return format!("  | {}", output.status);
    }
    said.join("\n")
}
