//! The pieces of all samples: linear lower bounds of their losses.

use super::settings::BundleSettings;
use crate::linear_system::product;
use crate::{Intercept, SublinearProblem};
use faer::{Accum, MatRef};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use std::ops::Range;

/// Pieces `g = (y_iφ_i − z, y_i)` of each sample: `1 − ⟨g, (ζ, b)⟩` bounds its loss from below. Without an intercept
/// the last entry is 0.
pub(super) struct Pieces {
    /// D + 1.
    pub(super) width: usize,
    /// The pieces (M × width), row after row, those of a sample together.
    pub(super) rows: Vec<f64>,
    /// The pieces of sample i are `starts[i]..starts[i + 1]` (L + 1).
    starts: Vec<usize>,
}

/// New pieces: the sub-gradients at one point, and the samples whose piece is wanted.
pub(super) struct Cut {
    /// z (L × D).
    pub(super) z: Array2<f64>,
    /// Which samples' (L).
    pub(super) wanted: Vec<bool>,
}

impl Pieces {
    /// One piece a sample, of the sub-gradients `z` (L × D).
    pub(super) fn new(problem: &SublinearProblem<'_>, z: ArrayView2<'_, f64>) -> Self {
        let (samples, dim) = problem.features().dim();
        let mut pieces = Self {
            width: dim + 1,
            rows: Vec::with_capacity(samples * (dim + 1)),
            starts: vec![0],
        };
        for (i, z) in z.outer_iter().enumerate() {
            pieces.push(problem, i, z);
            pieces.starts.push(i + 1);
        }
        pieces
    }

    fn push(&mut self, problem: &SublinearProblem<'_>, sample: usize, z: ArrayView1<'_, f64>) {
        let y = problem.y()[sample];
        let φ = problem.features().row(sample).to_owned();
        self.rows.extend(φ.iter().zip(z).map(|(φ, z)| y * φ - z));
        self.rows.push(match problem.intercept() {
            Intercept::Free | Intercept::Penalised => y,
            Intercept::None => 0.0,
        });
    }

    /// M.
    pub(super) fn len(&self) -> usize {
        self.rows.len() / self.width
    }

    /// L.
    pub(super) fn samples(&self) -> usize {
        self.starts.len() - 1
    }

    /// The pieces of `sample`.
    pub(super) fn of(&self, sample: usize) -> Range<usize> {
        self.starts[sample]..self.starts[sample + 1]
    }

    pub(super) fn row(&self, piece: usize) -> &[f64] {
        &self.rows[piece * self.width..(piece + 1) * self.width]
    }

    fn matrix(&self) -> MatRef<'_, f64> {
        MatRef::from_row_major_slice(&self.rows, self.len(), self.width)
    }

    /// `out = ⟨g, x⟩` of every piece, x = (ζ, b).
    pub(super) fn mul(&self, x: &[f64], out: &mut [f64]) {
        product(self.matrix(), x, Accum::Replace, out);
    }

    /// `out += Σ r_k g_k`.
    pub(super) fn add_mul_transposed(&self, r: &[f64], out: &mut [f64]) {
        product(self.matrix().transpose(), r, Accum::Add, out);
    }

    /// `α_i = Σ_k β_ik`.
    pub(super) fn sample_sums(&self, beta: &[f64]) -> Array1<f64> {
        (0..self.samples())
            .map(|i| beta[self.of(i)].iter().sum())
            .collect()
    }

    /// The smallest value of the pieces of each sample.
    pub(super) fn sample_minima(&self, values: &[f64]) -> Array1<f64> {
        let least = |i| values[self.of(i)].iter().copied();
        (0..self.samples())
            .map(|i| least(i).fold(f64::INFINITY, f64::min))
            .collect()
    }

    /// `⟨g, (ζ, b)⟩` of every piece (M).
    fn margins(&self, zeta: &Array1<f64>, intercept: f64) -> Vec<f64> {
        let mut x = zeta.to_vec();
        x.push(intercept);
        let mut margins = vec![0.0; self.len()];
        self.mul(&x, &mut margins);
        margins
    }

    /// The model's loss of each sample (L): 0, or its tightest piece.
    pub(super) fn losses(&self, zeta: &Array1<f64>, intercept: f64) -> Array1<f64> {
        let margins = self.margins(zeta, intercept);
        self.sample_minima(&margins).mapv(|m| (1.0 - m).max(0.0))
    }

    /// How far each piece (M) is below the model's loss of its sample: `s = ⟨g, (ζ, b)⟩ + ξ − 1`.
    pub(super) fn slacks(&self, zeta: &Array1<f64>, intercept: f64) -> Vec<f64> {
        let mut slacks = self.margins(zeta, intercept);
        for i in 0..self.samples() {
            let own = &mut slacks[self.of(i)];
            let loss = own.iter().map(|m| 1.0 - m).fold(0.0, f64::max);
            for m in own {
                *m += loss - 1.0;
            }
        }
        slacks
    }

    /// `z_i = Σ_kβ_ikz_ik / Σ_kβ_ik` (L × D); 0, which is in `∂h_i(0)`, where β_i = 0.
    pub(super) fn mean_subgradients(
        &self,
        problem: &SublinearProblem<'_>,
        beta: &[f64],
    ) -> Array2<f64> {
        let mut z = Array2::zeros(problem.features().dim());
        for (i, mut z) in z.outer_iter_mut().enumerate() {
            let total: f64 = beta[self.of(i)].iter().sum();
            if total <= 0.0 {
                continue;
            }
            z.assign(&problem.features().row(i));
            z *= problem.y()[i];
            for k in self.of(i) {
                let g = ArrayView1::from(&self.row(k)[..self.width - 1]);
                z.scaled_add(-beta[k] / total, &g);
            }
        }
        z
    }

    /// The pieces for the next master problem: the live ones of those with slacks `s` and multipliers `beta`,
    /// merged where there are too many, and the `cuts`. Without slacks all are live.
    ///
    /// A piece is dead if its multiplier is small beside its slack, of which one is 0 at the optimum. Each
    /// sample keeps its tightest piece.
    pub(super) fn next(
        &self,
        problem: &SublinearProblem<'_>,
        (slacks, beta): (Option<&[f64]>, &[f64]),
        cuts: &[Cut],
        settings: &BundleSettings,
    ) -> Self {
        let typical = beta.iter().sum::<f64>() / self.samples() as f64;
        let live: Vec<Vec<usize>> = (0..self.samples())
            .map(|i| {
                let Some(s) = slacks else {
                    return self.of(i).collect();
                };
                let tightest = self.of(i).min_by(|&a, &b| s[a].total_cmp(&s[b]));
                let is_live = |k: &usize| {
                    Some(*k) == tightest || beta[*k] > SMALL_MULTIPLIER * typical * s[*k]
                };
                self.of(i).filter(is_live).collect()
            })
            .collect();
        let room = largest_share(&live, settings.max_pieces * (self.samples() + self.width));
        let mut next = Self {
            width: self.width,
            rows: Vec::with_capacity(self.rows.len()),
            starts: vec![0],
        };
        for (i, mut live) in live.into_iter().enumerate() {
            if live.len() > room {
                live.sort_by(|&a, &b| beta[b].total_cmp(&beta[a]));
                let merged = live.split_off(room - 1);
                next.push_mean(self, &merged, beta);
            }
            for k in live {
                next.rows.extend_from_slice(self.row(k));
            }
            for cut in cuts.iter().filter(|cut| cut.wanted[i]) {
                next.push(problem, i, cut.z.row(i));
            }
            next.starts.push(next.len());
        }
        next
    }

    /// The mean of some pieces of a sample, weighted by β: a piece by convexity of `∂h_i(0)`, which keeps the
    /// dual value.
    fn push_mean(&mut self, from: &Self, merged: &[usize], beta: &[f64]) {
        let total: f64 = merged.iter().map(|&k| beta[k]).sum();
        let start = self.rows.len();
        self.rows.resize(start + self.width, 0.0);
        for &k in merged {
            let share = if total > 0.0 {
                beta[k] / total
            } else {
                1.0 / merged.len() as f64
            };
            for (mean, g) in self.rows[start..].iter_mut().zip(from.row(k)) {
                *mean += share * g;
            }
        }
        // Exactly that of each, whatever the rounding of the shares.
        let last = self.rows.len() - 1;
        self.rows[last] = from.row(merged[0])[self.width - 1];
    }
}

/// A piece whose multiplier is below this share of its slack (in units of margin) is dead.
const SMALL_MULTIPLIER: f64 = 1e-3;

/// The most pieces a sample may keep if all together are to be at most `budget`; at least 1.
fn largest_share(live: &[Vec<usize>], budget: usize) -> usize {
    let longest = live.iter().map(Vec::len).max().unwrap_or(1);
    let kept = |share: usize| live.iter().map(|own| own.len().min(share)).sum::<usize>();
    let (mut low, mut high) = (1, longest.max(1));
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if kept(middle) <= budget {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}
