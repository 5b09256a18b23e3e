//! Blocks of a data file that are read while earlier ones are worked on.

use crate::data::{BlockReader, CellBlock, DataError};
use std::sync::mpsc::sync_channel;
use std::thread;

/// Values in the blocks that wait, about: some more than a reader decodes at a time, so that it goes on while they are worked on.
const AHEAD: usize = 6 << 20;
/// Numbers of a block, as far as its least number of rows lets it.
const NUMBERS: usize = 1 << 20;
/// Blocks that wait at least and at most.
const LEAST_AHEAD: usize = 2;
const MOST_AHEAD: usize = 64;
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
    let width = reader.columns().len().max(1);
    let most = (NUMBERS / width).clamp(LEAST_ROWS, MOST_ROWS);
    let ahead = (AHEAD / (most * width)).clamp(LEAST_AHEAD, MOST_AHEAD);
    thread::scope(|scope| {
        let (send, receive) = sync_channel(ahead);
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
