//! Blocks of a data file that are read while earlier ones are worked on.

use crate::data::{BlockReader, CellBlock, DataError};
use std::sync::mpsc::sync_channel;
use std::thread;

/// Blocks that wait.
const AHEAD: usize = 2;
/// Numbers of a block, as far as its least number of rows lets it.
const NUMBERS: usize = 1 << 20;
const LEAST_ROWS: usize = 16;
const MOST_ROWS: usize = 8192;

/// Hands the blocks of `reader` to `visit` in their order; a thread of its own reads them.
///
/// # Errors
/// The first of the reader or of `visit`.
pub(super) fn each_block<E: From<DataError>>(
    mut reader: BlockReader,
    mut visit: impl FnMut(CellBlock) -> Result<(), E>,
) -> Result<(), E> {
    let most = (NUMBERS / reader.columns().len().max(1)).clamp(LEAST_ROWS, MOST_ROWS);
    thread::scope(|scope| {
        let (send, receive) = sync_channel(AHEAD);
        scope.spawn(move || {
            while let Some(block) = reader.next(most).transpose() {
                let is_last = block.is_err();
                // Nobody listens after an error.
                if send.send(block).is_err() || is_last {
                    break;
                }
            }
        });
        for block in receive {
            visit(block?)?;
        }
        Ok(())
    })
}
