//! What each solver takes. A new one is an arm of [`abilities`], and a call in `run/solve.rs`.

use super::PlanError;
use crate::spec::{InterceptName, MapName, MethodSpec, SolverName, SpecFile};
use robust_svm_solvers::Intercept;

/// What a solver takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Abilities {
    /// Exact kernels in the place of explicit features.
    pub(super) kernels: bool,
    /// Penalties of the losses.
    pub(super) penalties: Penalties,
    /// A total budget.
    pub(super) budget: bool,
    /// Normally distributed inputs.
    pub(super) distributions: bool,
    /// Rules for the intercept.
    pub(super) intercepts: &'static [InterceptName],
}

/// The penalties that a solver takes: each kind has those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Penalties {
    /// `Γ‖ζ‖₂`: equal radii, and an orthogonal A.
    Uniform,
    /// `Γ_i‖Aζ‖₂`, one A for all samples.
    Common,
    /// The local bound on sets of norm 2 and one shape.
    LocalBalls,
    /// Any norm, and a matrix or a set of each sample's own.
    Any,
}

/// What `solver` takes.
pub(super) fn abilities(solver: SolverName) -> Abilities {
    use InterceptName::{Free, None, Penalised};
    match solver {
        SolverName::InteriorPoint => Abilities {
            kernels: false,
            penalties: Penalties::LocalBalls,
            budget: true,
            distributions: true,
            intercepts: &[Free, Penalised, None],
        },
        SolverName::DualCoordinate => Abilities {
            kernels: false,
            penalties: Penalties::Uniform,
            budget: true,
            distributions: true,
            intercepts: &[Penalised, None],
        },
        SolverName::Bundle => Abilities {
            kernels: false,
            penalties: Penalties::Any,
            budget: false,
            distributions: true,
            intercepts: &[Free, Penalised, None],
        },
        SolverName::LinfaSvm => Abilities {
            kernels: true,
            penalties: Penalties::Common,
            budget: false,
            distributions: false,
            intercepts: &[Free],
        },
        SolverName::Smo => Abilities {
            kernels: true,
            penalties: Penalties::Common,
            budget: false,
            distributions: true,
            intercepts: &[Free],
        },
    }
}

/// `solver = "…"` of the solvers with `ability` on exact kernels or on explicit features; `None` if there is none.
pub(super) fn solver_with(kernels: bool, ability: impl Fn(&Abilities) -> bool) -> Option<String> {
    let fits = |solver: &SolverName| {
        let abilities = abilities(*solver);
        abilities.kernels == kernels && ability(&abilities)
    };
    let names: Vec<String> = SolverName::ALL
        .into_iter()
        .filter(fits)
        .map(|solver| format!("\"{}\"", solver.name()))
        .collect();
    (!names.is_empty()).then(|| format!("solver = {}", names.join(" or ")))
}

fn has_kernel(spec: &MethodSpec) -> bool {
    *spec.features.map.get_ref() == MapName::ExactKernel
}

/// The key `solver`: that it is for the method's map.
pub(super) fn check_solver(file: &SpecFile, spec: &MethodSpec) -> Result<SolverName, PlanError> {
    let solver = *spec.solver.get_ref();
    if abilities(solver).kernels == has_kernel(spec) {
        return Ok(solver);
    }
    let message = format!(
        "solver `{}` does not solve models on this feature map",
        solver.name()
    );
    let fitting = solver_with(has_kernel(spec), |_| true).expect("every map has a solver");
    let help = format!("write {fitting}");
    Err(file.error_at(spec.solver.span(), message, help).into())
}

/// The key `intercept`, for a solver that is for the method's map.
pub(super) fn check_intercept(file: &SpecFile, spec: &MethodSpec) -> Result<Intercept, PlanError> {
    let solver = *spec.solver.get_ref();
    let name = spec.intercept.as_ref().map(|name| *name.get_ref());
    let rule = name.unwrap_or_default();
    let rules = abilities(solver).intercepts;
    if rules.contains(&rule) {
        return Ok(rule.into());
    }
    let span = match &spec.intercept {
        Some(written) => written.span(),
        None => spec.solver.span(),
    };
    let message = format!(
        "solver `{}` does not take intercept = \"{}\"",
        solver.name(),
        rule.name()
    );
    let own: Vec<String> = rules
        .iter()
        .map(|rule| format!("\"{}\"", rule.name()))
        .collect();
    let mut help = format!("write intercept = {}", own.join(" or "));
    if let Some(others) = solver_with(has_kernel(spec), |abilities| {
        abilities.intercepts.contains(&rule)
    }) {
        help = format!("{help}, or {others}");
    }
    Err(file.error_at(span, message, help).into())
}
