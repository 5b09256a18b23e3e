//! The problem as the many-cone interior-point method sees it, and products by its maps.

use super::blocks::Blocks;
use super::curvature::CurvatureCones;
use super::jacobians::{Jacobians, multiply, rows_of, rows_of_mut};
use super::kernels::Kernels;
use super::waves::Waves;
use crate::interior_point::dot;
use crate::linear_system::product;
use crate::{Intercept, LocalPenalty, SublinearProblem};
use faer::{Accum, MatRef};
use ndarray::{Array2, s};
use robust_svm_core::features::{FeatureMap, Features};
use robust_svm_core::uncertainty::UncertaintySet;

/// The conic form. x = (ζ, b, r) and, for random Fourier features, the a_j of the waves: `width` entries.
pub(super) struct ConicData {
    /// L.
    pub(super) samples: usize,
    /// D.
    pub(super) dim: usize,
    /// n.
    pub(super) n: usize,
    /// The length of x.
    pub(super) width: usize,
    /// λ.
    pub(super) lambda: f64,
    /// The diagonal of Q at b: 0 if b is free, λ otherwise.
    pub(super) ridge: f64,
    /// B (L × (D + 2)), row after row: `(y_iφ_i, y_i, −γ_i²/γ²_max)`; without b the column of y_i is 0, and the ridge keeps
    /// b at 0.
    pub(super) b: Vec<f64>,
    /// y_i (L).
    pub(super) labels: Vec<f64>,
    /// γ_i (L).
    pub(super) radii: Vec<f64>,
    /// The maps C_i, for sets of size 1.
    pub(super) jacobians: Box<dyn Jacobians>,
    pub(super) curvature: CurvatureCones,
    /// L × n scratch.
    rows: Vec<f64>,
    heads: Vec<f64>,
    /// J × n scratch.
    waves: Vec<f64>,
}

impl ConicData {
    /// The conic form of `problem`, whose penalty is `penalty` with the shape `set` for all samples; `None` where the
    /// one-cone method is at home: linear models, and penalties that are 0.
    pub(super) fn new(
        problem: &SublinearProblem<'_>,
        penalty: &LocalPenalty,
        set: &UncertaintySet,
    ) -> Option<Self> {
        let (samples, dim) = problem.features().dim();
        let n = penalty.features().input_dim();
        let radii = penalty.radii().to_vec();
        let largest = radii.iter().copied().fold(0.0, f64::max);
        if largest * set.longest(n) == 0.0 {
            return None;
        }
        let x = penalty.samples();
        let half_square = 0.5 * largest * largest;
        let (jacobians, curvature): (Box<dyn Jacobians>, _) = match penalty.features() {
            Features::Identity(_) => return None,
            Features::Rff(map) => (
                Box::new(Waves::new(map, set, x)),
                CurvatureCones::rff(map, set, half_square),
            ),
            Features::Nystrom(map) => (
                Box::new(Kernels::new(map, set, x)),
                CurvatureCones::nystrom(map, set, half_square),
            ),
        };
        let (lambda, rule) = (problem.lambda(), problem.intercept());
        let mut b = Array2::zeros((samples, dim + 2));
        for (i, mut row) in b.outer_iter_mut().enumerate() {
            let y = problem.y()[i];
            row.slice_mut(s![..dim])
                .zip_mut_with(&problem.features().row(i), |b, φ| *b = y * φ);
            row[dim] = if rule == Intercept::None { 0.0 } else { y };
            row[dim + 1] = -(radii[i] / largest).powi(2);
        }
        let waves = vec![0.0; curvature.frequencies.as_ref().map_or(0, Vec::len)];
        Some(Self {
            samples,
            dim,
            n,
            width: dim + 1 + curvature.variables(),
            lambda,
            ridge: if rule == Intercept::Free { 0.0 } else { lambda },
            b: b.into_raw_vec_and_offset().0,
            labels: problem.y().to_vec(),
            radii,
            jacobians,
            curvature,
            rows: vec![0.0; samples * n],
            heads: vec![0.0; samples],
            waves,
        })
    }

    /// `γ_i²/γ²_max`.
    pub(super) fn share(&self, i: usize) -> f64 {
        -self.b[i * (self.dim + 2) + self.dim + 1]
    }

    fn b_matrix(&self) -> MatRef<'_, f64> {
        rows_of(&self.b, self.dim + 2)
    }

    /// The slacks of x in all cones but for constants and ξ, `out = M x`: of sample i `(b_iᵀx, γ_iC_iζ)`, of the
    /// curvature's cones `(head, scale ζ_j)`, and `rI − Σ a_jω̂_jω̂_jᵀ`.
    pub(super) fn mul(&mut self, x: &[f64], out: &mut Blocks) {
        let (dim, n) = (self.dim, self.n);
        let b = rows_of(&self.b, dim + 2);
        product(b, &x[..dim + 2], Accum::Replace, &mut self.heads);
        self.jacobians.pull_back(&x[..dim], &mut self.rows);
        let tails = self.rows.chunks_exact(n).zip(&self.radii).zip(&self.heads);
        for (out, ((tail, radius), head)) in out.samples.chunks_exact_mut(n + 1).zip(tails) {
            out[0] = *head;
            for (out, slope) in out[1..].iter_mut().zip(tail) {
                *out = radius * slope;
            }
        }
        let (c, extra) = (&self.curvature, &x[dim + 1..]);
        let cones = out.curvature.chunks_exact_mut(c.tail + 1);
        for (j, (out, zeta)) in cones.zip(x[..dim].chunks_exact(c.tail)).enumerate() {
            out[0] = extra[c.head(j)];
            for (out, ζ) in out[1..].iter_mut().zip(zeta) {
                *out = c.scale * ζ;
            }
        }
        let m = c.matrix_dim();
        if let Some(frequencies) = &c.frequencies {
            let rows = self.waves.chunks_exact_mut(m).zip(c.waves());
            for ((row, ω), a) in rows.zip(&extra[1..]) {
                for (value, ω) in row.iter_mut().zip(ω) {
                    *value = -a * ω;
                }
            }
            multiply(
                rows_of(frequencies, m).transpose(),
                rows_of(&self.waves, m),
                Accum::Replace,
                rows_of_mut(&mut out.matrix, m),
            );
            for k in 0..m {
                for l in 0..k {
                    // Symmetric to the last bit.
                    out.matrix[l * m + k] = out.matrix[k * m + l];
                }
                out.matrix[k * (m + 1)] += extra[0];
            }
        }
    }

    /// `out += Mᵀ z` (width).
    pub(super) fn add_mul_transposed(&mut self, z: &Blocks, out: &mut [f64]) {
        let (dim, n) = (self.dim, self.n);
        let rows = self.rows.chunks_exact_mut(n).zip(&self.radii);
        let samples = z.samples.chunks_exact(n + 1);
        for (((row, radius), head), z) in rows.zip(&mut self.heads).zip(samples) {
            *head = z[0];
            for (row, z) in row.iter_mut().zip(&z[1..]) {
                *row = radius * z;
            }
        }
        let b = self.b_matrix().transpose();
        product(b, &self.heads, Accum::Add, &mut out[..dim + 2]);
        self.jacobians.add_sum(&self.rows, &mut out[..dim]);
        let c = &self.curvature;
        let (zeta, extra) = out.split_at_mut(dim + 1);
        let cones = z.curvature.chunks_exact(c.tail + 1);
        for (j, (out, z)) in zeta[..dim].chunks_exact_mut(c.tail).zip(cones).enumerate() {
            extra[c.head(j)] += z[0];
            for (out, z) in out.iter_mut().zip(&z[1..]) {
                *out += c.scale * z;
            }
        }
        if let Some(frequencies) = &c.frequencies {
            let m = c.matrix_dim();
            extra[0] += z.matrix.iter().step_by(m + 1).sum::<f64>();
            multiply(
                rows_of(frequencies, m),
                rows_of(&z.matrix, m),
                Accum::Replace,
                rows_of_mut(&mut self.waves, m),
            );
            let images = c.waves().zip(self.waves.chunks_exact(m));
            for ((ω, image), out) in images.zip(&mut extra[1..]) {
                *out -= dot(ω, image);
            }
        }
    }

    /// `out += Σ_i w_i y_i φ_i` (D).
    pub(super) fn add_weighted_features(&self, weights: &[f64], out: &mut [f64]) {
        let b = self.b_matrix().subcols(0, self.dim).transpose();
        product(b, weights, Accum::Add, out);
    }

    /// `out += Σ_i γ_iC_iᵀu_i` (D) for rows `u` (L × n).
    pub(super) fn add_slopes(&mut self, u: &[f64], out: &mut [f64]) {
        let pairs = self.rows.chunks_exact_mut(self.n).zip(&self.radii);
        for ((row, radius), u) in pairs.zip(u.chunks_exact(self.n)) {
            for (row, u) in row.iter_mut().zip(u) {
                *row = radius * u;
            }
        }
        self.jacobians.add_sum(&self.rows, out);
    }
}
