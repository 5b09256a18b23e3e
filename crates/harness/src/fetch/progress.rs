//! How far a download is, for who waits for it: a bar, or now and then a line where nobody watches.

use crate::run::Show;
use indicatif::{BinaryBytes, HumanDuration, ProgressBar, ProgressStyle};
use std::io::{Read, Write as _};
use std::time::{Duration, Instant};

/// The time from one line to the next.
const PAUSE: Duration = Duration::from_mins(1);

/// Counts bytes and shows them, with their rate and the time left.
pub(super) struct Progress {
    name: String,
    show: Show,
    bar: Option<ProgressBar>,
    at: u64,
    total: Option<u64>,
    /// Since when, and from which byte on, the rate is measured.
    start: (Instant, u64),
    last_line: Instant,
}

impl Progress {
    /// Of the dataset `name`.
    pub(super) fn new(show: Show, name: &str) -> Self {
        let now = Instant::now();
        Self {
            name: name.to_owned(),
            show,
            bar: None,
            at: 0,
            total: None,
            start: (now, 0),
            last_line: now,
        }
    }

    /// From here on `total` bytes are counted, of which there are `at`.
    pub(super) fn begin(&mut self, at: u64, total: Option<u64>) {
        self.finish();
        (self.at, self.total) = (at, total);
        self.start = (Instant::now(), at);
        if self.show == Show::Bar {
            self.bar = Some(bar(&self.name, at, total));
        }
    }

    /// So many bytes more are there.
    pub(super) fn add(&mut self, bytes: u64) {
        self.at += bytes;
        if let Some(bar) = &self.bar {
            bar.set_position(self.at);
        }
        if let Some(line) = self.line(Instant::now()) {
            self.write(&line);
        }
    }

    /// Tells what happened, on a line of its own.
    pub(super) fn tell(&self, message: &str) {
        if self.show != Show::Nothing {
            self.write(&format!("{}: {message}", self.name));
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn write(&self, line: &str) {
        let write = || {
            // Nobody listening is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{line}");
        };
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// The line of `now`, if the last was written a [`PAUSE`] ago.
    fn line(&mut self, now: Instant) -> Option<String> {
        if self.show != Show::Lines || now.duration_since(self.last_line) < PAUSE {
            return None;
        }
        self.last_line = now;
        let seconds = now.duration_since(self.start.0).as_secs_f64();
        let rate = (self.at - self.start.1) as f64 / seconds;
        let of = self
            .total
            .map(|total| format!(" of {}", BinaryBytes(total)));
        let left = self.total.filter(|_| rate > 0.0).map(|total| {
            let left = total.saturating_sub(self.at) as f64 / rate;
            format!(
                " · about {} left",
                HumanDuration(Duration::from_secs_f64(left))
            )
        });
        Some(format!(
            "{}: {}{} · {}/s{}",
            self.name,
            BinaryBytes(self.at),
            of.unwrap_or_default(),
            BinaryBytes(rate as u64),
            left.unwrap_or_default()
        ))
    }
}

/// Tells `progress` what is read through it.
pub(super) struct Watched<'a, R> {
    pub(super) inner: R,
    pub(super) progress: &'a mut Progress,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(bytes)?;
        self.progress.add(count as u64);
        Ok(count)
    }
}

fn bar(name: &str, at: u64, total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{prefix} {wide_bar:.cyan/dim} {binary_bytes} of {binary_total_bytes} · {binary_bytes_per_sec} · {eta} left",
        ),
        None => (
            ProgressBar::new_spinner(),
            "{prefix} {spinner} {binary_bytes} · {binary_bytes_per_sec} · {elapsed} gone",
        ),
    };
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    let bar = bar.with_style(style).with_prefix(name.to_owned());
    bar.set_position(at);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

#[cfg(test)]
mod tests {
    use super::{Progress, Show};
    use std::time::Duration;

    #[test]
    fn a_line_a_minute_with_the_time_left_at_the_rate_of_this_trial() {
        let mut progress = Progress::new(Show::Lines, "a9a");
        progress.begin(1024, Some(10 * 1024));
        let start = progress.start.0;
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(progress.line(after(59)), None);
        // 3 KiB in two minutes, the first of 4 KiB from an earlier trial: 6 are left.
        progress.at = 4 * 1024;
        let told = "a9a: 4.00 KiB of 10.00 KiB · 25 B/s · about 4 minutes left";
        assert_eq!(progress.line(after(120)).as_deref(), Some(told));
        assert_eq!(progress.line(after(179)), None);
    }
}
