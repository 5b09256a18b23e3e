//! A robust SVM whose rows are read in blocks.

use super::{Block, BlockFeatures, BlockSource, StreamError};
use crate::problem::{check_diagonal_or_dense, check_length};
use crate::{Intercept, SolverError};
use ndarray::{ArrayView1, ArrayView2};
use robust_svm_core::penalty::PenaltyMatrix;

/// The Γ_i of the penalty `Γ_i ‖Aζ‖₂`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Radii<'a> {
    /// One Γ for all rows, as bounds give for sets that are equal.
    Equal(f64),
    /// One a row (L).
    Each(&'a [f32]),
}

impl Radii<'_> {
    /// Γ of a row.
    pub(super) fn of(self, row: usize) -> f64 {
        match self {
            Self::Equal(radius) => radius,
            Self::Each(radii) => f64::from(radii[row]),
        }
    }
}

/// A without uncertainty.
static ORTHOGONAL: PenaltyMatrix = PenaltyMatrix::Orthogonal;

/// The problem `min λ/2 ‖ζ‖² + Σ_i max{0, 1 − y_i(⟨ζ, φ(x_i)⟩ + b) + Γ_i ‖Aζ‖₂}` [Couellan & Jan (10), corrected:
/// `A = R^{−⊤}`] over the rows of a source; b is free and Γ = 0 unless said otherwise.
#[derive(Clone, Copy)]
pub struct StreamProblem<'a> {
    source: &'a dyn BlockSource,
    features: &'a BlockFeatures,
    radii: Radii<'a>,
    matrix: &'a PenaltyMatrix,
    lambda: f64,
    intercept: Intercept,
}

impl<'a> StreamProblem<'a> {
    /// The problem with the rows of `source`, the features that `features` make of them, and λ > 0.
    ///
    /// # Errors
    /// [`SolverError::Lambda`]; [`SolverError::Shape`] if the inputs are not as wide as the map takes;
    /// [`SolverError::Setting`] without inputs or features; [`SolverError::OneClass`] without rows.
    pub fn new(
        source: &'a dyn BlockSource,
        features: &'a BlockFeatures,
        lambda: f64,
    ) -> Result<Self, SolverError> {
        if !(lambda > 0.0 && lambda.is_finite()) {
            return Err(SolverError::Lambda(lambda));
        }
        check_length("width of the inputs", features.input_dim(), source.width())?;
        if source.width() == 0 || features.dim() == 0 {
            return Err(SolverError::Setting {
                name: "width of inputs and features",
                expected: "at least 1",
                found: "0".into(),
            });
        }
        if source.rows() == 0 {
            return Err(SolverError::OneClass { rows: 0 });
        }
        Ok(Self {
            source,
            features,
            radii: Radii::Equal(0.0),
            matrix: &ORTHOGONAL,
            lambda,
            intercept: Intercept::Free,
        })
    }

    /// The same with the penalty `Γ_i ‖Aζ‖₂`.
    ///
    /// # Errors
    /// [`SolverError::Penalty`] if A is neither orthogonal nor diagonal; [`SolverError::Shape`],
    /// [`SolverError::Radius`] or [`SolverError::NotFinite`] for what is wrong with Γ or A.
    pub fn with_penalty(
        self,
        radii: Radii<'a>,
        matrix: &'a PenaltyMatrix,
    ) -> Result<Self, SolverError> {
        if !matches!(
            matrix,
            PenaltyMatrix::Orthogonal | PenaltyMatrix::Diagonal(_)
        ) {
            return Err(SolverError::Penalty);
        }
        check_diagonal_or_dense(matrix, self.features.dim())?;
        let fault = |radius: f64| !(radius.is_finite() && radius >= 0.0);
        match radii {
            Radii::Equal(found) if fault(found) => Err(SolverError::Radius { row: 0, found }),
            Radii::Equal(_) => Ok(()),
            Radii::Each(each) => {
                check_length("radii", self.rows(), each.len())?;
                match each.iter().position(|radius| fault(f64::from(*radius))) {
                    Some(row) => Err(SolverError::Radius {
                        row,
                        found: f64::from(each[row]),
                    }),
                    None => Ok(()),
                }
            }
        }?;
        Ok(Self {
            radii,
            matrix,
            ..self
        })
    }

    /// The same with another rule for the intercept.
    #[must_use]
    pub fn with_intercept(self, intercept: Intercept) -> Self {
        Self { intercept, ..self }
    }

    /// L.
    pub fn rows(&self) -> usize {
        self.source.rows()
    }

    /// D.
    pub fn dim(&self) -> usize {
        self.features.dim()
    }

    /// The rows.
    pub fn source(&self) -> &'a dyn BlockSource {
        self.source
    }

    /// The map.
    pub fn features(&self) -> &'a BlockFeatures {
        self.features
    }

    /// Γ.
    pub fn radii(&self) -> Radii<'a> {
        self.radii
    }

    /// A.
    pub fn matrix(&self) -> &'a PenaltyMatrix {
        self.matrix
    }

    /// λ.
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    /// The rule for the intercept.
    pub fn intercept(&self) -> Intercept {
        self.intercept
    }

    /// `‖Aζ‖₂`.
    pub(super) fn penalty_norm(&self, zeta: ArrayView1<'_, f64>) -> f64 {
        let norm = self.matrix.common_norm(zeta);
        norm.expect("other matrices are refused")
    }

    /// Gives the blocks of `order` to `visit`, each found to be what the source announced: as wide, in the order asked,
    /// finite, labelled −1 or 1, behind as many equal blocks as their number says, and L rows over all blocks.
    pub(super) fn read(
        &self,
        order: &[usize],
        visit: &mut dyn FnMut(Block<'_>) -> Result<(), StreamError>,
    ) -> Result<(), StreamError> {
        let (mut seen, mut blocks, mut size) = (0, 0, None);
        self.source.read(order, &mut |block| {
            self.check(&block, order.get(blocks).copied(), &mut size)?;
            seen += block.y.len();
            blocks += 1;
            visit(block)
        })?;
        agree("blocks of a pass", order.len(), blocks)?;
        if blocks == self.source.blocks() {
            agree("rows of a pass", self.rows(), seen)?;
        }
        Ok(())
    }

    /// Checks a block of which `size` is the number of rows of all but the last, once it is known.
    fn check(
        &self,
        block: &Block<'_>,
        expected: Option<usize>,
        size: &mut Option<usize>,
    ) -> Result<(), StreamError> {
        let (first, rows) = (block.first_row, block.y.len());
        let index = expected.unwrap_or(self.source.blocks());
        agree("number of a block", index, block.index)?;
        agree("width of a block", self.source.width(), block.x.ncols())?;
        agree("labels of a block", block.x.nrows(), rows)?;
        if first + rows > self.rows() {
            agree("last row of a block", self.rows(), first + rows)?;
        }
        if block.index + 1 < self.source.blocks() {
            agree("rows of a block", *size.get_or_insert(rows), rows)?;
            agree("first row of a block", block.index * rows, first)?;
        } else {
            agree("last row of the last block", self.rows(), first + rows)?;
            // Blocks before it are as long as they must be for it to begin where it does.
            let before = *size.get_or_insert(first / block.index.max(1));
            agree("first row of the last block", block.index * before, first)?;
        }
        if !all_finite(block.x) {
            let fault = block.x.indexed_iter().find(|(_, x)| !x.is_finite());
            let (row, column) = fault.map_or((0, 0), |((i, k), _)| (first + i, k));
            let what = "inputs";
            return Err(SolverError::NotFinite { what, row, column }.into());
        }
        if let Some(i) = block.y.iter().position(|y| y.abs() != 1.0) {
            let (row, found) = (first + i, f64::from(block.y[i]));
            return Err(SolverError::Label { row, found }.into());
        }
        Ok(())
    }
}

/// Whether every value is finite, without a branch for each.
fn all_finite(x: ArrayView2<'_, f32>) -> bool {
    let every = |row: &[f32]| row.iter().fold(true, |all, x| all & x.is_finite());
    match x.as_slice() {
        Some(x) => every(x),
        None => x.iter().all(|x| x.is_finite()),
    }
}

/// That what was read is what was announced.
pub(super) fn agree(what: &'static str, expected: usize, found: usize) -> Result<(), StreamError> {
    if expected == found {
        Ok(())
    } else {
        Err(StreamError::Contract {
            what,
            expected,
            found,
        })
    }
}
