//! How far training on many rows is.

use crate::run::Show;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use std::io::Write as _;
use std::time::{Duration, Instant};

/// The time from one line to the next.
pub(super) const PAUSE: Duration = Duration::from_mins(1);

/// Shows how many rows are done, how many a second, and the time left.
pub(crate) struct RowProgress {
    name: &'static str,
    total: u64,
    done: u64,
    /// Done before this run.
    before: u64,
    start: Instant,
    shown: Shown,
}

enum Shown {
    Nothing,
    Bar(ProgressBar),
    /// With the time of the last line.
    Lines(Instant),
}

impl RowProgress {
    /// Of `total` rows, which may be an estimate, `before` of them done earlier.
    pub(crate) fn start(show: Show, name: &'static str, total: usize, before: usize) -> Self {
        let (start, total, before) = (Instant::now(), total as u64, before as u64);
        Self {
            name,
            total,
            done: before,
            before,
            start,
            shown: match show {
                Show::Nothing => Shown::Nothing,
                Show::Bar => Shown::Bar(bar(name, total, before)),
                Show::Lines => Shown::Lines(start),
            },
        }
    }

    /// `rows` more are done.
    pub(crate) fn add(&mut self, rows: usize) {
        self.done += rows as u64;
        if let Shown::Bar(bar) = &self.shown {
            bar.set_position(self.done);
        }
        if let Some(line) = self.line(Instant::now()) {
            // Nobody listening is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }

    /// The line of `now`, if the last was written a [`PAUSE`] ago.
    fn line(&mut self, now: Instant) -> Option<String> {
        let Shown::Lines(last) = &mut self.shown else {
            return None;
        };
        if now.duration_since(*last) < PAUSE {
            return None;
        }
        *last = now;
        let gone = now.duration_since(self.start);
        let pace = (self.done - self.before) as f64 / gone.as_secs_f64();
        let left = self.total.saturating_sub(self.done) as f64 / pace;
        let left = Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX);
        Some(format!(
            "{}: {}/{} rows · {pace:.0} rows/s · about {} left",
            self.name,
            self.done,
            self.total,
            HumanDuration(left)
        ))
    }
}

impl Drop for RowProgress {
    fn drop(&mut self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

fn bar(name: &'static str, total: u64, before: u64) -> ProgressBar {
    let template =
        "{prefix} {wide_bar:.cyan/dim} {human_pos}/{human_len} rows · {per_sec} · {eta} left";
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    let bar = ProgressBar::new(total).with_style(style).with_prefix(name);
    bar.set_position(before);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

#[cfg(test)]
mod tests {
    use super::RowProgress;
    use crate::run::Show;
    use std::time::Duration;

    #[test]
    fn a_line_a_minute_with_pace_and_time_left() {
        let mut progress = RowProgress::start(Show::Lines, "training", 1_000_000, 100_000);
        let after = |seconds| progress.start + Duration::from_secs(seconds);
        let (early, late) = (after(59), after(100));
        progress.done = 400_000;
        assert_eq!(progress.line(early), None);
        let line = "training: 400000/1000000 rows · 3000 rows/s · about 3 minutes left";
        assert_eq!(progress.line(late).as_deref(), Some(line));
        assert_eq!(progress.line(late), None);
    }
}
