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
