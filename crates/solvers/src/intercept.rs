//! What becomes of the intercept.

use ndarray::ArrayView1;

/// How the intercept b enters the problem. The optima differ: LIBSVM leaves b free, LIBLINEAR penalises it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Intercept {
    /// b is free. The dual has the equality `Σα_iy_i = 0`.
    #[default]
    Free,
    /// `λ/2 b²` is added to the objective, as if every sample had one more feature, 1, without uncertainty.
    /// The dual has no equality and loses `(Σα_iy_i)²/2λ`.
    Penalised,
    /// b = 0. The dual has no equality.
    None,
}

impl Intercept {
    /// `b`, or 1 where ζ = 0 and a free b is 0: equal classes that are not told apart, for which every b of
    /// [−1, 1] is optimal, and only b = 0 is wrong everywhere.
    pub(crate) fn of_constant(self, zeta: ArrayView1<'_, f64>, b: f64) -> f64 {
        if self == Self::Free && b == 0.0 && zeta.iter().all(|ζ| *ζ == 0.0) {
            1.0
        } else {
            b
        }
    }

    /// What b adds to the primal objective.
    pub(crate) fn regularisation(self, lambda: f64, b: f64) -> f64 {
        match self {
            Self::Penalised => 0.5 * lambda * b * b,
            Self::Free | Self::None => 0.0,
        }
    }

    /// What the dual objective loses for `balance` = `Σα_iy_i`.
    pub(crate) fn dual_regularisation(self, lambda: f64, balance: f64) -> f64 {
        match self {
            Self::Penalised => balance * balance / (2.0 * lambda),
            Self::Free | Self::None => 0.0,
        }
    }
}
