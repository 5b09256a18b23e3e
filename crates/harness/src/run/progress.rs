//! How far a run is, for who waits for it: a bar, or now and then a line where nobody watches.

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

#[derive(Debug)]
pub(super) enum Progress {
    Nothing,
    Bar(ProgressBar),
    Lines(Lines),
}

impl Progress {
    /// Of the run of `name`, which has `total` cells, `continued` of them from an earlier run.
    pub(super) fn start(show: Show, name: &str, total: usize, continued: usize) -> Self {
        match show {
            Show::Nothing => Self::Nothing,
            Show::Bar => Self::Bar(bar(name, total, continued)),
            Show::Lines => Self::Lines(Lines::new(name, total, continued, Instant::now())),
        }
    }

    /// `cells` more are stored.
    pub(super) fn add(&mut self, cells: usize) {
        match self {
            Self::Nothing => {}
            Self::Bar(bar) => bar.inc(cells as u64),
            Self::Lines(lines) => lines.done += cells,
        }
    }

    /// Writes a line if it is time to.
    pub(super) fn tick(&mut self) {
        if let Self::Lines(lines) = self
            && let Some(line) = lines.at(Instant::now())
        {
            // Nobody listening is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }

    pub(super) fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

fn bar(name: &str, total: usize, continued: usize) -> ProgressBar {
    let template = "{prefix} {wide_bar:.cyan/dim} {pos}/{len} cells · {elapsed} gone · {eta} left";
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    let bar = ProgressBar::new(total as u64)
        .with_style(style)
        .with_prefix(name.to_owned());
    bar.set_position(continued as u64);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

#[derive(Debug)]
pub(super) struct Lines {
    name: String,
    total: usize,
    continued: usize,
    done: usize,
    start: Instant,
    last: Instant,
}

impl Lines {
    fn new(name: &str, total: usize, continued: usize, start: Instant) -> Self {
        Self {
            name: name.to_owned(),
            total,
            continued,
            done: continued,
            start,
            last: start,
        }
    }

    /// The line of `now`, if the last was written a [`PAUSE`] ago. The time left is that of the cells
    /// left at the pace of this run's.
    fn at(&mut self, now: Instant) -> Option<String> {
        if now.duration_since(self.last) < PAUSE {
            return None;
        }
        self.last = now;
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
            "{}: {}/{} cells · {} gone{left}",
            self.name,
            self.done,
            self.total,
            HumanDuration(gone)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use std::time::{Duration, Instant};

    #[test]
    fn a_line_a_minute_with_the_time_left_at_the_pace_of_this_run() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let mut lines = Lines::new("grid", 100, 40, start);
        assert_eq!(lines.at(after(59)), None);
        let first = "grid: 40/100 cells · 60 seconds gone";
        assert_eq!(lines.at(after(60)).as_deref(), Some(first));
        lines.done += 20;
        assert_eq!(lines.at(after(119)), None);
        // 20 cells in 3 minutes, 40 to go; the 40 of an earlier run say nothing of the pace.
        let second = "grid: 60/100 cells · 3 minutes gone · about 6 minutes left";
        assert_eq!(lines.at(after(180)).as_deref(), Some(second));
        assert_eq!(lines.at(after(239)), None);
        assert!(lines.at(after(240)).is_some());
    }
}
