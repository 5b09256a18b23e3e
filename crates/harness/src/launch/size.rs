//! How many tasks, and what each may need, from what past runs took.

use crate::cost::{Past, estimate};
use crate::store::Work;

/// What a task is to take, about: less is spent on starting it and planning, more waits long for one machine.
const TASK_SECONDS: f64 = 1200.0;
/// No more tasks than this are made unless it is asked for: by default Slurm refuses larger arrays.
const MOST_TASKS: usize = 1000;
/// Limits are so many times the estimate, which is off by a factor of two or three for data that were never timed.
const TIME_MARGIN: f64 = 5.0;
const MEMORY_MARGIN: f64 = 2.0;
/// Limits are not below these.
const LEAST_MINUTES: f64 = 30.0;
const LEAST_MEGABYTES: f64 = 1024.0;

/// What tasks are estimated to take.
#[derive(Debug, Clone, PartialEq)]
pub struct Size {
    /// Seconds of the longest task.
    pub seconds: f64,
    /// Whether that is a rule of thumb for some cells, as none like them was ever timed.
    pub is_guess: bool,
    /// Bytes of memory of the largest.
    pub bytes: f64,
    /// A limit of time, in Slurm's minutes; none where cells are like none that was ever timed.
    pub time: Option<String>,
    /// A limit of memory, in Slurm's megabytes; none where nothing was ever timed.
    pub memory: Option<String>,
}

/// The number of tasks for `groups` (≥ 1), the works of the cells of each, on `processors` each: tasks of about 20 minutes,
/// at least one and at most one a group.
pub fn tasks_of(groups: &[Vec<Work>], processors: usize, past: &Past) -> usize {
    let seconds = estimate(groups, 1, past).thread_seconds / processors as f64;
    let tasks = (seconds / TASK_SECONDS).ceil() as usize;
    tasks.clamp(1, groups.len().clamp(1, MOST_TASKS))
}

impl Size {
    /// Of `tasks` tasks on `processors` processors each, that part `groups` among them as `--shard` does.
    pub fn new(groups: &[Vec<Work>], tasks: usize, processors: usize, past: &Past) -> Self {
        let of_task = |task: usize| {
            let groups = groups.iter().skip(task).step_by(tasks);
            estimate(&groups.cloned().collect::<Vec<_>>(), processors, past)
        };
        let estimates: Vec<_> = (0..tasks).map(of_task).collect();
        let largest =
            |of: fn(&crate::cost::Estimate) -> f64| estimates.iter().map(of).fold(0.0, f64::max);
        let (seconds, bytes) = (largest(|e| e.seconds), largest(|e| e.bytes));
        let unknown: usize = estimates.iter().map(|estimate| estimate.unknown).sum();
        let is_timed = !past.sources.is_empty();
        let minutes = (TIME_MARGIN * seconds / 60.0).max(LEAST_MINUTES).ceil();
        let megabytes = (MEMORY_MARGIN * bytes / 1e6).max(LEAST_MEGABYTES).ceil();
        Self {
            seconds,
            is_guess: !is_timed || unknown > 0,
            bytes,
            time: (is_timed && unknown == 0).then(|| format!("{minutes}")),
            memory: is_timed.then(|| format!("{megabytes}M")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Size, tasks_of};
    use crate::cost::{Past, Source, Timed};
    use crate::store::Work;

    fn work(key: &str) -> Work {
        Work {
            group: "g".into(),
            dataset: "d".into(),
            key: key.into(),
            map: String::new(),
            rows: 100,
            dim: 64,
            candidates: 3,
            blocks: 1,
            probes: 1000,
        }
    }

    /// Cells like `a` took 600 seconds each.
    fn past() -> Past {
        let timed = Timed {
            work: work("a"),
            cells: 4,
            training: 500.0,
            evaluating: 100.0,
            same_code: true,
        };
        let source = Source {
            folder: "results/a".into(),
            cells: 4,
            same_code: true,
            peak_bytes: Some(3_000_000_000),
            workers: 1,
            works: vec![work("a"); 4],
        };
        Past {
            sources: vec![source],
            timed: vec![timed],
            passed_over: Vec::new(),
        }
    }

    #[test]
    fn tasks_of_twenty_minutes_and_at_most_one_a_group() {
        let past = past();
        // 30 groups of two cells are 600 minutes.
        let groups = vec![vec![work("a"); 2]; 30];
        assert_eq!(tasks_of(&groups, 1, &past), 30);
        assert_eq!(tasks_of(&groups, 4, &past), 8);
        assert_eq!(tasks_of(&groups[..5], 1, &past), 5);
        assert_eq!(tasks_of(&groups[..1], 4, &past), 1);
        // Groups of one cell are half of that.
        assert_eq!(tasks_of(&vec![vec![work("a")]; 30], 1, &past), 15);
    }

    #[test]
    fn limits_leave_room_for_what_the_estimate_does_not_know() {
        let groups = vec![vec![work("a"); 2]; 7];
        // The first of three tasks has three groups of 20 minutes, two of them at a time.
        let size = Size::new(&groups, 3, 2, &past());
        assert!((size.seconds - 2400.0).abs() < 1e-6, "{size:?}");
        assert!(!size.is_guess);
        assert_eq!(size.time.as_deref(), Some("200"));
        let megabytes = size.memory.unwrap();
        let megabytes: f64 = megabytes.strip_suffix('M').unwrap().parse().unwrap();
        assert!(megabytes >= 6000.0, "{megabytes}");
        // No limit of time from cells that were never timed, and none at all from a rule of thumb.
        let size = Size::new(&[vec![work("b")]], 1, 1, &past());
        assert!(size.is_guess && size.time.is_none() && size.memory.is_some());
        let size = Size::new(&groups, 3, 2, &Past::default());
        assert!(size.is_guess && size.time.is_none() && size.memory.is_none());
    }
}
