//! How far work on many rows is.

use crate::run::Show;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use std::fmt;
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

/// Tells what happened, on a line of its own, where progress is shown.
pub(super) fn tell(show: Show, line: &str) {
    if show != Show::Nothing {
        // Nobody listening is no reason to stop.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
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
            "{}: {}/{} rows · {} · about {} left",
            self.name,
            HumanCount(self.done),
            HumanCount(self.total),
            pace_told(pace),
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

/// Rows a second.
fn pace_told(pace: f64) -> String {
    format!("{} rows/s", HumanCount(pace.round() as u64))
}

fn bar(name: &'static str, total: u64, before: u64) -> ProgressBar {
    let template =
        "{prefix} {wide_bar:.cyan/dim} {human_pos}/{human_len} rows · {pace} · {eta} left";
    let style = ProgressStyle::with_template(template)
        .expect("the template is well formed")
        .with_key("pace", |state: &ProgressState, to: &mut dyn fmt::Write| {
            // A text that cannot be had is left out.
            let _ = to.write_str(&pace_told(state.per_sec()));
        });
    let bar = ProgressBar::new(total).with_style(style).with_prefix(name);
    bar.set_position(before);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

#[cfg(test)]
mod tests {
    use super::{RowProgress, pace_told};
    use crate::run::Show;
    use std::time::Duration;

    #[test]
    fn a_line_a_minute_with_pace_and_time_left() {
        let mut progress = RowProgress::start(Show::Lines, "training", 1_000_000, 100_000);
        let after = |seconds| progress.start + Duration::from_secs(seconds);
        let (early, late) = (after(59), after(100));
        progress.done = 400_000;
        assert_eq!(progress.line(early), None);
        let line = "training: 400,000/1,000,000 rows · 3,000 rows/s · about 3 minutes left";
        assert_eq!(progress.line(late).as_deref(), Some(line));
        assert_eq!(progress.line(late), None);
    }
    #[test]
    fn a_pace_is_of_whole_rows() {
        assert_eq!(pace_told(1_234.567_8), "1,235 rows/s");
        assert_eq!(pace_told(0.4), "0 rows/s");
    }
}
