//! The validated study: every cell.

use super::method::{LEAST_VALUES, MethodPlan, check_size, map_name, size_rule};
use super::size::{AxisName, Sizes};
use super::spec::{EXAMPLES, MethodSpec, SizesSpec, Spec};
use crate::plan::check::{MAX_REPEATS, check_name};
use crate::plan::numbers::{check_count, check_positive};
use crate::plan::{PlanError, PlannedCell};
use crate::spec::{Spanned, SpecFile};
use crate::study::axis::AxisPlan;
use crate::study::identity::planned;
use robust_svm_core::seed::CellSeed;

/// Multipliers of streams count epochs in 16 bits.
const MAX_EPOCHS: u32 = 65_535;

/// A validated experiment of the kind `scaling`.
#[derive(Debug)]
pub struct ScalingPlan {
    /// The experiment's name.
    pub name: String,
    /// The experiment's seed.
    pub seed: u64,
    /// Draws of rows and maps.
    pub repeats: u32,
    /// λ/L.
    pub mean_lambda: f64,
    /// γ.
    pub gamma: f64,
    /// The relative gap that solvers work to.
    pub tolerance: f64,
    /// Epochs of stochastic methods.
    pub epochs: u32,
    /// The methods, in the file's order.
    pub methods: Vec<MethodPlan>,
    /// The file it was made from.
    pub file: SpecFile,
}

/// One training.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// Which of the plan's methods.
    pub method: usize,
    /// What varies.
    pub axis: AxisName,
    /// The sizes of the problem.
    pub sizes: Sizes,
    /// The repeat, from 0.
    pub repeat: u32,
}

impl ScalingPlan {
    /// Every cell: repeat by repeat, so that those of one size are apart in time.
    pub(super) fn all(&self) -> Vec<Cell> {
        let of_repeat = |repeat| {
            let methods = self.methods.iter().enumerate();
            methods.flat_map(move |(method, plan)| {
                plan.axes().flat_map(move |axis| {
                    plan.values.of(axis).iter().map(move |&value| Cell {
                        method,
                        axis,
                        sizes: plan.base.with(axis, value),
                        repeat,
                    })
                })
            })
        };
        (0..self.repeats).flat_map(of_repeat).collect()
    }

    /// The method of `cell`.
    pub(super) fn method(&self, cell: Cell) -> &MethodPlan {
        &self.methods[cell.method]
    }

    /// `cell` before it is run.
    pub(super) fn planned(&self, cell: Cell) -> PlannedCell {
        let method = self.method(cell);
        let features = method.features(&cell.sizes);
        let features = features.map_or_else(|| "none".to_owned(), |count| count.to_string());
        let axes = vec![
            ("method", method.name.clone()),
            ("axis", cell.axis.name().to_owned()),
            ("rows", cell.sizes.rows.to_string()),
            ("inputs", cell.sizes.inputs.to_string()),
            ("features", features),
            ("repeat", cell.repeat.to_string()),
        ];
        planned("scaling", axes)
    }

    /// The random streams of `cell`: the same for all methods.
    pub(super) fn seeds(&self, cell: Cell) -> CellSeed {
        CellSeed::new(self.seed, "scaling", cell.repeat)
    }

    /// λ at so many rows.
    pub(super) fn lambda(&self, rows: usize) -> f64 {
        self.mean_lambda * rows as f64
    }

    /// What a method works to, in words.
    pub(super) fn work(&self, method: &MethodPlan) -> String {
        if method.solver.counts_epochs() {
            return format!("{} epochs", self.epochs);
        }
        match method.solver.gap_limit(self.tolerance) {
            Some(tolerance) => format!("gap {tolerance:e}"),
            None => "its own rule".to_owned(),
        }
    }
}

/// Checks `file`.
///
/// # Errors
/// [`PlanError`], with the place in the file.
pub fn plan(file: SpecFile) -> Result<ScalingPlan, PlanError> {
    let spec: Spec = file.parse_with(EXAMPLES)?;
    check_name(&file, &spec.name)?;
    let (base, values) = check_sizes(&file, &spec.sizes)?;
    Ok(ScalingPlan {
        name: spec.name.get_ref().clone(),
        seed: spec.seed,
        repeats: check_count(&file, "repeats", &spec.repeats, MAX_REPEATS)?,
        mean_lambda: check_positive(&file, "mean_lambda", &spec.mean_lambda)?,
        gamma: check_positive(&file, "gamma", &spec.gamma)?,
        tolerance: check_tolerance(&file, &spec.tolerance)?,
        epochs: check_count(&file, "epochs", &spec.epochs, MAX_EPOCHS)?,
        methods: check_methods(&file, &spec.method, base, &values)?,
        file,
    })
}

fn check_tolerance(file: &SpecFile, tolerance: &Spanned<f64>) -> Result<f64, PlanError> {
    let value = *tolerance.get_ref();
    if value > 0.0 && value < 1.0 {
        return Ok(value);
    }
    let message = format!("`tolerance` must be above 0 and below 1, found {value}");
    Err(file
        .error_at(tolerance.span(), message, "correct it")
        .into())
}

/// The base and the values of each axis.
fn check_sizes(file: &SpecFile, spec: &SizesSpec) -> Result<(Sizes, Sizes<Vec<usize>>), PlanError> {
    let of = |axis: AxisName| {
        let (rule, good) = size_rule(axis);
        let own = spec.of(axis);
        check_size(file, axis, &own.base)?;
        let checked = AxisPlan::check(file, axis.name(), own, rule, good)?;
        let written = own.vary.as_deref().unwrap_or_default();
        let falls = |pair: &&[Spanned<usize>]| pair[0].get_ref() > pair[1].get_ref();
        if let Some(pair) = written.windows(2).find(falls) {
            let (before, after) = (pair[0].get_ref(), pair[1].get_ref());
            let message = format!("`{}` falls from {before} to {after}", axis.name());
            let help = "write the values in ascending order";
            return Err(PlanError::from(file.error_at(
                pair[1].span(),
                message,
                help,
            )));
        }
        if let (Some(first), true) = (written.first(), written.len() < LEAST_VALUES) {
            let message = format!(
                "`{}` has {} values: too few for a slope",
                axis.name(),
                written.len()
            );
            let help = format!("give at least {LEAST_VALUES}, or leave `vary` out");
            return Err(file.error_at(first.span(), message, help).into());
        }
        Ok((checked.base, checked.vary))
    };
    let both: Sizes<(usize, Vec<usize>)> = Sizes::try_of(of)?;
    let base = Sizes {
        rows: both.rows.0,
        inputs: both.inputs.0,
        dim: both.dim.0,
        landmarks: both.landmarks.0,
    };
    let values = Sizes {
        rows: both.rows.1,
        inputs: both.inputs.1,
        dim: both.dim.1,
        landmarks: both.landmarks.1,
    };
    Ok((base, values))
}

fn check_methods(
    file: &SpecFile,
    list: &Spanned<Vec<Spanned<MethodSpec>>>,
    base: Sizes,
    values: &Sizes<Vec<usize>>,
) -> Result<Vec<MethodPlan>, PlanError> {
    let mut methods: Vec<MethodPlan> = Vec::new();
    for spec in list.get_ref().iter().map(Spanned::get_ref) {
        let name = spec.name.get_ref();
        if name.is_empty() || methods.iter().any(|other| other.name == *name) {
            let message = if name.is_empty() {
                "a method has an empty name".to_owned()
            } else {
                format!("two methods are called `{name}`")
            };
            let help = "give each a name of its own";
            return Err(file.error_at(spec.name.span(), message, help).into());
        }
        let method = MethodPlan::check(file, spec, base, values)?;
        if let Some(other) = methods.iter().find(|other| other.key() == method.key()) {
            let message = format!("`{}` and `{name}` train the same", other.name);
            let help = "remove one of them, or give it another solver, map or `robust`";
            return Err(file.error_at(spec.name.span(), message, help).into());
        }
        methods.push(method);
    }
    if methods.iter().all(|method| method.axes().next().is_none()) {
        let help = "add a [[method]] section, and `vary` to an axis that it has";
        let message = "there is nothing to measure";
        return Err(file.error_at(list.span(), message, help).into());
    }
    Ok(methods)
}

impl MethodPlan {
    /// Its kind of work, for estimates of time.
    pub(super) fn key(&self) -> String {
        let bound = self.bound().unwrap_or("nominal");
        let (solver, map) = (self.solver.name(), map_name(self.map));
        format!("scaling {solver} {map} {bound}")
    }
}
