//! The validated study: every cell.

use super::spec::{EXAMPLES, NoiseShape, Spec};
use crate::data::DataFolders;
use crate::plan::check::{MAX_REPEATS, check_name};
use crate::plan::numbers::{Allowed, check_count, check_numbers};
use crate::plan::tasks::{load_tasks, place, refuse_grids};
use crate::plan::{GroupKey, PlanError, PlannedCell, Task};
use crate::spec::SpecFile;
use crate::study::identity::planned;
use robust_svm_core::seed::CellSeed;
use robust_svm_solvers::SafeSettings;

/// More than these are a slip.
const MAX_DRAWS: usize = 10_000;
const MAX_SOLVES: usize = 1_000_000;

/// A validated experiment of the kind `safe-ellipsoid`.
#[derive(Debug)]
pub struct SafePlan {
    /// The experiment's name.
    pub name: String,
    /// The experiment's seed.
    pub seed: u64,
    /// Repeats of each dataset.
    pub repeats: u32,
    /// The datasets, loaded.
    pub tasks: Vec<Task>,
    /// Levels of the noise, in the file's order.
    pub levels: Vec<f64>,
    /// Which features it sits on.
    pub shape: NoiseShape,
    /// Noisy copies of each test row.
    pub draws: usize,
    /// The grid of λ, ascending.
    pub lambda: Vec<f64>,
    /// The grid of γ, ascending.
    pub gamma: Vec<f64>,
    /// Of the safe method.
    pub settings: SafeSettings,
    /// The file it was made from.
    pub file: SpecFile,
}

/// A method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The scales of an ellipsoid learnt on the validation rows.
    Safe,
    /// A sphere, γ chosen on them.
    Robust,
    /// No uncertainty.
    Nominal,
}

impl Method {
    /// All.
    pub const ALL: [Self; 3] = [Self::Safe, Self::Robust, Self::Nominal];

    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Robust => "robust",
            Self::Nominal => "nominal",
        }
    }
}

impl SafePlan {
    /// The random streams of `group`.
    pub(super) fn seeds(&self, group: GroupKey) -> CellSeed {
        CellSeed::new(self.seed, &self.tasks[group.task].label, group.repeat)
    }

    /// A cell before it is run.
    pub(super) fn cell(&self, group: GroupKey, level: f64, method: Method) -> PlannedCell {
        let axes = vec![
            ("dataset", self.tasks[group.task].label.clone()),
            ("level", level.to_string()),
            ("method", method.name().to_owned()),
            ("repeat", group.repeat.to_string()),
        ];
        planned("safe-ellipsoid", axes)
    }

    /// The levels, ascending.
    pub(super) fn ascending_levels(&self) -> Vec<f64> {
        let mut levels = self.levels.clone();
        levels.sort_by(f64::total_cmp);
        levels
    }
}

/// Checks `file` against the datasets in `folders`.
///
/// # Errors
/// [`PlanError`], with the place in the file or in the data.
pub fn plan(file: SpecFile, folders: &DataFolders) -> Result<SafePlan, PlanError> {
    let spec: Spec = file.parse_with(EXAMPLES)?;
    check_name(&file, &spec.name)?;
    refuse_grids(&file, &spec.data)?;
    let ascending = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values
    };
    let plan = SafePlan {
        name: spec.name.get_ref().clone(),
        seed: spec.seed,
        repeats: check_count(&file, "repeats", &spec.repeats, MAX_REPEATS)?,
        levels: check_numbers(&file, "levels", &spec.levels, Allowed::NotNegative)?,
        shape: spec.noise.shape,
        draws: check_count(&file, "draws", &spec.noise.draws, MAX_DRAWS)?,
        lambda: ascending(check_numbers(
            &file,
            "lambda",
            &spec.lambda,
            Allowed::Positive,
        )?),
        gamma: ascending(check_numbers(
            &file,
            "gamma",
            &spec.gamma,
            Allowed::Positive,
        )?),
        settings: check_scales(&file, &spec)?,
        tasks: load_tasks(&file, &spec.data, folders)?,
        file,
    };
    check_splits(&plan, &spec)?;
    Ok(plan)
}

fn check_scales(file: &SpecFile, spec: &Spec) -> Result<SafeSettings, PlanError> {
    let scales = spec.scales.get_ref();
    let settings = SafeSettings {
        s_min: scales.least,
        s_max: scales.most,
        max_solves: check_count(file, "max_solves", &spec.max_solves, MAX_SOLVES)?,
        ..SafeSettings::default()
    };
    if settings.check().is_ok() {
        return Ok(settings);
    }
    let (least, most) = (scales.least, scales.most);
    let message =
        format!("`scales` must have 0 < least < most, both finite, found {least} and {most}");
    let help = "for example scales = { least = 0.01, most = 2.0 }";
    Err(file.error_at(spec.scales.span(), message, help).into())
}

/// Makes every split once: both classes in every part.
fn check_splits(plan: &SafePlan, spec: &Spec) -> Result<(), PlanError> {
    for (index, (task, entry)) in plan
        .tasks
        .iter()
        .zip(spec.data.datasets.get_ref())
        .enumerate()
    {
        for repeat in 0..plan.repeats {
            let seeds = plan.seeds(GroupKey {
                task: index,
                repeat,
            });
            task.split(&seeds).map_err(|source| PlanError::Split {
                place: place(&plan.file, entry),
                dataset: task.label.clone(),
                repeat,
                source,
            })?;
        }
    }
    Ok(())
}
