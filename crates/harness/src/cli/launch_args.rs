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
    /// Limit of time of a task as Slurm writes it: 90 (minutes), 2:00:00, 1-12 (days and hours) or UNLIMITED [default: five
    /// times the estimate]
    #[arg(long, value_name = "TIME", value_parser = slurm_time)]
    time: Option<String>,
    /// Memory of a task as Slurm writes it: a whole number with K, M, G or T, for example 4G [default: twice the estimate]
    #[arg(long, value_name = "SIZE", value_parser = slurm_memory)]
    memory: Option<String>,
    /// A further option of sbatch, for example --sbatch-arg=--constraint=zen4; may be given several times
    #[arg(long, value_name = "OPTION", value_parser = sbatch_option, allow_hyphen_values = true)]
    sbatch_arg: Vec<String>,
    /// How often a task that fails or is lost is submitted again [default: 2]
    #[arg(long, value_name = "K")]
    retries: Option<u16>,
    /// Seconds that a task is neither finished nor in the queue before it is lost, as other machines see files late [default: 60]
    #[arg(long, value_name = "S", value_parser = seconds)]
    settle: Option<Duration>,
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
            "--nodes",
            "-N",
            "--ntasks",
            "-n",
            "--requeue",
            "--no-requeue",
            "--open-mode",
            "--clusters",
            "-M",
        ],
    ),
];

const RETRIES: u16 = 2;
const POLL: Duration = Duration::from_secs(15);
/// Network file systems keep what they know of a folder for up to a minute.
const SETTLE: Duration = Duration::from_mins(1);

impl LaunchArguments {
    pub(super) fn retries(&self) -> usize {
        self.retries.unwrap_or(RETRIES).into()
    }

    pub(super) fn settle(&self) -> Duration {
        self.settle.unwrap_or(SETTLE)
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
            ("--settle", self.settle.is_some()),
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

/// A limit of time in one of the forms of sbatch: minutes, minutes:seconds, hours:minutes:seconds, days-hours,
/// days-hours:minutes, days-hours:minutes:seconds, or without a limit.
fn slurm_time(text: &str) -> Result<String, String> {
    let (days, rest) = match text.split_once('-') {
        Some((days, rest)) => (Some(days), rest),
        None => (None, text),
    };
    let parts: Vec<&str> = days.into_iter().chain(rest.split(':')).collect();
    let most = if days.is_some() { 4 } else { 3 };
    if ["UNLIMITED", "INFINITE"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word))
        || (parts.len() <= most && parts.iter().all(|part| is_whole(part)))
    {
        return Ok(text.to_owned());
    }
    Err("expected a time as Slurm writes it: minutes as 90, or 2:00:00, 1-12, 1-12:30:00 (days-hours), UNLIMITED".to_owned())
}

/// A size of memory in the form of sbatch.
fn slurm_memory(text: &str) -> Result<String, String> {
    let number = text.strip_suffix(|c: char| "KMGTkmgt".contains(c));
    if is_whole(number.unwrap_or(text)) {
        return Ok(text.to_owned());
    }
    Err(
        "expected a size as Slurm writes it: a whole number with K, M, G or T, as 4G for 4 GiB"
            .to_owned(),
    )
}

fn is_whole(text: &str) -> bool {
    !text.is_empty() && text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// An option that sbatch knows and this program does not give itself.
fn sbatch_option(text: &str) -> Result<String, String> {
    if !text.starts_with('-') || text.contains(char::is_control) {
        return Err("expected an option with its value, for example --constraint=zen4".to_owned());
    }
    let name = text.split('=').next().unwrap_or_default();
    if name.len() < 2 || name == "--" || name.contains(char::is_whitespace) {
        return Err("expected the value behind =, for example --constraint=zen4".to_owned());
    }
    // A short option may have its value behind it, and a long one may be abbreviated.
    let is_own = |own: &&str| match own.len() {
        2 => !name.starts_with("--") && name.starts_with(own),
        _ => own.starts_with(name),
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
    use super::{sbatch_option, slurm_memory, slurm_time, word};

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
            "--job=zz",
            "--nodes=2",
            "-N2",
            "--nta=2",
            "-n4",
            "--no-requeue",
            "--open-mode=truncate",
            "--cluster=other",
            "-Mother",
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
            "--nodelist=a",
            "--comment=two words",
        ] {
            assert_eq!(sbatch_option(fine).as_deref(), Ok(fine));
        }
        for none in [
            "--constraint avx2",
            "-w a",
            "--",
            "-",
            "constraint=avx2",
            "--comment=a\n#SBATCH --uid=0",
            "",
        ] {
            assert!(sbatch_option(none).is_err(), "{none}");
        }
        assert!(word("a b").is_err() && word("").is_err() && word("2-00:00:00").is_ok());
    }
    #[test]
    fn limits_are_written_as_slurm_writes_them() {
        for time in [
            "90",
            "5:30",
            "2:00:00",
            "1-12",
            "1-12:30",
            "2-00:00:00",
            "unlimited",
            "0",
        ] {
            assert_eq!(slurm_time(time).as_deref(), Ok(time));
        }
        for none in [
            "",
            "2h",
            "90m",
            "1:2:3:4",
            "1-",
            "-1",
            "1-2:3:4:5",
            "1.5",
            "2:00:",
            "a b",
        ] {
            assert!(slurm_time(none).is_err(), "{none}");
        }
        for memory in ["4096", "4G", "512m", "2T", "0"] {
            assert_eq!(slurm_memory(memory).as_deref(), Ok(memory));
        }
        for none in ["", "G", "4GiB", "4GB", "1.5G", "-4G", "4 G"] {
            assert!(slurm_memory(none).is_err(), "{none}");
        }
    }
}
