//! A fitted robust SVM.

use super::FitError;
use crate::RelativeGap;
use linfa::DatasetBase;
use linfa::dataset::AsSingleTargets;
use linfa::traits::PredictInplace;
use ndarray::{Array1, ArrayBase, ArrayView2, Data, Ix2};
use robust_svm_bounds::BoundError;
use robust_svm_bounds::certify::Certifier;
use robust_svm_core::CoreError;
use robust_svm_core::model::{DecisionFunction, Model};
use robust_svm_core::uncertainty::UncertaintySet;

/// A trained classifier with the certified gap of its training problem.
#[derive(Debug, Clone)]
pub struct FittedRobustSvm {
    pub(super) model: Model,
    pub(super) set: Option<UncertaintySet>,
    pub(super) objective: f64,
    pub(super) relative_gap: RelativeGap,
}

impl FittedRobustSvm {
    /// The model itself, for attacks and certificates.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The value of the training problem that the model reaches.
    pub fn objective(&self) -> f64 {
        self.objective
    }

    /// How far that is from the optimum at most, relative to it.
    pub fn relative_gap(&self) -> RelativeGap {
        self.relative_gap
    }

    /// `f(x_i)` for each row of `x` (p × n).
    ///
    /// # Panics
    /// If `x` is not as wide as the training records.
    pub fn decision(&self, x: ArrayView2<'_, f64>) -> Array1<f64> {
        self.model.decision(x)
    }

    /// An upper bound on the share of the rows of `dataset` that some perturbation of size `gamma` in the set trained
    /// with puts into the wrong class.
    ///
    /// # Errors
    /// [`FitError::Core`] if the sets trained with had a shape of each sample's own (use a [`Certifier`] with sets for
    /// the new rows); the errors of [`Certifier::points`].
    pub fn certified_error<D, T>(
        &self,
        dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
        gamma: f64,
    ) -> Result<f64, FitError>
    where
        D: Data<Elem = f64>,
        T: AsSingleTargets<Elem = bool>,
    {
        if !(gamma >= 0.0 && gamma.is_finite()) {
            return Err(CoreError::parameter("gamma", "finite and ≥ 0", gamma).into());
        }
        let set = self.set.clone().ok_or_else(|| {
            let found = "a shape for each training sample";
            CoreError::parameter("uncertainty", "one shape for all samples", found)
        })?;
        let y = dataset
            .as_single_targets()
            .mapv(|positive| if positive { 1.0 } else { -1.0 });
        let certify = || -> Result<f64, BoundError> {
            let points = Certifier::new(&self.model, set)?;
            let points = points.points(dataset.records().view(), y.view())?;
            Ok(points.error(gamma))
        };
        Ok(certify()?)
    }
}

impl<D: Data<Elem = f64>> PredictInplace<ArrayBase<D, Ix2>, Array1<bool>> for FittedRobustSvm {
    /// `f(x) > 0` for each row of `x`.
    ///
    /// # Panics
    /// If `x` is not as wide as the training records or `targets` not as long as `x` has rows.
    fn predict_inplace(&self, x: &ArrayBase<D, Ix2>, targets: &mut Array1<bool>) {
        assert_eq!(x.nrows(), targets.len(), "one target a row");
        targets.zip_mut_with(&self.decision(x.view()), |target, f| *target = *f > 0.0);
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array1<bool> {
        Array1::from_elem(x.nrows(), false)
    }
}
