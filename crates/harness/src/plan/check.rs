//! From the experiment file to the plan: every check that can be made before the first cell.

use super::tasks::{check_splits, load_tasks};
use super::{Evaluation, Grid, MapPlan, MethodPlan, Plan, PlanError, Task};
use crate::data::DataFolders;
use crate::spec::{RowCapSpec, ScaleName, Shape, SpecFile, UncertaintySpec};
use robust_svm_bounds::attack::AttackOptions;
use robust_svm_core::data::{RowCap, Scaling, SplitShares};
use robust_svm_core::uncertainty::UncertaintySets;
use std::ops::Range;
use toml::Spanned;

/// Checks `file` against the datasets in `folders`.
///
/// # Errors
/// [`PlanError`], with the place in the file or in the data.
pub fn plan(file: SpecFile, folders: &DataFolders) -> Result<Plan, PlanError> {
    let spec = &file.spec;
    check_name(&file, &spec.name)?;
    let repeats = at_least_one(
        &file,
        "repeats",
        spec.repeats.get_ref(),
        spec.repeats.span(),
    )?;
    let methods = check_methods(&file)?;
    let grid = check_grid(&file, &methods)?;
    let levels = check_levels(&file, &spec.uncertainty)?;
    let cap = check_cap(&file, &spec.data.max_rows)?;
    let shares = check_shares(&file)?;
    let evaluation = check_evaluation(&file)?;
    check_norm(&file)?;
    let tasks = load_tasks(&file, folders)?;
    let plan = Plan {
        name: spec.name.get_ref().clone(),
        seed: spec.seed,
        repeats,
        scales: check_scales(&file, &tasks)?,
        tasks,
        shares,
        cap,
        scaling: match spec.data.scale {
            ScaleName::Standardize => Scaling::Standardize,
            ScaleName::MinMax => Scaling::MinMax,
            ScaleName::None => Scaling::None,
        },
        per_sample: spec.uncertainty.per_sample,
        levels,
        evaluation,
        grid,
        methods,
        file,
    };
    check_bounds(&plan)?;
    check_splits(&plan)?;
    Ok(plan)
}

/// That every bound holds for the sets its models are trained on.
fn check_bounds(plan: &Plan) -> Result<(), PlanError> {
    let features: Vec<usize> = (0..plan.scales.as_ref().map_or(0, Vec::len)).collect();
    let sets = UncertaintySets::from(plan.uncertainty_set(&features));
    let specs = plan.file.spec.method.get_ref();
    plan.methods
        .iter()
        .zip(specs)
        .try_for_each(|(method, spec)| method.check_sets(&plan.file, spec.get_ref(), &sets))
}

fn check_name(file: &SpecFile, name: &Spanned<String>) -> Result<(), PlanError> {
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

fn at_least_one<T: Copy + PartialEq + From<u8> + std::fmt::Display>(
    file: &SpecFile,
    key: &str,
    value: &T,
    span: Range<usize>,
) -> Result<T, PlanError> {
    if *value == T::from(0) {
        return Err(file
            .error_at(
                span,
                format!("`{key}` must be at least 1, found 0"),
                "use 1 or more",
            )
            .into());
    }
    Ok(*value)
}

fn check_methods(file: &SpecFile) -> Result<Vec<MethodPlan>, PlanError> {
    let specs = file.spec.method.get_ref();
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
                file.spec.method.span(),
                "there is no method",
                "add a [[method]] section",
            )
            .into());
    }
    Ok(methods)
}

fn check_grid(file: &SpecFile, methods: &[MethodPlan]) -> Result<Grid, PlanError> {
    let selection = &file.spec.selection;
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
                file.spec.method.get_ref()[index]
                    .get_ref()
                    .features
                    .map
                    .span(),
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

#[derive(Clone, Copy, PartialEq)]
enum Allowed {
    Positive,
    NotNegative,
}

/// A list of finite, different numbers with at least one entry.
fn check_numbers(
    file: &SpecFile,
    key: &str,
    list: &Spanned<Vec<Spanned<f64>>>,
    allowed: Allowed,
) -> Result<Vec<f64>, PlanError> {
    let mut values: Vec<f64> = Vec::new();
    for entry in list.get_ref() {
        // Adding 0.0 makes −0.0 equal to 0.0 in messages, cells and files.
        let value = *entry.get_ref() + 0.0;
        let (good, rule) = match allowed {
            Allowed::Positive => (value > 0.0, "positive"),
            Allowed::NotNegative => (value >= 0.0, "at least 0"),
        };
        if !(good && value.is_finite()) {
            let message = format!("`{key}` must be {rule} and finite, found {value}");
            let help = "correct or remove this entry";
            return Err(file.error_at(entry.span(), message, help).into());
        }
        if values.contains(&value) {
            let message = format!("`{key}` has {value} twice");
            return Err(file
                .error_at(entry.span(), message, "remove one of them")
                .into());
        }
        values.push(value);
    }
    if values.is_empty() {
        let message = format!("`{key}` is empty");
        return Err(file
            .error_at(list.span(), message, "give at least one number")
            .into());
    }
    Ok(values)
}

fn check_levels(file: &SpecFile, spec: &UncertaintySpec) -> Result<Vec<f64>, PlanError> {
    check_numbers(file, "levels", &spec.levels, Allowed::NotNegative)
}

fn check_norm(file: &SpecFile) -> Result<(), PlanError> {
    let norm = &file.spec.uncertainty.norm;
    if *norm.get_ref() == 2 {
        return Ok(());
    }
    let message = format!("`norm` {} is not available, expected 2", norm.get_ref());
    Err(file
        .error_at(norm.span(), message, "write norm = 2 or leave it out")
        .into())
}

fn check_cap(file: &SpecFile, spec: &RowCapSpec) -> Result<RowCap, PlanError> {
    let cap = |key: &str, value: &Option<Spanned<usize>>| -> Result<Option<usize>, PlanError> {
        value
            .as_ref()
            .map(|rows| at_least_one_row(file, key, rows))
            .transpose()
    };
    Ok(RowCap {
        train: cap("train", &spec.train)?,
        validation: cap("validation", &spec.validation)?,
        test: cap("test", &spec.test)?,
    })
}

fn at_least_one_row(file: &SpecFile, key: &str, rows: &Spanned<usize>) -> Result<usize, PlanError> {
    if *rows.get_ref() < 2 {
        let message = format!(
            "`max_rows.{key}` must be at least 2, found {}",
            rows.get_ref()
        );
        return Err(file
            .error_at(rows.span(), message, "each part needs both classes")
            .into());
    }
    Ok(*rows.get_ref())
}

fn check_shares(file: &SpecFile) -> Result<SplitShares, PlanError> {
    let spec = &file.spec.data.split;
    let shares = spec.get_ref();
    let list = [shares.train, shares.validation, shares.test];
    if list.iter().all(|s| *s > 0.0) && (list.iter().sum::<f64>() - 1.0).abs() <= 1e-9 {
        return Ok(SplitShares {
            train: shares.train,
            validation: shares.validation,
            test: shares.test,
        });
    }
    Err(file
        .error_at(
            spec.span(),
            format!("the shares of `split` must be positive with sum 1, found {list:?}"),
            "for example split = { train = 0.6, validation = 0.2, test = 0.2 }",
        )
        .into())
}

fn check_evaluation(file: &SpecFile) -> Result<Evaluation, PlanError> {
    let spec = &file.spec.evaluation;
    let positive = |key: &str, value: &Spanned<usize>| {
        if *value.get_ref() == 0 {
            let message = format!("`{key}` must be at least 1, found 0");
            return Err(PlanError::from(file.error_at(
                value.span(),
                message,
                "use 1 or more",
            )));
        }
        Ok(*value.get_ref())
    };
    Ok(Evaluation {
        noise_draws: positive("noise_draws", &spec.noise_draws)?,
        attack: AttackOptions::new(
            positive("steps", &spec.attack.steps)?,
            positive("restarts", &spec.attack.restarts)?,
        )
        .expect("both are positive"),
    })
}

fn check_scales(file: &SpecFile, tasks: &[Task]) -> Result<Option<Vec<f64>>, PlanError> {
    let spec = &file.spec.uncertainty;
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
