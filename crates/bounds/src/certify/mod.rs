//! Certificates of trained models: `B ≥ max_{δ∈U} y (f(x) − f(x+δ))`, and with it an upper bound on the
//! robust error.

mod arcs;
mod around;
mod branch_and_bound;
mod certifier;
mod expansion;
mod landmarks;
mod local;
mod norm;
mod points;
mod quadratic;
mod radius;
mod second_order;

pub use branch_and_bound::{BranchAndBound, Goal, MarginBracket};
pub use certifier::Certifier;
pub use points::PointCertificates;
