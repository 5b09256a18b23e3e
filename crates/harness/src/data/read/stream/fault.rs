//! The fault that is told of a file with several.

use super::super::super::DataError;

/// The fault that a reader of the whole file would come to first. That goes column by column: of cells with faults, that in
/// the first column counts, and of these the first.
#[derive(Debug, Default)]
pub(super) struct CellFault(Option<(usize, DataError)>);

impl CellFault {
    /// How many of `columns` still need a look: those before the column with the fault.
    pub(super) fn open(&self, columns: usize) -> usize {
        self.0.as_ref().map_or(columns, |(column, _)| *column)
    }

    /// A fault in the column at `position` of those wanted; one in this or an earlier column was not found before.
    pub(super) fn found(&mut self, position: usize, fault: DataError) {
        self.0 = Some((position, fault));
    }

    pub(super) fn is_found(&self) -> bool {
        self.0.is_some()
    }

    /// An error if there is a fault.
    pub(super) fn check(&mut self) -> Result<(), DataError> {
        match self.0.take() {
            Some((_, fault)) => Err(fault),
            None => Ok(()),
        }
    }
}
