//! A robust SVM with explicit features, validated.

use crate::{Intercept, Samples, SolverError};
use ndarray::{Array1, ArrayView1};
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};

/// The problem `min λ/2 ‖ζ‖² + c ‖Aζ‖₂ + Σ_i max{0, 1 − y_i(⟨ζ, φ_i⟩ + b) + Γ_i ‖Aζ‖₂}` over ζ ∈ R^D and b ∈ R
/// [Couellan & Jan (10), corrected: `A = R^{−⊤}`; c: H. Xu, C. Caramanis, S. Mannor, JMLR 10 (2009), Theorem 3].
///
/// b is free and the total budget c is 0 unless [`Problem::with_intercept`] and [`Problem::with_budget`] say otherwise.
/// The constructor checks everything a solver relies on, so solvers need not.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    samples: Samples<'a>,
    y: ArrayView1<'a, f64>,
    penalty: &'a FeaturePenalty,
    lambda: f64,
    intercept: Intercept,
    budget: f64,
}

impl<'a> Problem<'a> {
    /// The problem with features Φ (L × D), labels `y` (L) in {−1, +1}, the penalty's Γ (L, finite and
    /// ≥ 0) and A, and λ > 0.
    ///
    /// # Errors
    /// [`SolverError::Lambda`], [`SolverError::Shape`], [`SolverError::NotFinite`],
    /// [`SolverError::Label`], [`SolverError::Radius`], [`SolverError::Penalty`] or [`SolverError::OneClass`], as named.
    pub fn new(
        features: impl Into<Samples<'a>>,
        y: ArrayView1<'a, f64>,
        penalty: &'a FeaturePenalty,
        lambda: f64,
    ) -> Result<Self, SolverError> {
        let samples = features.into();
        check_training_set("features", samples, y, lambda)?;
        let (rows, dim) = samples.dim();
        check_radii(&penalty.radii, rows)?;
        check_diagonal_or_dense(&penalty.matrix, dim)?;
        Ok(Self {
            samples,
            y,
            penalty,
            lambda,
            intercept: Intercept::Free,
            budget: 0.0,
        })
    }

    /// The same problem with another rule for the intercept.
    #[must_use]
    pub fn with_intercept(mut self, intercept: Intercept) -> Self {
        self.intercept = intercept;
        self
    }

    /// The same problem with the total budget `c` ≥ 0: perturbations may also share a budget `Σ_i ‖δ_i‖ ≤ c`, in the units
    /// of A. See [`crate::certificate::worst_budget_loss`] for what is minimised then.
    ///
    /// # Errors
    /// [`SolverError::Setting`] if c is negative or not finite.
    pub fn with_budget(mut self, budget: f64) -> Result<Self, SolverError> {
        if !(budget >= 0.0 && budget.is_finite()) {
            return Err(SolverError::Setting {
                name: "budget",
                expected: "finite and ≥ 0",
                found: budget.to_string(),
            });
        }
        self.budget = budget;
        Ok(self)
    }

    /// Φ (L × D).
    pub fn samples(&self) -> &Samples<'a> {
        &self.samples
    }

    /// The rule for the intercept.
    pub fn intercept(&self) -> Intercept {
        self.intercept
    }

    /// The total budget c.
    pub fn budget(&self) -> f64 {
        self.budget
    }

    /// Whether ζ is penalised at all beyond `λ/2‖ζ‖²`.
    pub fn is_nominal(&self) -> bool {
        self.budget == 0.0 && self.penalty.radii.iter().all(|radius| *radius == 0.0)
    }

    /// The labels (L).
    pub fn y(&self) -> ArrayView1<'a, f64> {
        self.y
    }

    /// Γ and A.
    pub fn penalty(&self) -> &'a FeaturePenalty {
        self.penalty
    }

    /// `‖Aζ‖₂`.
    ///
    /// # Panics
    /// If `zeta` is not D long.
    pub fn penalty_norm(&self, zeta: ArrayView1<'_, f64>) -> f64 {
        let norm = self.penalty.matrix.common_norm(zeta);
        norm.expect("problems with other matrices are refused")
    }

    /// λ.
    pub fn lambda(&self) -> f64 {
        self.lambda
    }
}

/// That there are `samples` radii, finite and ≥ 0.
pub(crate) fn check_radii(radii: &Array1<f64>, samples: usize) -> Result<(), SolverError> {
    check_length("radii", samples, radii.len())?;
    match radii
        .indexed_iter()
        .find(|(_, r)| !(r.is_finite() && **r >= 0.0))
    {
        Some((row, &found)) => Err(SolverError::Radius { row, found }),
        None => Ok(()),
    }
}

/// That one finite A of the right width serves every sample, with q̄ = 2.
pub(crate) fn check_diagonal_or_dense(
    matrix: &PenaltyMatrix,
    dim: usize,
) -> Result<(), SolverError> {
    let not_finite = |what, row, column| SolverError::NotFinite { what, row, column };
    match matrix {
        PenaltyMatrix::Orthogonal => Ok(()),
        PenaltyMatrix::Diagonal(a) => {
            check_length("diagonal of A", dim, a.len())?;
            match a.iter().position(|a| !a.is_finite()) {
                Some(column) => Err(not_finite("diagonal of A", column, column)),
                None => Ok(()),
            }
        }
        PenaltyMatrix::Dense(a) => {
            check_length("width of A", dim, a.ncols())?;
            match a.indexed_iter().find(|(_, a)| !a.is_finite()) {
                Some(((row, column), _)) => Err(not_finite("A", row, column)),
                None => Ok(()),
            }
        }
        PenaltyMatrix::Rotations { .. } => Err(SolverError::Penalty),
    }
}

/// Checks what every classifier needs: λ > 0, a finite matrix `x` with one label a row, labels ±1, and
/// both classes. `what` names the matrix in errors.
pub(crate) fn check_training_set(
    what: &'static str,
    x: Samples<'_>,
    y: ArrayView1<'_, f64>,
    lambda: f64,
) -> Result<(), SolverError> {
    if !(lambda > 0.0 && lambda.is_finite()) {
        return Err(SolverError::Lambda(lambda));
    }
    check_length("labels", x.dim().0, y.len())?;
    x.check(what)?;
    if let Some((row, &found)) = y.indexed_iter().find(|(_, y)| y.abs() != 1.0) {
        return Err(SolverError::Label { row, found });
    }
    let positive = y.iter().filter(|y| **y > 0.0).count();
    if positive == 0 || positive == y.len() {
        return Err(SolverError::OneClass { rows: y.len() });
    }
    Ok(())
}

pub(crate) fn check_length(
    what: &'static str,
    expected: usize,
    found: usize,
) -> Result<(), SolverError> {
    if expected == found {
        Ok(())
    } else {
        Err(SolverError::Shape {
            what,
            expected,
            found,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Problem;
    use crate::SolverError;
    use ndarray::{Array1, Array2, array};
    use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
    use robust_svm_core::uncertainty::Norm;

    /// The error for a change to a valid problem.
    fn error(
        change: impl Fn(&mut Array2<f64>, &mut Array1<f64>, &mut FeaturePenalty),
    ) -> SolverError {
        let mut phi = array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
        let mut y = array![1.0, -1.0, 1.0];
        let mut penalty = FeaturePenalty::none(3);
        assert!(Problem::new(phi.view(), y.view(), &penalty, 1.0).is_ok());
        change(&mut phi, &mut y, &mut penalty);
        Problem::new(phi.view(), y.view(), &penalty, 1.0).unwrap_err()
    }

    #[test]
    fn every_fault_is_named_with_its_place() {
        assert_eq!(
            error(|phi, _, _| phi[(2, 1)] = f64::NAN),
            SolverError::NotFinite {
                what: "features",
                row: 2,
                column: 1
            }
        );
        assert_eq!(
            error(|_, y, _| y[1] = 0.0),
            SolverError::Label { row: 1, found: 0.0 }
        );
        assert_eq!(
            error(|_, y, _| y.fill(-1.0)),
            SolverError::OneClass { rows: 3 }
        );
        assert_eq!(
            error(|_, y, _| *y = array![1.0, -1.0]),
            SolverError::Shape {
                what: "labels",
                expected: 3,
                found: 2
            }
        );
        assert_eq!(
            error(|_, _, p| p.radii[1] = -0.5),
            SolverError::Radius {
                row: 1,
                found: -0.5
            }
        );
        assert!(matches!(
            error(|_, _, p| p.radii[2] = f64::NAN),
            SolverError::Radius { row: 2, .. }
        ));
        assert_eq!(
            error(|_, _, p| p.radii = array![0.0]),
            SolverError::Shape {
                what: "radii",
                expected: 3,
                found: 1
            }
        );
        assert_eq!(
            error(|_, _, p| p.matrix = PenaltyMatrix::Diagonal(array![1.0])),
            SolverError::Shape {
                what: "diagonal of A",
                expected: 2,
                found: 1
            }
        );
        assert!(matches!(
            error(|_, _, p| p.matrix = PenaltyMatrix::Diagonal(array![1.0, f64::INFINITY])),
            SolverError::NotFinite {
                what: "diagonal of A",
                ..
            }
        ));
        let dense =
            |a: Array2<f64>| error(move |_, _, p| p.matrix = PenaltyMatrix::Dense(a.clone()));
        assert!(matches!(
            dense(Array2::zeros((2, 3))),
            SolverError::Shape { .. }
        ));
        let nan = dense(array![[1.0, 0.0], [f64::NAN, 1.0]]);
        assert!(matches!(
            nan,
            SolverError::NotFinite {
                row: 1,
                column: 0,
                ..
            }
        ));
        let rotations = error(|_, _, p| {
            let (angles, norm) = (Array2::zeros((3, 1)), Norm::One);
            p.matrix = PenaltyMatrix::Rotations { angles, norm };
        });
        assert_eq!(rotations, SolverError::Penalty);
    }

    #[test]
    fn lambda_must_be_positive() {
        let phi = array![[1.0], [2.0]];
        let y = array![1.0, -1.0];
        let penalty = FeaturePenalty::none(2);
        for lambda in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let result = Problem::new(phi.view(), y.view(), &penalty, lambda);
            assert!(matches!(result, Err(SolverError::Lambda(_))), "{lambda}");
        }
    }
}
