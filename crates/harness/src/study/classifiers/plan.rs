//! The validated study: every cell.

use super::parts::Parts;
use super::plan_method::Method;
use super::published::Published;
use super::spec::{EXAMPLES, PublishedName, Spec};
use super::spec_data::{AwgnSpec, DataSpec};
use super::spec_noise::{NoiseKind, NoiseSpec};
use super::task::{ClassifierTask, load};
use crate::data::DataFolders;
use crate::plan::check::{MAX_REPEATS, check_name};
use crate::plan::data::{check_cap, check_shares};
use crate::plan::numbers::{Allowed, check_count, check_numbers};
use crate::plan::{PlanError, PlannedCell};
use crate::spec::{Spanned, SpecFile};
use crate::study::identity::planned;
use robust_svm_core::CoreError;
use robust_svm_core::data::{RowCap, Scaling, Split};
use robust_svm_core::seed::CellSeed;
use std::collections::BTreeSet;

/// More than these are a slip.
const MAX_DRAWS: usize = 10_000;

/// A validated experiment of the kind `classifiers`.
#[derive(Debug)]
pub struct ClassifiersPlan {
    /// The experiment's name.
    pub name: String,
    /// The experiment's seed.
    pub seed: u64,
    /// Repeats of each dataset whose parts are drawn.
    pub repeats: u32,
    /// The datasets, loaded.
    pub tasks: Vec<ClassifierTask>,
    /// The methods, in the file's order.
    pub methods: Vec<Method>,
    /// What is done to test rows.
    pub noise: NoisePlan,
    /// The figures to compare with.
    pub published: Option<Published>,
    /// The file it was made from.
    pub file: SpecFile,
}

/// What is done to test rows.
#[derive(Debug, Clone, PartialEq)]
pub struct NoisePlan {
    /// The kinds, `none` first.
    pub kinds: Vec<NoiseKind>,
    /// The levels, in the file's order; 0 alone without noise.
    pub levels: Vec<f64>,
    /// Noisy copies of each test row.
    pub draws: usize,
    /// Random directions of the worst-case search.
    pub directions: usize,
}

/// The unit of scheduling: without noise one method on one dataset in one repeat, so that few datasets keep many threads busy;
/// with noise all methods, which the worst-case search asks of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassifiersGroup {
    /// Index of the dataset.
    pub task: usize,
    /// The repeat, from 0; of folds round after round.
    pub repeat: u32,
    /// Index of the method; none for all.
    pub method: Option<usize>,
}

impl ClassifiersPlan {
    /// The random streams of `group`.
    pub(super) fn seeds(&self, group: ClassifiersGroup) -> CellSeed {
        CellSeed::new(self.seed, &self.tasks[group.task].label, group.repeat)
    }

    /// The rows of the parts in `group`; `None` where the data are not at hand.
    pub(super) fn split_of(&self, task: usize, repeat: u32) -> Option<Result<Split, CoreError>> {
        let task = &self.tasks[task];
        let data = &task.loaded.as_ref().ok()?.data;
        let stream = (self.seed, task.label.as_str());
        Some(task.parts.split(data, stream, repeat))
    }

    /// The indices of the methods of `group`.
    pub(super) fn methods_of(&self, group: ClassifiersGroup) -> Vec<usize> {
        match group.method {
            Some(method) => vec![method],
            None => (0..self.methods.len()).collect(),
        }
    }

    /// The cells of `group` in the order they are run: method, level, kind of noise.
    pub(super) fn keys(&self, group: ClassifiersGroup) -> Vec<CellAxes> {
        let mut keys = Vec::new();
        for method in self.methods_of(group) {
            for &level in &self.noise.levels {
                let of = |&noise: &NoiseKind| CellAxes {
                    method,
                    level,
                    noise,
                };
                keys.extend(self.noise.kinds.iter().map(of));
            }
        }
        keys
    }

    /// A cell before it is run.
    pub(super) fn cell(&self, group: ClassifiersGroup, axes: CellAxes) -> PlannedCell {
        let axes = vec![
            ("dataset", self.tasks[group.task].label.clone()),
            ("method", self.methods[axes.method].name.clone()),
            ("noise", axes.noise.name().to_owned()),
            ("level", axes.level.to_string()),
            ("repeat", group.repeat.to_string()),
        ];
        planned("classifiers", axes)
    }
}

/// What tells the cells of a group apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CellAxes {
    /// Index of the method.
    pub(super) method: usize,
    /// The level; 0 without noise.
    pub(super) level: f64,
    /// The kind.
    pub(super) noise: NoiseKind,
}

/// Checks `file` against the datasets in `folders`.
///
/// # Errors
/// [`PlanError`], with the place in the file or in the data.
pub fn plan(file: SpecFile, folders: &DataFolders) -> Result<ClassifiersPlan, PlanError> {
    let spec: Spec = file.parse_with(EXAMPLES)?;
    check_name(&file, &spec.name)?;
    let methods = check_methods(&file, &spec)?;
    let plan = ClassifiersPlan {
        name: spec.name.get_ref().clone(),
        seed: spec.seed,
        repeats: check_count(&file, "repeats", &spec.repeats, MAX_REPEATS)?,
        noise: check_noise(&file, spec.noise.as_ref())?,
        tasks: check_data(&file, &spec.data, folders, spec.seed)?,
        published: spec.published.map(|name| match name {
            PublishedName::NgeuTable1 => Published::table_1(),
            PublishedName::NgeuTable2 => Published::table_2(),
        }),
        methods,
        file,
    };
    check_together(&plan, &spec)?;
    check_splits(&plan, &spec)?;
    Ok(plan)
}

fn check_methods(file: &SpecFile, spec: &Spec) -> Result<Vec<Method>, PlanError> {
    let mut names = BTreeSet::new();
    let mut methods = Vec::new();
    for written in spec.method.get_ref() {
        let name = &written.get_ref().name;
        let text = name.get_ref();
        if text.trim().is_empty() || text.chars().any(char::is_control) || !names.insert(text) {
            let message = format!("a method cannot be called {text:?}");
            let help = "names are one line, not empty, and each method's own";
            return Err(file.error_at(name.span(), message, help).into());
        }
        methods.push(Method::check(file, written.get_ref())?);
    }
    if methods.is_empty() {
        let help = "add a [[method]] section";
        return Err(file
            .error_at(spec.method.span(), "there is no method", help)
            .into());
    }
    Ok(methods)
}

fn check_noise(file: &SpecFile, spec: Option<&NoiseSpec>) -> Result<NoisePlan, PlanError> {
    let Some(spec) = spec else {
        return Ok(NoisePlan {
            kinds: vec![NoiseKind::None],
            levels: vec![0.0],
            draws: 1,
            directions: 1,
        });
    };
    let mut kinds = vec![NoiseKind::None];
    for kind in spec.kinds.get_ref() {
        if kinds[1..].contains(kind.get_ref()) {
            let message = format!("`kinds` has {} twice", kind.get_ref().name());
            return Err(file
                .error_at(kind.span(), message, "remove one of them")
                .into());
        }
        if *kind.get_ref() != NoiseKind::None {
            kinds.push(*kind.get_ref());
        }
    }
    Ok(NoisePlan {
        kinds,
        levels: check_numbers(file, "levels", &spec.levels, Allowed::Positive)?,
        draws: check_count(file, "draws", &spec.draws, MAX_DRAWS)?,
        directions: check_count(file, "directions", &spec.directions, MAX_DRAWS)?,
    })
}

fn check_data(
    file: &SpecFile,
    data: &DataSpec,
    folders: &DataFolders,
    seed: u64,
) -> Result<Vec<ClassifierTask>, PlanError> {
    let shares = match &data.split {
        Some(shares) => Some(check_shares(file, shares)?),
        None => None,
    };
    let cap = check_cap(file, &data.max_rows)?;
    let mut tasks: Vec<ClassifierTask> = Vec::new();
    for written in data.datasets.get_ref() {
        let entry = written.get_ref();
        if tasks.iter().any(|task| task.label == entry.label()) {
            let message = format!("dataset `{}` is there twice", entry.label());
            let help = "give one of them another name with label = \"…\"";
            return Err(file.error_at(written.span(), message, help).into());
        }
        if let Some(divisor) = &entry.divide_by {
            crate::plan::numbers::check_positive(file, "divide_by", divisor)?;
        }
        if let Some(noise) = &entry.awgn {
            let AwgnSpec {
                snr_db,
                signal_power,
            } = *noise.get_ref();
            if !snr_db.is_finite() || !signal_power.is_finite() || signal_power <= 0.0 {
                let message = format!(
                    "`awgn` must have a finite ratio and a positive power, found {snr_db} dB and {signal_power}"
                );
                let help = "for example awgn = { snr_db = 9.5 }";
                return Err(file.error_at(noise.span(), message, help).into());
            }
        }
        let own = check_cap(file, &entry.max_rows)?;
        let own_shares = match &entry.split {
            Some(shares) => Some(check_shares(file, shares)?),
            None => None,
        };
        let by_shares = |shares| Parts::Shares {
            shares,
            cap: RowCap {
                train: own.train.or(cap.train),
                validation: own.validation.or(cap.validation),
                test: own.test.or(cap.test),
            },
        };
        let parts = Parts::of_entry(file, entry)?;
        let parts = parts.or_else(|| own_shares.or(shares).map(by_shares));
        let parts = parts.ok_or_else(|| {
            let message = format!("nothing says how dataset `{}` is parted", entry.label());
            let help = "write split in [data], or split, rows, per_class or folds for the dataset";
            PlanError::from(file.error_at(written.span(), message, help))
        })?;
        let place = || format!("{}: ", file.place(&written.span()));
        let loaded = load(entry, folders, seed).map_err(|source| PlanError::Data {
            place: if source.is_of_the_task() {
                place()
            } else {
                String::new()
            },
            source: Box::new(source),
        })?;
        tasks.push(ClassifierTask {
            label: entry.label().to_owned(),
            parts,
            scaling: entry.scale.unwrap_or(data.scale).into(),
            loaded,
        });
    }
    if tasks.is_empty() {
        let message = "`datasets` is empty";
        let help = "name at least one dataset";
        return Err(file.error_at(data.datasets.span(), message, help).into());
    }
    Ok(tasks)
}

/// What sections ask of each other.
fn check_together(plan: &ClassifiersPlan, spec: &Spec) -> Result<(), PlanError> {
    for (method, written) in plan.methods.iter().zip(spec.method.get_ref()) {
        let refused = |message: String, help: &str| {
            let span = written.get_ref().classifier.span();
            Err(plan.file.error_at(span, message, help).into())
        };
        let name = &method.name;
        if method.is_of_level() && spec.noise.is_none() {
            let message = format!("method `{name}` is trained for a level, and there is none");
            return refused(message, "add a section [noise] with levels");
        }
        let many = |task: &&ClassifierTask| {
            let data = task.loaded.as_ref();
            data.is_ok_and(|task| task.data.classes() > 2)
        };
        if method.is_binary()
            && let Some(task) = plan.tasks.iter().find(many)
        {
            let label = &task.label;
            let message =
                format!("method `{name}` is for two classes, and dataset `{label}` has more");
            return refused(
                message,
                "name the dataset's positive classes, or leave one out",
            );
        }
        for label in written.get_ref().dims_on.keys() {
            if plan.tasks.iter().all(|task| task.label != *label) {
                let message = format!("`dims_on` names `{label}`, which is no dataset here");
                return refused(message, "use the names of datasets in results");
            }
        }
    }
    Ok(())
}

/// Makes every split once.
fn check_splits(plan: &ClassifiersPlan, spec: &Spec) -> Result<(), PlanError> {
    let entries = spec.data.datasets.get_ref();
    for (index, (task, entry)) in plan.tasks.iter().zip(entries).enumerate() {
        for repeat in 0..task.parts.times(plan.repeats) {
            if let Some(Err(source)) = plan.split_of(index, repeat) {
                return Err(PlanError::Split {
                    place: format!("{}: ", plan.file.place(&Spanned::span(entry))),
                    dataset: task.label.clone(),
                    repeat,
                    source,
                });
            }
        }
    }
    Ok(())
}

/// The unit of features with this `scaling`.
pub(super) fn unit(scaling: Scaling) -> &'static str {
    match scaling {
        Scaling::Standardize => "standard deviations",
        Scaling::MinMax => "half ranges",
        Scaling::None => "units of the data",
    }
}
