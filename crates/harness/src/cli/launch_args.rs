//! The arguments of `run` that say where it runs.

use super::exit::{Ended, Exit};
use crate::launch::Resources;
use clap::{Args, ValueEnum};
use std::time::Duration;

#[derive(Debug, Args)]
#[command(next_help_heading = "Cluster")]
pub(super) struct LaunchArguments {
    /// Where cells are computed: local is this machine; slurm makes each shard a task of an array job, waits, and submits
    /// again what fails
    #[arg(
        long,
        value_name = "WHERE",
        default_value = "local",
        hide_possible_values = true
    )]
    pub(super) launcher: Launcher,
    /// Tasks of the array job [default: tasks of about 20 minutes, by past timings]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) jobs: Option<u16>,
    /// Slurm's partition
    #[arg(long, value_name = "NAME", value_parser = word)]
    partition: Option<String>,
    /// Slurm's account
    #[arg(long, value_name = "NAME", value_parser = word)]
    account: Option<String>,
    /// Limit of time of a task, in minutes or as 2:00:00 [default: five times the estimate]
    #[arg(long, value_name = "TIME", value_parser = word)]
    time: Option<String>,
    /// Memory of a task, for example 4G [default: twice the estimate]
    #[arg(long, value_name = "SIZE", value_parser = word)]
    memory: Option<String>,
    /// A further option of sbatch, for example --sbatch-arg=--constraint=avx2; may be given several times
    #[arg(long, value_name = "OPTION", value_parser = sbatch_option, allow_hyphen_values = true)]
    sbatch_arg: Vec<String>,
    /// How often a task that fails or is lost is submitted again [default: 2]
    #[arg(long, value_name = "K")]
    retries: Option<u16>,
    /// Seconds from one look at the queue to the next [default: 15]
    #[arg(long, value_name = "S", value_parser = seconds)]
    poll: Option<Duration>,
    /// Submit and return: the jobs compute and join the results by themselves
    #[arg(long)]
    pub(super) no_wait: bool,
}

/// Where cells are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Launcher {
    /// On this machine.
    Local,
    /// On a Slurm cluster.
    Slurm,
}

/// Options of sbatch that this program gives itself, each with what to give in its place.
const OWN: [(&str, &[&str]); 8] = [
    ("--jobs", &["--array", "-a"]),
    ("--threads", &["--cpus-per-task", "-c"]),
    ("--partition", &["--partition", "-p"]),
    ("--account", &["--account", "-A"]),
    ("--time", &["--time", "-t"]),
    ("--memory", &["--mem"]),
    (
        "--out",
        &["--output", "-o", "--error", "-e", "--chdir", "-D"],
    ),
    (
        "nothing",
        &[
            "--job-name",
            "-J",
            "--dependency",
            "-d",
            "--parsable",
            "--wrap",
            "--wait",
            "-W",
            "--test-only",
        ],
    ),
];

const RETRIES: u16 = 2;
const POLL: Duration = Duration::from_secs(15);

impl LaunchArguments {
    pub(super) fn retries(&self) -> usize {
        self.retries.unwrap_or(RETRIES).into()
    }

    pub(super) fn poll(&self) -> Duration {
        self.poll.unwrap_or(POLL)
    }

    /// What is asked of Slurm for tasks on `processors` processors, as far as it is said.
    pub(super) fn resources(&self, processors: usize) -> Resources {
        Resources {
            processors,
            partition: self.partition.clone(),
            account: self.account.clone(),
            time: self.time.clone(),
            memory: self.memory.clone(),
            arguments: self.sbatch_arg.clone(),
        }
    }

    /// An error where an option of clusters is given to a run on this machine.
    pub(super) fn require_local(&self) -> Result<(), Ended> {
        let given = [
            ("--jobs", self.jobs.is_some()),
            ("--partition", self.partition.is_some()),
            ("--account", self.account.is_some()),
            ("--time", self.time.is_some()),
            ("--memory", self.memory.is_some()),
            ("--sbatch-arg", !self.sbatch_arg.is_empty()),
            ("--retries", self.retries.is_some()),
            ("--poll", self.poll.is_some()),
            ("--no-wait", self.no_wait),
        ];
        let Some((option, _)) = given.iter().find(|(_, given)| *given) else {
            return Ok(());
        };
        let message = format!(
            "{option} is of runs on a cluster\n  = help: add `--launcher slurm`, or leave {option} out"
        );
        Err(Ended::new(Exit::BadInput, message))
    }
}

/// A value that is one word of a batch script.
fn word(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err("expected one word".to_owned());
    }
    Ok(text.to_owned())
}

/// An option that sbatch knows and this program does not give itself.
fn sbatch_option(text: &str) -> Result<String, String> {
    if !text.starts_with('-') || text.contains(char::is_control) {
        return Err("expected an option with its value, for example --constraint=avx2".to_owned());
    }
    let name = text.split('=').next().unwrap_or_default();
    // A short option may have its value behind it.
    let is_own = |own: &&str| match own.len() {
        2 => !name.starts_with("--") && name.starts_with(own),
        _ => name == *own,
    };
    match OWN.iter().find(|(_, owns)| owns.iter().any(is_own)) {
        None => Ok(text.to_owned()),
        Some(("nothing", _)) => Err("robust-svm gives this option itself".to_owned()),
        Some((instead, _)) => Err(format!(
            "robust-svm gives this option itself: use {instead}"
        )),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let help = "expected a number of seconds, 0.1 to 3600";
    let seconds: f64 = text.parse().map_err(|_| help)?;
    if (0.1..=3600.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(help.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::{sbatch_option, word};

    #[test]
    fn options_that_would_undo_what_the_program_relies_on_are_refused() {
        for own in [
            "--job-name=x",
            "-Jx",
            "--array=1-9",
            "-a1",
            "--mem=1G",
            "--dependency=after:1",
            "-o/tmp/x",
        ] {
            assert!(sbatch_option(own).is_err(), "{own}");
        }
        for fine in [
            "--constraint=avx2",
            "--mem-bind=local",
            "--mail-user=a@b",
            "--time-min=5",
            "-w",
            "--qos=long",
        ] {
            assert_eq!(sbatch_option(fine).as_deref(), Ok(fine));
        }
        for none in ["constraint=avx2", "--comment=a\n#SBATCH --uid=0", ""] {
            assert!(sbatch_option(none).is_err(), "{none}");
        }
        assert!(word("a b").is_err() && word("").is_err() && word("2-00:00:00").is_ok());
    }
}
