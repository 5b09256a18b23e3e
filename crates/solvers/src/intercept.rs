//! What becomes of the intercept.

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
