//! What dual coordinate descent takes: equal radii, and an orthogonal A.

use super::probe::is_uniform;
use super::robustness::{listed, map_kind};
use super::solver::{Abilities, Penalties, abilities, solver_with};
use super::{MethodPlan, PlanError, Robustness, UncertaintyPlan};
use crate::spec::{MethodSpec, PerSample, SpecFile};
use robust_svm_bounds::{FeatureBound, MapKind, bounds_for, find};
use robust_svm_core::uncertainty::UncertaintySet;

/// That the penalty of `method`, the section `spec`, is `Γ‖ζ‖₂` with one Γ, if its solver takes no other.
pub(super) fn check_uniform(
    file: &SpecFile,
    spec: &MethodSpec,
    method: &MethodPlan,
    uncertainty: &UncertaintyPlan,
) -> Result<(), PlanError> {
    if abilities(method.solver).penalties > Penalties::Uniform {
        return Ok(());
    }
    let Some(kind) = map_kind(*spec.features.map.get_ref()) else {
        return Ok(());
    };
    let own_sizes = uncertainty.per_sample != PerSample::Uniform;
    let sets = uncertainty.representative();
    let set = &sets.shapes()[0];
    let of_bound = match method.robustness {
        Robustness::Bound(bound) => Some(bound),
        // Its A is that of the exact penalty; other maps have an orthogonal one.
        Robustness::TotalBudget if kind == MapKind::Identity => find("exact", kind),
        _ => None,
    };
    // A bound that does not hold for the sets is refused for that.
    let uniform = of_bound.is_none_or(|bound| is_uniform(bound, set).unwrap_or(true));
    if !own_sizes && uniform {
        return Ok(());
    }
    let name = method.solver.name();
    let message = format!("solver `{name}` takes equal radii and an orthogonal A only");
    let instead = if own_sizes {
        "write per_sample = \"uniform\"".to_owned()
    } else {
        change_of_bound(kind, set)
    };
    let budget = method.robustness == Robustness::TotalBudget;
    let takes = |able: &Abilities| able.penalties > Penalties::Uniform && (able.budget || !budget);
    let others = solver_with(false, takes).unwrap_or_default();
    let help = format!("{instead}; {others} takes any");
    Err(file.error_at(spec.solver.span(), message, help).into())
}

/// What to write for sets of one size.
fn change_of_bound(kind: MapKind, set: &UncertaintySet) -> String {
    if kind == MapKind::Identity {
        return "write shape = \"sphere\"".into();
    }
    let fits = |bound: &&dyn FeatureBound| is_uniform(*bound, set).unwrap_or(false);
    let bounds = listed(bounds_for(kind).filter(fits));
    format!("bounds of this map that have them: {bounds}")
}
