//! The types of a validated experiment.

use super::{CellKey, Comparison, Grid, LevelKind, MethodPlan, Parts, UncertaintyPlan};
use crate::data::LoadedTask;
use crate::spec::SpecFile;
use robust_svm_bounds::attack::AttackOptions;
use robust_svm_bounds::certify::BranchAndBound;
use robust_svm_core::CoreError;
use robust_svm_core::data::{Scaling, Split, stratified_split};
use robust_svm_core::seed::CellSeed;

/// A validated experiment.
#[derive(Debug)]
pub struct Plan {
    /// The experiment's name.
    pub name: String,
    /// The experiment's seed.
    pub seed: u64,
    /// Repeats of each dataset.
    pub repeats: u32,
    /// The datasets, loaded.
    pub tasks: Vec<Task>,
    /// The uncertainty sets.
    pub uncertainty: UncertaintyPlan,
    /// The levels, in the file's order.
    pub levels: Vec<f64>,
    /// What a level is.
    pub level_kind: LevelKind,
    /// What is measured.
    pub evaluation: Evaluation,
    /// The hyper-parameters tried, for each dataset.
    pub grids: Vec<Grid>,
    /// The methods, in the file's order.
    pub methods: Vec<MethodPlan>,
    /// Which of them are tested against which.
    pub comparisons: Vec<Comparison>,
    /// The file it was made from.
    pub file: SpecFile,
}

/// A dataset of an experiment.
#[derive(Debug)]
pub struct Task {
    /// Its name in the experiment.
    pub label: String,
    /// Its rows.
    pub loaded: LoadedTask,
    /// How it is split and scaled.
    pub parts: Parts,
}

impl Task {
    /// The rows of each part in the repeat that has these `seeds`.
    ///
    /// # Errors
    /// [`CoreError`] if a part would be without one of the classes.
    pub fn split(&self, seeds: &CellSeed) -> Result<Split, CoreError> {
        let Parts { shares, cap, .. } = self.parts;
        stratified_split(&self.loaded.data, shares, cap, &mut seeds.stream("split"))
    }
}

/// The scaling of all `tasks`; `None` if theirs differ.
pub fn common_scaling(tasks: &[Task]) -> Option<Scaling> {
    let (first, others) = tasks.split_first()?;
    let scaling = first.parts.scaling;
    let same = others.iter().all(|task| task.parts.scaling == scaling);
    same.then_some(scaling)
}

/// How models are evaluated.
#[derive(Debug, Clone, Copy)]
pub struct Evaluation {
    /// Noisy copies of each test point.
    pub noise_draws: usize,
    /// The attack's effort.
    pub attack: AttackOptions,
    /// The search where attack and certificate leave a verdict open.
    pub exact: Option<BranchAndBound>,
}

/// One dataset in one repeat: the unit of scheduling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupKey {
    /// Index of the dataset.
    pub task: usize,
    /// The repeat, from 0.
    pub repeat: u32,
}

impl Plan {
    /// The number of cells of one group.
    pub fn cells_per_group(&self) -> usize {
        self.methods.len() * self.levels.len()
    }

    /// The cell of `method` at `level` in `group`.
    pub fn cell(&self, group: GroupKey, method: &MethodPlan, level: f64) -> CellKey {
        CellKey {
            dataset: self.tasks[group.task].label.clone(),
            method: method.name.clone(),
            level,
            train_level: method.train_level(level),
            repeat: group.repeat,
        }
    }

    /// The random streams of `group`.
    pub fn seeds(&self, group: GroupKey) -> CellSeed {
        CellSeed::new(self.seed, &self.tasks[group.task].label, group.repeat)
    }
}
