//! Public datasets: a catalogue of where they are, their download, and the check of what is at hand.

mod arff;
mod catalogue;
mod client;
mod digest;
mod error;
mod install;
mod part;
mod progress;
mod record;
mod shelf;
mod transfer;
mod unpack;
mod verify;

pub(crate) use catalogue::Catalogue;
pub(crate) use error::FetchError;
pub(crate) use install::{Fetched, Outcome, Request, fetch};
pub(crate) use shelf::{List, Listed, Shelf};
pub(crate) use verify::{Verdict, Verified, verify};
