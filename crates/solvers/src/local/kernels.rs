//! The derivatives of Nyström features: `C_iᵀ = M diag(k_i) (X̃ − 1x̃_iᵀ)`, `M = Λ^{−1/2}Uᵀ` (r × m), k_i the kernel's
//! values at the landmarks, and the landmarks X̂ and the sample as `X̃ = X̂Σ^{1/2}/σ²`, `x̃_i = Σ^{⊤/2}x_i/σ²`.
//!
//! So with K the L × m kernel values, `E = diag(e)` and `P_ij = k_ij x̃_iᵀX̃_j` (derived: multiply out)
//! `Σ_i e_iC_iᵀC_i = M [X̃X̃ᵀ ∘ (KᵀEK) + KᵀY + YᵀK] Mᵀ`, `Y = E(½ diag‖x̃_i‖² K − P)`. Landmarks and samples are
//! centred at the landmarks' mean first, which changes nothing but the cancellation.

use super::jacobians::{BLOCK_ROWS, Jacobians, add_gram, blocks, multiply, rows_of, rows_of_mut};
use crate::interior_point::dot;
use crate::linear_system::product;
use faer::{Accum, MatMut, MatRef};
use ndarray::{ArrayView2, Axis};
use robust_svm_core::features::{FeatureMap, Nystrom};
use robust_svm_core::linalg::matmul_transposed;
use robust_svm_core::uncertainty::UncertaintySet;
use std::ops::Range;

pub(super) struct Kernels {
    samples: usize,
    dim: usize,
    n: usize,
    landmarks: usize,
    /// K (L × m).
    kernel: Vec<f64>,
    /// M (r × m).
    projection: Vec<f64>,
    /// X̃ (m × n).
    centres: Vec<f64>,
    /// x̃ (L × n).
    points: Vec<f64>,
    /// `X̃X̃ᵀ` (m × m).
    products: Vec<f64>,
    /// A number for each landmark.
    coefficients: Vec<f64>,
    /// A number for each landmark and sample of a block, twice.
    values: Vec<f64>,
    weighted: Vec<f64>,
    /// `KᵀEK` (lower half), `KᵀY` and the bracket (m × m, column after column), and `M` times it (r × m).
    gram: Vec<f64>,
    cross: Vec<f64>,
    half: Vec<f64>,
    /// The result (r × r).
    squares: Vec<f64>,
}

impl Kernels {
    pub(super) fn new(map: &Nystrom, set: &UncertaintySet, x: ArrayView2<'_, f64>) -> Self {
        let landmarks = map.landmarks();
        let scale = map.kernel().sigma().powi(-2);
        let middle = landmarks
            .mean_axis(Axis(0))
            .expect("a map has landmarks where it has features");
        let scaled = |rows: ArrayView2<'_, f64>| set.pull_back(((&rows - &middle) * scale).view());
        let (centres, points) = (scaled(landmarks), scaled(x));
        let products = matmul_transposed(centres.view(), centres.view());
        let (samples, n, m, dim) = (x.nrows(), x.ncols(), landmarks.nrows(), map.dim());
        Self {
            samples,
            dim,
            n,
            landmarks: m,
            kernel: map
                .kernel()
                .matrix(x, landmarks)
                .into_raw_vec_and_offset()
                .0,
            projection: map.projection().iter().copied().collect(),
            centres: centres.iter().copied().collect(),
            points: points.iter().copied().collect(),
            products: products.into_raw_vec_and_offset().0,
            coefficients: vec![0.0; m],
            values: vec![0.0; BLOCK_ROWS * m],
            weighted: vec![0.0; BLOCK_ROWS * m],
            gram: vec![0.0; m * m],
            cross: vec![0.0; m * m],
            half: vec![0.0; dim * m],
            squares: vec![0.0; dim * dim],
        }
    }

    /// `k_ij ⟨X̃_j − x̃_i, u_i⟩` for the samples `rows` and each row of `u` (rows × n), into `values`.
    fn find_derivatives(&mut self, rows: &Range<usize>, u: &[f64]) {
        let (m, n) = (self.landmarks, self.n);
        let values = &mut self.values[..rows.len() * m];
        let centres = rows_of(&self.centres, n).transpose();
        multiply(
            rows_of(u, n),
            centres,
            Accum::Replace,
            rows_of_mut(values, m),
        );
        let points = self.points[rows.start * n..rows.end * n].chunks_exact(n);
        let own = u.chunks_exact(n).zip(points).map(|(u, x)| dot(u, x));
        let kernel = self.kernel[rows.start * m..rows.end * m].chunks_exact(m);
        for ((values, kernel), own) in values.chunks_exact_mut(m).zip(kernel).zip(own) {
            for (value, k) in values.iter_mut().zip(kernel) {
                *value = k * (*value - own);
            }
        }
    }

    /// Adds the samples `rows` to `KᵀEK` and `KᵀY`.
    fn add_block(&mut self, rows: &Range<usize>, weights: &[f64]) {
        let (m, n) = (self.landmarks, self.n);
        let kernel = &self.kernel[rows.start * m..rows.end * m];
        let points = &self.points[rows.start * n..rows.end * n];
        let weighted = &mut self.weighted[..rows.len() * m];
        let pairs = weighted.chunks_exact_mut(m).zip(kernel.chunks_exact(m));
        for ((weighted, kernel), e) in pairs.zip(&weights[rows.clone()]) {
            let root = e.sqrt();
            for (weighted, k) in weighted.iter_mut().zip(kernel) {
                *weighted = root * k;
            }
        }
        let gram = MatMut::from_column_major_slice_mut(&mut self.gram, m, m);
        add_gram(rows_of(weighted, m), rows_of(weighted, m), 1.0, gram);
        // Y, from x̃_iᵀX̃_j.
        let values = &mut self.values[..rows.len() * m];
        multiply(
            rows_of(points, n),
            rows_of(&self.centres, n).transpose(),
            Accum::Replace,
            rows_of_mut(values, m),
        );
        let pairs = values.chunks_exact_mut(m).zip(kernel.chunks_exact(m));
        let points = points.chunks_exact(n).zip(&weights[rows.clone()]);
        for ((values, kernel), (x, e)) in pairs.zip(points) {
            let half_square = 0.5 * dot(x, x);
            for (value, k) in values.iter_mut().zip(kernel) {
                *value = e * k * (half_square - *value);
            }
        }
        multiply(
            rows_of(kernel, m).transpose(),
            rows_of(values, m),
            Accum::Add,
            MatMut::from_column_major_slice_mut(&mut self.cross, m, m),
        );
    }

    /// From `KᵀEK` and `KᵀY` to the bracket, in both halves of `gram`.
    fn complete(&mut self) {
        let m = self.landmarks;
        for k in 0..m {
            for l in k..m {
                let value = self.gram[k * m + l] * self.products[k * m + l]
                    + self.cross[k * m + l]
                    + self.cross[l * m + k];
                self.gram[k * m + l] = value;
                self.gram[l * m + k] = value;
            }
        }
    }
}

impl Jacobians for Kernels {
    fn pull_back(&mut self, zeta: &[f64], out: &mut [f64]) {
        let (m, n) = (self.landmarks, self.n);
        let projection = rows_of(&self.projection, m).transpose();
        product(projection, zeta, Accum::Replace, &mut self.coefficients);
        for rows in blocks(self.samples) {
            let values = &mut self.values[..rows.len() * m];
            let kernel = &self.kernel[rows.start * m..rows.end * m];
            for (values, kernel) in values.chunks_exact_mut(m).zip(kernel.chunks_exact(m)) {
                for ((value, k), c) in values.iter_mut().zip(kernel).zip(&self.coefficients) {
                    *value = k * c;
                }
            }
            let out = &mut out[rows.start * n..rows.end * n];
            let centres = rows_of(&self.centres, n);
            multiply(
                rows_of(values, m),
                centres,
                Accum::Replace,
                rows_of_mut(out, n),
            );
            let points = self.points[rows.start * n..rows.end * n].chunks_exact(n);
            for ((out, x), values) in out
                .chunks_exact_mut(n)
                .zip(points)
                .zip(values.chunks_exact(m))
            {
                let sum: f64 = values.iter().sum();
                for (out, x) in out.iter_mut().zip(x) {
                    *out -= sum * x;
                }
            }
        }
    }

    fn push_forward(&mut self, rows: Range<usize>, u: &[f64], out: &mut [f64]) {
        let m = self.landmarks;
        self.find_derivatives(&rows, u);
        multiply(
            rows_of(&self.values[..rows.len() * m], m),
            rows_of(&self.projection, m).transpose(),
            Accum::Replace,
            rows_of_mut(out, self.dim),
        );
    }

    fn add_sum(&mut self, u: &[f64], out: &mut [f64]) {
        let (m, n) = (self.landmarks, self.n);
        self.coefficients.fill(0.0);
        for rows in blocks(self.samples) {
            self.find_derivatives(&rows, &u[rows.start * n..rows.end * n]);
            for values in self.values[..rows.len() * m].chunks_exact(m) {
                for (sum, value) in self.coefficients.iter_mut().zip(values) {
                    *sum += value;
                }
            }
        }
        product(
            rows_of(&self.projection, m),
            &self.coefficients,
            Accum::Add,
            out,
        );
    }

    fn add_weighted_squares(&mut self, weights: &[f64], matrix: &mut [f64], width: usize) {
        let (m, dim) = (self.landmarks, self.dim);
        self.gram.fill(0.0);
        self.cross.fill(0.0);
        for rows in blocks(self.samples) {
            self.add_block(&rows, weights);
        }
        self.complete();
        let projection = rows_of(&self.projection, m);
        let bracket = MatRef::from_column_major_slice(&self.gram, m, m);
        multiply(
            projection,
            bracket,
            Accum::Replace,
            rows_of_mut(&mut self.half, m),
        );
        multiply(
            rows_of(&self.half, m),
            projection.transpose(),
            Accum::Replace,
            MatMut::from_column_major_slice_mut(&mut self.squares, dim, dim),
        );
        for k in 0..dim {
            let squares = &self.squares[k * dim + k..(k + 1) * dim];
            let column = &mut matrix[k * width + k..];
            for (value, square) in column.iter_mut().zip(squares) {
                *value += square;
            }
        }
    }
}
