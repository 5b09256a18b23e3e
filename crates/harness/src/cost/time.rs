//! Seconds of a cell from its work.

use super::Timed;
use super::law::{Law, Sample};
use crate::store::Work;

/// What training takes, and what evaluating takes.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeModel {
    training: Law,
    evaluating: Law,
}

impl Timed {
    /// Mean seconds of a cell.
    pub fn seconds(&self) -> f64 {
        self.training + self.evaluating
    }
}

impl TimeModel {
    /// Fits both laws. Where cells of a key were timed with the code that runs now, others with that key are left out.
    pub fn fit(timed: &[Timed]) -> Self {
        let ours = |key: &str| timed.iter().any(|t| t.same_code && t.work.key == key);
        let newest = |t: &&Timed| t.same_code || !ours(&t.work.key);
        let used: Vec<&Timed> = timed.iter().filter(newest).collect();
        let law = |amount: fn(&Work) -> f64, seconds: fn(&Timed) -> f64| {
            let sample = |t: &'_ Timed| (t.cells, amount(&t.work), seconds(t));
            let keys = used.iter().map(|t| t.work.key.as_str());
            let samples = keys.zip(used.iter().map(|t| sample(t)));
            let of = |(key, (cells, amount, seconds))| Sample {
                key,
                cells,
                amount,
                seconds,
            };
            Law::fit(&samples.map(of).collect::<Vec<_>>())
        };
        Self {
            training: law(Work::training, |t| t.training),
            evaluating: law(Work::evaluating, |t| t.evaluating),
        }
    }

    /// About how many seconds a cell takes.
    pub fn seconds(&self, work: &Work) -> f64 {
        self.training.seconds(&work.key, work.training())
            + self.evaluating.seconds(&work.key, work.evaluating())
    }

    /// Whether cells like this were timed.
    pub fn knows(&self, work: &Work) -> bool {
        self.training.knows(&work.key)
    }
}

#[cfg(test)]
mod tests {
    use super::{TimeModel, Timed, Work};

    fn timed(key: &str, training: f64, evaluating: f64) -> Timed {
        Timed {
            work: Work {
                group: String::new(),
                dataset: String::new(),
                key: key.to_owned(),
                map: String::new(),
                rows: 100,
                dim: 64,
                candidates: 3,
                blocks: 1,
                probes: 1000,
            },
            cells: 4,
            training,
            evaluating,
            same_code: true,
        }
    }

    #[test]
    fn times_of_other_code_count_only_where_there_are_no_others() {
        let old = |key| Timed {
            same_code: false,
            ..timed(key, 100.0, 10.0)
        };
        let now = timed("a", 2.0, 1.0);
        let model = TimeModel::fit(&[old("a"), now.clone(), old("b")]);
        assert!((model.seconds(&now.work) - 3.0).abs() < 1e-9);
        assert!((model.seconds(&old("b").work) - 110.0).abs() < 1e-9);
    }

    #[test]
    fn more_candidates_train_longer_and_are_evaluated_alike() {
        let one = timed("a", 2.0, 1.0);
        let model = TimeModel::fit(std::slice::from_ref(&one));
        let more = Work {
            candidates: 15,
            ..one.work
        };
        assert!((model.seconds(&more) - 11.0).abs() < 1e-9);
    }
}
