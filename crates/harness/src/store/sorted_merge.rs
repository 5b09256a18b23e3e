//! Cells of several sources, each sorted by identity, as one sorted sequence.

use super::stored_cell::StoredCell;
use super::{Record, StoreError};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cells of one file or folder, sorted by their identities.
pub(super) type Source<R> = Box<dyn Iterator<Item = Result<StoredCell<R>, StoreError>>>;

/// The cells of all sources, by identity; of each source one is in memory, beside what the source itself holds.
pub(super) struct SortedMerge<R> {
    sources: Vec<Source<R>>,
    /// The next cell of each source.
    heads: Vec<Option<StoredCell<R>>>,
    /// Their identities, with the index of the source.
    order: BinaryHeap<Reverse<(String, usize)>>,
}

impl<R: Record> SortedMerge<R> {
    /// Takes the first cell of each of `sources`.
    ///
    /// # Errors
    /// [`StoreError`] if one cannot be read.
    pub(super) fn new(sources: Vec<Source<R>>) -> Result<Self, StoreError> {
        let mut merge = Self {
            heads: sources.iter().map(|_| None).collect(),
            order: BinaryHeap::with_capacity(sources.len()),
            sources,
        };
        for source in 0..merge.sources.len() {
            merge.advance(source)?;
        }
        Ok(merge)
    }

    /// Puts into `same` the cells with the least identity, each with the index of its source, in order of the sources; none
    /// after the last.
    ///
    /// # Errors
    /// [`StoreError`] if a source cannot be read.
    pub(super) fn next_into(
        &mut self,
        same: &mut Vec<(usize, StoredCell<R>)>,
    ) -> Result<(), StoreError> {
        same.clear();
        while let Some(Reverse((id, _))) = self.order.peek()
            && same.first().is_none_or(|(_, first)| first.id() == id)
        {
            let Some(Reverse((_, source))) = self.order.pop() else {
                break;
            };
            same.extend(self.heads[source].take().map(|cell| (source, cell)));
            self.advance(source)?;
        }
        Ok(())
    }

    fn advance(&mut self, source: usize) -> Result<(), StoreError> {
        if let Some(cell) = self.sources[source].next().transpose()? {
            self.order.push(Reverse((cell.id().to_owned(), source)));
            self.heads[source] = Some(cell);
        }
        Ok(())
    }

    /// Each cell once, from the first source that has it.
    pub(super) fn united(mut self) -> impl Iterator<Item = Result<StoredCell<R>, StoreError>> {
        let mut same = Vec::new();
        std::iter::from_fn(move || {
            let next = self.next_into(&mut same);
            next.map(|()| unite(&mut same)).transpose()
        })
    }
}

/// The first of the cells `same`, with what the others have beside.
pub(super) fn unite<R: Record>(same: &mut Vec<(usize, StoredCell<R>)>) -> Option<StoredCell<R>> {
    let mut cells = same.drain(..).map(|(_, cell)| cell);
    let mut first = cells.next()?;
    cells.for_each(|other| first.or(other));
    Some(first)
}
