//! What the integration tests share.
#![allow(dead_code, unused_imports)] // each test file uses its own part

mod problems;
mod wdbc;

pub(crate) use problems::{ExpansionError, GAMMAS, models, normal_matrix, normal_vector, sets};
pub(crate) use wdbc::wdbc;
