//! `robust-svm run --launcher slurm`: the shards of an experiment on a cluster.

use super::exit::{Ended, Exit, select_error, store_error};
use super::interrupt::say_when_interrupted;
use super::launch_fresh::Earlier;
use super::launch_report::{self, LaunchPlan};
use super::output::OutputFormat;
use super::plan::past_of;
use super::run::{Run, exit, results_folder, show, tell_run, write_views};
use crate::launch::{
    Follow, Followed, Job, JobRecord, LaunchError, Size, follow, job_name, tasks_of,
};
use crate::plan::Selection;
use crate::run::{RunSummary, asked};
use crate::store::{
    FolderLock, Manifest, Portion, Record, ResultsFolder, StoreError, Tally, Work, read_cells,
};
use crate::views::Viewed;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Runs `experiment` on a cluster, whatever its kind.
pub(super) fn launch<E: Viewed>(experiment: &E, run: &Run<'_>) -> Result<Exit, Ended> {
    let arguments = run.arguments;
    arguments.isolation.isolation()?;
    if arguments.cells_only {
        let message = "--cells-only cannot be asked of a cluster, which makes tables and plots from all cells\n  \
                       = help: leave it out; --no-report leaves out the report";
        return Err(Ended::new(Exit::BadInput, message));
    }
    let selection = arguments.selection.without_shard()?;
    let results = results_folder(experiment, arguments.out.as_deref());
    let whole = Whole::new(experiment, &selection)?;
    let launched = if arguments.fresh {
        None
    } else {
        JobRecord::read(&absolute(&results)?).map_err(store_error)?
    };
    let (job, size) = job(experiment, run, &results, &whole, launched.as_ref())?;
    if arguments.dry_run {
        let plan = LaunchPlan::new(&job, &results, &whole.groups, &size).map_err(launch_error)?;
        return plan.tell(run.format);
    }
    let manifest = whole.manifest(experiment, &selection);
    if arguments.fresh || !job.results.join("manifest.toml").exists() {
        // As a run begins: what the folder is for is on the disk before anything is computed.
        let earlier = if arguments.fresh {
            Earlier::find(&job)?
        } else {
            None
        };
        let text = &experiment.file().text;
        let opened = ResultsFolder::open(&job.results, manifest.clone(), text, arguments.fresh);
        // While nobody else may write there.
        let _opened = opened.map_err(store_error)?;
        earlier
            .map_or(Ok(()), Earlier::discard)
            .map_err(store_error)?;
    }
    let there = whole.there::<E::Row>(&job.results, &manifest);
    let there = there.map_err(store_error)?;
    let mut with_views = false;
    if !there.is_joined {
        match follow_job::<E>(run, &job, &whole, &manifest)? {
            Followed::Submitted(jobs) => {
                launch_report::tell_submitted(&job, &results, &jobs, run)?;
                return Ok(Exit::Ok);
            }
            Followed::Finished { with_views: are } => with_views = are,
        }
    }
    if !with_views {
        // As a run that has nothing to do.
        let text = &experiment.file().text;
        let folder = ResultsFolder::open(&job.results, manifest, text, false);
        let folder = folder.map_err(store_error)?;
        write_views(experiment, folder.path(), !arguments.no_report)?;
    }
    let rows: Vec<E::Row> = read_cells(&job.results.join("cells.parquet")).map_err(store_error)?;
    let summary = RunSummary {
        tally: Tally::of(&rows),
        continued: there.cells,
        kernel_seconds: 0.0,
    };
    tell_run(experiment.name(), &summary, whole.planned, &results, run)?;
    Ok(exit(&summary.tally.counts))
}

/// What is asked for of an experiment.
struct Whole {
    /// The cells of the experiment.
    planned: usize,
    /// The works of the cells of each group that is asked for, and the number of these cells.
    groups: Vec<(Vec<Work>, usize)>,
    /// Their identities.
    ids: BTreeSet<String>,
    /// As on the command line.
    selection: String,
}

/// What a results folder has of it.
struct There {
    cells: usize,
    /// Whether that is all, and joined.
    is_joined: bool,
}

impl Whole {
    fn new<E: Viewed>(experiment: &E, selection: &Selection) -> Result<Self, Ended> {
        let mut whole = Self {
            planned: 0,
            groups: Vec::new(),
            ids: BTreeSet::new(),
            selection: selection.to_string(),
        };
        for (group, ids) in asked(experiment, selection).map_err(select_error)? {
            whole
                .groups
                .push((super::plan::works(experiment, group, &ids), ids.len()));
            whole.ids.extend(ids);
        }
        let all = experiment.groups().into_iter();
        whole.planned = all.map(|group| experiment.cells(group).len()).sum();
        Ok(whole)
    }

    fn works(&self) -> Vec<Vec<Work>> {
        self.groups.iter().map(|(works, _)| works.clone()).collect()
    }

    fn manifest<E: Viewed>(&self, experiment: &E, selection: &Selection) -> Manifest {
        let mut manifest = experiment.manifest();
        if !selection.is_whole() {
            manifest.part = Some(Portion {
                planned: self.planned,
                asked: vec![self.selection.clone()],
            });
        }
        manifest
    }

    fn there<R: Record>(&self, results: &Path, manifest: &Manifest) -> Result<There, StoreError> {
        let Some(stored) = ResultsFolder::look::<R>(results, manifest)? else {
            return Ok(There {
                cells: 0,
                is_joined: false,
            });
        };
        let ids = stored.rows.iter().map(Record::cell_id);
        let cells = ids.filter(|id| self.ids.contains(*id)).count();
        Ok(There {
            cells,
            is_joined: cells == self.ids.len() && !stored.waiting,
        })
    }
}

/// The job that is asked for, and what its tasks may take. Of one that is there already the number of tasks stays.
fn job<E: Viewed>(
    experiment: &E,
    run: &Run<'_>,
    results: &Path,
    whole: &Whole,
    launched: Option<&JobRecord>,
) -> Result<(Job, Size), Ended> {
    let arguments = run.arguments;
    let processors = arguments.threads.map_or(1, usize::from);
    let past = past_of(experiment, results);
    let works = whole.works();
    let said = arguments.launch.jobs.map(|jobs| {
        let groups = works.len();
        if usize::from(jobs) > groups {
            log::warn!(
                "--jobs {jobs} is more than there are groups of cells: it is taken as {groups}"
            );
        }
        usize::from(jobs).min(groups)
    });
    let tasks = said
        .or(launched.map(|record| record.tasks))
        .unwrap_or_else(|| tasks_of(&works, processors, &past));
    let size = Size::new(&works, tasks, processors, &past);
    let mut resources = arguments.launch.resources(processors);
    resources.time = resources.time.or_else(|| size.time.clone());
    if !resources.has_memory() {
        resources.memory.clone_from(&size.memory);
    }
    let folder = absolute(results)?;
    let name = launched.map_or_else(|| job_name(experiment.name(), &folder), |r| r.name.clone());
    let mut merge = Vec::new();
    if arguments.no_report {
        merge.push("--no-report".to_owned());
    }
    let mut words = arguments.selection.words();
    words.extend(arguments.isolation.words());
    let data = std::env::var_os("ROBUST_SVM_DATA").filter(|data| !data.is_empty());
    let data = data.map(|data| {
        let unprintable = |data| launch_error(LaunchError::Path(PathBuf::from(data)));
        data.into_string().map_err(unprintable)
    });
    let io = |error| {
        Ended::new(
            Exit::Internal,
            format!("cannot tell where this program is: {error}"),
        )
    };
    let job = Job {
        experiment: experiment.name().to_owned(),
        name,
        results: folder,
        tasks,
        program: std::env::current_exe().map_err(io)?,
        working: std::env::current_dir().map_err(io)?,
        data: data.transpose()?,
        run: words,
        merge,
        resources,
    };
    Ok((job, size))
}

/// Hands in `job`, or what is left of it, and follows it.
fn follow_job<E: Viewed>(
    run: &Run<'_>,
    job: &Job,
    whole: &Whole,
    manifest: &Manifest,
) -> Result<Followed, Ended> {
    let arguments = run.arguments;
    let folder = job.folder();
    std::fs::create_dir_all(&folder)
        .map_err(|error| store_error(StoreError::unusable(&folder)(error)))?;
    // One process hands in at a time.
    let _lock = FolderLock::take(&folder).map_err(store_error)?;
    let (name, selection) = (job.name.clone(), whole.selection.clone());
    let asked = JobRecord::new(name, job.tasks, selection, manifest.clone());
    // Another process may have launched something since this one looked.
    let mut record = asked.go_on(&job.results).map_err(launch_error)?;
    record.write(job).map_err(store_error)?;
    say_when_interrupted(format!(
        "the jobs go on without this program\n\
         the same command shows how far they are; `scancel --name={}` ends them",
        job.name
    ));
    let groups: Vec<usize> = whole.groups.iter().map(|(_, cells)| *cells).collect();
    let is_joined = || Ok(whole.there::<E::Row>(&job.results, manifest)?.is_joined);
    let options = Follow {
        retries: arguments.launch.retries(),
        settle: arguments.launch.settle(),
        poll: arguments.launch.poll(),
        wait: !arguments.launch.no_wait,
        show: show(arguments.quiet || run.format == OutputFormat::Json),
    };
    follow::<E::Row>(job, &mut record, &groups, is_joined, options).map_err(launch_error)
}

fn absolute(path: &Path) -> Result<PathBuf, Ended> {
    std::path::absolute(path).map_err(|error| store_error(StoreError::io("find", path)(error)))
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
pub(super) fn launch_error(error: LaunchError) -> Ended {
    match &error {
        LaunchError::Lost { .. } | LaunchError::NotMerged { .. } => {
            Ended::new(Exit::SomeCellsFailed, &error)
        }
        _ => Ended::input(error.is_io(), &error),
    }
}
