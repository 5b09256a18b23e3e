//! Where the numbers of a results folder come from: what made them, which cells a number rests on, and
//! whether cells come out the same when they are computed again.

mod compare;
mod find;
mod origin;
mod parts;
mod planned;
mod sample;
mod stored;
mod value;

pub(crate) use compare::{Compared, Strictness, compare};
pub(crate) use find::find_cell;
pub(crate) use origin::{Changes, Origin, short};
pub(crate) use parts::PartDigests;
pub(crate) use planned::Planned;
pub(crate) use sample::sample;
pub(crate) use stored::StoredCells;
pub(crate) use value::Value;
