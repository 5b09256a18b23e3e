//! What is launched: the array job of an experiment's shards and the job that joins them.

use super::Resources;
use crate::store::{EXPERIMENT, SLURM};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// An experiment as jobs of Slurm. Paths are absolute: what is in a script holds on every machine that has them.
#[derive(Debug, Clone)]
pub struct Job {
    /// The experiment's name.
    pub experiment: String,
    /// The array job's name in the queue, which tells it from those of other results folders.
    pub name: String,
    /// The results folder.
    pub results: PathBuf,
    /// Tasks of the array job: shards.
    pub tasks: usize,
    /// This program.
    pub program: PathBuf,
    /// The folder that it runs in.
    pub working: PathBuf,
    /// `ROBUST_SVM_DATA`, where it is set.
    pub data: Option<String>,
    /// Further arguments of the run of each shard.
    pub run: Vec<String>,
    /// Further arguments of the merge.
    pub merge: Vec<String>,
    /// What is asked of Slurm.
    pub resources: Resources,
}

/// The name of the array job that fills `results`, an absolute path, for `experiment`.
pub fn job_name(experiment: &str, results: &Path) -> String {
    let digest = Sha256::digest(results.as_os_str().as_encoded_bytes());
    let mut name = format!("robust-svm-{experiment}-");
    for byte in &digest[..4] {
        let _ = write!(name, "{byte:02x}");
    }
    name
}

impl Job {
    /// The name of the job that joins the shards.
    pub fn merge_name(&self) -> String {
        format!("{}-merge", self.name)
    }

    /// The folder of all that is of the cluster.
    pub fn folder(&self) -> PathBuf {
        self.results.join(SLURM)
    }

    /// The experiment file as it was when the folder was made, which is not edited.
    pub fn file(&self) -> PathBuf {
        self.results.join(EXPERIMENT)
    }

    /// The folder of the shards.
    pub fn shards(&self) -> PathBuf {
        self.folder().join("shards")
    }

    /// The results folder of the shard of `task`, from 1.
    pub fn shard(&self, task: usize) -> PathBuf {
        self.shards().join(task.to_string())
    }

    /// The folder of the logs.
    pub fn logs(&self) -> PathBuf {
        self.folder().join("logs")
    }

    /// The log of `task`, of all the times that it ran.
    pub fn log(&self, task: usize) -> PathBuf {
        self.logs().join(format!("{task}.log"))
    }

    /// The log of the merge.
    pub fn merge_log(&self) -> PathBuf {
        self.logs().join("merge.log")
    }

    /// The script of the array job.
    pub fn array_path(&self) -> PathBuf {
        self.folder().join("array.sh")
    }

    /// The script that joins the shards.
    pub fn merge_path(&self) -> PathBuf {
        self.folder().join("merge.sh")
    }
}

#[cfg(test)]
pub(super) fn example() -> Job {
    Job {
        experiment: "grid".into(),
        name: "robust-svm-grid-0".into(),
        results: "/data/my results".into(),
        tasks: 3,
        program: "/opt/robust-svm".into(),
        working: "/home/me".into(),
        data: Some("/data/sets:it's".into()),
        run: vec!["--only".into(), "dataset=my data".into()],
        merge: vec!["--no-report".into()],
        resources: Resources {
            processors: 2,
            partition: Some("short".into()),
            account: None,
            time: Some("2:00:00".into()),
            memory: Some("4G".into()),
            arguments: vec!["--constraint=avx2".into()],
        },
    }
}

#[cfg(test)]
mod tests {
    use super::job_name;
    use std::path::Path;

    #[test]
    fn every_folder_has_a_name_of_its_own_that_stays() {
        let of = |path| job_name("grid", Path::new(path));
        assert_eq!(of("/a/results"), of("/a/results"));
        assert_ne!(of("/a/results"), of("/b/results"));
        // The first bytes of `printf /a/results | sha256sum`.
        assert_eq!(of("/a/results"), "robust-svm-grid-044bfb5d");
    }
}
