//! What is asked of Slurm for each task.

/// What is asked of Slurm for each task; what is `None` is left to the cluster. The texts are Slurm's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resources {
    /// Processors of a task: its worker threads.
    pub processors: usize,
    /// The partition.
    pub partition: Option<String>,
    /// The account.
    pub account: Option<String>,
    /// The limit of time, as `90` (minutes) or `2:00:00`.
    pub time: Option<String>,
    /// The memory, as `4G`.
    pub memory: Option<String>,
    /// Further options of sbatch, each a whole one.
    pub arguments: Vec<String>,
}

impl Resources {
    /// Whether it is said how much memory a task may have.
    pub fn has_memory(&self) -> bool {
        self.memory.is_some() || self.arguments.iter().any(|argument| is_memory(argument))
    }

    /// Of the job that joins what the tasks made: where it may run is theirs, what it takes is the cluster's default.
    pub(super) fn of_merge(&self) -> Self {
        let further = self.arguments.iter();
        let further = further.filter(|argument| !is_memory(argument));
        Self {
            processors: 1,
            time: None,
            memory: None,
            arguments: further.cloned().collect(),
            ..self.clone()
        }
    }

    /// As options of sbatch, one each.
    pub(super) fn options(&self) -> Vec<String> {
        let mut options = vec![
            "--nodes=1".to_owned(),
            "--ntasks=1".to_owned(),
            format!("--cpus-per-task={}", self.processors),
        ];
        let named = [
            ("partition", &self.partition),
            ("account", &self.account),
            ("time", &self.time),
            ("mem", &self.memory),
        ];
        for (name, value) in named {
            options.extend(value.iter().map(|value| format!("--{name}={value}")));
        }
        options.extend(self.arguments.iter().cloned());
        options
    }
}

/// Whether an option says how much memory a job may have: per processor or per accelerator, abbreviated or not, of which Slurm
/// takes one alone.
fn is_memory(argument: &str) -> bool {
    argument.starts_with("--mem-p")
}
