//! Hands in what is to be handed in, waits, and hands in again what was lost.

use super::attend::{Attendance, Place, Step};
use super::error::LostTask;
use super::progress::{Progress, Seen};
use super::queue::Entry;
use super::record::{MERGE, Submission};
use super::script::{array_options, array_script, merge_options, merge_script};
use super::shards::Shards;
use super::slurm::{active, cancel, queue, submit};
use super::tasks::listed;
use super::{Job, JobRecord, LaunchError};
use crate::run::Show;
use crate::store::{Record, StoreError, write_atomically};
use std::path::Path;
use std::time::Duration;

/// How a job is followed.
#[derive(Debug, Clone, Copy)]
pub struct Follow {
    /// How often a task that is lost is handed in again.
    pub retries: usize,
    /// From one look at the queue to the next.
    pub poll: Duration,
    /// Whether to wait for the end.
    pub wait: bool,
    /// How progress is shown.
    pub show: Show,
}

/// How following ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Followed {
    /// Every cell is in the results folder.
    Finished,
    /// The jobs with these numbers, the last of them the merge, go on by themselves.
    Submitted(Vec<String>),
}

/// So many looks in a row may fail while jobs go on, as a controller that is started anew answers none.
const FAILED_LOOKS: usize = 20;
/// The lines of a log that an error shows.
const TAIL: usize = 8;

/// Follows `job` to its end, handing in first what is neither finished nor in the queue. `groups` has the number of cells of
/// each group that is asked for; `is_joined` says whether all of them are in the results folder.
///
/// # Errors
/// [`LaunchError`] if a command of Slurm fails, or tasks do so more often than they may.
pub fn follow<R: Record>(
    job: &Job,
    record: &mut JobRecord,
    groups: &[usize],
    is_joined: impl Fn() -> Result<bool, StoreError>,
    options: Follow,
) -> Result<Followed, LaunchError> {
    let mut progress = Progress::start(options.show, &job.experiment);
    let mut following = Following {
        job,
        record,
        attendance: Attendance::new(job.tasks, options.retries),
        shards: Shards::<R>::new(job, groups),
        states: vec![None; job.tasks],
        merge_state: None,
    };
    let ended = following.attend(is_joined, options, &mut progress);
    progress.finish();
    ended
}

struct Following<'a, R> {
    job: &'a Job,
    record: &'a mut JobRecord,
    attendance: Attendance,
    shards: Shards<R>,
    /// Slurm's last word for how each task ended, and the merge.
    states: Vec<Option<String>>,
    merge_state: Option<String>,
}

impl<R: Record> Following<'_, R> {
    fn attend(
        &mut self,
        is_joined: impl Fn() -> Result<bool, StoreError>,
        options: Follow,
        progress: &mut Progress,
    ) -> Result<Followed, LaunchError> {
        let mut entries = self.queue()?;
        self.shards.look();
        loop {
            let places = self.places(&entries);
            self.note_ends(&entries);
            let merge = self.merge_place(&entries, &is_joined)?;
            match self.attendance.next(&places, merge) {
                Step::Finished => return Ok(Followed::Finished),
                Step::Submit(tasks) => self.hand_in(&tasks, &entries, progress)?,
                Step::Merge => self.hand_in_merge(&[])?,
                Step::Wait => {}
                Step::Lost(tasks) => return Err(self.lost(&tasks)),
                Step::NotMerged => return Err(self.not_merged()),
            }
            if !options.wait {
                return Ok(Followed::Submitted(active(&self.queue()?, |_| true)));
            }
            std::thread::sleep(options.poll);
            entries = self.queue_patiently(options.poll, progress)?;
            self.tell(&entries, progress);
        }
    }

    /// Looks how far the shards are, after the queue was looked at, and shows it.
    fn tell(&mut self, entries: &[Entry], progress: &mut Progress) {
        self.shards.look();
        let finished = self.shards.finished().filter(|finished| *finished);
        let finished = (finished.count(), self.job.tasks);
        progress.tell(Seen::new(self.shards.cells(), finished, entries));
    }

    fn queue(&self) -> Result<Vec<Entry>, LaunchError> {
        queue(&[&self.job.name, &self.job.merge_name()])
    }

    /// The queue; a failure counts only if it lasts.
    fn queue_patiently(
        &self,
        poll: Duration,
        progress: &Progress,
    ) -> Result<Vec<Entry>, LaunchError> {
        for failed in 1.. {
            match self.queue() {
                Err(error) if failed < FAILED_LOOKS => {
                    if failed == 1 {
                        progress.between(|| log::warn!("{error}"));
                    }
                    std::thread::sleep(poll);
                }
                queue => return queue,
            }
        }
        unreachable!("the last look is returned")
    }

    fn places(&self, entries: &[Entry]) -> Vec<Place> {
        let mut places = vec![Place::Absent; self.job.tasks];
        for entry in entries.iter().filter(|entry| entry.is_active()) {
            let task = entry.task.filter(|_| entry.name == self.job.name);
            if let Some(place) = task.and_then(|task| places.get_mut(task.wrapping_sub(1))) {
                *place = Place::Queued;
            }
        }
        for (place, finished) in places.iter_mut().zip(self.shards.finished()) {
            if finished {
                *place = Place::Finished;
            }
        }
        places
    }

    /// Keeps how tasks ended, the last time that they ran: Slurm forgets it after some minutes.
    fn note_ends(&mut self, entries: &[Entry]) {
        let last_merge = self.record.last_merge().map(str::to_owned);
        let mut ended: Vec<&Entry> = entries.iter().filter(|entry| !entry.is_active()).collect();
        ended.sort_by_key(|entry| entry.job.parse::<u64>().unwrap_or_default());
        for entry in ended {
            let state = match entry.task {
                Some(task) => self.states.get_mut(task.wrapping_sub(1)),
                None if last_merge.as_ref() == Some(&entry.job) => Some(&mut self.merge_state),
                None => None,
            };
            if let Some(state) = state {
                *state = Some(entry.state.clone());
            }
        }
    }

    /// Where the merge is. One that ended badly has not done all, even if the cells are joined.
    fn merge_place(
        &self,
        entries: &[Entry],
        is_joined: impl Fn() -> Result<bool, StoreError>,
    ) -> Result<Place, LaunchError> {
        let merge = self.job.merge_name();
        if entries.iter().any(|e| e.name == merge && e.is_active()) {
            return Ok(Place::Queued);
        }
        let ended_well = self
            .merge_state
            .as_deref()
            .is_none_or(|state| state == "COMPLETED");
        Ok(if ended_well && is_joined()? {
            Place::Finished
        } else {
            Place::Absent
        })
    }

    /// Hands in `tasks`, and a merge after them and those that are in the queue, in the place of an earlier merge.
    fn hand_in(
        &mut self,
        tasks: &[usize],
        entries: &[Entry],
        progress: &Progress,
    ) -> Result<(), LaunchError> {
        let job = self.job;
        for folder in [job.logs(), job.shards()] {
            std::fs::create_dir_all(&folder).map_err(StoreError::io("make", &folder))?;
        }
        write(&job.array_path(), &array_script(job)?)?;
        let number = submit(&array_options(tasks), &job.array_path())?;
        self.note(&number, listed(tasks))?;
        let again: Vec<usize> = tasks
            .iter()
            .copied()
            .filter(|t| self.attendance.times(*t) > 1)
            .collect();
        if again.is_empty() {
            progress.note(&format!("{} submitted as job {number}", told(tasks)));
        } else {
            let told = self.told_again(&again, &number);
            progress.between(|| log::warn!("{told}"));
        }
        let merge = job.merge_name();
        let mut after = active(entries, |entry| entry.name != merge);
        after.push(number);
        self.hand_in_merge(&after)?;
        for earlier in active(entries, |entry| entry.name == merge) {
            cancel(&earlier);
        }
        Ok(())
    }

    fn hand_in_merge(&mut self, after: &[String]) -> Result<(), LaunchError> {
        let job = self.job;
        write(&job.merge_path(), &merge_script(job)?)?;
        let number = submit(&merge_options(after), &job.merge_path())?;
        self.merge_state = None;
        self.note(&number, MERGE.to_owned())
    }

    fn note(&mut self, job: &str, tasks: String) -> Result<(), LaunchError> {
        let job = job.to_owned();
        self.record.submission.push(Submission { job, tasks });
        Ok(self.record.write(self.job)?)
    }

    fn told_again(&self, tasks: &[usize], number: &str) -> String {
        let mut states: Vec<&str> = Vec::new();
        for task in tasks {
            let state = self.states[task - 1]
                .as_deref()
                .unwrap_or("not in the queue");
            if !states.contains(&state) {
                states.push(state);
            }
        }
        let (tasks, states) = (told(tasks), states.join(", "));
        format!("{tasks} ended unfinished ({states}): submitted again as job {number}")
    }

    fn lost(&self, tasks: &[usize]) -> LaunchError {
        let lost = |&task: &usize| LostTask {
            what: format!("task {task}"),
            state: self.states[task - 1].clone(),
            times: self.attendance.times(task),
            tail: tail(&self.job.log(task)),
            log: self.job.log(task),
        };
        LaunchError::Lost {
            tasks: tasks.iter().map(lost).collect(),
            of: self.job.tasks,
        }
    }

    fn not_merged(&self) -> LaunchError {
        LaunchError::NotMerged {
            end: Box::new(LostTask {
                what: "the merge".to_owned(),
                state: self.merge_state.clone(),
                times: self.attendance.merge_times(),
                tail: tail(&self.job.merge_log()),
                log: self.job.merge_log(),
            }),
            shards: self.job.shards(),
        }
    }
}

/// `task 3`, `tasks 1-4,7`.
fn told(tasks: &[usize]) -> String {
    let noun = if tasks.len() == 1 { "task" } else { "tasks" };
    format!("{noun} {}", listed(tasks))
}

fn write(path: &Path, text: &str) -> Result<(), LaunchError> {
    Ok(write_atomically(path, text.as_bytes()).map_err(StoreError::io("write", path))?)
}

/// The last lines of a log; what became of one that cannot be read.
fn tail(log: &Path) -> String {
    match std::fs::read(log) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes);
            let lines: Vec<&str> = text.lines().collect();
            lines[lines.len().saturating_sub(TAIL)..].join("\n")
        }
        Err(error) => format!("it cannot be read: {error}"),
    }
}
