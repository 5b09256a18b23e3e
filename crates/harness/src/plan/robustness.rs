//! What a method guards against when it is trained: keys `bound` and `inputs`.

use super::PlanError;
use super::solver::{Abilities, Penalties, abilities, solver_with};
use crate::source_error::{nearest_name, same_letters};
use crate::spec::{InputsName, MapName, MethodSpec, SolverName, SpecFile};
use robust_svm_bounds::rff::FeatureNorm;
use robust_svm_bounds::{FeatureBound, MapKind, all_names, bounds_for, find};
use std::ops::Range;

/// The support function of a linear model's sets.
const EXACT: &str = "exact";
/// Perturbations that share one budget.
const TOTAL_BUDGET: &str = "total-budget";
/// The model's gradient at each point, and a remainder.
const LOCAL: &str = "local";
/// Inputs that are distributions.
const NORMAL: &str = "normal-inputs";

/// What a method guards against when it is trained.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Robustness {
    /// Nothing.
    Nominal,
    /// The set around each training point, by `Γ_i` and `A_i` of a bound.
    Bound(&'static dyn FeatureBound),
    /// The set around each training point of a linear model, by its support function: of any norm and shapes.
    Support,
    /// The set around each training point, by the model's gradient and largest curvature.
    Local,
    /// Perturbations of all training points that share the budget γL.
    TotalBudget,
    /// Nothing; but the training inputs are normal distributions, key `inputs`.
    NormalInputs,
}

impl Robustness {
    /// The name in the column `bound`, for bounds as in the experiment file; `None` for nominal methods.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Nominal => None,
            Self::Bound(bound) => Some(bound.name()),
            Self::Support => Some(EXACT),
            Self::Local => Some(LOCAL),
            Self::TotalBudget => Some(TOTAL_BUDGET),
            Self::NormalInputs => Some(NORMAL),
        }
    }
}

/// The kind of map in the words of bounds; `None` for the exact kernel.
pub(super) fn map_kind(map: MapName) -> Option<MapKind> {
    match map {
        MapName::Identity => Some(MapKind::Identity),
        MapName::Rff => Some(MapKind::Rff),
        MapName::Nystrom => Some(MapKind::Nystrom),
        MapName::ExactKernel => None,
    }
}

/// The key `bound`, for a solver that is for the method's map.
pub(super) fn check_robustness(
    file: &SpecFile,
    spec: &MethodSpec,
) -> Result<Robustness, PlanError> {
    if let Some(inputs) = &spec.inputs
        && *inputs.get_ref() == InputsName::Normal
    {
        return check_normal_inputs(file, spec, inputs.span());
    }
    let Some(written) = &spec.bound else {
        return Ok(Robustness::Nominal);
    };
    let kind = map_kind(*spec.features.map.get_ref());
    robustness_named(written.get_ref(), kind, *spec.solver.get_ref())
        .map_err(|(message, help)| file.error_at(written.span(), message, help).into())
}

/// The key `inputs = "normal"`, at `span`.
fn check_normal_inputs(
    file: &SpecFile,
    spec: &MethodSpec,
    span: Range<usize>,
) -> Result<Robustness, PlanError> {
    let refuse = |span, message: String, help: String| -> Result<Robustness, PlanError> {
        Err(file.error_at(span, message, help).into())
    };
    if let Some(bound) = &spec.bound {
        let message = "a method has a `bound` or normally distributed inputs, not both";
        let help = "a bound is for the worst case of points: leave one of the two out";
        return refuse(bound.span(), message.into(), help.into());
    }
    let kernels = match spec.features.map.get_ref() {
        MapName::Rff => false,
        MapName::ExactKernel => true,
        MapName::Identity | MapName::Nystrom => {
            let message = "normally distributed inputs are not for this feature map";
            let help = "write map = \"rff\" or \"exact-kernel\"";
            return refuse(span, message.into(), help.into());
        }
    };
    let solver = *spec.solver.get_ref();
    if !abilities(solver).distributions {
        let message = format!(
            "solver `{}` takes no normally distributed inputs",
            solver.name()
        );
        let others = solver_with(kernels, |abilities| abilities.distributions);
        let help = format!("write {}", others.unwrap_or_default());
        return refuse(spec.solver.span(), message, help);
    }
    Ok(Robustness::NormalInputs)
}

/// What models on maps of this kind, `None` for the exact kernel, are trained with under this name of a bound by `solver`;
/// else what is wrong, and what to do.
pub(crate) fn robustness_named(
    name: &str,
    kind: Option<MapKind>,
    solver: SolverName,
) -> Result<Robustness, (String, String)> {
    let Some(kind) = kind else {
        let help = "the exact kernel is trained without uncertainty here: leave `bound` out";
        return Err((misfit(name), help.into()));
    };
    let able = abilities(solver);
    let write = |ability: fn(&Abilities) -> bool| {
        format!("write {}", solver_with(false, ability).unwrap_or_default())
    };
    if name == TOTAL_BUDGET {
        if able.budget {
            return Ok(Robustness::TotalBudget);
        }
        let message = format!("solver `{}` takes no total budget", solver.name());
        return Err((message, write(|abilities| abilities.budget)));
    }
    if name == LOCAL && kind != MapKind::Identity {
        if able.penalties >= Penalties::LocalBalls {
            return Ok(Robustness::Local);
        }
        let message = format!("solver `{}` does not take bound `local`", solver.name());
        let takes = |abilities: &Abilities| abilities.penalties >= Penalties::LocalBalls;
        return Err((message, write(takes)));
    }
    let Some(bound) = find(name, kind) else {
        let others = bounds_for(kind).find(|bound| same_letters(bound.name(), name));
        let near = others.map(FeatureBound::name);
        let near = near.or_else(|| nearest_name(name, trained(kind, &able)));
        let help = match near {
            Some(near) if trained(kind, &able).contains(&near) => format!("did you mean `{near}`?"),
            Some(near) => {
                let takes = write(|abilities| abilities.penalties == Penalties::Any);
                format!("did you mean `{near}`? for it {takes}")
            }
            None => format!("bounds of this map: {}", trained(kind, &able).join(", ")),
        };
        return Err((misfit(name), help));
    };
    if able.penalties == Penalties::Any && kind == MapKind::Identity {
        return Ok(Robustness::Support);
    }
    if able.penalties < Penalties::Any && bound.norm() != FeatureNorm::Two {
        let message = format!("bound `{name}` is in a norm that the solver does not take");
        let two = bounds_for(kind).filter(|bound| bound.norm() == FeatureNorm::Two);
        let mut help = format!("solver `{}` solves p̄ = 2: {}", solver.name(), listed(two));
        if let Some(others) = solver_with(false, |abilities| abilities.penalties == Penalties::Any)
        {
            help = format!("{help}; {others} solves every norm");
        }
        return Err((message, help));
    }
    Ok(Robustness::Bound(bound))
}

/// That `name` is no bound of the map, known or not.
fn misfit(name: &str) -> String {
    if all_names().contains(&name) || [TOTAL_BUDGET, LOCAL].contains(&name) {
        format!("bound `{name}` does not hold for this feature map")
    } else {
        format!("unknown bound `{name}`")
    }
}

/// The names of what a solver with these abilities trains models on maps of this kind with.
fn trained(kind: MapKind, able: &Abilities) -> Vec<&'static str> {
    let takes = |bound: &&dyn FeatureBound| {
        able.penalties == Penalties::Any || bound.norm() == FeatureNorm::Two
    };
    let bounds = bounds_for(kind).filter(takes).map(FeatureBound::name);
    let local = kind != MapKind::Identity && able.penalties >= Penalties::LocalBalls;
    let local = local.then_some(LOCAL);
    let budget = able.budget.then_some(TOTAL_BUDGET);
    bounds.chain(local).chain(budget).collect()
}

/// The names of `bounds` in a row.
pub(crate) fn listed<'a>(bounds: impl Iterator<Item = &'a dyn FeatureBound>) -> String {
    let names: Vec<&str> = bounds.map(FeatureBound::name).collect();
    names.join(", ")
}
