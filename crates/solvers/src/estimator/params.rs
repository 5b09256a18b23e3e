//! The parameters of a robust SVM, and their check.

use super::FitError;
use crate::{Intercept, InteriorPointSettings, SolverError};
use linfa::ParamGuard;
use robust_svm_bounds::{BoundError, FeatureBound, MapKind, find, names};
use robust_svm_core::CoreError;
use robust_svm_core::uncertainty::{UncertaintySet, UncertaintySets};

/// The features of the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FeatureChoice {
    /// The inputs themselves.
    Linear,
    /// Random Fourier features in pairs of cosine and sine.
    RandomFourier {
        /// D, even.
        dim: usize,
        /// σ of the Gaussian kernel.
        sigma: Bandwidth,
    },
    /// Nyström features on training rows drawn uniformly.
    Nystrom {
        /// m, at most the number of training rows.
        landmarks: usize,
        /// σ of the Gaussian kernel.
        sigma: Bandwidth,
    },
}

impl FeatureChoice {
    pub(super) fn kind(self) -> MapKind {
        match self {
            Self::Linear => MapKind::Identity,
            Self::RandomFourier { .. } => MapKind::Rff,
            Self::Nystrom { .. } => MapKind::Nystrom,
        }
    }
}

/// A bandwidth σ of the Gaussian kernel `exp(−d²/2σ²)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bandwidth {
    /// σ itself, in units of the inputs.
    Sigma(f64),
    /// A multiple of the median distance between training rows.
    TimesMedian(f64),
}

/// What stands for the sets in training, where there is more than one upper bound of the worst-case loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Robustness {
    /// A feature-uncertainty bound, `Γ_i‖A_iζ‖_q̄`, that [`RobustSvmParams::bound`] names.
    #[default]
    Bound,
    /// The model's own gradient at each point and its largest curvature ([`LocalPenalty`](crate::LocalPenalty)): for every
    /// set, and the support function itself for linear models.
    Local,
}

/// Where the parameters of a robust SVM start.
#[derive(Debug, Clone, Copy)]
pub struct RobustSvm;

impl RobustSvm {
    /// The nominal linear SVM with λ = 1 and a free intercept, to be changed by the methods of
    /// [`RobustSvmParams`].
    pub fn params() -> RobustSvmParams {
        RobustSvmParams(RobustSvmValidParams {
            features: FeatureChoice::Linear,
            sets: UncertaintySet::sphere().into(),
            gamma: 0.0,
            robustness: Robustness::Bound,
            bound: None,
            lambda: 1.0,
            intercept: Intercept::Free,
            budget: 0.0,
            seed: 0,
            tolerance: InteriorPointSettings::default().tolerance,
        })
    }
}

/// Parameters that have not been checked yet.
#[derive(Debug, Clone)]
pub struct RobustSvmParams(RobustSvmValidParams);

/// Parameters that have been checked.
#[derive(Debug, Clone)]
pub struct RobustSvmValidParams {
    pub(super) features: FeatureChoice,
    pub(super) sets: UncertaintySets,
    pub(super) gamma: f64,
    pub(super) robustness: Robustness,
    pub(super) bound: Option<String>,
    pub(super) lambda: f64,
    pub(super) intercept: Intercept,
    pub(super) budget: f64,
    pub(super) seed: u64,
    pub(super) tolerance: f64,
}

impl RobustSvmValidParams {
    /// The bound by name; the tightest one there is without.
    pub(super) fn bound(&self) -> Result<&'static dyn FeatureBound, BoundError> {
        let kind = self.features.kind();
        let default = match kind {
            MapKind::Identity => "exact",
            MapKind::Rff | MapKind::Nystrom => "best",
        };
        let name = self.bound.as_deref().unwrap_or(default);
        find(name, kind).ok_or_else(|| {
            let expected = format!("one of {} for {kind}", names(kind).join(", "));
            CoreError::parameter("bound", expected, name).into()
        })
    }
}

impl RobustSvmParams {
    /// The feature map; [`FeatureChoice::Linear`] by default.
    #[must_use]
    pub fn features(mut self, features: FeatureChoice) -> Self {
        self.0.features = features;
        self
    }

    /// The sets that the inputs may lie in, at level `gamma` ≥ 0 in units of the inputs. Nominal by default.
    #[must_use]
    pub fn uncertainty(mut self, sets: impl Into<UncertaintySets>, gamma: f64) -> Self {
        self.0.sets = sets.into();
        self.0.gamma = gamma;
        self
    }

    /// What stands for the sets in training; a feature-uncertainty bound by default.
    #[must_use]
    pub fn robustness(mut self, robustness: Robustness) -> Self {
        self.0.robustness = robustness;
        self
    }

    /// The feature-uncertainty bound by its name ([`robust_svm_bounds::names`]); the tightest by default. Not with
    /// [`Robustness::Local`].
    #[must_use]
    pub fn bound(mut self, name: impl Into<String>) -> Self {
        self.0.bound = Some(name.into());
        self
    }

    /// λ > 0; 1 by default. C of other libraries is 1/λ.
    #[must_use]
    pub fn lambda(mut self, lambda: f64) -> Self {
        self.0.lambda = lambda;
        self
    }

    /// The rule for the intercept; free by default.
    #[must_use]
    pub fn intercept(mut self, intercept: Intercept) -> Self {
        self.0.intercept = intercept;
        self
    }

    /// The total budget c ≥ 0 of [`crate::Problem::with_budget`]; 0 by default, and where one cone does not serve all
    /// samples.
    #[must_use]
    pub fn budget(mut self, budget: f64) -> Self {
        self.0.budget = budget;
        self
    }

    /// The seed of random frequencies and landmarks; 0 by default. Equal seeds give equal models.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.0.seed = seed;
        self
    }

    /// The certified relative gap to reach, in (0, 1); 1e−9 by default. The cutting-plane method, which solves what has
    /// no common cone, stops at 1e−4 at the least.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.0.tolerance = tolerance;
        self
    }
}

impl ParamGuard for RobustSvmParams {
    type Checked = RobustSvmValidParams;
    type Error = FitError;

    /// # Errors
    /// [`FitError`] for λ ≤ 0, a γ, budget, σ or tolerance out of range, no features, or a bound that is not
    /// there for the features, does not hold for the sets, or is named beside [`Robustness::Local`].
    fn check_ref(&self) -> Result<&Self::Checked, Self::Error> {
        let p = &self.0;
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let not_negative = |value: f64| value >= 0.0 && value.is_finite();
        if !positive(p.lambda) {
            return Err(SolverError::Lambda(p.lambda).into());
        }
        for (name, value) in [("gamma", p.gamma), ("budget", p.budget)] {
            if !not_negative(value) {
                return Err(CoreError::parameter(name, "finite and ≥ 0", value).into());
            }
        }
        let tolerance = InteriorPointSettings {
            tolerance: p.tolerance,
            ..InteriorPointSettings::default()
        };
        tolerance.check()?;
        if let FeatureChoice::RandomFourier { sigma, .. } | FeatureChoice::Nystrom { sigma, .. } =
            p.features
        {
            let (Bandwidth::Sigma(value) | Bandwidth::TimesMedian(value)) = sigma;
            if !positive(value) {
                return Err(CoreError::parameter("sigma", "positive and finite", value).into());
            }
        }
        if p.robustness == Robustness::Local {
            return match &p.bound {
                Some(name) => {
                    let expected = "left out with Robustness::Local";
                    Err(CoreError::parameter("bound", expected, name).into())
                }
                None => Ok(p),
            };
        }
        let bound = p.bound()?;
        // A linear model has its exact penalty for every p and every shape.
        if p.features != FeatureChoice::Linear {
            bound.holds_for(&p.sets)?;
        }
        Ok(p)
    }

    fn check(self) -> Result<Self::Checked, Self::Error> {
        self.check_ref()?;
        Ok(self.0)
    }
}
