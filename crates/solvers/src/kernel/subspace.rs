//! Newton's step over the multipliers strictly between their bounds, where pairs alone get on slowly.
//!
//! On a kernel matrix of low rank and a small λ the dual is all but linear along some directions, of which no pair is one: pairs zigzag, and
//! the dual rises by a billionth in millions of them. Newton's step over all of them at once, of `½ dᵀ(K_FF/λ)d + F_Fᵀd` over `Σd = 0` and as long as the
//! bounds let it [the subspace step of J. Moré, G. Toraldo, SIAM J. Optim. 1 (1991) 93–113], leaves such a direction at a bound.

use super::pca::centred;
use super::smo::Smo;
use ndarray::{Array1, Array2, Axis};
use robust_svm_core::linalg::CholeskyFactor;

/// The most multipliers that move together: of more the first, whose bounds make room for the next.
const MOST: usize = 100;
/// What is added to the curvatures, of their sum: along directions without curvature the step is as long as the bounds let it.
const RIDGE: f64 = 1e-12;
/// The same, of the sum before the common part of K was taken out, and of each multiplier: what that rounds off.
const ROUNDING: f64 = 4e-16;

impl Smo<'_> {
    /// Moves multipliers `0 < α_i < 1` by steps of Newton's method until one is not cut off at a bound, or leads nowhere: each that is leaves
    /// one multiplier there. The dual does not fall. A step takes O(L), whatever the multipliers.
    pub(super) fn newton_steps(&mut self) {
        while self.newton_step() {}
    }

    /// Whether the step met a bound.
    fn newton_step(&mut self) -> bool {
        let of_all = 0..self.y.len();
        let free: Vec<usize> = of_all.filter(|&i| self.is_free(i)).take(MOST).collect();
        if free.len() < 2 {
            return false;
        }
        let h = Array2::from_shape_fn((free.len(), free.len()), |(a, b)| {
            self.row(free[a])[free[b]] / self.lambda
        });
        let gradient: Array1<f64> = free.iter().map(|&i| self.gradient[i]).collect();
        let Some(d) = direction(&h, &gradient) else {
            return false;
        };
        let (slope, curvature) = (gradient.dot(&d), d.dot(&h.dot(&d)));
        if slope.is_nan() || slope >= 0.0 {
            return false;
        }
        // To the least value along d, or to the first bound in the way.
        let best = if curvature > 0.0 {
            -slope / curvature
        } else {
            f64::INFINITY
        };
        let moving = || free.iter().copied().zip(d.iter().copied());
        let rooms = moving().map(|(i, d)| self.room(i, d).0);
        let length = rooms.fold(best, f64::min);
        for (i, d) in moving() {
            self.advance(i, d, length);
        }
        free.iter().any(|&i| !self.is_free(i))
    }

    /// The length along d at which s_i is at a bound, and that bound.
    fn room(&self, i: usize, d: f64) -> (f64, f64) {
        let [bottom, top] = self.bounds(i);
        let end = if d > 0.0 { top } else { bottom };
        if d == 0.0 {
            (f64::INFINITY, end)
        } else {
            ((end - self.signed[i]) / d, end)
        }
    }

    /// `s_i += length · d`, at its bound exactly where that is met, and the gradient with it.
    fn advance(&mut self, i: usize, d: f64, length: f64) {
        let (before, (room, end)) = (self.signed[i], self.room(i, d));
        let [bottom, top] = self.bounds(i);
        self.signed[i] = if length >= room {
            end
        } else {
            (before + length * d).clamp(bottom, top)
        };
        let scale = (self.signed[i] - before) / self.lambda;
        let row = self.row(i);
        for (gradient, k) in self.gradient.iter_mut().zip(row) {
            *gradient += scale * k;
        }
    }
}

/// `−(PHP + δI)⁻¹Pg`, P the projection onto `Σd = 0`, or none for matrices beyond what can be factorised.
fn direction(h: &Array2<f64>, gradient: &Array1<f64>) -> Option<Array1<f64>> {
    let mut system = centred(h.view());
    let least = ROUNDING * h.nrows() as f64 * h.diag().sum();
    let ridge = least.max(RIDGE * system.diag().sum());
    let ridge = if ridge > 0.0 { ridge } else { 1.0 };
    system.diag_mut().mapv_inplace(|h| h + ridge);
    let right = gradient.mean()? - gradient;
    let factor = CholeskyFactor::new(system).ok()?;
    let solution = factor.solve(right.insert_axis(Axis(0)));
    let mut d = solution.index_axis_move(Axis(0), 0);
    d -= d.mean()?;
    d.iter().all(|d| d.is_finite()).then_some(d)
}

#[cfg(test)]
mod tests {
    use super::super::smo::Smo;
    use approx::assert_relative_eq;
    use ndarray::{Array1, Array2};
    use proptest::prelude::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha20Rng;

    /// `K` (L × L) of rank at most `rank`, and labels.
    fn problem(rng: &mut ChaCha20Rng, rows: usize, rank: usize) -> (Array2<f64>, Vec<f64>) {
        let phi = Array2::from_shape_simple_fn((rows, rank), || rng.gen_range(-1.0..1.0));
        let y = (0..rows).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 });
        (phi.dot(&phi.t()), y.collect())
    }

    /// `½ sᵀ(K/λ)s − yᵀs` and `Ks/λ − y`.
    fn value(gram: &Array2<f64>, y: &[f64], lambda: f64, s: &[f64]) -> (f64, Array1<f64>) {
        let (s, y) = (Array1::from(s.to_vec()), Array1::from(y.to_vec()));
        let products = gram.dot(&s) / lambda;
        (0.5 * s.dot(&products) - y.dot(&s), products - y)
    }

    proptest! {
        /// From any feasible point, on matrices of every rank: the value does not rise, the point stays feasible, the gradient is its own, and where no
        /// bound is met the entries of the gradient are equal, the optimum of an interior point.
        #[test]
        fn a_step_leads_down_and_stays_feasible(
            seed in any::<u64>(), pairs in 1..10_usize, rank in 0..20_usize, log_lambda in -3.0..3.0_f64,
        ) {
            let (rows, lambda) = (2 * pairs, 10.0_f64.powf(log_lambda));
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let (gram, y) = problem(&mut rng, rows, rank);
            let gram = gram.as_standard_layout().into_owned();
            let entries = gram.as_slice().unwrap();
            let mut smo = Smo::new(entries, &y, lambda);
            // Every other label is −1: with s_i = ±a in turn the sum is 0. Some at a bound.
            for pair in smo.signed.chunks_exact_mut(2) {
                let a = rng.gen_range(-0.2..1.2_f64).clamp(0.0, 1.0);
                pair.copy_from_slice(&[a, -a]);
            }
            let (before, gradient) = value(&gram, &y, lambda, &smo.signed);
            smo.gradient = gradient.to_vec();
            let free: Vec<usize> = (0..rows).filter(|&i| smo.is_free(i)).collect();
            smo.newton_steps();
            let (after, gradient) = value(&gram, &y, lambda, &smo.signed);
            let size = gram.iter().fold(1.0_f64, |a, k| a.max(k.abs())) / lambda;
            prop_assert!(after <= before + 1e-12 * size);
            prop_assert!(smo.signed.iter().sum::<f64>().abs() <= 1e-13);
            prop_assert!(smo.alpha().all(|a| (0.0..=1.0).contains(&a)));
            assert_relative_eq!(Array1::from(smo.gradient.clone()), gradient, epsilon = 1e-11 * size);
            // Without directions of no curvature, one step is the whole way unless a bound is in it.
            let met = free.iter().any(|&i| !smo.is_free(i));
            if rank >= rows && free.len() > 1 && !met {
                let of_free = || free.iter().map(|&i| gradient[i]);
                let mean = of_free().sum::<f64>() / free.len() as f64;
                prop_assert!(of_free().all(|g| (g - mean).abs() <= 1e-9 * size), "{:?}", of_free().collect::<Vec<_>>());
            }
        }
    }
}
