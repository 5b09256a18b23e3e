//! The safe SVM's data, validated.

use crate::problem::{check_length, check_training_set};
use crate::{Problem, SolverError};
use ndarray::{Array1, ArrayView1, ArrayView2};
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};

/// Training rows, validation rows and λ of the bi-level program [Couellan & Jan (7)].
#[derive(Debug, Clone, Copy)]
pub struct SafeProblem<'a> {
    train: (ArrayView2<'a, f64>, ArrayView1<'a, f64>),
    validation: (ArrayView2<'a, f64>, ArrayView1<'a, f64>),
    lambda: f64,
}

impl<'a> SafeProblem<'a> {
    /// The problem with training inputs (L × n), their labels (L) in {−1, +1}, both of which must occur, validation
    /// inputs (V × n), their labels (V), and λ > 0. No row should be in both parts.
    ///
    /// # Errors
    /// [`SolverError::Lambda`], [`SolverError::Shape`], [`SolverError::NotFinite`], [`SolverError::Label`] or
    /// [`SolverError::OneClass`], as named; the validation part too must have both classes.
    pub fn new(
        train: (ArrayView2<'a, f64>, ArrayView1<'a, f64>),
        validation: (ArrayView2<'a, f64>, ArrayView1<'a, f64>),
        lambda: f64,
    ) -> Result<Self, SolverError> {
        check_training_set("training inputs", train.0.into(), train.1, lambda)?;
        check_training_set("validation inputs", validation.0.into(), validation.1, lambda)?;
        let (expected, found) = (train.0.ncols(), validation.0.ncols());
        check_length("width of the validation inputs", expected, found)?;
        Ok(Self {
            train,
            validation,
            lambda,
        })
    }

    /// n, the number of features.
    pub fn features(&self) -> usize {
        self.train.0.ncols()
    }

    /// Training inputs (L × n) and labels (L).
    pub fn train(&self) -> (ArrayView2<'a, f64>, ArrayView1<'a, f64>) {
        self.train
    }

    /// Validation inputs (V × n) and labels (V).
    pub fn validation(&self) -> (ArrayView2<'a, f64>, ArrayView1<'a, f64>) {
        self.validation
    }

    /// λ.
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    /// The penalty of the lower problem at `s` (n): `Γ_i = 1`, `A = diag(s)`.
    pub(super) fn penalty(&self, s: ArrayView1<'_, f64>) -> FeaturePenalty {
        FeaturePenalty {
            radii: Array1::ones(self.train.1.len()),
            matrix: PenaltyMatrix::Diagonal(s.to_owned()),
        }
    }

    /// The lower problem with `penalty`.
    pub(super) fn lower<'b>(
        &'b self,
        penalty: &'b FeaturePenalty,
    ) -> Result<Problem<'b>, SolverError> {
        let (x, y) = self.train;
        Problem::new(x.reborrow(), y.reborrow(), penalty, self.lambda)
    }
}
