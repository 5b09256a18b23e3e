//! A model around one point, in coordinates of the uncertainty set: values, and quadratics below it on
//! parts of the set.

mod cell;
mod kernels;
mod lagrangian;
mod minorant;
mod model;
mod waves;

pub(super) use cell::Cell;
pub(super) use kernels::Kernels;
pub(super) use minorant::Minorant;
pub(super) use model::Around;
pub(super) use waves::Waves;
