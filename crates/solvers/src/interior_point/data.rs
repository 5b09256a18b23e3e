//! The problem as the interior-point method sees it: the matrix B, the cone map C and products by them.

use crate::rows::Rows;
use crate::workers::Workers;
use crate::{Intercept, Problem};
use robust_svm_core::penalty::PenaltyMatrix;

/// The matrices of the conic form. x = (ζ, b, t) has `width` entries, D + 2; b is dropped without an intercept, t
/// without a cone.
pub(super) struct ConicData<'a> {
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
    /// y (L).
    y: Vec<f64>,
    /// Γ (L) in the unit of t; zeros without a cone.
    pub(super) radii: Vec<f64>,
    /// B (L × width): rows `(y_iφ_i, y_i, −Γ_i)`, Γ_i in the unit of t.
    pub(super) b: Rows<'a>,
    /// Where products by B run.
    pub(super) workers: Workers,
}

impl<'a> ConicData<'a> {
    /// The conic form of `problem`. The cone is dropped if c and all Γ_i, or all of A, are 0: the dual cone would
    /// have no interior. t is measured in units that make the largest of c and Γ_i equal to 1.
    pub(super) fn new(problem: &Problem<'a>, workers: Workers) -> Self {
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
        let mut scaled_radii = vec![0.0; rows];
        let mut extra = Vec::with_capacity(2 * rows);
        for (i, scaled) in scaled_radii.iter_mut().enumerate() {
            if intercept.is_some() {
                extra.push(problem.y()[i]);
            }
            if cone.is_some() {
                *scaled = radii[i] / largest;
                extra.push(-*scaled);
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
            y: problem.y().to_vec(),
            radii: scaled_radii,
            b: Rows::new(problem.samples(), problem.y(), &extra, workers),
            workers,
        }
    }

    /// The dimension of the cone: D + 1, or 0 without one.
    pub(super) fn cone_dim(&self) -> usize {
        self.cone.as_ref().map_or(0, |a| a.len() + 1)
    }

    /// `out = B x`.
    pub(super) fn mul(&self, x: &[f64], out: &mut [f64]) {
        self.b.mul(x, out, self.workers);
    }

    /// `out += Bᵀ r`.
    pub(super) fn add_mul_transposed(&self, r: &[f64], out: &mut [f64]) {
        self.b.add_mul_transposed(r, out, self.workers);
    }

    /// The signed scores `y_i⟨ζ, φ_i⟩` of x = (ζ, b, t), from `products = Bx`.
    pub(super) fn scores_of_products(&self, x: &[f64], products: &[f64], out: &mut [f64]) {
        let t = if self.cone.is_some() {
            x[self.width - 1]
        } else {
            0.0
        };
        let b = if self.intercept.is_some() {
            x[self.dim]
        } else {
            0.0
        };
        for (i, out) in out.iter_mut().enumerate() {
            *out = products[i] - self.y[i] * b + self.radii[i] * t;
        }
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
