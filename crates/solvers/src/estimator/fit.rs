//! From parameters and a dataset to a fitted model.

use super::params::{Bandwidth, FeatureChoice, Robustness};
use super::{FitError, FittedRobustSvm, RobustSvmValidParams};
use crate::problem::check_training_set;
use crate::{
    BundleSettings, InteriorPointSettings, LocalPenalty, Problem, RelativeGap, SolverError,
    SublinearPenalty, SublinearProblem, SupportPenalty, solve, solve_bundle, solve_local,
};
use linfa::DatasetBase;
use linfa::dataset::AsSingleTargets;
use linfa::traits::Fit;
use ndarray::{Array1, Array2, ArrayBase, ArrayView2, Data, Ix2};
use robust_svm_core::CoreError;
use robust_svm_core::features::{FeatureMap, Features, Identity, Nystrom, Rff, uniform_landmarks};
use robust_svm_core::kernel::{GaussianKernel, median_distance};
use robust_svm_core::model::{FeatureModel, Model};
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::seed::CellSeed;
use robust_svm_core::uncertainty::Norm;
use std::sync::Arc;

/// The least gap asked of the cutting-plane method.
const BUNDLE_TOLERANCE: f64 = 1e-4;

impl<D, T> Fit<ArrayBase<D, Ix2>, T, FitError> for RobustSvmValidParams
where
    D: Data<Elem = f64>,
    T: AsSingleTargets<Elem = bool>,
{
    type Object = FittedRobustSvm;

    /// Trains on the records (L × n), as they are: scale them before. `true` is the class y = +1.
    ///
    /// Interior-point methods solve what has one cone (bounds with p̄ = 2 and one A; linear models with p = 2 and
    /// one shape for all samples) and the local bound with p = 2 and one shape, the cutting-plane method everything else.
    ///
    /// # Errors
    /// [`FitError`] for records that are not finite, one class only, more landmarks than rows, sets of another number
    /// of rows, a median distance of 0, or a setting that the solver at hand does not take.
    fn fit(
        &self,
        dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
    ) -> Result<FittedRobustSvm, FitError> {
        let x = dataset.records().view();
        let y: Array1<f64> = dataset
            .as_single_targets()
            .mapv(|positive| if positive { 1.0 } else { -1.0 });
        check_training_set("records", x.into(), y.view(), self.lambda)?;
        let features = self.map(x)?;
        let phi = features.transform(x);
        let trained = self.train(&features, x, &phi, &y)?;
        let model = FeatureModel {
            features,
            zeta: trained.zeta,
            intercept: trained.intercept,
        };
        Ok(FittedRobustSvm {
            model: Model::Feature(model),
            // What holds for training rows of a size or shape of their own says nothing of new ones.
            set: self.sets.shared().cloned(),
            objective: trained.objective,
            relative_gap: trained.relative_gap,
        })
    }
}

/// What either solver gives.
struct Trained {
    zeta: Array1<f64>,
    intercept: f64,
    objective: f64,
    relative_gap: RelativeGap,
}

impl RobustSvmValidParams {
    fn map(&self, x: ArrayView2<'_, f64>) -> Result<Features, CoreError> {
        let seeds = CellSeed::new(self.seed, "estimator", 0);
        match self.features {
            FeatureChoice::Linear => Ok(Features::Identity(Identity::new(x.ncols()))),
            FeatureChoice::RandomFourier { dim, sigma } => {
                let kernel = kernel(sigma, x)?;
                let map = Rff::draw(kernel, x.ncols(), dim, &mut seeds.stream("rff"))?;
                Ok(Features::Rff(Arc::new(map)))
            }
            FeatureChoice::Nystrom { landmarks, sigma } => {
                let kernel = kernel(sigma, x)?;
                let points = uniform_landmarks(x, landmarks, &mut seeds.stream("landmarks"))?;
                Ok(Features::Nystrom(Arc::new(Nystrom::new(kernel, points)?)))
            }
        }
    }

    fn train(
        &self,
        features: &Features,
        x: ArrayView2<'_, f64>,
        phi: &Array2<f64>,
        y: &Array1<f64>,
    ) -> Result<Trained, FitError> {
        // A budget is measured by A, that of the sets, also where they have no size.
        if self.gamma == 0.0 && self.budget == 0.0 {
            return self.by_interior_point(phi, y, &FeaturePenalty::none(y.len()));
        }
        if self.robustness == Robustness::Local {
            return self.on_local_bound(features, x, phi, y);
        }
        if self.features == FeatureChoice::Linear && !self.has_one_ball() {
            let (sets, gamma) = (self.sets.clone(), self.gamma);
            return self.by_bundle(phi, y, &SupportPenalty { sets, gamma });
        }
        let penalty = self.bound()?.penalty(features, &self.sets, x, self.gamma)?;
        if matches!(penalty.matrix, PenaltyMatrix::Rotations { .. }) {
            return self.by_bundle(phi, y, &penalty);
        }
        self.by_interior_point(phi, y, &penalty)
    }

    /// Whether the sets have p = 2 and one shape.
    fn has_one_ball(&self) -> bool {
        self.sets.norm() == Norm::Two && self.sets.shared().is_some()
    }

    fn on_local_bound(
        &self,
        features: &Features,
        x: ArrayView2<'_, f64>,
        phi: &Array2<f64>,
        y: &Array1<f64>,
    ) -> Result<Trained, FitError> {
        let penalty = LocalPenalty::new(features, &self.sets, x, self.gamma)?;
        if !self.has_one_ball() {
            return self.by_bundle(phi, y, &penalty);
        }
        self.check_no_budget("0 where the local bound is trained on")?;
        let (lambda, rule, settings) = (self.lambda, self.intercept, self.interior_point());
        let solution = solve_local(phi.view(), y.view(), &penalty, lambda, rule, &settings)?;
        Ok(Trained {
            zeta: solution.zeta,
            intercept: solution.intercept,
            objective: solution.objective,
            relative_gap: solution.relative_gap,
        })
    }

    fn interior_point(&self) -> InteriorPointSettings {
        InteriorPointSettings {
            tolerance: self.tolerance,
            ..InteriorPointSettings::default()
        }
    }

    fn check_no_budget(&self, expected: &'static str) -> Result<(), SolverError> {
        if self.budget > 0.0 {
            return Err(SolverError::Setting {
                name: "budget",
                expected,
                found: self.budget.to_string(),
            });
        }
        Ok(())
    }

    fn by_interior_point(
        &self,
        phi: &Array2<f64>,
        y: &Array1<f64>,
        penalty: &FeaturePenalty,
    ) -> Result<Trained, FitError> {
        let problem = Problem::new(phi.view(), y.view(), penalty, self.lambda)?
            .with_intercept(self.intercept)
            .with_budget(self.budget)?;
        let solution = solve(&problem, &self.interior_point())?;
        Ok(Trained {
            zeta: solution.zeta,
            intercept: solution.intercept,
            objective: solution.objective,
            relative_gap: solution.relative_gap,
        })
    }

    fn by_bundle(
        &self,
        phi: &Array2<f64>,
        y: &Array1<f64>,
        penalty: &dyn SublinearPenalty,
    ) -> Result<Trained, FitError> {
        self.check_no_budget("0 where the cutting-plane method trains")?;
        let problem = SublinearProblem::new(phi.view(), y.view(), penalty, self.lambda)?
            .with_intercept(self.intercept);
        let settings = BundleSettings {
            tolerance: self.tolerance.max(BUNDLE_TOLERANCE),
            ..BundleSettings::default()
        };
        let solution = solve_bundle(&problem, &settings)?;
        Ok(Trained {
            zeta: solution.zeta,
            intercept: solution.intercept,
            objective: solution.objective,
            relative_gap: solution.relative_gap,
        })
    }
}

fn kernel(sigma: Bandwidth, x: ArrayView2<'_, f64>) -> Result<GaussianKernel, CoreError> {
    match sigma {
        Bandwidth::Sigma(sigma) => GaussianKernel::new(sigma),
        Bandwidth::TimesMedian(times) => {
            let median = median_distance(x).ok_or_else(|| {
                let reason = "the median distance between training rows is 0: give sigma itself";
                CoreError::Numerical(reason.into())
            })?;
            GaussianKernel::new(times * median)
        }
    }
}
