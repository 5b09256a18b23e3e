//! Methods that others are compared with: a decision tree, and linear projections in front of nearest neighbours.

mod fastsda;
mod orthonormal;
mod projection;
mod rslda;
mod tree;
mod trpca;

pub use fastsda::{FastSdaSettings, fit_fast_sda};
pub use projection::Projection;
pub use rslda::{RsldaSettings, RsldaSolution, fit_rslda};
pub use tree::{DecisionTree, TreeSettings};
pub use trpca::{TrpcaSettings, TrpcaSolution, fit_trpca};
