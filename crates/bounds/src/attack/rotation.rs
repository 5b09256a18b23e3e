//! `R_i = A_i^{−⊤}`, which turns a movement of features into what a bound is about.

use ndarray::{Array1, Array2, ArrayViewMut1, ArrayViewMut2};
use robust_svm_core::CoreError;
use robust_svm_core::linalg::{matmul, matmul_transposed, right_singular_vectors};
use robust_svm_core::penalty::PenaltyMatrix;
use robust_svm_core::uncertainty::Norm;

use crate::check;

/// Singular values of A below this share of the largest are taken for 0: the root of a covariance has some of up to 1e−8 in the place of 0, and the
/// inverse of smaller ones would show their rounding as movement.
const SINGULAR: f64 = 1e-7;

/// `R_i` and p̄ with `max_ζ ⟨ζ, v⟩/‖A_iζ‖_q̄ = ‖R_i v‖_p̄`. Directions that A does not see (certain inputs of a
/// linear model) are left out, which can only shorten v.
pub(super) enum Rotation<'a> {
    /// `‖Rv‖₂ = ‖v‖₂`.
    Orthogonal,
    /// `R = diag(1/a)`, 0 where a is.
    Diagonal(Array1<f64>),
    /// R = `(AᵀA)^{+/2} = V diag(1/σ) Vᵀ`, symmetric, of the singular values and vectors of A.
    Dense(Array2<f64>),
    /// Turns the pair j by −angles[i, j].
    Pairs { angles: &'a Array2<f64>, norm: Norm },
}

impl<'a> Rotation<'a> {
    /// That of `matrix`, for `points` points with D = `dim` features.
    pub(super) fn new(
        matrix: &'a PenaltyMatrix,
        points: usize,
        dim: usize,
    ) -> Result<Self, CoreError> {
        match matrix {
            PenaltyMatrix::Orthogonal => Ok(Self::Orthogonal),
            PenaltyMatrix::Diagonal(a) => {
                check::length("diagonal of A", dim, a.len())?;
                let inverse = |a: f64| if a == 0.0 { 0.0 } else { 1.0 / a };
                Ok(Self::Diagonal(a.mapv(inverse)))
            }
            PenaltyMatrix::Dense(a) => {
                check::length("width of A", dim, a.ncols())?;
                let (values, axes) = right_singular_vectors(a.view())?;
                let least = SINGULAR * values.first().copied().unwrap_or(0.0);
                let inverse = |s: f64| if s > least { 1.0 / s } else { 0.0 };
                let scaled = &axes * &values.mapv(inverse);
                Ok(Self::Dense(matmul_transposed(scaled.view(), axes.view())))
            }
            PenaltyMatrix::Rotations { angles, norm } => {
                check::length("rotations, one a point", points, angles.nrows())?;
                check::length("features, two a pair", 2 * angles.ncols(), dim)?;
                let norm = norm.dual();
                Ok(Self::Pairs { angles, norm })
            }
        }
    }

    /// p̄.
    pub(super) fn norm(&self) -> Norm {
        match self {
            Self::Pairs { norm, .. } => *norm,
            Self::Orthogonal | Self::Diagonal(_) | Self::Dense(_) => Norm::Two,
        }
    }

    /// `R_i v` of each row of `v` (rows × D), in place; `points` says whose row it is.
    pub(super) fn apply(&self, points: &[usize], v: ArrayViewMut2<'_, f64>) {
        self.turn(points, v, -1.0);
    }

    /// `R_iᵀ v` of each row, in place.
    pub(super) fn apply_transposed(&self, points: &[usize], v: ArrayViewMut2<'_, f64>) {
        self.turn(points, v, 1.0);
    }

    fn turn(&self, points: &[usize], mut v: ArrayViewMut2<'_, f64>, sign: f64) {
        match self {
            Self::Orthogonal => (),
            Self::Diagonal(inverse) => v *= inverse,
            Self::Dense(r) => v.assign(&matmul(v.view(), r.view())),
            Self::Pairs { angles, .. } => {
                for (&point, mut row) in points.iter().zip(v.outer_iter_mut()) {
                    for (mut pair, angle) in
                        row.exact_chunks_mut(2).into_iter().zip(angles.row(point))
                    {
                        let (sin, cos) = angle.sin_cos();
                        let (a, b) = (pair[0], pair[1]);
                        pair[0] = cos * a - sign * sin * b;
                        pair[1] = cos * b + sign * sin * a;
                    }
                }
            }
        }
    }
}

/// A sub-gradient of `‖v‖` (the norm p̄) at `v`, in place; 0 at 0. Returns the norm.
pub(super) fn norm_and_slope(p: Norm, mut v: ArrayViewMut1<'_, f64>) -> f64 {
    let size = p.of(v.view());
    if size == 0.0 {
        return 0.0;
    }
    match p {
        Norm::One => v.mapv_inplace(|v| if v == 0.0 { 0.0 } else { v.signum() }),
        Norm::Two => v /= size,
        Norm::Infinity => {
            let largest = v.iter().position(|v| v.abs() == size);
            let vertex = largest.map(|k| (k, v[k].signum()));
            v.fill(0.0);
            if let Some((k, sign)) = vertex {
                v[k] = sign;
            }
        }
    }
    size
}
