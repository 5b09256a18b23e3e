//! Methods: features × bound × solver, checked against each other.

use super::map::check_map;
use super::probe::holds_for_phased;
use super::robustness::{check_robustness, map_kind};
use super::solver::{Penalties, abilities, check_intercept, check_solver, solver_with};
use super::uniform::check_uniform;
use super::{LevelKind, MapPlan, PlanError, Robustness, UncertaintyPlan};
use crate::spec::{FormName, MethodSpec, PerSample, SolverName, Spanned, SpecFile};
use robust_svm_bounds::{BoundError, MapKind, lipschitz};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
use robust_svm_solvers::Intercept;

/// A validated method.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodPlan {
    /// The name in tables and plots.
    pub name: String,
    /// The feature map.
    pub map: MapPlan,
    /// What is guarded against in training.
    pub robustness: Robustness,
    /// The solver.
    pub solver: SolverName,
    /// The rule for the intercept.
    pub intercept: Intercept,
    /// Trains at this level whatever the evaluation level.
    pub fixed_train_level: Option<f64>,
    /// Cells with more training rows are skipped.
    pub max_train_rows: Option<usize>,
}

impl MethodPlan {
    /// The level the model evaluated at `level` is trained at: 0 for nominal methods.
    pub fn train_level(&self, level: f64) -> f64 {
        match self.robustness {
            Robustness::Nominal => 0.0,
            _ => self.fixed_train_level.unwrap_or(level),
        }
    }

    /// Checks one `[[method]]` of `file`.
    pub(super) fn check(file: &SpecFile, spec: &MethodSpec) -> Result<Self, PlanError> {
        let map = check_map(file, spec)?;
        let solver = check_solver(file, spec)?;
        let robustness = check_robustness(file, spec)?;
        if let Some(level) = &spec.train_level {
            let value = *level.get_ref();
            if !(value.is_finite() && value >= 0.0) {
                return Err(file
                    .error_at(
                        level.span(),
                        format!("`train_level` must be at least 0, found {value}"),
                        "levels are γ in units of the scaled features",
                    )
                    .into());
            }
            if robustness == Robustness::Nominal {
                return Err(file
                    .error_at(
                        level.span(),
                        "`train_level` needs a `bound`",
                        "a method without a bound is nominal: it is trained at level 0",
                    )
                    .into());
            }
        }
        Ok(Self {
            name: spec.name.get_ref().clone(),
            map,
            robustness,
            solver,
            intercept: check_intercept(file, spec)?,
            // Adding 0.0 makes −0.0 equal to 0.0, in cell ids too.
            fixed_train_level: spec.train_level.as_ref().map(|l| *l.get_ref() + 0.0),
            max_train_rows: spec.max_train_rows.as_ref().map(|rows| *rows.get_ref()),
        })
    }

    /// Checks that the bound holds for the sets trained on; `spec` is the method's section of `file`.
    pub(super) fn check_sets(
        &self,
        file: &SpecFile,
        spec: &MethodSpec,
        uncertainty: &UncertaintyPlan,
        levels: LevelKind,
    ) -> Result<(), PlanError> {
        if self.robustness == Robustness::NormalInputs {
            return self.check_normal_inputs(file, spec, uncertainty, levels);
        }
        let (Some(name), Some(written)) = (self.robustness.name(), &spec.bound) else {
            return Ok(());
        };
        check_uniform(file, spec, self, uncertainty)?;
        let refuse = |what: &str, help: String| -> Result<(), PlanError> {
            let message = format!("bound `{name}` does not hold for {what}");
            Err(file.error_at(written.span(), message, help).into())
        };
        let sets = uncertainty.representative();
        match self.robustness {
            Robustness::Nominal | Robustness::Support | Robustness::NormalInputs => Ok(()),
            Robustness::Local => {
                let balls = sets.norm() == Norm::Two && sets.shared().is_some();
                if balls || abilities(self.solver).penalties == Penalties::Any {
                    return Ok(());
                }
                let any = solver_with(false, |abilities| abilities.penalties == Penalties::Any);
                let help = "this solver takes it for norm 2 and one shape: write ";
                refuse(SETS, format!("{help}{}", any.unwrap_or_default()))
            }
            Robustness::TotalBudget if uncertainty.per_sample != PerSample::Uniform => {
                let help = "one budget and one Σ serve all points: write per_sample = \"uniform\"";
                refuse("sets of each point's own", help.into())
            }
            Robustness::TotalBudget if levels != LevelKind::Size => {
                let help = "a budget is for perturbations chosen at will: write `levels` in the place of `chance`";
                refuse("chance constraints", help.into())
            }
            Robustness::TotalBudget => {
                let kind = map_kind(*spec.features.map.get_ref());
                let holds = kind.map_or(Ok(()), |kind| lipschitz::holds_for(kind, sets.norm()));
                holds.or_else(|error| refuse(SETS, reason(error)))
            }
            Robustness::Bound(bound) => {
                if let Err(error) = bound.holds_for(&sets) {
                    let help =
                        match solver_with(false, |abilities| abilities.penalties == Penalties::Any)
                        {
                            Some(others) if bound.map() == MapKind::Identity => {
                                format!("{}, or {others}", reason(error))
                            }
                            _ => reason(error),
                        };
                    return refuse(SETS, help);
                }
                match &self.map {
                    MapPlan::Rff { form, .. } if *form == FormName::Phased => {
                        holds_for_phased(bound).or_else(|error| {
                            refuse("phased random Fourier features", reason(error))
                        })
                    }
                    _ => Ok(()),
                }
            }
        }
    }
}

impl MethodPlan {
    /// Checks that the sets are ones whose uniform distribution the method can stand in for.
    fn check_normal_inputs(
        &self,
        file: &SpecFile,
        spec: &MethodSpec,
        uncertainty: &UncertaintyPlan,
        levels: LevelKind,
    ) -> Result<(), PlanError> {
        let span = spec.inputs.as_ref().map_or(0..0, Spanned::span);
        let refuse = |message: &str, help: &str| -> Result<(), PlanError> {
            Err(file.error_at(span.clone(), message, help).into())
        };
        if levels != LevelKind::Size {
            let message = "normally distributed inputs do not go with chance constraints";
            return refuse(message, "write `levels` in the place of `chance`");
        }
        let sets = uncertainty.representative();
        let round = |set: &UncertaintySet| *set.factor() == Factor::Identity;
        if self.map == MapPlan::ExactKernel && !sets.shapes().iter().all(round) {
            let message =
                "normally distributed inputs of an exact kernel need sets without a direction";
            let help = "write shape = \"sphere\" and no sizes by features, or map = \"rff\"";
            return refuse(message, help);
        }
        Ok(())
    }
}

/// What a bound does not hold for, in a message.
const SETS: &str = "these uncertainty sets";

/// What rules a bound out, and what to use instead.
pub(crate) fn reason(error: BoundError) -> String {
    match error {
        BoundError::NotValid { reason, .. } => reason,
        BoundError::Core(error) => error.to_string(),
    }
}
