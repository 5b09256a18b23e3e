//! A robust SVM with any sublinear penalty, validated.

use super::SublinearPenalty;
use crate::problem::check_training_set;
use crate::{Intercept, SolverError};
use ndarray::{ArrayView1, ArrayView2};

/// The problem `min λ/2 ‖ζ‖² + Σ_i max{0, 1 − y_i(⟨ζ, φ_i⟩ + b) + h_i(ζ)}` over ζ ∈ R^D and b ∈ R.
///
/// b is free unless [`SublinearProblem::with_intercept`] says otherwise.
/// The constructor checks everything a solver relies on, so solvers need not.
#[derive(Clone, Copy)]
pub struct SublinearProblem<'a> {
    features: ArrayView2<'a, f64>,
    y: ArrayView1<'a, f64>,
    penalty: &'a dyn SublinearPenalty,
    lambda: f64,
    intercept: Intercept,
}

impl<'a> SublinearProblem<'a> {
    /// The problem with features Φ (L × D), labels `y` (L) in {−1, +1}, penalties h of L samples and D
    /// weights, and λ > 0.
    ///
    /// # Errors
    /// [`SolverError::Lambda`], [`SolverError::Shape`], [`SolverError::NotFinite`], [`SolverError::Label`] or
    /// [`SolverError::OneClass`], as named, and the errors of [`SublinearPenalty::check`].
    pub fn new(
        features: ArrayView2<'a, f64>,
        y: ArrayView1<'a, f64>,
        penalty: &'a dyn SublinearPenalty,
        lambda: f64,
    ) -> Result<Self, SolverError> {
        check_training_set("features", features.into(), y, lambda)?;
        penalty.check(features.nrows(), features.ncols())?;
        Ok(Self {
            features,
            y,
            penalty,
            lambda,
            intercept: Intercept::Free,
        })
    }

    /// The same problem with another rule for the intercept.
    #[must_use]
    pub fn with_intercept(mut self, intercept: Intercept) -> Self {
        self.intercept = intercept;
        self
    }

    /// Φ (L × D).
    pub fn features(&self) -> ArrayView2<'a, f64> {
        self.features
    }

    /// The labels (L).
    pub fn y(&self) -> ArrayView1<'a, f64> {
        self.y
    }

    /// The rule for the intercept.
    pub fn intercept(&self) -> Intercept {
        self.intercept
    }

    /// λ.
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    /// `h_i(ζ)` (L).
    ///
    /// # Panics
    /// If `zeta` is not D long.
    pub fn penalty_values(&self, zeta: ArrayView1<'_, f64>) -> ndarray::Array1<f64> {
        self.penalty.values(zeta, self.y.len())
    }

    /// The penalties h.
    pub fn penalty(&self) -> &'a dyn SublinearPenalty {
        self.penalty
    }

    /// A sub-gradient of each `h_i` at ζ (L × D).
    ///
    /// # Panics
    /// If `zeta` is not D long.
    pub fn penalty_subgradients(&self, zeta: ArrayView1<'_, f64>) -> ndarray::Array2<f64> {
        self.penalty.subgradients(zeta, self.y.len())
    }
}
