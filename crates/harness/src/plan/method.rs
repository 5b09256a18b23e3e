//! Methods: features × bound × solver, checked against each other.

use super::map::check_map;
use super::{MapPlan, PlanError};
use crate::source_error::nearest_name;
use crate::spec::{FormName, MapName, MethodSpec, SolverName, SpecFile};
use ndarray::Array2;
use robust_svm_bounds::rff::FeatureNorm;
use robust_svm_bounds::{BoundError, FeatureBound, MapKind, all_names, bounds_for, find};
use robust_svm_core::features::{Features, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::seed::CellSeed;
use robust_svm_core::uncertainty::{UncertaintySet, UncertaintySets};
use std::sync::Arc;

/// A validated method.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodPlan {
    /// The name in tables and plots.
    pub name: String,
    /// The feature map.
    pub map: MapPlan,
    /// The bound trained with; nominal without.
    pub bound: Option<&'static dyn FeatureBound>,
    /// The solver.
    pub solver: SolverName,
    /// Trains at this level whatever the evaluation level.
    pub fixed_train_level: Option<f64>,
    /// Cells with more training rows are skipped.
    pub max_train_rows: Option<usize>,
}

impl MethodPlan {
    /// The level the model evaluated at `level` is trained at: 0 for nominal methods.
    pub fn train_level(&self, level: f64) -> f64 {
        match self.bound {
            None => 0.0,
            Some(_) => self.fixed_train_level.unwrap_or(level),
        }
    }

    /// Checks one `[[method]]` of `file`.
    pub(super) fn check(file: &SpecFile, spec: &MethodSpec) -> Result<Self, PlanError> {
        let map = check_map(file, spec)?;
        let bound = check_bound(file, spec)?;
        check_solver(file, spec)?;
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
            if bound.is_none() {
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
            bound,
            solver: *spec.solver.get_ref(),
            // Adding 0.0 makes −0.0 equal to 0.0, in cell ids too.
            fixed_train_level: spec.train_level.as_ref().map(|l| *l.get_ref() + 0.0),
            max_train_rows: spec.max_train_rows.as_ref().map(|rows| *rows.get_ref()),
        })
    }

    /// Checks that the bound holds for `sets`, the sets trained on; `spec` is the method's section of `file`.
    pub(super) fn check_sets(
        &self,
        file: &SpecFile,
        spec: &MethodSpec,
        sets: &UncertaintySets,
    ) -> Result<(), PlanError> {
        let (Some(bound), Some(written)) = (self.bound, &spec.bound) else {
            return Ok(());
        };
        let refuse = |error, what| -> PlanError {
            let message = format!("bound `{}` does not hold for {what}", bound.name());
            file.error_at(written.span(), message, reason(error)).into()
        };
        bound
            .holds_for(sets)
            .map_err(|error| refuse(error, "these uncertainty sets"))?;
        match &self.map {
            MapPlan::Rff { form, .. } if *form == FormName::Phased => holds_for_phased(bound)
                .map_err(|error| refuse(error, "phased random Fourier features")),
            _ => Ok(()),
        }
    }
}

/// What rules a bound out, and what to use instead.
pub(crate) fn reason(error: BoundError) -> String {
    match error {
        BoundError::NotValid { reason, .. } => reason,
        BoundError::Core(error) => error.to_string(),
    }
}

/// Asks `bound` about the smallest phased map there is.
fn holds_for_phased(bound: &dyn FeatureBound) -> Result<(), BoundError> {
    let mut rng = CellSeed::new(0, "phased", 0).stream("probe");
    let map = Rff::draw_phased(GaussianKernel::new(1.0)?, 1, 1, &mut rng)?;
    let sets = UncertaintySet::sphere().into();
    let x = Array2::zeros((1, 1));
    let penalty = bound.penalty(&Features::Rff(Arc::new(map)), &sets, x.view(), 1.0);
    penalty.map(|_| ())
}

fn check_bound(
    file: &SpecFile,
    spec: &MethodSpec,
) -> Result<Option<&'static dyn FeatureBound>, PlanError> {
    let Some(written) = &spec.bound else {
        return Ok(None);
    };
    let kind = match spec.features.map.get_ref() {
        MapName::Identity => Some(MapKind::Identity),
        MapName::Rff => Some(MapKind::Rff),
        MapName::Nystrom => Some(MapKind::Nystrom),
        MapName::ExactKernel => None,
    };
    let bound = bound_named(written.get_ref(), kind);
    let bound = bound.map_err(|(message, help)| file.error_at(written.span(), message, help))?;
    Ok(Some(bound))
}

/// The bound of this name that models on maps of this kind are trained with, `None` for the exact kernel; else
/// what is wrong, and what to do.
pub(crate) fn bound_named(
    name: &str,
    kind: Option<MapKind>,
) -> Result<&'static dyn FeatureBound, (String, String)> {
    // The interior-point method solves p̄ = 2 only.
    let solved = |bound: &&dyn FeatureBound| bound.norm() == FeatureNorm::Two;
    let bounds = || kind.into_iter().flat_map(bounds_for).filter(solved);
    let Some(bound) = kind.and_then(|kind| find(name, kind)) else {
        let help = match nearest_name(name, bounds().map(FeatureBound::name)) {
            _ if kind.is_none() => {
                "the exact kernel is trained without uncertainty here: leave `bound` out".to_owned()
            }
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("bounds of this map: {}", listed(bounds())),
        };
        let message = if all_names().contains(&name) {
            format!("bound `{name}` does not hold for this feature map")
        } else {
            format!("unknown bound `{name}`")
        };
        return Err((message, help));
    };
    if !solved(&bound) {
        let message = format!("bound `{name}` is in a norm that the solver does not take");
        let help = format!("solver `interior-point` solves p̄ = 2: {}", listed(bounds()));
        return Err((message, help));
    }
    Ok(bound)
}

/// The names of `bounds` in a row.
pub(crate) fn listed<'a>(bounds: impl Iterator<Item = &'a dyn FeatureBound>) -> String {
    let names: Vec<&str> = bounds.map(FeatureBound::name).collect();
    names.join(", ")
}

fn check_solver(file: &SpecFile, spec: &MethodSpec) -> Result<(), PlanError> {
    let needed = match spec.features.map.get_ref() {
        MapName::ExactKernel => SolverName::LinfaSvm,
        _ => SolverName::InteriorPoint,
    };
    if *spec.solver.get_ref() == needed {
        return Ok(());
    }
    Err(file
        .error_at(
            spec.solver.span(),
            format!(
                "solver `{}` does not solve models on this feature map",
                spec.solver.get_ref().name()
            ),
            format!("write solver = \"{}\"", needed.name()),
        )
        .into())
}
