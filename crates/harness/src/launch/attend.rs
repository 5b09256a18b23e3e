//! What to do next about the tasks of a job, from where they are seen. Nothing here touches a disk or a queue.

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
    /// Hand in the merge.
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

/// So many looks in a row a task must be absent: what a machine wrote may come to be seen only some time after its task has
/// left the queue.
const LOOKS: usize = 2;

/// What this process knows of a task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Known {
    /// How often it was handed in; once at least if it was ever seen in the queue.
    given: usize,
    /// For how many looks in a row it has been absent.
    absent: usize,
}

impl Known {
    fn see(&mut self, place: Place) {
        match place {
            Place::Finished => self.absent = 0,
            Place::Queued => (self.given, self.absent) = (self.given.max(1), 0),
            Place::Absent => self.absent += 1,
        }
    }

    /// Whether it is absent for good: it was never handed in, or not only for a moment.
    fn is_lost(self) -> bool {
        self.absent >= LOOKS || (self.given == 0 && self.absent > 0)
    }

    fn give(&mut self) {
        (self.given, self.absent) = (self.given + 1, 0);
    }
}

/// The tasks of a job under this process's eyes.
#[derive(Debug, Clone)]
pub(super) struct Attendance {
    retries: usize,
    tasks: Vec<Known>,
    merge: Known,
}

impl Attendance {
    /// Of `tasks` tasks. Each is handed in once, and `retries` times more.
    pub(super) fn new(tasks: usize, retries: usize) -> Self {
        Self {
            retries,
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
    /// handed in counts as handed in.
    pub(super) fn next(&mut self, places: &[Place], merge: Place) -> Step {
        for (known, place) in self.tasks.iter_mut().zip(places) {
            known.see(*place);
        }
        self.merge.see(merge);
        if merge == Place::Finished {
            return Step::Finished;
        }
        let mut again = Vec::new();
        for (index, known) in self.tasks.iter_mut().enumerate() {
            if known.is_lost() && known.given <= self.retries {
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
            return self.next_merge();
        }
        let undecided = |(known, place): (&Known, &Place)| match place {
            Place::Finished => false,
            Place::Queued => true,
            Place::Absent => !known.is_lost(),
        };
        if self.tasks.iter().zip(places).any(undecided) {
            return Step::Wait;
        }
        let absent = places
            .iter()
            .enumerate()
            .filter(|(_, place)| **place == Place::Absent);
        Step::Lost(absent.map(|(index, _)| index + 1).collect())
    }

    fn next_merge(&mut self) -> Step {
        if !self.merge.is_lost() {
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

    #[test]
    fn what_fails_is_handed_in_again_and_no_more_often_than_it_may() {
        let mut job = Attendance::new(2, 1);
        assert_eq!(
            job.next(&[Absent, Absent], Absent),
            Step::Submit(vec![1, 2])
        );
        assert_eq!(job.next(&[Queued, Queued], Queued), Step::Wait);
        assert_eq!(job.next(&[Queued, Absent], Queued), Step::Wait);
        assert_eq!(job.next(&[Queued, Absent], Queued), Step::Submit(vec![2]));
        assert_eq!(job.next(&[Finished, Queued], Queued), Step::Wait);
        assert_eq!(job.next(&[Finished, Absent], Absent), Step::Wait);
        assert_eq!(job.next(&[Finished, Absent], Absent), Step::Lost(vec![2]));
        assert_eq!((job.times(1), job.times(2)), (1, 2));
    }

    #[test]
    fn a_job_that_is_there_is_followed_and_not_handed_in() {
        let mut job = Attendance::new(2, 0);
        assert_eq!(job.next(&[Finished, Queued], Queued), Step::Wait);
        // What is seen late is no loss.
        assert_eq!(job.next(&[Finished, Absent], Queued), Step::Wait);
        assert_eq!(job.next(&[Finished, Finished], Queued), Step::Wait);
        assert_eq!(job.next(&[Finished, Finished], Absent), Step::Wait);
        assert_eq!(job.next(&[Finished, Finished], Finished), Step::Finished);
    }

    #[test]
    fn a_merge_that_fails_is_handed_in_again() {
        let mut job = Attendance::new(1, 1);
        assert_eq!(job.next(&[Finished], Absent), Step::Merge);
        assert_eq!(job.next(&[Finished], Absent), Step::Wait);
        assert_eq!(job.next(&[Finished], Absent), Step::Merge);
        for _ in 1..LOOKS {
            assert_eq!(job.next(&[Finished], Absent), Step::Wait);
        }
        assert_eq!(job.next(&[Finished], Absent), Step::NotMerged);
    }

    proptest! {
        /// Whatever the tasks do: nothing is handed in that is there or in the queue, nor more often than it may be; and
        /// once nothing waits or runs any more, it comes to an end.
        #[test]
        fn every_job_comes_to_an_end(
            retries in 0_usize..3,
            fates in prop::collection::vec(prop::collection::vec((1_usize..4, any::<bool>()), 4), 1..6),
        ) {
            let tasks = fates.len();
            let mut job = Attendance::new(tasks, retries);
            let mut given = vec![0; tasks];
            // The looks that a task is in the queue for, and whether it finishes then, the n-th time it is handed in.
            let mut left: Vec<Option<(usize, bool)>> = vec![None; tasks];
            let mut finished = vec![false; tasks];
            let mut merged = false;
            let mut end = None;
            for _ in 0..200 {
                let places: Vec<Place> = (0..tasks)
                    .map(|i| if finished[i] { Finished } else if left[i].is_some() { Queued } else { Absent })
                    .collect();
                match job.next(&places, if merged { Finished } else { Absent }) {
                    Step::Submit(again) => for task in again {
                        let i = task - 1;
                        prop_assert_eq!(places[i], Absent);
                        given[i] += 1;
                        prop_assert!(given[i] <= retries + 1);
                        left[i] = Some(fates[i][given[i] - 1]);
                    },
                    Step::Merge => {
                        prop_assert!(finished.iter().all(|f| *f));
                        merged = true;
                    }
                    Step::Wait => {}
                    step => { end = Some(step); break; }
                }
                for i in 0..tasks {
                    left[i] = match left[i] {
                        Some((1, finishes)) => { finished[i] = finishes; None }
                        Some((looks, finishes)) => Some((looks - 1, finishes)),
                        None => None,
                    };
                }
            }
            // By hand: a task finishes if one of the times that it may be handed in does.
            let lost: Vec<usize> = (1..=tasks)
                .filter(|task| !fates[task - 1][..=retries].iter().any(|(_, finishes)| *finishes))
                .collect();
            let expected = if lost.is_empty() && (retries > 0 || merged) { Step::Finished }
                else if lost.is_empty() { Step::NotMerged } else { Step::Lost(lost) };
            prop_assert_eq!(end, Some(expected));
        }
    }
}
