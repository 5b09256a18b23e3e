//! Rows that are computed from blocks of inputs in every product.

use crate::linear_system::LinearSystem;
use crate::stream::StreamSamples;
use crate::stream::pieces::{Pieces, Weights, features_of};
use crate::workers::Workers;
use ndarray::ArrayView1;
use robust_svm_core::features::BLOCK_ROWS;

/// B (L × n), of which only the signs and the values behind the features are in memory. A product takes one pass.
pub(crate) struct StreamedRows<'a> {
    samples: &'a StreamSamples<'a>,
    /// Signs of the features (L).
    signs: Vec<f64>,
    /// What is behind the features, as many values for each row.
    extra: Vec<f64>,
    /// How many.
    more: usize,
}

/// What a row is weighted with, from its number and its product.
type Weight<'a> = dyn Fn(usize, f64) -> f64 + Sync + 'a;

impl<'a> StreamedRows<'a> {
    /// As [`super::Rows::new`].
    pub(super) fn new(
        samples: &'a StreamSamples<'a>,
        signs: ArrayView1<'_, f64>,
        extra: &[f64],
    ) -> Self {
        Self {
            samples,
            signs: signs.to_vec(),
            extra: extra.to_vec(),
            more: extra.len() / signs.len(),
        }
    }

    /// As [`super::Rows::is_lost`].
    pub(super) fn is_lost(&self) -> bool {
        self.samples.has_failed()
    }

    pub(super) fn mul(&self, x: &[f64], out: &mut [f64], workers: Workers) {
        self.pass((Some(x), Some(out)), None, workers);
    }

    pub(super) fn add_mul_transposed(&self, r: &[f64], sum: &mut [f64], workers: Workers) {
        self.pass((None, None), Some((&|row, _| r[row], sum)), workers);
    }

    /// As [`super::Rows::mul_both`].
    pub(super) fn mul_both(
        &self,
        (x, out): (&[f64], &mut [f64]),
        (r, sum): (&[f64], &mut [f64]),
        workers: Workers,
    ) {
        let weighted: (&Weight<'_>, _) = (&|row, _| r[row], sum);
        self.pass((Some(x), Some(out)), Some(weighted), workers);
    }

    /// As [`super::Rows::mul_normal`].
    pub(super) fn mul_normal(
        &self,
        (x, w): (&[f64], &[f64]),
        out: &mut [f64],
        sum: &mut [f64],
        workers: Workers,
    ) {
        let weighted: (&Weight<'_>, _) = (&|row, product| w[row] * product, sum);
        self.pass((Some(x), Some(out)), Some(weighted), workers);
    }

    /// One pass: `out = Bx`, and `sum += Bᵀr` with r from the products.
    fn pass(
        &self,
        (x, mut out): (Option<&[f64]>, Option<&mut [f64]>),
        mut weighted: Option<(&Weight<'_>, &mut [f64])>,
        workers: Workers,
    ) {
        let dim = self.samples.dim().1;
        let (zeta, behind) = x.map_or((None, &[][..]), |x| (Some(&x[..dim]), &x[dim..]));
        let product = |row: usize, score: f64| {
            let extra = self.extra(row).iter().zip(behind);
            self.signs[row] * score + extra.map(|(a, b)| a * b).sum::<f64>()
        };
        let mut pieces = Pieces::<1, 1>::new(self.samples.features(), workers);
        let read = self.samples.read(&mut |block| {
            let first = block.first_row;
            let weight = weighted.as_ref().map(|(weight, _)| *weight);
            let signed = |i: usize, [score]: [f64; 1]| {
                let row = first + i;
                let r = weight.map_or(0.0, |weight| weight(row, product(row, score)));
                [self.signs[row] * r]
            };
            let weights = weight.map(|_| &signed as &Weights<'_, 1, 1>);
            pieces.products(&block, zeta, weights, |piece| {
                for (i, [score]) in piece.scores() {
                    let row = first + i;
                    let product = product(row, score);
                    if let Some(out) = &mut out {
                        out[row] = product;
                    }
                    if let Some((weight, sum)) = &mut weighted {
                        let r = weight(row, product);
                        for (sum, extra) in sum[dim..].iter_mut().zip(self.extra(row)) {
                            *sum += r * extra;
                        }
                    }
                }
                if let Some((_, sum)) = &mut weighted {
                    for (sum, part) in sum.iter_mut().zip(piece.sums().flatten()) {
                        *sum += part;
                    }
                }
            });
        });
        if !read {
            if let Some(out) = out {
                out.fill(f64::NAN);
            }
            if let Some((_, sum)) = weighted {
                sum.fill(f64::NAN);
            }
        }
    }

    /// The Gram matrices of the blocks, added in their order.
    pub(super) fn assign_gram(&self, w: &[f64], system: &mut LinearSystem) {
        let (features, dim) = (self.samples.features(), self.samples.dim().1);
        let (n, width) = (features.input_dim(), dim + self.more);
        system.matrix.fill(0.0);
        let (mut values, mut room) = (Vec::new(), Vec::new());
        let read = self.samples.read(&mut |block| {
            let (first, rows) = (block.first_row, block.y.len());
            values.resize(rows * width, 0.0);
            room.resize(rows.div_ceil(BLOCK_ROWS) * BLOCK_ROWS * (n + dim), 0.0);
            let pieces = (&mut values[..], BLOCK_ROWS * width);
            let room = (&mut room[..], BLOCK_ROWS * (n + dim));
            system
                .workers()
                .blocks_with(pieces, room, |k, values, room| {
                    let own = k * BLOCK_ROWS..k * BLOCK_ROWS + values.len() / width;
                    let (x, phi) = room.split_at_mut(BLOCK_ROWS * n);
                    let phi = &mut phi[..own.len() * dim];
                    features_of(features, &block, own.clone(), (x, phi));
                    let rows = values.chunks_exact_mut(width).zip(phi.chunks_exact(dim));
                    for (i, (value, phi)) in own.zip(rows) {
                        let sign = self.signs[first + i];
                        for (value, φ) in value.iter_mut().zip(phi) {
                            *value = sign * φ;
                        }
                        value[dim..].copy_from_slice(self.extra(first + i));
                    }
                });
            system.add_weighted_gram(&values, &w[first..first + rows]);
        });
        if !read {
            system.matrix.fill(f64::NAN);
        }
    }

    /// What is behind the features of a row.
    fn extra(&self, row: usize) -> &[f64] {
        &self.extra[row * self.more..(row + 1) * self.more]
    }
}
