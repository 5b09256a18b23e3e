//! A classifier with what was chosen for it, and the choice.

use crate::run::failure::Failure;
use crate::study::classifiers::prepare::Prepared;
use robust_svm_core::model::Model;
use robust_svm_solvers::Classifier;

/// The hyper-parameters that were chosen; those that a method has not are `None`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chosen {
    /// `linear`, `quadratic` or `gaussian`.
    pub kernel: Option<String>,
    /// σ of a Gaussian kernel.
    pub sigma: Option<f64>,
    /// Dimensions of an embedding or projection.
    pub dims: Option<u32>,
    /// The regulariser's weight.
    pub lambda: Option<f64>,
    /// The variances' factor, or the variance.
    pub width: Option<f64>,
    /// The most levels of a tree.
    pub depth: Option<u32>,
}

/// A classifier that was chosen.
pub(in crate::study::classifiers) struct Fitted {
    pub(in crate::study::classifiers) classifier: Box<dyn Classifier>,
    pub(in crate::study::classifiers) chosen: Chosen,
    /// Share of validation rows that it gets right.
    pub(in crate::study::classifiers) validation_accuracy: f64,
    /// Its decision function, of two classes, where it has a gradient.
    pub(in crate::study::classifiers) model: Option<Model>,
    /// What is known of its capacity.
    pub(in crate::study::classifiers) capacity: Option<Capacity>,
    /// Which candidates had no solution.
    pub(in crate::study::classifiers) remark: Option<String>,
}

/// The ball of the kernel's Hilbert space that a decision function is in, and the training matrix's trace there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::study::classifiers) struct Capacity {
    /// `‖f − b‖` of the decision function.
    pub(in crate::study::classifiers) norm: f64,
    /// `tr K` of the training matrix.
    pub(in crate::study::classifiers) trace: f64,
    /// The part of it that is the inputs' uncertainty, `Σ_i tr Σ_i`; of linear kernels alone.
    pub(in crate::study::classifiers) uncertain: Option<f64>,
    /// The largest `k(x, x)`, of classifiers trained on hinge losses.
    pub(in crate::study::classifiers) hinge: Option<f64>,
}

/// The best candidate so far.
pub(super) struct Selection<'a> {
    prepared: &'a Prepared,
    best: Option<Fitted>,
    failures: Vec<String>,
}

impl<'a> Selection<'a> {
    pub(super) fn new(prepared: &'a Prepared) -> Self {
        Self {
            prepared,
            best: None,
            failures: Vec::new(),
        }
    }

    /// Takes the candidate if it is better on the validation rows than all before it.
    pub(super) fn offer(&mut self, chosen: Chosen, candidate: Result<Candidate, Failure>) {
        let measured = candidate.and_then(|candidate| {
            let predicted = candidate
                .classifier
                .predict(self.prepared.validation.x().view())?;
            Ok((candidate, self.accuracy(&predicted)))
        });
        match measured {
            Ok((candidate, accuracy)) if self.is_better(accuracy) => {
                self.take(chosen, candidate, accuracy);
            }
            Ok(_) => {}
            Err(failure) => self.fail(&chosen, &failure),
        }
    }

    /// The share of validation rows whose class is `predicted`.
    pub(super) fn accuracy(&self, predicted: &[usize]) -> f64 {
        let labels = self.prepared.validation.labels();
        let right = predicted.iter().zip(labels).filter(|(p, l)| p == l).count();
        right as f64 / labels.len() as f64
    }

    /// Whether `accuracy` is above that of all candidates so far; of equals the first stays.
    pub(super) fn is_better(&self, accuracy: f64) -> bool {
        let best = self.best.as_ref();
        best.is_none_or(|best| accuracy > best.validation_accuracy)
    }

    /// Makes `candidate` the best.
    pub(super) fn take(&mut self, chosen: Chosen, candidate: Candidate, accuracy: f64) {
        self.best = Some(Fitted {
            classifier: candidate.classifier,
            model: candidate.model,
            capacity: candidate.capacity,
            chosen,
            validation_accuracy: accuracy,
            remark: None,
        });
    }

    /// Notes that a candidate had no solution.
    pub(super) fn fail(&mut self, chosen: &Chosen, failure: &Failure) {
        self.failures
            .push(format!("{}: {}", chosen.told(), failure.reason));
    }

    /// The best of all; an error where no candidate had a solution.
    pub(super) fn finish(self) -> Result<Fitted, Failure> {
        let count = self.failures.len();
        let remark = self
            .failures
            .first()
            .map(|first| format!("{count} candidates had no solution, the first {first}"));
        match self.best {
            Some(best) => Ok(Fitted { remark, ..best }),
            None => Err(Failure::failed(remark.unwrap_or_else(|| {
                "the grid has no candidate for this dataset".to_owned()
            }))),
        }
    }
}

/// A classifier before it is chosen.
pub(super) struct Candidate {
    pub(super) classifier: Box<dyn Classifier>,
    pub(super) model: Option<Model>,
    pub(super) capacity: Option<Capacity>,
}

impl Candidate {
    /// A classifier of which no more is known.
    pub(super) fn plain(classifier: impl Classifier + 'static) -> Self {
        Self {
            classifier: Box::new(classifier),
            model: None,
            capacity: None,
        }
    }
}

impl Chosen {
    /// In words, as `gaussian σ=4 d=8`.
    pub(in crate::study::classifiers) fn told(&self) -> String {
        let number = |name: &str, value: Option<f64>| value.map(|value| format!("{name}={value}"));
        let parts = [
            self.kernel.clone(),
            number("σ", self.sigma),
            number("d", self.dims.map(f64::from)),
            number("λ", self.lambda),
            number("width", self.width),
            number("depth", self.depth.map(f64::from)),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() {
            "no choice".to_owned()
        } else {
            parts.join(" ")
        }
    }
}
