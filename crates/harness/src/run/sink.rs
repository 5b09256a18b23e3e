//! Where the cells of a group go as they end.

use crate::store::CellResult;

/// Takes the cells of a group one after the other.
pub trait CellSink<R> {
    /// Whether the cell with the identity `id` is to be run.
    fn wants(&self, id: &str) -> bool;

    /// The work for this cell begins; what it shares with later cells is done for it.
    fn begin(&mut self, id: &str);

    /// A cell has ended.
    fn finish(&mut self, result: CellResult<R>);
}

/// Keeps the results of the cells it wants.
#[derive(Debug)]
pub struct Collect<'a, R> {
    wanted: &'a [String],
    /// The results so far.
    pub results: Vec<CellResult<R>>,
}

impl<'a, R> Collect<'a, R> {
    /// Wants the cells with the identities `wanted`.
    pub fn new(wanted: &'a [String]) -> Self {
        Self {
            wanted,
            results: Vec::with_capacity(wanted.len()),
        }
    }
}

impl<R> CellSink<R> for Collect<'_, R> {
    fn wants(&self, id: &str) -> bool {
        self.wanted.iter().any(|wanted| wanted == id)
    }

    fn begin(&mut self, _id: &str) {}

    fn finish(&mut self, result: CellResult<R>) {
        self.results.push(result);
    }
}
