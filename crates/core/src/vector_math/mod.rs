//! Elementary functions of whole slices, several values at a time, on the widest vectors that pulp finds on the
//! machine (AVX-512 or AVX2 with FMA on x86-64, NEON on AArch64, one value at a time elsewhere); what [`dispatch_narrow`] runs, on AVX2's where
//! there is AVX-512.
//!
//! The result of a function for a value depends on the value and the machine's instruction set alone, not on its place in the
//! slice, on its neighbours or on the slice's length. Products and sums of the rows of a table are here too.

// Code gets the instructions of the dispatch only where it is inlined into it.
#![allow(clippy::inline_always)]

mod combination;
mod exp;
mod fourier;
mod fourier_f32;
mod fourier_f64;
mod gaussian;
mod hadamard;
mod lanes;
mod narrow;
#[cfg(test)]
mod on_each;
mod panels;
mod real;
mod rows;
mod shuffles;
mod sincos;
mod sincos_lanes;
mod waves;

pub(crate) use combination::combine_rows;
pub use exp::exp_in_place;
pub(crate) use fourier::{paired_features, phased_features};
pub(crate) use gaussian::gaussian_in_place;
pub(crate) use hadamard::SignedHadamard;
pub use narrow::dispatch_narrow;
pub(crate) use panels::Panels;
pub use real::{Real, Vectors};
pub use rows::{add_weighted_rows, row_products};
pub use sincos::sincos;
pub use waves::waves_and_slopes;
