//! The derivatives of random Fourier features: `C_iᵀ = diag(ψ_i) Ω̃`, ψ_i the derivative of each feature by its
//! phase and Ω̃ the row `ω̃ = Σ^{⊤/2}ω` of each feature's frequency.
//!
//! So `Σ_i e_iC_iᵀC_i = (Ω̃Ω̃ᵀ) ∘ (Ψᵀ diag(e) Ψ)` (derived: entry (k, l) is `Σ_i e_iψ_ikψ_il ⟨ω̃_k, ω̃_l⟩`), one weighted Gram
//! matrix whatever n.

use super::jacobians::{BLOCK_ROWS, Jacobians, add_gram, blocks, multiply, rows_of, rows_of_mut};
use faer::{Accum, MatMut};
use ndarray::ArrayView2;
use robust_svm_core::features::{FeatureMap, Rff};
use robust_svm_core::linalg::matmul_transposed;
use robust_svm_core::uncertainty::UncertaintySet;
use std::ops::Range;

pub(super) struct Waves {
    samples: usize,
    dim: usize,
    n: usize,
    /// Features of each frequency: 2 in the paired form, 1 in the phased one.
    each: usize,
    /// Ψ (L × D).
    psi: Vec<f64>,
    /// The frequencies ω̃ (J × n).
    frequencies: Vec<f64>,
    /// Their products `⟨ω̃_j, ω̃_k⟩` (J × J).
    products: Vec<f64>,
    /// A number for each frequency of a block of samples.
    speeds: Vec<f64>,
    /// `diag(√e) Ψ` of a block of samples.
    weighted: Vec<f64>,
    /// `Ψᵀ diag(e) Ψ` (D × D), lower half, column after column.
    gram: Vec<f64>,
}

impl Waves {
    pub(super) fn new(map: &Rff, set: &UncertaintySet, x: ArrayView2<'_, f64>) -> Self {
        let frequencies = set.pull_back(map.frequencies());
        let (waves, n) = frequencies.dim();
        let (samples, dim) = (x.nrows(), map.dim());
        let products = matmul_transposed(frequencies.view(), frequencies.view());
        Self {
            samples,
            dim,
            n,
            each: dim / waves,
            psi: map.phase_derivatives(x).into_raw_vec_and_offset().0,
            frequencies: frequencies.iter().copied().collect(),
            products: products.into_raw_vec_and_offset().0,
            speeds: vec![0.0; BLOCK_ROWS * waves],
            weighted: vec![0.0; BLOCK_ROWS * dim],
            gram: vec![0.0; dim * dim],
        }
    }

    fn waves(&self) -> usize {
        self.dim / self.each
    }

    /// `⟨ω̃_j, u_i⟩` for each frequency and each row of `u` (rows × n), into `speeds`.
    fn find_speeds(&mut self, u: &[f64]) {
        let waves = self.waves();
        let rows = u.len() / self.n;
        multiply(
            rows_of(u, self.n),
            rows_of(&self.frequencies, self.n).transpose(),
            Accum::Replace,
            rows_of_mut(&mut self.speeds[..rows * waves], waves),
        );
    }
}

impl Jacobians for Waves {
    fn pull_back(&mut self, zeta: &[f64], out: &mut [f64]) {
        let waves = self.waves();
        for rows in blocks(self.samples) {
            let speeds = &mut self.speeds[..rows.len() * waves];
            let psi = &self.psi[rows.start * self.dim..rows.end * self.dim];
            for (speeds, psi) in speeds
                .chunks_exact_mut(waves)
                .zip(psi.chunks_exact(self.dim))
            {
                let of_waves = psi
                    .chunks_exact(self.each)
                    .zip(zeta.chunks_exact(self.each));
                for (speed, (psi, zeta)) in speeds.iter_mut().zip(of_waves) {
                    *speed = psi.iter().zip(zeta).map(|(psi, ζ)| psi * ζ).sum();
                }
            }
            multiply(
                rows_of(speeds, waves),
                rows_of(&self.frequencies, self.n),
                Accum::Replace,
                rows_of_mut(&mut out[rows.start * self.n..rows.end * self.n], self.n),
            );
        }
    }

    fn push_forward(&mut self, rows: Range<usize>, u: &[f64], out: &mut [f64]) {
        self.find_speeds(u);
        let psi = &self.psi[rows.start * self.dim..rows.end * self.dim];
        let of_waves = out
            .chunks_exact_mut(self.each)
            .zip(psi.chunks_exact(self.each));
        for ((out, psi), speed) in of_waves.zip(&self.speeds) {
            for (out, psi) in out.iter_mut().zip(psi) {
                *out = psi * speed;
            }
        }
    }

    fn add_sum(&mut self, u: &[f64], out: &mut [f64]) {
        for rows in blocks(self.samples) {
            self.find_speeds(&u[rows.start * self.n..rows.end * self.n]);
            let psi = &self.psi[rows.start * self.dim..rows.end * self.dim];
            let speeds = self.speeds.chunks_exact(self.waves());
            for (psi, speeds) in psi.chunks_exact(self.dim).zip(speeds) {
                let of_waves = out
                    .chunks_exact_mut(self.each)
                    .zip(psi.chunks_exact(self.each));
                for ((out, psi), speed) in of_waves.zip(speeds) {
                    for (out, psi) in out.iter_mut().zip(psi) {
                        *out += psi * speed;
                    }
                }
            }
        }
    }

    fn add_weighted_squares(&mut self, weights: &[f64], matrix: &mut [f64], width: usize) {
        let dim = self.dim;
        self.gram.fill(0.0);
        for rows in blocks(self.samples) {
            let weighted = &mut self.weighted[..rows.len() * dim];
            let psi = &self.psi[rows.start * dim..rows.end * dim];
            let pairs = weighted.chunks_exact_mut(dim).zip(psi.chunks_exact(dim));
            for ((weighted, psi), e) in pairs.zip(&weights[rows]) {
                let root = e.sqrt();
                for (weighted, psi) in weighted.iter_mut().zip(psi) {
                    *weighted = root * psi;
                }
            }
            let gram = MatMut::from_column_major_slice_mut(&mut self.gram, dim, dim);
            add_gram(rows_of(weighted, dim), rows_of(weighted, dim), 1.0, gram);
        }
        let waves = self.waves();
        for k in 0..dim {
            let products = &self.products[(k / self.each) * waves..][..waves];
            let column = &mut matrix[k * width..k * width + dim];
            let gram = &self.gram[k * dim..(k + 1) * dim];
            for l in k..dim {
                column[l] += gram[l] * products[l / self.each];
            }
        }
    }
}
