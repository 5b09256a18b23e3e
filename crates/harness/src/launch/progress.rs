//! How far a job is, for who waits for it: a bar, or lines where nobody watches.

use super::queue::Entry;
use crate::run::Show;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// The longest time without a line.
const PAUSE: Duration = Duration::from_mins(1);

/// What was seen at one look.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Seen {
    /// Cells that are stored, and all.
    pub(super) cells: (usize, usize),
    /// Tasks that are finished, and all.
    pub(super) finished: (usize, usize),
    /// Tasks that run, and that wait.
    pub(super) running: usize,
    pub(super) pending: usize,
    /// Slurm's word for why they wait.
    pub(super) reason: Option<String>,
}

/// Shows what is seen on standard error.
#[derive(Debug)]
pub(super) struct Progress {
    name: String,
    start: Instant,
    shown: Shown,
}

#[derive(Debug)]
enum Shown {
    Nothing,
    Bar(ProgressBar),
    /// With what the last line told, and when.
    Lines(Option<(Seen, Instant)>),
}

impl Seen {
    /// The tasks of the queue's `entries`, of which tasks `finished` are.
    pub(super) fn new(cells: (usize, usize), finished: (usize, usize), entries: &[Entry]) -> Self {
        let active: Vec<&Entry> = entries
            .iter()
            .filter(|entry| entry.task.is_some() && entry.is_active())
            .collect();
        let pending: Vec<&&Entry> = active.iter().filter(|entry| entry.is_pending()).collect();
        let reason = pending.first().map(|entry| entry.reason.clone());
        Self {
            cells,
            finished,
            running: active.len() - pending.len(),
            pending: pending.len(),
            reason: reason.filter(|reason| reason != "None"),
        }
    }

    /// `2 of 4 tasks finished, 1 running, 1 pending (Resources)`.
    fn tasks(&self) -> String {
        let (finished, all) = self.finished;
        let mut text = format!("{finished} of {all} tasks finished");
        if self.running > 0 {
            let _ = write!(text, ", {} running", self.running);
        }
        if self.pending > 0 {
            let _ = write!(text, ", {} pending", self.pending);
            if let Some(reason) = &self.reason {
                let _ = write!(text, " ({reason})");
            }
        }
        if finished == all {
            text += ", joining them";
        }
        text
    }
}

impl Progress {
    pub(super) fn start(show: Show, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            start: Instant::now(),
            shown: match show {
                Show::Nothing => Shown::Nothing,
                Show::Bar => Shown::Bar(bar(name)),
                Show::Lines => Shown::Lines(None),
            },
        }
    }

    /// Shows `seen`; as a line only if the tasks are otherwise than in the last, or that was a [`PAUSE`] ago.
    pub(super) fn tell(&mut self, seen: Seen) {
        if let Some(line) = self.line(seen, Instant::now()) {
            // Nobody listening is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }

    fn line(&mut self, seen: Seen, now: Instant) -> Option<String> {
        match &mut self.shown {
            Shown::Nothing => None,
            Shown::Bar(bar) => {
                bar.set_length(seen.cells.1 as u64);
                bar.set_position(seen.cells.0 as u64);
                bar.set_message(seen.tasks());
                None
            }
            Shown::Lines(last) => {
                let is_new = last.as_ref().is_none_or(|(told, then)| {
                    told.tasks() != seen.tasks() || now.duration_since(*then) >= PAUSE
                });
                if !is_new {
                    return None;
                }
                let gone = HumanDuration(now.duration_since(self.start));
                let ((stored, all), tasks) = (seen.cells, seen.tasks());
                *last = Some((seen, now));
                Some(format!(
                    "{}: {stored}/{all} cells · {tasks} · {gone} gone",
                    self.name
                ))
            }
        }
    }

    /// Tells what was done, where anything is told.
    pub(super) fn note(&self, what: &str) {
        let line = format!("{}: {what}", self.name);
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.println(line),
            Shown::Lines(_) => {
                // Nobody listening is no reason to stop.
                let _ = writeln!(std::io::stderr(), "{line}");
            }
        }
    }

    /// Tells something between, without tearing the bar.
    pub(super) fn between(&self, tell: impl FnOnce()) {
        match &self.shown {
            Shown::Bar(bar) => bar.suspend(tell),
            Shown::Nothing | Shown::Lines(_) => tell(),
        }
    }

    pub(super) fn finish(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

fn bar(name: &str) -> ProgressBar {
    let template = "{prefix} {wide_bar:.cyan/dim} {pos}/{len} cells · {msg} · {elapsed} gone";
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    let bar = ProgressBar::new(0)
        .with_style(style)
        .with_prefix(name.to_owned());
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

#[cfg(test)]
mod tests {
    use super::{Progress, Seen};
    use crate::launch::queue::entries;
    use crate::run::Show;
    use std::time::Duration;

    #[test]
    fn a_line_when_tasks_change_and_one_a_minute() {
        let mut progress = Progress::start(Show::Lines, "grid");
        let start = progress.start;
        let mut line = |cells, finished, queue, seconds| {
            let seen = Seen::new((cells, 40), (finished, 4), &entries(queue).unwrap());
            progress.line(seen, start + Duration::from_secs(seconds))
        };
        let queue = "7|1|RUNNING|None|g\n7|2|COMPLETED|None|g\n7|3|PENDING|Resources|g\n8|N/A|PENDING|Dependency|g-merge\n";
        let first = line(10, 1, queue, 1);
        assert_eq!(
            first.as_deref(),
            Some(
                "grid: 10/40 cells · 1 of 4 tasks finished, 1 running, 1 pending (Resources) · 1 second gone"
            )
        );
        assert_eq!(line(12, 1, queue, 30), None);
        assert!(
            line(14, 1, queue, 61)
                .unwrap()
                .starts_with("grid: 14/40 cells")
        );
        let last = line(40, 4, "8|N/A|RUNNING|None|g-merge\n", 62);
        let expected = "grid: 40/40 cells · 4 of 4 tasks finished, joining them · 62 seconds gone";
        assert_eq!(last.as_deref(), Some(expected));
    }
}
