//! How far a solve is whose iterations are few and long.

use crate::modelling::progress::PAUSE;
use crate::run::Show;
use crate::table::shown::{counted, scientific};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write as _;
use std::time::{Duration, Instant};

/// Shows the iterations made and the certified gap.
pub(super) struct GapProgress {
    name: &'static str,
    tolerance: f64,
    shown: Shown,
}

enum Shown {
    Nothing,
    Bar(ProgressBar),
    /// With the time of the last line.
    Lines(Instant),
}

impl GapProgress {
    /// Of a solve that ends at the gap `tolerance`.
    pub(super) fn start(show: Show, name: &'static str, tolerance: f64) -> Self {
        Self {
            name,
            tolerance,
            shown: match show {
                Show::Nothing => Shown::Nothing,
                Show::Bar => Shown::Bar(bar(name)),
                Show::Lines => Shown::Lines(Instant::now()),
            },
        }
    }

    /// So many iterations are made, to this gap.
    pub(super) fn reached(&mut self, iterations: usize, gap: f64) {
        let told = told(iterations, gap, self.tolerance);
        if let Shown::Bar(bar) = &self.shown {
            bar.set_message(told.clone());
        }
        if self.is_due(Instant::now()) {
            // Nobody listening is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{}: {told}", self.name);
        }
    }

    /// Whether a line is to be written `now`, as the last was a [`PAUSE`] ago.
    fn is_due(&mut self, now: Instant) -> bool {
        match &mut self.shown {
            Shown::Lines(last) if now.duration_since(*last) >= PAUSE => {
                *last = now;
                true
            }
            _ => false,
        }
    }
}

impl Drop for GapProgress {
    fn drop(&mut self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

fn told(iterations: usize, gap: f64, tolerance: f64) -> String {
    let (iterations, gap) = (counted(iterations, "iteration"), scientific(gap));
    format!("{iterations} · gap {gap} of {tolerance:.0e}")
}

fn bar(name: &'static str) -> ProgressBar {
    let template = "{prefix} {spinner} {msg} · {elapsed}";
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    let bar = ProgressBar::new_spinner()
        .with_style(style)
        .with_prefix(name);
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

#[cfg(test)]
mod tests {
    use super::{GapProgress, told};
    use crate::run::Show;
    use std::time::{Duration, Instant};

    #[test]
    fn a_line_a_minute_with_iterations_and_gap() {
        let mut progress = GapProgress::start(Show::Lines, "training", 1e-8);
        let after = |seconds| Instant::now() + Duration::from_secs(seconds);
        assert!(!progress.is_due(after(50)));
        assert!(progress.is_due(after(100)));
        assert!(!progress.is_due(after(150)));
        let mut silent = GapProgress::start(Show::Nothing, "training", 1e-8);
        assert!(!silent.is_due(after(100)));
        assert_eq!(told(7, 0.012_34, 1e-8), "7 iterations · gap 1.2e-2 of 1e-8");
        assert_eq!(told(1, 1.0, 0.01), "1 iteration · gap 1.0e0 of 1e-2");
    }
}
