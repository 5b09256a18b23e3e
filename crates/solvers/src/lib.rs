//! Solvers for robust support vector machines: from features, labels and feature-uncertainty radii to
//! a classifier with a certified relative gap.
//!
//! Every solver here minimises the same objective [Couellan & Jan (10), corrected: `A = R^{−⊤}`],
//!
//! ```text
//! P(ζ, b) = λ/2 ‖ζ‖² + c ‖Aζ‖₂ + Σ_i max{0, 1 − y_i(⟨ζ, φ(x_i)⟩ + b) + Γ_i ‖Aζ‖₂},
//! ```
//!
//! a sum, not a mean, of losses (b as [`Intercept`] says, and a total budget c, mostly 0), or the same with a penalty `h_i(ζ)` of each sample's own in the place of
//! `Γ_i ‖Aζ‖₂` ([`sublinear`]); for the exact kernel `‖ζ‖` is the norm of the kernel's Hilbert space
//! and Γ = 0. What a solver reports is checked by [`certificate`], which knows nothing of solvers.

pub mod baselines;
pub mod bundle;
pub mod certificate;
mod cholesky;
mod classifier;
pub mod dual_coordinate;
pub mod embedding;
mod encoding;
pub mod error;
mod estimator;
mod gram;
mod intercept;
pub mod interior_point;
pub mod kernel;
mod linear_system;
pub mod local;
pub mod multiclass;
mod neighbours;
pub mod path;
pub mod problem;
#[cfg(feature = "clarabel")]
pub mod reference;
mod rows;
pub mod safe;
mod samples;
mod signs;
pub mod smm;
mod solution;
pub mod stochastic;
pub mod stream;
pub mod sublinear;
mod top_eigen;
mod trace;
mod workers;

pub use bundle::{BundleSettings, BundleSolution, solve_bundle};
pub use certificate::RelativeGap;
pub use classifier::Classifier;
pub use dual_coordinate::{DualCoordinateSettings, solve_dual_coordinate};
pub use embedding::{EmbeddingSettings, Graph, KernelEmbedding, LinearEmbedding};
pub use error::SolverError;
pub use estimator::{
    Bandwidth, FeatureChoice, FitError, FittedRobustSvm, RobustSvm, RobustSvmParams,
    RobustSvmValidParams, Robustness,
};
pub use intercept::Intercept;
pub use interior_point::{InteriorPointSettings, Solution, Status, solve, solve_from};
pub use kernel::{
    GramSettings, GramSolution, KernelPca, KernelSettings, KernelSolution, MulticlassRidge,
    RidgeSolution, fit_gram_svm, fit_kernel_ridge, fit_kernel_svm, fit_kernel_svm_primal,
    fit_multiclass_ridge,
};
pub use local::{LocalSolution, solve_local};
pub use multiclass::{MulticlassSvm, Scheme};
pub use neighbours::KNearest;
pub use path::{NominalEquivalent, nominal_equivalent};
pub use problem::Problem;
pub use safe::{SafeProblem, SafeSettings, SafeSolution, SafeStatus, solve_safe};
pub use samples::Samples;
pub use smm::{SmmSolution, fit_smm, fit_smm_rff};
pub use stochastic::{
    StepRule, StochasticMethod, StochasticSettings, StochasticSolution, solve_stochastic,
};
pub use sublinear::{LocalPenalty, NormForm, SublinearPenalty, SublinearProblem, SupportPenalty};
pub use trace::TracePoint;
