//! How far a run is, for who waits for it: a bar, or now and then a line where nobody watches.

use crate::store::{CellDone, Record, Status};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use std::io::Write as _;
use std::time::{Duration, Instant};

/// What is shown on standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Show {
    /// Nothing.
    Nothing,
    /// A bar that moves: for a terminal.
    Bar,
    /// A line about once a minute: for a log.
    Lines,
}

/// The time from one line to the next.
const PAUSE: Duration = Duration::from_mins(1);

/// Counts what is stored, and shows it.
#[derive(Debug)]
pub(super) struct Progress {
    name: String,
    total: usize,
    continued: usize,
    done: usize,
    /// Of this run, without numbers and not left out on purpose.
    failing: usize,
    /// Of this run, by [`crate::store::StageSeconds::processor`].
    processor: f64,
    start: Instant,
    shown: Shown,
}

#[derive(Debug)]
enum Shown {
    Nothing,
    Bar(ProgressBar),
    /// With the time of the last line.
    Lines(Instant),
}

impl Progress {
    /// Of the run of `name`, which has `total` cells, `continued` of them from an earlier run.
    pub(super) fn start(show: Show, name: &str, total: usize, continued: usize) -> Self {
        let start = Instant::now();
        Self {
            name: name.to_owned(),
            total,
            continued,
            done: continued,
            failing: 0,
            processor: 0.0,
            start,
            shown: match show {
                Show::Nothing => Shown::Nothing,
                Show::Bar => Shown::Bar(bar(name, total, continued)),
                Show::Lines => Shown::Lines(start),
            },
        }
    }

    /// `cells` more are stored.
    pub(super) fn add<R: Record>(&mut self, cells: &[CellDone<R>]) {
        for CellDone { result, .. } in cells {
            let failing = !matches!(result.row.status(), Status::Ok | Status::Skipped);
            (self.done, self.failing) = (self.done + 1, self.failing + usize::from(failing));
            self.processor += result.seconds.processor;
        }
        if let Shown::Bar(bar) = &self.shown {
            bar.set_position(self.done as u64);
            bar.set_message(self.failing());
        }
    }

    /// Cells that are stored, those of an earlier run among them.
    pub(super) fn stored(&self) -> usize {
        self.done
    }

    /// Seconds on processors inside feature maps, solvers, attack and certificates, of this run.
    pub(super) fn processor_seconds(&self) -> f64 {
        self.processor
    }

    /// Cells of the run.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// Writes a line if it is time to.
    pub(super) fn tick(&mut self) {
        if let Some(line) = self.line(Instant::now()) {
            // Nobody listening is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }

    pub(super) fn finish(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }

    /// The line of `now`, if the last was written a [`PAUSE`] ago. The time left is that of the cells
    /// left at the pace of this run's.
    fn line(&mut self, now: Instant) -> Option<String> {
        let Shown::Lines(last) = &mut self.shown else {
            return None;
        };
        if now.duration_since(*last) < PAUSE {
            return None;
        }
        *last = now;
        let gone = now.duration_since(self.start);
        let left = match self.done - self.continued {
            0 => String::new(),
            made => {
                let pace = gone.as_secs_f64() / made as f64;
                let left = Duration::from_secs_f64(pace * (self.total - self.done) as f64);
                format!(" · about {} left", HumanDuration(left))
            }
        };
        Some(format!(
            "{}: {}/{} cells{} · {} gone{left}",
            self.name,
            self.done,
            self.total,
            self.failing(),
            HumanDuration(gone)
        ))
    }

    /// How many cells have no numbers, if any.
    fn failing(&self) -> String {
        match self.failing {
            0 => String::new(),
            count => format!(" · {count} without numbers"),
        }
    }
}

fn bar(name: &str, total: usize, continued: usize) -> ProgressBar {
    let template =
        "{prefix} {wide_bar:.cyan/dim} {pos}/{len} cells{msg} · {elapsed} gone · {eta} left";
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    let bar = ProgressBar::new(total as u64)
        .with_style(style)
        .with_prefix(name.to_owned());
    bar.set_position(continued as u64);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

#[cfg(test)]
mod tests {
    use super::{Progress, Show};
    use std::time::Duration;

    #[test]
    fn a_line_a_minute_with_the_time_left_at_the_pace_of_this_run() {
        let mut progress = Progress::start(Show::Lines, "grid", 100, 40);
        let start = progress.start;
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(progress.line(after(59)), None);
        let first = "grid: 40/100 cells · 60 seconds gone";
        assert_eq!(progress.line(after(60)).as_deref(), Some(first));
        (progress.done, progress.failing) = (60, 3);
        assert_eq!(progress.line(after(119)), None);
        // 20 cells in 3 minutes, 40 to go; the 40 of an earlier run say nothing of the pace.
        let second =
            "grid: 60/100 cells · 3 without numbers · 3 minutes gone · about 6 minutes left";
        assert_eq!(progress.line(after(180)).as_deref(), Some(second));
        assert_eq!(progress.line(after(239)), None);
        assert!(progress.line(after(240)).is_some());
    }
}
