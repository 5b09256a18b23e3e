//! What to do next about the tasks of a job, from where they are seen. Nothing here touches a disk or a queue.

use std::time::{Duration, Instant};

/// Where the work of a task, or the merge, is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Its results are there.
    Finished,
    /// It waits or runs.
    Queued,
    /// Neither.
    Absent,
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// Hand in these tasks (from 1), and a merge after them.
    Submit(Vec<usize>),
    /// Hand in the merge, after what is in the queue.
    Merge,
    /// Look again later.
    Wait,
    /// All is there.
    Finished,
    /// These tasks were handed in as often as they may be; no other waits or runs.
    Lost(Vec<usize>),
    /// Every task is finished, and the merge was handed in as often as it may be.
    NotMerged,
}

/// So many looks in a row a task must be absent, beside a time: what a machine wrote may come to be seen only some time after
/// its task has left the queue, and one look may come long after another.
const LOOKS: usize = 2;

/// What this process knows of a task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Known {
    /// How often it was handed in; once at least if it was ever seen in the queue.
    given: usize,
    /// For how many looks in a row it has been absent, and since when.
    absent: usize,
    since: Option<Instant>,
}

impl Known {
    fn see(&mut self, place: Place, now: Instant) {
        match place {
            Place::Finished => self.appear(),
            Place::Queued => {
                self.given = self.given.max(1);
                self.appear();
            }
            Place::Absent => {
                self.absent += 1;
                self.since.get_or_insert(now);
            }
        }
    }

    fn appear(&mut self) {
        (self.absent, self.since) = (0, None);
    }

    /// Whether it is absent for good: it was never handed in, or has been absent for as long as `settle`.
    fn is_lost(self, now: Instant, settle: Duration) -> bool {
        let settled = |since| now.duration_since(since) >= settle;
        let gone = self.absent >= LOOKS && self.since.is_some_and(settled);
        gone || (self.given == 0 && self.absent > 0)
    }

    fn give(&mut self) {
        self.given += 1;
        self.appear();
    }
}

/// The tasks of a job under this process's eyes.
#[derive(Debug, Clone)]
pub(super) struct Attendance {
    retries: usize,
    settle: Duration,
    tasks: Vec<Known>,
    merge: Known,
}

impl Attendance {
    /// Of `tasks` tasks. Each is handed in once, and `retries` times more; one is lost that is absent for as long as `settle`.
    pub(super) fn new(tasks: usize, retries: usize, settle: Duration) -> Self {
        Self {
            retries,
            settle,
            tasks: vec![Known::default(); tasks],
            merge: Known::default(),
        }
    }

    /// How often task `task` (from 1) was handed in, as far as this process knows.
    pub(super) fn times(&self, task: usize) -> usize {
        self.tasks[task - 1].given
    }

    /// How often the merge was.
    pub(super) fn merge_times(&self) -> usize {
        self.merge.given
    }

    /// What to do, where the tasks are at `places`; `merge` is finished only if the results of all are joined. What is to be
    /// handed in counts as handed in. They were seen at `now`.
    pub(super) fn next(&mut self, places: &[Place], merge: Place, now: Instant) -> Step {
        for (known, place) in self.tasks.iter_mut().zip(places) {
            known.see(*place, now);
        }
        self.merge.see(merge, now);
        if merge == Place::Finished {
            return Step::Finished;
        }
        let mut again = Vec::new();
        for (index, known) in self.tasks.iter_mut().enumerate() {
            if known.is_lost(now, self.settle) && known.given <= self.retries {
                known.give();
                again.push(index + 1);
            }
        }
        if !again.is_empty() {
            // The merge that is handed in with them.
            self.merge = Known::default();
            self.merge.give();
            return Step::Submit(again);
        }
        if places.iter().all(|place| *place == Place::Finished) {
            return self.next_merge(now);
        }
        let undecided = |(known, place): (&Known, &Place)| match place {
            Place::Finished => false,
            Place::Queued => true,
            Place::Absent => !known.is_lost(now, self.settle),
        };
        if self.tasks.iter().zip(places).any(undecided) {
            // Tasks that go on have a merge after them: nobody else may come to join the results.
            let go_on = places.contains(&Place::Queued);
            if go_on && self.next_merge(now) == Step::Merge {
                return Step::Merge;
            }
            return Step::Wait;
        }
        let absent = places
            .iter()
            .enumerate()
            .filter(|(_, place)| **place == Place::Absent);
        Step::Lost(absent.map(|(index, _)| index + 1).collect())
    }

    fn next_merge(&mut self, now: Instant) -> Step {
        if !self.merge.is_lost(now, self.settle) {
            Step::Wait
        } else if self.merge.given <= self.retries {
            self.merge.give();
            Step::Merge
        } else {
            Step::NotMerged
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Attendance, LOOKS, Place, Step};
    use Place::{Absent, Finished, Queued};
    use proptest::prelude::*;
    use std::time::{Duration, Instant};

    fn job(tasks: usize, retries: usize) -> Attendance {
        Attendance::new(tasks, retries, Duration::ZERO)
    }

    fn look(job: &mut Attendance, places: &[Place], merge: Place) -> Step {
        job.next(places, merge, Instant::now())
    }

    /// Looks may be closer together than what another machine wrote takes to be seen.
    #[test]
    fn what_is_absent_for_a_moment_is_not_lost() {
        let start = Instant::now();
        let mut job = Attendance::new(1, 1, Duration::from_mins(1));
        let mut at =
            |place, merge, seconds| job.next(&[place], merge, start + Duration::from_secs(seconds));
        assert_eq!(at(Queued, Queued, 0), Step::Wait);
        for seconds in [10, 25, 40, 55, 69] {
            assert_eq!(at(Absent, Queued, seconds), Step::Wait, "{seconds}");
        }
        assert_eq!(at(Absent, Queued, 70), Step::Submit(vec![1]));
        // The time counts anew, and so it does for the merge.
        assert_eq!(at(Absent, Queued, 80), Step::Wait);
        assert_eq!(at(Absent, Queued, 139), Step::Wait);
        assert_eq!(at(Finished, Absent, 140), Step::Wait);
        assert_eq!(at(Finished, Absent, 199), Step::Wait);
        assert_eq!(at(Finished, Absent, 200), Step::Merge);
        // One look after a long time is no second.
        assert_eq!(at(Finished, Absent, 1000), Step::Wait);
    }

    #[test]
    fn what_fails_is_handed_in_again_and_no_more_often_than_it_may() {
        let mut job = job(2, 1);
        assert_eq!(
            look(&mut job, &[Absent, Absent], Absent),
            Step::Submit(vec![1, 2])
        );
        assert_eq!(look(&mut job, &[Queued, Queued], Queued), Step::Wait);
        assert_eq!(look(&mut job, &[Queued, Absent], Queued), Step::Wait);
        assert_eq!(
            look(&mut job, &[Queued, Absent], Queued),
            Step::Submit(vec![2])
        );
        assert_eq!(look(&mut job, &[Finished, Queued], Queued), Step::Wait);
        assert_eq!(look(&mut job, &[Finished, Absent], Absent), Step::Wait);
        assert_eq!(
            look(&mut job, &[Finished, Absent], Absent),
            Step::Lost(vec![2])
        );
        assert_eq!((job.times(1), job.times(2)), (1, 2));
    }

    #[test]
    fn a_job_that_is_there_is_followed_and_not_handed_in() {
        let mut job = job(2, 0);
        assert_eq!(look(&mut job, &[Finished, Queued], Queued), Step::Wait);
        // What is seen late is no loss.
        assert_eq!(look(&mut job, &[Finished, Absent], Queued), Step::Wait);
        assert_eq!(look(&mut job, &[Finished, Finished], Queued), Step::Wait);
        assert_eq!(look(&mut job, &[Finished, Finished], Absent), Step::Wait);
        assert_eq!(
            look(&mut job, &[Finished, Finished], Finished),
            Step::Finished
        );
    }

    #[test]
    fn tasks_that_go_on_without_a_merge_get_one() {
        let mut job = job(2, 0);
        assert_eq!(look(&mut job, &[Finished, Queued], Absent), Step::Merge);
        assert_eq!(look(&mut job, &[Finished, Queued], Queued), Step::Wait);
        // It is gone for good, and was handed in as often as it may be: the task is waited for.
        for _ in 0..=LOOKS {
            assert_eq!(look(&mut job, &[Finished, Queued], Absent), Step::Wait);
        }
        assert_eq!(
            look(&mut job, &[Finished, Finished], Absent),
            Step::NotMerged
        );
    }

    #[test]
    fn a_merge_that_fails_is_handed_in_again() {
        let mut job = job(1, 1);
        assert_eq!(look(&mut job, &[Finished], Absent), Step::Merge);
        assert_eq!(look(&mut job, &[Finished], Absent), Step::Wait);
        assert_eq!(look(&mut job, &[Finished], Absent), Step::Merge);
        for _ in 1..LOOKS {
            assert_eq!(look(&mut job, &[Finished], Absent), Step::Wait);
        }
        assert_eq!(look(&mut job, &[Finished], Absent), Step::NotMerged);
    }

    proptest! {
        /// Whatever the tasks and the merge do: nothing is handed in that is there or in the queue, nor more often than it
        /// may be; tasks never go on without a merge after them; and it comes to an end, that of what they do.
        #[test]
        fn every_job_comes_to_an_end(
            retries in 0_usize..3,
            settle in 0_u64..200,
            fates in prop::collection::vec(
                (any::<bool>(), prop::collection::vec((1_usize..4, any::<bool>()), 4)), 1..6),
            // The time from which the merge joins what is finished, and the looks that it takes.
            merge_fate in (0_usize..4, 1_usize..4),
            has_merge in any::<bool>(),
        ) {
            let tasks = fates.len();
            let start = Instant::now();
            let mut job = Attendance::new(tasks, retries, Duration::from_secs(settle));
            // The looks that a task is in the queue for, and whether it finishes then, the n-th time it is handed in; some
            // are there from the beginning.
            let mut left: Vec<Option<(usize, bool)>> =
                fates.iter().map(|(there, fates)| there.then(|| fates[0])).collect();
            let mut given: Vec<usize> = fates.iter().map(|(there, _)| usize::from(*there)).collect();
            let mut finished = vec![false; tasks];
            // The looks that the merge takes once no task is in the queue; how often it failed since tasks were handed in.
            let mut merge = has_merge.then_some(merge_fate.1);
            let mut failures = 0;
            let mut merged = false;
            let mut end = None;
            for look in 0..300 {
                let places: Vec<Place> = (0..tasks)
                    .map(|i| if finished[i] { Finished } else if left[i].is_some() { Queued } else { Absent })
                    .collect();
                let merge_place = if merged { Finished } else if merge.is_some() { Queued } else { Absent };
                let now = start + Duration::from_secs(30 * look);
                match job.next(&places, merge_place, now) {
                    Step::Submit(again) => {
                        for task in again {
                            let i = task - 1;
                            prop_assert_eq!(places[i], Absent);
                            given[i] += 1;
                            prop_assert!(given[i] <= retries + 1);
                            left[i] = Some(fates[i].1[given[i] - 1]);
                        }
                        (merge, failures) = (Some(merge_fate.1), 0);
                    }
                    Step::Merge => {
                        prop_assert_eq!(merge_place, Absent);
                        prop_assert!(failures <= retries);
                        merge = Some(merge_fate.1);
                    }
                    Step::Wait => {}
                    step => { end = Some(step); break; }
                }
                let goes_on = left.iter().any(Option::is_some);
                prop_assert!(!goes_on || merge.is_some(), "nobody joins them");
                for i in 0..tasks {
                    left[i] = match left[i] {
                        Some((1, finishes)) => { finished[i] = finishes; None }
                        Some((looks, finishes)) => Some((looks - 1, finishes)),
                        None => None,
                    };
                }
                if !goes_on {
                    merge = match merge {
                        Some(1) => {
                            merged = finished.iter().all(|f| *f) && failures >= merge_fate.0;
                            failures += 1;
                            None
                        }
                        merge => merge.map(|looks| looks - 1),
                    };
                }
            }
            // By hand: a task finishes if one of the times that it may be handed in does, and all are joined if the merge
            // does so in one of its times.
            let lost: Vec<usize> = (1..=tasks)
                .filter(|task| !fates[task - 1].1[..=retries].iter().any(|(_, finishes)| *finishes))
                .collect();
            let expected = if !lost.is_empty() { Step::Lost(lost) }
                else if merge_fate.0 <= retries { Step::Finished }
                else { Step::NotMerged };
            prop_assert_eq!(end, Some(expected));
        }
    }
}
