//! From the experiment file to the plan: every check that can be made before the first cell.

use super::data::{check_cap, check_shares};
use super::numbers::{Allowed, check_count, check_numbers};
use super::tasks::{check_splits, load_tasks};
use super::{Evaluation, Grid, MapPlan, MethodPlan, Plan, PlanError, Task};
use crate::data::DataFolders;
use crate::spec::{AttackSpec, EvaluationSpec, MethodSpec, Shape, Spec, SpecFile, UncertaintySpec};
use robust_svm_bounds::attack::AttackOptions;
use robust_svm_core::uncertainty::UncertaintySets;
use toml::Spanned;

/// More than these is a slip: such an experiment would not end, or not fit into memory.
pub(crate) const MAX_REPEATS: u32 = 100_000;
const MAX_NOISE_DRAWS: usize = 10_000;
const MAX_ATTACK_STEPS: usize = 100_000;
const MAX_ATTACK_RESTARTS: usize = 10_000;

/// Checks `file` against the datasets in `folders`.
///
/// # Errors
/// [`PlanError`], with the place in the file or in the data.
pub fn plan(file: SpecFile, folders: &DataFolders) -> Result<Plan, PlanError> {
    let spec: Spec = file.parse()?;
    check_name(&file, &spec.name)?;
    let repeats = check_count(&file, "repeats", &spec.repeats, MAX_REPEATS)?;
    let methods = check_methods(&file, &spec.method)?;
    let grid = check_grid(&file, &spec, &methods)?;
    let levels = &spec.uncertainty.levels;
    let levels = check_numbers(&file, "levels", levels, Allowed::NotNegative)?;
    let cap = check_cap(&file, &spec.data.max_rows)?;
    let shares = check_shares(&file, &spec.data.split)?;
    let evaluation = check_evaluation(&file, &spec.evaluation)?;
    check_norm(&file, &spec.uncertainty.norm)?;
    let tasks = load_tasks(&file, &spec.data, folders)?;
    let plan = Plan {
        name: spec.name.get_ref().clone(),
        seed: spec.seed,
        repeats,
        scales: check_scales(&file, &spec.uncertainty, &tasks)?,
        tasks,
        shares,
        cap,
        scaling: spec.data.scale.into(),
        per_sample: spec.uncertainty.per_sample,
        levels,
        evaluation,
        grid,
        methods,
        file,
    };
    check_bounds(&plan, &spec)?;
    check_splits(&plan, &spec)?;
    Ok(plan)
}

/// That every bound holds for the sets its models are trained on.
fn check_bounds(plan: &Plan, spec: &Spec) -> Result<(), PlanError> {
    let features: Vec<usize> = (0..plan.scales.as_ref().map_or(0, Vec::len)).collect();
    let sets = UncertaintySets::from(plan.uncertainty_set(&features));
    let specs = spec.method.get_ref();
    plan.methods
        .iter()
        .zip(specs)
        .try_for_each(|(method, spec)| method.check_sets(&plan.file, spec.get_ref(), &sets))
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

fn check_grid(file: &SpecFile, spec: &Spec, methods: &[MethodPlan]) -> Result<Grid, PlanError> {
    let selection = &spec.selection;
    let lambda = check_numbers(file, "lambda", &selection.lambda, Allowed::Positive)?;
    let sigma = match &selection.sigma {
        Some(sigma) => check_numbers(file, "times_median", &sigma.times_median, Allowed::Positive)?,
        None => Vec::new(),
    };
    if sigma.is_empty()
        && let Some(index) = methods.iter().position(|m| m.map != MapPlan::Identity)
    {
        return Err(file
            .error_at(
                spec.method.get_ref()[index].get_ref().features.map.span(),
                "this map has a bandwidth σ, and [selection] has no grid for it",
                "add sigma = { times_median = [0.5, 1.0, 2.0] } to [selection]",
            )
            .into());
    }
    Ok(Grid {
        lambda: sorted(lambda),
        sigma: sorted(sigma),
    })
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_unstable_by(f64::total_cmp);
    values
}

fn check_norm(file: &SpecFile, norm: &Spanned<u32>) -> Result<(), PlanError> {
    if *norm.get_ref() == 2 {
        return Ok(());
    }
    let message = format!("`norm` {} is not available, expected 2", norm.get_ref());
    Err(file
        .error_at(norm.span(), message, "write norm = 2 or leave it out")
        .into())
}

fn check_evaluation(file: &SpecFile, spec: &EvaluationSpec) -> Result<Evaluation, PlanError> {
    Ok(Evaluation {
        noise_draws: check_count(file, "noise_draws", &spec.noise_draws, MAX_NOISE_DRAWS)?,
        attack: check_attack(file, &spec.attack)?,
    })
}

/// The effort of an attack.
pub(crate) fn check_attack(file: &SpecFile, spec: &AttackSpec) -> Result<AttackOptions, PlanError> {
    let steps = check_count(file, "steps", &spec.steps, MAX_ATTACK_STEPS)?;
    let restarts = check_count(file, "restarts", &spec.restarts, MAX_ATTACK_RESTARTS)?;
    Ok(AttackOptions::new(steps, restarts).expect("both are positive"))
}

fn check_scales(
    file: &SpecFile,
    spec: &UncertaintySpec,
    tasks: &[Task],
) -> Result<Option<Vec<f64>>, PlanError> {
    match (spec.shape, &spec.scales) {
        (Shape::Sphere, None) => Ok(None),
        (Shape::Sphere, Some(scales)) => Err(file
            .error_at(
                scales.span(),
                "`scales` has no meaning for a sphere",
                "write shape = \"diagonal\" or leave `scales` out",
            )
            .into()),
        (Shape::Diagonal, None) => Err(file
            .error_at(
                spec.levels.span(),
                "shape = \"diagonal\" needs `scales`",
                "scales = [...]: the diagonal of Σ^{1/2}, one number ≥ 0 a feature",
            )
            .into()),
        (Shape::Diagonal, Some(scales)) => {
            let values = scales.get_ref();
            if let Some(bad) = values.iter().find(|s| !(s.is_finite() && **s >= 0.0)) {
                let message = format!("`scales` must be finite and at least 0, found {bad}");
                let help = "they are the diagonal of Σ^{1/2}";
                return Err(file.error_at(scales.span(), message, help).into());
            }
            for task in tasks {
                let n = task.loaded.data.features();
                if n != values.len() {
                    let message = format!(
                        "`scales` has {} entries, and dataset `{}` has {n} features",
                        values.len(),
                        task.label
                    );
                    let help = "give one number a feature, and only datasets of that width";
                    return Err(file.error_at(scales.span(), message, help).into());
                }
            }
            Ok(Some(values.clone()))
        }
    }
}
