//! The problem as the interior-point method sees it: the matrix B, the cone map C and products by them.

use crate::linear_system::product;
use crate::{Intercept, Problem};
use faer::{Accum, MatRef};
use ndarray::s;
use robust_svm_core::penalty::PenaltyMatrix;

/// The matrices of the conic form. x = (ζ, b, t) has `width` entries, D + 2; b is dropped without an intercept, t
/// without a cone.
pub(super) struct ConicData {
    /// L.
    pub(super) rows: usize,
    /// D.
    pub(super) dim: usize,
    /// D + 2, less one without an intercept, and one without a cone.
    pub(super) width: usize,
    /// λ.
    pub(super) lambda: f64,
    /// The diagonal of Q for b: λ if it is penalised, or 0; absent without an intercept.
    pub(super) intercept: Option<f64>,
    /// The diagonal of A (D) times the unit of t; absent if the penalty vanishes.
    pub(super) cone: Option<Vec<f64>>,
    /// The linear cost of t: c in its unit.
    pub(super) budget: f64,
    /// B (L × width), row after row: `(y_iφ_i, y_i, −Γ_i)`, Γ_i in the unit of t.
    pub(super) b: Vec<f64>,
}

impl ConicData {
    /// The conic form of `problem`. The cone is dropped if c and all Γ_i, or all of A, are 0: the dual cone would
    /// have no interior. t is measured in units that make the largest of c and Γ_i equal to 1.
    pub(super) fn new(problem: &Problem<'_>) -> Self {
        let (rows, dim) = problem.samples().dim();
        let radii = &problem.penalty().radii;
        let largest = radii.iter().copied().fold(problem.budget(), f64::max);
        let scaled = |a: f64| a * largest;
        let cone: Vec<f64> = match &problem.penalty().matrix {
            PenaltyMatrix::Diagonal(a) => a.iter().copied().map(scaled).collect(),
            PenaltyMatrix::Orthogonal => vec![scaled(1.0); dim],
            PenaltyMatrix::Dense(_) | PenaltyMatrix::Rotations { .. } => {
                unreachable!("solved in its axes, or refused by the problem")
            }
        };
        let cone = cone.iter().any(|a| *a != 0.0).then_some(cone);
        let intercept = match problem.intercept() {
            Intercept::Free => Some(0.0),
            Intercept::Penalised => Some(problem.lambda()),
            Intercept::None => None,
        };
        let width = dim + usize::from(intercept.is_some()) + usize::from(cone.is_some());
        let phi = problem.samples().to_dense();
        let mut b = ndarray::Array2::zeros((rows, width));
        for (i, mut row) in b.outer_iter_mut().enumerate() {
            let y = problem.y()[i];
            row.slice_mut(s![..dim])
                .zip_mut_with(&phi.row(i), |b, φ| *b = y * φ);
            if intercept.is_some() {
                row[dim] = y;
            }
            if cone.is_some() {
                row[width - 1] = -radii[i] / largest;
            }
        }
        Self {
            rows,
            dim,
            width,
            lambda: problem.lambda(),
            intercept,
            budget: if cone.is_some() {
                problem.budget() / largest
            } else {
                0.0
            },
            cone,
            b: b.into_raw_vec_and_offset().0,
        }
    }

    /// The dimension of the cone: D + 1, or 0 without one.
    pub(super) fn cone_dim(&self) -> usize {
        self.cone.as_ref().map_or(0, |a| a.len() + 1)
    }

    fn b_matrix(&self) -> MatRef<'_, f64> {
        MatRef::from_row_major_slice(&self.b, self.rows, self.width)
    }

    /// `out = B x`.
    pub(super) fn mul(&self, x: &[f64], out: &mut [f64]) {
        product(self.b_matrix(), x, Accum::Replace, out);
    }

    /// `out += Bᵀ r`.
    pub(super) fn add_mul_transposed(&self, r: &[f64], out: &mut [f64]) {
        product(self.b_matrix().transpose(), r, Accum::Add, out);
    }

    /// `out_i = y_i⟨ζ, φ_i⟩` for the first D entries of `zeta`.
    pub(super) fn signed_scores(&self, zeta: &[f64], out: &mut [f64]) {
        let b = self.b_matrix().subcols(0, self.dim);
        product(b, &zeta[..self.dim], Accum::Replace, out);
    }

    /// `out = Σ r_i y_i φ_i` (D).
    pub(super) fn weighted_features(&self, r: &[f64], out: &mut [f64]) {
        let b = self.b_matrix().subcols(0, self.dim);
        product(b.transpose(), r, Accum::Replace, out);
    }

    /// `out = C x = (t, Aζ)`.
    pub(super) fn cone_mul(&self, x: &[f64], out: &mut [f64]) {
        if let Some(a) = &self.cone {
            out[0] = x[self.width - 1];
            for ((out, a), ζ) in out[1..].iter_mut().zip(a).zip(x) {
                *out = a * ζ;
            }
        }
    }

    /// `out += factor Cᵀ z`.
    pub(super) fn add_cone_mul_transposed(&self, factor: f64, z: &[f64], out: &mut [f64]) {
        if let Some(a) = &self.cone {
            out[self.width - 1] += factor * z[0];
            for ((out, a), z) in out.iter_mut().zip(a).zip(&z[1..]) {
                *out += factor * a * z;
            }
        }
    }
}
