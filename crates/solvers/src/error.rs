//! The errors of this crate.

use robust_svm_core::CoreError;

/// What can be wrong with a problem or with a solver's settings.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SolverError {
    /// λ is not positive and finite.
    #[error(
        "lambda must be positive and finite, found {0}: without regularisation the minimiser is not unique and may not exist"
    )]
    Lambda(f64),
    /// Two arrays that must agree in length do not.
    #[error("{what}: expected {expected}, found {found}")]
    Shape {
        /// Which array.
        what: &'static str,
        /// The length expected.
        expected: usize,
        /// The length found.
        found: usize,
    },
    /// A feature or input is NaN or infinite.
    #[error("{what}: value at row {row}, column {column} is not finite")]
    NotFinite {
        /// Which array.
        what: &'static str,
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        column: usize,
    },
    /// A label is neither −1 nor +1.
    #[error("the label of row {row} must be −1 or +1, found {found}")]
    Label {
        /// Row, from 0.
        row: usize,
        /// The label found.
        found: f64,
    },
    /// A radius Γ_i is negative, NaN or infinite.
    #[error("the radius of row {row} must be finite and ≥ 0, found {found}")]
    Radius {
        /// Row, from 0.
        row: usize,
        /// The radius found.
        found: f64,
    },
    /// The penalty is not `Γ_i ‖Aζ‖₂` with one A for all samples.
    #[error(
        "the penalty has another matrix for each sample or another norm than p̄ = 2: \
         this solver takes bounds with p̄ = 2 and one matrix for all samples"
    )]
    Penalty,
    /// The uncertainty sets of a local bound have p ≠ 2, or each sample its own shape.
    #[error(
        "the sets have p ≠ 2 or each sample a shape of its own: the interior-point method for the local bound takes \
         p = 2 and one shape for all samples; the bundle method takes these"
    )]
    LocalSets,
    /// The penalty of a sample is not a norm of linear functions of the weights.
    #[error(
        "the penalty of row {row} has no form ‖Mζ‖_q: this solver takes cones; use the bundle method"
    )]
    NoNorm {
        /// Row, from 0.
        row: usize,
    },
    /// `K + λI` is not positive definite to rounding.
    #[error(
        "the kernel matrix plus lambda = {lambda} is not positive definite to rounding: use a larger lambda"
    )]
    NotPositiveDefinite {
        /// λ.
        lambda: f64,
    },
    /// The intercept is free, and the solver moves one multiplier at a time.
    #[error(
        "a free intercept couples the multipliers by Σα_iy_i = 0, so that none can move alone: \
         use the interior-point method (`solve`), or a penalised intercept or none"
    )]
    FreeIntercept,
    /// The radii are not all equal, or A is not orthogonal.
    #[error(
        "dual coordinate descent takes equal radii and an orthogonal A, or no uncertainty: \
         use the interior-point method (`solve`)"
    )]
    PenaltyNotUniform,
    /// All labels are equal (or there are none): the optimal value is 0 and no classifier is defined.
    #[error("the {rows} training rows are of one class only: two classes are needed")]
    OneClass {
        /// How many rows there are.
        rows: usize,
    },
    /// A setting of a solver is outside its range.
    #[error("{name} must be {expected}, found {found}")]
    Setting {
        /// The setting's name.
        name: &'static str,
        /// The admissible values.
        expected: &'static str,
        /// The value found.
        found: String,
    },
    /// The library behind a solver refused its input.
    #[error("{0}")]
    Backend(String),
}

impl From<CoreError> for SolverError {
    fn from(error: CoreError) -> Self {
        match error {
            CoreError::Shape {
                what,
                expected,
                found,
            } => Self::Shape {
                what,
                expected,
                found,
            },
            CoreError::NotFinite { what, row, column } => Self::NotFinite { what, row, column },
            other => Self::Backend(other.to_string()),
        }
    }
}
