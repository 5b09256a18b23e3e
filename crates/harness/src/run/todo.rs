//! Which cells are to do: those asked for, less those that are there.

use super::Experiment;
use crate::plan::{SelectError, Selection};
use crate::store::Works;
use std::collections::BTreeSet;

/// A group and the identities of some of its cells.
pub type GroupCells<G> = (G, Vec<String>);

/// What is left to do of what is asked for.
#[derive(Debug, Clone)]
pub struct Todo<G> {
    /// The groups in the order they are begun, with the identities of their cells that are to do.
    pub groups: Vec<GroupCells<G>>,
    /// The cells of the whole experiment.
    pub planned: usize,
    /// The cells asked for.
    pub asked: usize,
    /// Of them, those that are there.
    pub there: usize,
}

/// The groups that `selection` asks of `experiment`, with the identities of their cells that it asks for.
///
/// # Errors
/// [`SelectError`] if it asks for what the experiment does not have.
pub fn asked<E: Experiment>(
    experiment: &E,
    selection: &Selection,
) -> Result<Vec<GroupCells<E::Group>>, SelectError> {
    let all = experiment.groups();
    selection.check(all.iter().flat_map(|group| experiment.cells(*group)))?;
    let of_group = |group: E::Group| {
        let cells = experiment.cells(group).into_iter();
        let ids: Vec<String> = cells
            .filter(|cell| selection.takes(cell))
            .map(|cell| cell.id)
            .collect();
        (!ids.is_empty()).then_some((group, ids))
    };
    selection.of_shard(all.into_iter().filter_map(of_group).collect())
}

impl<G: Copy> Todo<G> {
    /// What `selection` asks of `experiment`, less the cells `done`.
    ///
    /// # Errors
    /// [`SelectError`] if it asks for what the experiment does not have.
    pub fn new<E: Experiment<Group = G>>(
        experiment: &E,
        selection: &Selection,
        done: &BTreeSet<String>,
    ) -> Result<Self, SelectError> {
        let mut groups = asked(experiment, selection)?;
        let count = |groups: &[GroupCells<G>]| groups.iter().map(|(_, ids)| ids.len()).sum();
        let asked: usize = count(&groups);
        for (_, ids) in &mut groups {
            ids.retain(|id| !done.contains(id));
        }
        groups.retain(|(_, ids)| !ids.is_empty());
        let left: usize = count(&groups);
        let all = experiment.groups().into_iter();
        Ok(Self {
            groups,
            planned: all.map(|group| experiment.cells(group).len()).sum(),
            asked,
            there: asked - left,
        })
    }
}

/// The work of each cell of `experiment` by its identity, where it is known.
pub fn works<E: Experiment>(experiment: &E) -> Works {
    let of_group = |group| {
        let ids = experiment.cells(group).into_iter().map(|cell| cell.id);
        ids.zip(experiment.works(group)).collect::<Vec<_>>()
    };
    experiment.groups().into_iter().flat_map(of_group).collect()
}
