//! From the experiment file to the plan: every check that can be made before the first cell.

use super::compare::check_comparisons;
use super::grid::check_grids;
use super::levels::{check_levels, check_method_levels};
use super::numbers::{check_count, check_positive};
use super::tasks::{check_splits, load_tasks};
use super::uncertainty::{check_uncertainty, check_width};
use super::{Evaluation, MethodPlan, Plan, PlanError};
use crate::data::DataFolders;
use crate::spec::Spanned;
use crate::spec::{AttackSpec, EvaluationSpec, ExactSpec, MethodSpec, Spec, SpecFile};
use robust_svm_bounds::attack::AttackOptions;
use robust_svm_bounds::certify::{BranchAndBound, Goal};

/// More than these is a slip: such an experiment would not end, or not fit into memory.
pub(crate) const MAX_REPEATS: u32 = 100_000;
const MAX_NOISE_DRAWS: usize = 10_000;
const MAX_ATTACK_STEPS: usize = 100_000;
const MAX_ATTACK_RESTARTS: usize = 10_000;
const MAX_CELLS: usize = 10_000_000;

/// Checks `file` against the datasets in `folders`.
///
/// # Errors
/// [`PlanError`], with the place in the file or in the data.
pub fn plan(file: SpecFile, folders: &DataFolders) -> Result<Plan, PlanError> {
    let spec: Spec = file.parse()?;
    check_name(&file, &spec.name)?;
    let repeats = check_count(&file, "repeats", &spec.repeats, MAX_REPEATS)?;
    let methods = check_methods(&file, &spec.method)?;
    let comparisons = check_comparisons(&file, &spec.compare, &methods)?;
    let uncertainty = check_uncertainty(&file, spec.uncertainty.get_ref())?;
    let grids = check_grids(&file, &spec, &methods, &uncertainty)?;
    let (levels, level_kind) = check_levels(&file, &spec.uncertainty, &uncertainty)?;
    let evaluation = check_evaluation(&file, &spec.evaluation)?;
    let tasks = load_tasks(&file, &spec.data, folders)?;
    check_width(&file, spec.uncertainty.get_ref(), &uncertainty, &tasks)?;
    let plan = Plan {
        name: spec.name.get_ref().clone(),
        seed: spec.seed,
        repeats,
        tasks,
        uncertainty,
        levels,
        level_kind,
        evaluation,
        grids,
        methods,
        comparisons,
        file,
    };
    check_training(&plan, &spec)?;
    check_splits(&plan, &spec)?;
    Ok(plan)
}

/// That every method can be trained on the sets of every level.
fn check_training(plan: &Plan, spec: &Spec) -> Result<(), PlanError> {
    let (file, kind) = (&plan.file, plan.level_kind);
    for (method, written) in plan.methods.iter().zip(spec.method.get_ref()) {
        let written = written.get_ref();
        method.check_sets(file, written, &plan.uncertainty, kind)?;
        check_method_levels(file, spec.uncertainty.get_ref(), kind, method, written)?;
    }
    Ok(())
}

/// The experiment's name.
pub(crate) fn check_name(file: &SpecFile, name: &Spanned<String>) -> Result<(), PlanError> {
    let text = name.get_ref();
    let good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !text.is_empty() && text.chars().all(good) {
        return Ok(());
    }
    Err(file
        .error_at(
            name.span(),
            format!("`name` cannot be {text:?}"),
            "it names the results folder: use letters, digits, `-` and `_`",
        )
        .into())
}

fn check_methods(
    file: &SpecFile,
    list: &Spanned<Vec<Spanned<MethodSpec>>>,
) -> Result<Vec<MethodPlan>, PlanError> {
    let specs = list.get_ref();
    let mut methods: Vec<MethodPlan> = Vec::with_capacity(specs.len());
    for spec in specs {
        let name = &spec.get_ref().name;
        if name.get_ref().trim().is_empty() {
            let help = "it stands in tables and plots: give each method its own name";
            return Err(file
                .error_at(name.span(), "a method's `name` cannot be empty", help)
                .into());
        }
        if name.get_ref().chars().any(char::is_control) {
            let help = "leave out line breaks and tabs: it stands in the lines of tables";
            return Err(file
                .error_at(name.span(), "a method's `name` is one line", help)
                .into());
        }
        if methods.iter().any(|method| &method.name == name.get_ref()) {
            let message = format!("two methods are called `{}`", name.get_ref());
            return Err(file
                .error_at(name.span(), message, "give each method its own name")
                .into());
        }
        methods.push(MethodPlan::check(file, spec.get_ref())?);
    }
    if methods.is_empty() {
        return Err(file
            .error_at(
                list.span(),
                "there is no method",
                "add a [[method]] section",
            )
            .into());
    }
    Ok(methods)
}

fn check_evaluation(file: &SpecFile, spec: &EvaluationSpec) -> Result<Evaluation, PlanError> {
    Ok(Evaluation {
        noise_draws: check_count(file, "noise_draws", &spec.noise_draws, MAX_NOISE_DRAWS)?,
        attack: check_attack(file, &spec.attack)?,
        exact: match &spec.exact {
            Some(exact) => Some(check_exact(file, exact)?),
            None => None,
        },
    })
}

/// The effort of an attack.
pub(crate) fn check_attack(file: &SpecFile, spec: &AttackSpec) -> Result<AttackOptions, PlanError> {
    let steps = check_count(file, "steps", &spec.steps, MAX_ATTACK_STEPS)?;
    let restarts = check_count(file, "restarts", &spec.restarts, MAX_ATTACK_RESTARTS)?;
    Ok(AttackOptions::new(steps, restarts).expect("both are positive"))
}

fn check_exact(file: &SpecFile, spec: &ExactSpec) -> Result<BranchAndBound, PlanError> {
    let cells = check_count(file, "cells", &spec.cells, MAX_CELLS)?;
    let tolerance = check_positive(file, "tolerance", &spec.tolerance)?;
    Ok(BranchAndBound::new(cells, tolerance, Goal::Verdict).expect("both are positive"))
}
