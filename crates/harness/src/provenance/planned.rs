//! Every cell of an experiment, with the group that computes it.

use crate::plan::PlannedCell;
use crate::run::Experiment;
use std::collections::BTreeMap;

/// The cells of an experiment.
#[derive(Debug)]
pub(crate) struct Planned<G> {
    groups: Vec<G>,
    /// Each with its group, in the order they are run.
    cells: Vec<(usize, PlannedCell)>,
    by_id: BTreeMap<String, usize>,
}

impl<G: Copy> Planned<G> {
    /// Of `experiment`.
    pub(crate) fn of<E: Experiment<Group = G>>(experiment: &E) -> Self {
        let groups = experiment.groups();
        let mut cells = Vec::new();
        for (index, &group) in groups.iter().enumerate() {
            let planned = experiment.cells(group).into_iter();
            cells.extend(planned.map(|cell| (index, cell)));
        }
        let ids = cells.iter().enumerate();
        Self {
            by_id: ids.map(|(i, (_, cell))| (cell.id.clone(), i)).collect(),
            groups,
            cells,
        }
    }

    /// The cells, in the order they are run.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &PlannedCell> {
        self.cells.iter().map(|(_, cell)| cell)
    }

    /// The cell with the identity `id`.
    pub(crate) fn cell(&self, id: &str) -> Option<&PlannedCell> {
        self.by_id.get(id).map(|&index| &self.cells[index].1)
    }

    /// The group of the cell with the identity `id`.
    pub(crate) fn group(&self, id: &str) -> Option<G> {
        let index = *self.by_id.get(id)?;
        Some(self.groups[self.cells[index].0])
    }

    /// These cells by their groups, each as it is asked for: the group, and the identities.
    pub(crate) fn by_group(&self, cells: &[&PlannedCell]) -> Vec<(G, Vec<String>)> {
        let mut wanted: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for cell in cells {
            if let Some(&index) = self.by_id.get(&cell.id) {
                let group = self.cells[index].0;
                wanted.entry(group).or_default().push(cell.id.clone());
            }
        }
        let groups = wanted.into_iter();
        groups.map(|(g, ids)| (self.groups[g], ids)).collect()
    }
}
