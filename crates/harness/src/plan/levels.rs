//! The levels: sizes γ of the uncertainty sets, or the ε of chance constraints that sizes follow from.

use super::numbers::{Allowed, check_numbers, check_positive};
use super::{MapPlan, MethodPlan, PlanError, UncertaintyPlan};
use crate::spec::Spanned;
use crate::spec::{ChanceSpec, MethodSpec, SpecFile, UncertaintySpec};
use robust_svm_bounds::chance::{Noise, linear_size, set_size};
use robust_svm_core::CoreError;
use robust_svm_core::uncertainty::Norm;

/// What a level is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LevelKind {
    /// The size γ of the sets around validation and test points, and of training points' before their relative sizes.
    Size,
    /// The ε of a chance constraint.
    Chance(Chance),
}

/// Noise of mean 0 and covariance `scale² Σ`, Σ the shape of the sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chance {
    /// What else is known of it.
    pub noise: Noise,
    /// The scale.
    pub scale: f64,
}

/// The noise of test points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TestNoise {
    /// Uniform in the set of this size.
    Uniform(f64),
    /// Normal, of covariance this squared times Σ.
    Normal(f64),
}

impl LevelKind {
    /// γ of the sets around validation and test points at `level`, in n features: of chance constraints the set that holds
    /// the noise with probability 1 − ε, whatever the method, so that all are judged by the same sets.
    ///
    /// # Errors
    /// [`CoreError`] if there is no such set: planning tries each level.
    pub fn evaluation_size(self, level: f64, n: usize) -> Result<f64, CoreError> {
        match self {
            Self::Size => Ok(level),
            Self::Chance(chance) => Ok(chance.scale * set_size(n, level, chance.noise)?),
        }
    }

    /// γ of the sets around training points: of chance constraints what the method needs for each margin to survive the
    /// noise with probability 1 − ε, less for linear models than for others.
    ///
    /// # Errors
    /// As [`LevelKind::evaluation_size`].
    pub fn training_size(self, level: f64, n: usize, map: &MapPlan) -> Result<f64, CoreError> {
        match (self, map) {
            // The level of nominal methods.
            (_, _) if level == 0.0 => Ok(0.0),
            (Self::Chance(chance), MapPlan::Identity) => {
                Ok(chance.scale * linear_size(level, chance.noise)?)
            }
            _ => self.evaluation_size(level, n),
        }
    }

    /// The noise of test points at a set of `size`.
    pub fn test_noise(self, size: f64) -> TestNoise {
        match self {
            Self::Size => TestNoise::Uniform(size),
            Self::Chance(chance) => TestNoise::Normal(chance.scale),
        }
    }
}

/// The levels and what they are.
pub(super) fn check_levels(
    file: &SpecFile,
    section: &Spanned<UncertaintySpec>,
    plan: &UncertaintyPlan,
) -> Result<(Vec<f64>, LevelKind), PlanError> {
    let spec = section.get_ref();
    match (&spec.levels, &spec.chance) {
        (Some(levels), None) => {
            let levels = check_numbers(file, "levels", levels, Allowed::NotNegative)?;
            Ok((levels, LevelKind::Size))
        }
        (None, Some(chance)) => check_chance(file, chance, plan),
        (Some(_), Some(chance)) => {
            let message = "`levels` and `chance` are both there";
            let help = "sizes γ are given, or follow from the ε of a chance constraint: leave one of them out";
            Err(file.error_at(chance.span(), message, help).into())
        }
        (None, None) => {
            let help = "add it, for example levels = [0.0, 0.1, 0.2]";
            Err(file
                .error_at(section.span(), "missing key `levels`", help)
                .into())
        }
    }
}

fn check_chance(
    file: &SpecFile,
    written: &Spanned<ChanceSpec>,
    plan: &UncertaintyPlan,
) -> Result<(Vec<f64>, LevelKind), PlanError> {
    let spec = written.get_ref();
    let levels = check_numbers(file, "epsilon", &spec.epsilon, Allowed::Probability)?;
    let scale = check_positive(file, "scale", &spec.scale)?;
    if plan.norm != Norm::Two {
        let message = "`chance` is for sets of norm 2";
        let help = "noise is known by its covariance: write norm = 2, and shape = \"diagonal\" in the place of a box";
        return Err(file.error_at(written.span(), message, help).into());
    }
    let noise = spec.noise.into();
    Ok((levels, LevelKind::Chance(Chance { noise, scale })))
}

/// That `method`, the section `written`, can be trained at every one of `levels`.
pub(super) fn check_method_levels(
    file: &SpecFile,
    spec: &UncertaintySpec,
    kind: LevelKind,
    method: &MethodPlan,
    written: &MethodSpec,
) -> Result<(), PlanError> {
    let (LevelKind::Chance(_), Some(chance)) = (kind, &spec.chance) else {
        return Ok(());
    };
    if let Some(level) = &written.train_level {
        let message = "`train_level` has no meaning beside `chance`";
        let help =
            "each method is trained at the size that follows from ε: leave `train_level` out";
        return Err(file.error_at(level.span(), message, help).into());
    }
    for epsilon in chance.get_ref().epsilon.get_ref() {
        let level = method.train_level(*epsilon.get_ref());
        if kind.training_size(level, 1, &method.map).is_err() {
            let message = format!(
                "`epsilon` must be at most 0.5 for linear models and Gaussian noise, found {}",
                epsilon.get_ref()
            );
            let help = format!(
                "a larger ε asks nothing of method `{}`: leave this entry or the method out",
                method.name
            );
            return Err(file.error_at(epsilon.span(), message, help).into());
        }
    }
    Ok(())
}
