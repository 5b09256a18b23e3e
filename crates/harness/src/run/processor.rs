//! Time on processors, by Linux's own account; other systems do not say.

/// Seconds that this thread has been on a processor.
#[cfg(target_os = "linux")]
pub(super) fn thread_seconds() -> Option<f64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64)
}

/// Seconds that this thread has been on a processor.
#[cfg(not(target_os = "linux"))]
pub(super) fn thread_seconds() -> Option<f64> {
    None
}

/// Seconds that this process and those that it started and that have ended were on processors.
pub fn process_seconds() -> Option<f64> {
    /// Linux tells programs of times in hundredths of a second.
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // After the program's name, which may hold anything, come the third field and the rest; times are the 14th to 17th.
    let (_, fields) = stat.rsplit_once(')')?;
    let times = fields.split_whitespace().skip(11).take(4);
    let ticks: Vec<f64> = times
        .map(|ticks| ticks.parse().ok())
        .collect::<Option<_>>()?;
    (ticks.len() == 4).then(|| ticks.iter().sum::<f64>() / TICKS)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{process_seconds, thread_seconds};
    use std::hint::black_box;
    use std::time::{Duration, Instant};

    #[test]
    fn work_counts_and_sleep_does_not() {
        let (thread, process) = (thread_seconds().unwrap(), process_seconds().unwrap());
        std::thread::sleep(Duration::from_millis(200));
        let asleep = thread_seconds().unwrap() - thread;
        assert!(asleep < 0.1, "{asleep}");
        let start = Instant::now();
        while thread_seconds().unwrap() - thread < 0.25 {
            black_box(0);
            assert!(start.elapsed() < Duration::from_mins(1), "the clock stands");
        }
        assert!(process_seconds().unwrap() - process >= 0.2);
    }
}
