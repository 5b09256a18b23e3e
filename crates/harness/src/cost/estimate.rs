//! What a run is estimated to take.

use super::{MemoryModel, Past, TimeModel};
use crate::store::Work;

/// What cells that are to do take, about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Seconds from begin to end.
    pub seconds: f64,
    /// Seconds of all threads together.
    pub thread_seconds: f64,
    /// Bytes of memory at the most.
    pub bytes: f64,
    /// Cells like which none was ever timed.
    pub unknown: usize,
}

/// The estimate for `groups`, the works of the cells to do of each, on `threads` threads.
pub fn estimate(groups: &[Vec<Work>], threads: usize, past: &Past) -> Estimate {
    let time = TimeModel::fit(&past.timed);
    let group_seconds = |works: &Vec<Work>| works.iter().map(|work| time.seconds(work)).sum();
    let seconds: Vec<f64> = groups.iter().map(group_seconds).collect();
    let all: Vec<Work> = groups.iter().flatten().cloned().collect();
    let busy = threads.min(groups.len());
    Estimate {
        seconds: makespan(&seconds, threads),
        thread_seconds: seconds.iter().sum(),
        bytes: MemoryModel::fit(&past.sources).bytes(&all, busy),
        unknown: all.iter().filter(|work| !time.knows(work)).count(),
    }
}

/// The end of the last of `groups` where each of `threads` threads takes the next when it is free.
fn makespan(groups: &[f64], threads: usize) -> f64 {
    let mut ends = vec![0.0_f64; threads.max(1)];
    for seconds in groups {
        let free = ends.iter_mut().min_by(|a, b| a.total_cmp(b));
        *free.expect("there is a thread") += seconds;
    }
    ends.into_iter().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::makespan;

    #[test]
    fn groups_go_to_the_thread_that_is_free() {
        // By hand: 3 | 1, then 1 on the second, then 2 on it too.
        assert_eq!(makespan(&[3.0, 1.0, 1.0, 2.0], 2), 4.0);
        assert_eq!(makespan(&[3.0, 1.0, 1.0, 2.0], 1), 7.0);
        assert_eq!(makespan(&[3.0, 1.0], 8), 3.0);
        assert_eq!(makespan(&[], 2), 0.0);
    }
}
