//! Certificates of trained models: `B ≥ max_{δ∈U} y (f(x) − f(x+δ))`, and with it an upper bound on the
//! robust error.

mod certifier;
mod expansion;
mod norm;
mod points;
mod second_order;

pub use certifier::Certifier;
pub use points::PointCertificates;
