//! The batch scripts, and how they are handed in.

use super::tasks::listed;
use super::{Job, LaunchError, Resources};
use crate::provenance::quoted;
use std::fmt::Write as _;
use std::path::Path;

/// The script of the array job: each task runs a shard into a folder of its own, going on from what that has.
///
/// # Errors
/// [`LaunchError::Path`].
pub fn array_script(job: &Job) -> Result<String, LaunchError> {
    let what = format!(
        "# Each task of the array runs a shard of {}; made by `robust-svm run --launcher slurm`.",
        job.experiment
    );
    // %a is the task.
    let mut text = head(job, &what, &job.name, "%a.log", &job.resources)?;
    let program = shell(&job.program)?;
    let file = shell(&job.file())?;
    let shards = shell(&job.shards())?;
    let _ = writeln!(
        text,
        "exec {program} run {file} --shard \"$SLURM_ARRAY_TASK_ID/{}\" \\\n    \
         --out {shards}/\"$SLURM_ARRAY_TASK_ID\" --threads \"$SLURM_CPUS_PER_TASK\" --cells-only --quiet{}",
        job.tasks,
        words(&job.run)
    );
    Ok(text)
}

/// The script that joins the shards, if every one is finished.
///
/// # Errors
/// [`LaunchError::Path`].
pub fn merge_script(job: &Job) -> Result<String, LaunchError> {
    let what = format!(
        "# Joins the shards of {} if all are finished; made by `robust-svm run --launcher slurm`.",
        job.experiment
    );
    let resources = job.resources.of_merge();
    let mut text = head(job, &what, &job.merge_name(), "merge.log", &resources)?;
    let (program, shards) = (shell(&job.program)?, shell(&job.shards())?);
    let _ = writeln!(
        text,
        "{program} merge --finished {shards}/{{1..{}}} --out {}{}\n\
         code=$?\n\
         # 1 and 4 tell of cells without numbers, which are joined as the others are.\n\
         if [ $code = 1 ] || [ $code = 4 ]; then exit 0; fi\n\
         exit $code",
        job.tasks,
        shell(&job.results)?,
        words(&job.merge)
    );
    Ok(text)
}

/// The options of sbatch that hand in `tasks` of the array job.
pub(super) fn array_options(tasks: &[usize]) -> Vec<String> {
    vec![format!("--array={}", listed(tasks))]
}

/// The options of sbatch that hand in the merge, after the array jobs `after`, however these end.
pub(super) fn merge_options(after: &[String]) -> Vec<String> {
    if after.is_empty() {
        return Vec::new();
    }
    vec![format!("--dependency=afterany:{}", after.join(":"))]
}

/// The command lines of a first launch; `JOB` stands for the number that the first answers.
///
/// # Errors
/// [`LaunchError::Path`].
pub fn submissions(job: &Job) -> Result<[String; 2], LaunchError> {
    let tasks: Vec<usize> = (1..=job.tasks).collect();
    let line = |options: Vec<String>, script: &Path| -> Result<String, LaunchError> {
        let options = options.join(" ");
        Ok(format!("sbatch --parsable {options} {}", shell(script)?))
    };
    Ok([
        line(array_options(&tasks), &job.array_path())?,
        line(merge_options(&["JOB".to_owned()]), &job.merge_path())?,
    ])
}

/// What both scripts begin with.
fn head(
    job: &Job,
    what: &str,
    name: &str,
    log: &str,
    resources: &Resources,
) -> Result<String, LaunchError> {
    let logs = printable(&job.logs())?.replace('%', "%%");
    let mut options = vec![
        format!("--job-name={name}"),
        format!("--chdir={}", directive(printable(&job.working)?)),
        format!("--output={}", directive(&format!("{logs}/{log}"))),
        "--open-mode=append".to_owned(),
        // After the failure of a machine Slurm starts it again.
        "--requeue".to_owned(),
    ];
    let own = resources.options();
    options.extend(own.iter().map(|option| match option.split_once('=') {
        Some((name, value)) => format!("{name}={}", directive(value)),
        None => directive(option),
    }));
    let mut text = format!("#!/bin/bash\n{what}\n");
    for option in options {
        let _ = writeln!(text, "#SBATCH {option}");
    }
    if let Some(data) = &job.data {
        let _ = writeln!(text, "export ROBUST_SVM_DATA={}", quoted(data));
    }
    Ok(text)
}

/// `text` as part of an option in a line `#SBATCH`.
fn directive(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    if text.chars().all(plain) {
        return text.to_owned();
    }
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A path as a word of a shell.
fn shell(path: &Path) -> Result<String, LaunchError> {
    printable(path).map(quoted)
}

fn printable(path: &Path) -> Result<&str, LaunchError> {
    let text = path
        .to_str()
        .filter(|text| !text.contains(char::is_control));
    text.ok_or_else(|| LaunchError::Path(path.to_owned()))
}

fn words(arguments: &[String]) -> String {
    let words = arguments.iter().map(|word| format!(" {}", quoted(word)));
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::super::job::example;
    use super::{array_script, merge_script, submissions};
    use crate::launch::LaunchError;

    #[test]
    fn the_scripts_of_an_experiment() {
        let job = example();
        assert_eq!(
            array_script(&job).unwrap(),
            r#"#!/bin/bash
# Each task of the array runs a shard of grid; made by `robust-svm run --launcher slurm`.
#SBATCH --job-name=robust-svm-grid-0
#SBATCH --chdir=/home/me
#SBATCH --output="/data/my results/slurm/logs/%a.log"
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --partition=short
#SBATCH --time=2:00:00
#SBATCH --mem=4G
#SBATCH --constraint=avx2
export ROBUST_SVM_DATA='/data/sets:it'\''s'
exec /opt/robust-svm run '/data/my results/experiment.toml' --shard "$SLURM_ARRAY_TASK_ID/3" \
    --out '/data/my results/slurm/shards'/"$SLURM_ARRAY_TASK_ID" --threads "$SLURM_CPUS_PER_TASK" --cells-only --quiet --only 'dataset=my data'
"#
        );
        let merge = merge_script(&job).unwrap();
        let line = "\n/opt/robust-svm merge --finished '/data/my results/slurm/shards'/{1..3} --out '/data/my results' --no-report\n";
        assert!(merge.contains(line), "{merge}");
        assert!(merge.contains("#SBATCH --job-name=robust-svm-grid-0-merge\n"));
        assert!(merge.contains("/logs/merge.log\"\n"));
        // It is no task: it takes one processor, and no limits of theirs.
        let asked = "\n#SBATCH --nodes=1\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n\
                     #SBATCH --partition=short\n#SBATCH --constraint=avx2\nexport";
        assert!(merge.contains(asked), "{merge}");
        assert_eq!(
            submissions(&job).unwrap(),
            [
                "sbatch --parsable --array=1-3 '/data/my results/slurm/array.sh'",
                "sbatch --parsable --dependency=afterany:JOB '/data/my results/slurm/merge.sh'"
            ]
        );
    }

    #[test]
    fn a_value_of_several_words_is_one() {
        let mut job = example();
        job.resources.arguments = vec!["--comment=two words".into(), "--exclusive".into()];
        let script = array_script(&job).unwrap();
        let lines = "\n#SBATCH --comment=\"two words\"\n#SBATCH --exclusive\n";
        assert!(script.contains(lines), "{script}");
        // Slurm takes one limit of memory alone.
        job.resources.memory = None;
        assert!(!job.resources.has_memory());
        job.resources.arguments = vec!["--mem-per-cpu=1G".into()];
        assert!(job.resources.has_memory());
    }

    #[test]
    fn a_path_that_would_end_its_line_is_refused() {
        let mut job = example();
        job.results = "/data/a\n#SBATCH --uid=0".into();
        assert!(matches!(array_script(&job), Err(LaunchError::Path(_))));
        assert!(matches!(merge_script(&job), Err(LaunchError::Path(_))));
    }
}
