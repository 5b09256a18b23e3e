//! How much work the cells of a classification are.

use super::{GroupKey, MapPlan, MethodPlan, Parts, Plan, SigmaGrid};
use crate::store::Work;

/// About how many rows of `rows` the training and the test part have.
pub(crate) fn part_rows(rows: usize, parts: Parts) -> (usize, usize) {
    let Parts { shares, cap, .. } = parts;
    let part = |share: f64, most: Option<usize>| {
        let rows = (share * rows as f64).round() as usize;
        rows.min(most.unwrap_or(rows))
    };
    (part(shares.train, cap.train), part(shares.test, cap.test))
}

impl Plan {
    /// The work of each cell of `method` in `group`, whose files have the name `part`.
    pub(crate) fn work(&self, group: GroupKey, method: &MethodPlan, part: &str) -> Work {
        let task = &self.tasks[group.task];
        let data = &task.loaded.data;
        let (train, test) = part_rows(data.rows(), task.parts);
        let grid = &self.grids[group.task];
        let sigmas = match &grid.sigma {
            SigmaGrid::None => 1,
            SigmaGrid::Given(values) | SigmaGrid::TimesMedian(values) => values.len(),
            SigmaGrid::Rule(rule) => rule.theta_max.len(),
        };
        let largest = |sizes: &[usize]| sizes.last().copied().unwrap_or(1);
        // Feature dimension, and blocks of features.
        let (map, dim, blocks) = match &method.map {
            MapPlan::Identity => ("identity", data.features(), 1),
            MapPlan::Rff { dims, .. } => ("rff", largest(dims), sigmas * dims.len()),
            MapPlan::Nystrom { landmarks, .. } => {
                ("nystrom", largest(landmarks), sigmas * landmarks.len())
            }
            MapPlan::ExactKernel => ("exact-kernel", train, sigmas),
        };
        let bound = method.robustness.name().unwrap_or("nominal");
        let attack = self.evaluation.attack;
        let copies = self.evaluation.noise_draws + attack.steps() * attack.restarts();
        // Cells of the search, if every point were left open.
        let (searched, search) = match self.evaluation.exact {
            Some(exact) => (exact.cells(), " search"),
            None => (0, ""),
        };
        Work {
            group: part.to_owned(),
            dataset: task.label.clone(),
            key: format!(
                "classification {map} {bound} {}{search}",
                method.solver.name()
            ),
            map: map.to_owned(),
            rows: train as u32,
            dim: dim as u32,
            candidates: (blocks * grid.lambda.len()) as u32,
            blocks: blocks as u32,
            probes: (test * (copies + searched)) as u64,
        }
    }
}
