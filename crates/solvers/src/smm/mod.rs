//! Support measure machines: classifiers trained on distributions [Muandet, Fukumizu, Dinuzzo & Schölkopf, NIPS 2012].
//!
//! The hinge losses are of the mean decisions `E f(X_i) = ⟨f, μ_i⟩ + b`. So uncertain inputs count by where they are on
//! average, against the worst case of [`crate::sublinear`]; and by Jensen's inequality (derived) each loss is at most the mean
//! loss `E max{0, 1 − y_if(X_i)}` of the noisy input.

mod exact;
mod fourier;

pub use exact::{SmmSolution, fit_smm};
pub use fourier::fit_smm_rff;
