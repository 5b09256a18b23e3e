//! What `squeue` tells of jobs.

use super::LaunchError;

/// What is asked of squeue: array job or job, task, state, reason, name.
pub(super) const FORMAT: &str = "%F|%K|%T|%r|%j";

/// A task of an array job, or a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The number of the job, of an array job that of the whole.
    pub(super) job: String,
    /// The task of an array job.
    pub(super) task: Option<usize>,
    /// Slurm's word for how it is.
    pub(super) state: String,
    /// Why it waits.
    pub(super) reason: String,
    /// The job's name.
    pub(super) name: String,
}

/// The states from which nothing comes back by itself. Every other, also one that Slurm may come to have, counts as in the
/// queue: what is in the queue is not handed in a second time.
const ENDED: [&str; 11] = [
    "BOOT_FAIL",
    "CANCELLED",
    "COMPLETED",
    "DEADLINE",
    "FAILED",
    "LAUNCH_FAILED",
    "NODE_FAIL",
    "OUT_OF_MEMORY",
    "PREEMPTED",
    "REVOKED",
    "TIMEOUT",
];

impl Entry {
    /// Whether it waits or runs.
    pub(super) fn is_active(&self) -> bool {
        !ENDED.contains(&self.state.as_str())
    }

    pub(super) fn is_pending(&self) -> bool {
        self.state == "PENDING"
    }
}

/// The entries of squeue's answer in [`FORMAT`], each task on a line of its own.
///
/// # Errors
/// [`LaunchError::Answer`] with the line that is not one.
pub(super) fn entries(answer: &str) -> Result<Vec<Entry>, LaunchError> {
    let entry = |line: &str| {
        let mut fields = line.splitn(5, '|').map(str::trim);
        let mut next = || fields.next().map(str::to_owned);
        let (job, task, state) = (next()?, next()?, next()?);
        let (reason, name) = (next()?, next()?);
        let is_number = !job.is_empty() && job.bytes().all(|b| b.is_ascii_digit());
        let task = match task.as_str() {
            "N/A" | "" => None,
            number => Some(number.parse().ok()?),
        };
        is_number.then_some(Entry {
            job,
            task,
            state,
            reason,
            name,
        })
    };
    let lines = answer.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| {
            entry(line).ok_or_else(|| LaunchError::Answer {
                program: "squeue",
                answer: line.to_owned(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Entry, entries};

    /// From Slurm 22.05.
    const ANSWER: &str = "\
1|1|COMPLETED|None|grid
1|2|FAILED|NonZeroExitCode|grid
1|4|PENDING|Resources|grid
1|3|RUNNING|None|grid
2|N/A|PENDING|Dependency|grid-merge
";

    #[test]
    fn an_answer_of_squeue() {
        let entries = entries(ANSWER).unwrap();
        let second = Entry {
            job: "1".into(),
            task: Some(2),
            state: "FAILED".into(),
            reason: "NonZeroExitCode".into(),
            name: "grid".into(),
        };
        assert_eq!(entries[1], second);
        assert_eq!((entries.len(), entries[4].task), (5, None));
        let active: Vec<bool> = entries.iter().map(Entry::is_active).collect();
        assert_eq!(active, [false, false, true, true, true]);
    }

    #[test]
    fn what_is_no_answer() {
        for line in [
            "slurm_load_jobs error",
            "1|x|RUNNING|None|grid",
            "|1|RUNNING|None|grid",
            "1|2|RUNNING",
        ] {
            let error = entries(&format!("{ANSWER}{line}\n"))
                .unwrap_err()
                .to_string();
            assert!(error.contains(line), "{error}");
        }
        assert_eq!(entries("").unwrap(), []);
    }
}
