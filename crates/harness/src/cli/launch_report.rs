//! What a launch tells, for people and for programs.

use super::exit::{Ended, Exit};
use super::output::OutputFormat;
use super::plan_report::about;
use super::run::Run;
use super::say::{say, say_json};
use crate::launch::{Job, LaunchError, Size, array_script, merge_script, submissions};
use crate::table::shown::counted;
use serde::Serialize;
use std::path::Path;

/// What a launch would hand in, as JSON with these names.
#[derive(Debug, Serialize)]
pub(super) struct LaunchPlan<'a> {
    command: &'static str,
    experiment: &'a str,
    results: &'a Path,
    cells: usize,
    groups: usize,
    tasks: usize,
    processors: usize,
    /// Of the longest task, estimated.
    seconds: f64,
    /// Whether that is a rule of thumb for some of the cells: none like them was ever timed.
    seconds_guessed: bool,
    array_script: String,
    merge_script: String,
    commands: [String; 2],
}

impl<'a> LaunchPlan<'a> {
    /// Of `job`; `groups` are those asked for, with the number of cells of each.
    pub(super) fn new<W>(
        job: &'a Job,
        results: &'a Path,
        groups: &[(W, usize)],
        size: &Size,
    ) -> Result<Self, LaunchError> {
        Ok(Self {
            command: "run",
            experiment: &job.experiment,
            results,
            cells: groups.iter().map(|(_, cells)| cells).sum(),
            groups: groups.len(),
            tasks: job.tasks,
            processors: job.resources.processors,
            seconds: size.seconds,
            seconds_guessed: size.is_guess,
            array_script: array_script(job)?,
            merge_script: merge_script(job)?,
            commands: submissions(job)?,
        })
    }

    pub(super) fn tell(&self, format: OutputFormat) -> Result<Exit, Ended> {
        match format {
            OutputFormat::Json => say_json(self)?,
            OutputFormat::Text => say(self.text())?,
        }
        Ok(Exit::Ok)
    }

    fn text(&self) -> String {
        let experiment = &self.experiment;
        let cells = counted(self.cells, "cell");
        let groups = counted(self.groups, "group");
        let tasks = counted(self.tasks, "task");
        let processors = counted(self.processors, "processor");
        let longest = about(self.seconds);
        let guess = if self.seconds_guessed {
            ", by a rule of thumb, as cells like these were never timed"
        } else {
            ""
        };
        let folder = self.results.join("slurm");
        let script = |name: &str, text: &str| {
            let path = folder.join(name);
            format!("--- {} ---\n{}", path.display(), text.trim_end())
        };
        [
            format!(
                "{experiment}: {cells} in {groups}, as {tasks} of {processors}; the longest {longest}{guess}"
            ),
            script("array.sh", &self.array_script),
            script("merge.sh", &self.merge_script),
            format!("--- commands ---\n{}", self.commands.join("\n")),
        ]
        .join("\n")
    }
}

/// What goes on without this program, as JSON.
#[derive(Serialize)]
struct SubmittedObject<'a> {
    command: &'static str,
    experiment: &'a str,
    results: &'a Path,
    tasks: usize,
    /// The numbers of the jobs, the last that of the merge.
    jobs: &'a [String],
}

/// Says what goes on.
pub(super) fn tell_submitted(
    job: &Job,
    results: &Path,
    jobs: &[String],
    run: &Run<'_>,
) -> Result<(), Ended> {
    if run.format == OutputFormat::Json {
        return say_json(&SubmittedObject {
            command: "run",
            experiment: &job.experiment,
            results,
            tasks: job.tasks,
            jobs,
        });
    }
    if run.arguments.quiet {
        return Ok(());
    }
    if jobs.is_empty() {
        eprintln!(
            "{}: no job is in the queue any more\n\
             the same command says what became of them",
            job.experiment
        );
    } else {
        eprintln!(
            "{}: {} in the queue as jobs {}; the last joins the results in {}\n\
             the same command without --no-wait follows them",
            job.experiment,
            counted(job.tasks, "task"),
            jobs.join(", "),
            results.display()
        );
    }
    Ok(())
}
