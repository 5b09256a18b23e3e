//! Where the numbers of a results folder come from: what made them, which cells a number rests on, and
//! whether cells come out the same when they are computed again.

mod cell;
mod command;
mod compare;
mod derivation;
mod entry;
mod fields;
mod find;
mod number;
mod origin;
mod parts;
mod planned;
mod sample;
mod stored;
mod value;
mod what;

pub(crate) use cell::{CellExplanation, Folder};
pub(crate) use command::{isolated, quoted, run_command, verify_command};
pub(crate) use compare::{Compared, Strictness, compare};
pub(crate) use derivation::{Derivation, Rule, Statistic, rules};
pub(crate) use entry::{columns_of, find_entry};
pub(crate) use fields::Fields;
pub(crate) use find::find_cell;
pub(crate) use number::{NumberExplanation, Place};
pub(crate) use origin::{Changes, Origin, short};
pub(crate) use parts::PartDigests;
pub(crate) use planned::Planned;
pub(crate) use sample::sample;
pub(crate) use stored::StoredCells;
pub(crate) use value::Value;
pub(crate) use what::{Address, What, names_in, with_values};
