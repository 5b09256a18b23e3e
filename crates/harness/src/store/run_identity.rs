//! How a run was made: what tells it from another of the same experiment, code and data.

use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// One run that computed cells of a results folder. None of it is in `cells.parquet`: equal bytes are promised for equal
/// `cpu_features`, and for any number of threads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunIdentity {
    /// When it began, in UTC, as `2026-11-21T19:14:07Z`.
    pub started: String,
    /// When it ended; absent of a run that was interrupted or goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// The command line.
    pub command: Vec<String>,
    /// Worker threads.
    pub threads: usize,
    /// The processor's features that the program may choose instructions by.
    pub cpu_features: Vec<String>,
}

impl RunIdentity {
    /// Of this process, which begins a run on `threads` threads now.
    pub fn begin(threads: usize) -> Self {
        let command = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
        let mut command: Vec<String> = command.collect();
        if let Some(program) = command.first_mut() {
            // Where the program is says nothing of what it did.
            "robust-svm".clone_into(program);
        }
        Self {
            started: now(),
            ended: None,
            command,
            threads,
            cpu_features: cpu_features().iter().map(|&f| f.to_owned()).collect(),
        }
    }

    /// The same run, which ends now.
    #[must_use]
    pub fn ended(self) -> Self {
        Self {
            ended: Some(now()),
            ..self
        }
    }
}

/// The features of this process's processor among those that linear algebra and vector mathematics choose their
/// instructions by.
pub fn cpu_features() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        macro_rules! detected {
            ($($name:tt)*) => {
                [$(($name, std::arch::is_x86_feature_detected!($name))),*]
            };
        }
        let features = detected!(
            "sse3" "ssse3" "sse4.1" "sse4.2" "popcnt" "avx" "avx2" "bmi1" "bmi2" "fma" "lzcnt"
            "avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl"
        );
        let there = features.into_iter().filter(|(_, there)| *there);
        there.map(|(name, _)| name).collect()
    }
    #[cfg(target_arch = "aarch64")]
    {
        // Every processor of this kind has it.
        vec!["neon"]
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        Vec::new()
    }
}

fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    // A clock before 1970 is not set.
    utc(since.unwrap_or(Duration::ZERO))
}

/// The time `since` the beginning of 1970, in UTC.
fn utc(since: Duration) -> String {
    let seconds = since.as_secs();
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day of the `days`-th day after 1970-01-01 (derived): years are taken from March on, so that a leap day
/// ends one; 400 of them have 146 097 days, and the months of any, from March, begin after ⌊(153 m + 2)/5⌋ days.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468; // since 0000-03-01
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::{RunIdentity, utc};
    use std::time::Duration;

    /// From `date -u -d @SECONDS`.
    #[test]
    fn times_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_709_210_096, "2024-02-29T12:34:56Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(utc(Duration::from_secs(seconds)), expected);
        }
    }

    #[test]
    fn a_run_has_an_end_once_it_ended() {
        let run = RunIdentity::begin(2);
        assert_eq!((run.threads, run.ended.as_ref()), (2, None));
        assert_eq!(run.command[0], "robust-svm");
        let started = run.started.clone();
        assert!(run.ended().ended.is_some_and(|ended| ended >= started));
    }
}
