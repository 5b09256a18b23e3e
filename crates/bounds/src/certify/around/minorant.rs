//! Quadratics below a model on a cell.

use super::Cell;
use crate::certify::quadratic::{dominated, interval_loss};
use ndarray::{Array1, Array2};
use robust_svm_core::uncertainty::Norm;

/// `h(c + d) ≥ value − slack + ⟨gradient, d⟩ − ½ dᵀ curvature d` for every d of a cell with centre c, where h is `y f`
/// in the coordinates of a frame.
#[derive(Debug, Clone)]
pub(in crate::certify) struct Minorant {
    /// `h(c)`.
    pub(in crate::certify) value: f64,
    /// For the rounding of the other three.
    pub(in crate::certify) slack: f64,
    /// `∇h(c)` (n).
    pub(in crate::certify) gradient: Array1<f64>,
    /// n × n.
    pub(in crate::certify) curvature: Array2<f64>,
    /// At most h anywhere on the cell, term by term.
    pub(in crate::certify) floor: f64,
    /// How much of the curvature's diagonal is not h's own at c (n): what smaller cells would save.
    pub(in crate::certify) excess: Array1<f64>,
}

/// Golden sections of the interval of the multiplier.
const SECTIONS: usize = 30;

impl Minorant {
    /// A lower bound on h over `cell`, with the set's own constraint by a multiplier μ ≥ 0: the least of
    /// `g·d − ½dᵀMd + μ(s(c + d) − s(γ))` over the box alone, one axis at a time, where s is half the square
    /// of the length at p = 2 and the sum of sizes at p = 1. Every μ gives a bound; the best is sought. At
    /// p = ∞ the set is a box itself. Then all axes together, from the multipliers found so. Or the bound term by term, where that is higher: on large cells.
    ///
    /// Returns the bound, and a guess at where in the cell h is least, as d.
    pub(in crate::certify) fn lower_bound(&self, cell: &Cell) -> (f64, Array1<f64>) {
        let (n, gamma) = (self.gradient.len(), cell.gamma);
        let half = &cell.half;
        let r: Array1<f64> = (0..n)
            .map(|k| dominated(self.curvature.view(), k, |l| ratio(half[l], half[k])))
            .collect();
        let rounding = 8.0 * (n as f64 + 4.0) * f64::EPSILON;
        let loss_at = |μ: f64| -> f64 {
            let axis = |k: usize| {
                let (g, r, h, c) = (self.gradient[k], r[k], half[k], cell.centre[k]);
                match cell.p {
                    Norm::One => kinked_loss(g, r, h, c, μ),
                    Norm::Two => interval_loss(g + μ * c, r - μ, h) - 0.5 * μ * c * c,
                    Norm::Infinity => interval_loss(g, r, h),
                }
            };
            let slack = match cell.p {
                Norm::One => μ * gamma,
                Norm::Two => 0.5 * μ * gamma * gamma,
                Norm::Infinity => 0.0,
            };
            // Where a cell is all but flat along an axis μ grows without limit, and the sum is a difference of
            // numbers of the size of its slack.
            (0..n).map(axis).sum::<f64>() + slack * (1.0 + rounding)
        };
        let mut best = (loss_at(0.0), 0.0);
        if cell.p != Norm::Infinity {
            let steepest = r.iter().fold(0.0_f64, |most, r| most.max(r.abs()));
            let slope = Norm::Infinity.of(self.gradient.view());
            let most = match cell.p {
                Norm::One => slope + steepest * gamma,
                _ => steepest + 2.0 * Norm::Two.of(self.gradient.view()) / gamma,
            };
            let found = golden_minimum(loss_at, most);
            if found.0 < best.0 {
                best = found;
            }
        }
        let (mut loss, μ) = best;
        let pull = if cell.p == Norm::Two { μ } else { 0.0 };
        // The multipliers of the box that go with μ when axes are taken by themselves.
        let τ = (0..n).map(|k| {
            let g = self.gradient[k] + pull * cell.centre[k];
            (r[k] - pull + ratio(g.abs(), half[k])).max(0.0)
        });
        let (together, worst) = self.lagrangian_loss(cell, (μ, τ.collect()));
        if together < loss {
            loss = together;
        }
        // Down the gradient to the corner of the box where there is no better guess.
        let corner = || {
            (0..n)
                .map(|k| -half[k] * self.gradient[k].signum())
                .collect()
        };
        // What is not finite bounds nothing.
        let bound = if loss.is_finite() {
            (self.value - self.slack - loss).max(self.floor)
        } else {
            self.floor
        };
        (bound, worst.unwrap_or_else(corner))
    }

    /// The axis to halve `cell` along: where the curvature that is not h's own, and the products of axes that
    /// the bound takes at their worst, weigh most.
    pub(in crate::certify) fn loosest_axis(&self, cell: &Cell) -> usize {
        let half = &cell.half;
        let weight = |k: usize| {
            let row = self.curvature.row(k);
            let others = row.iter().zip(half).enumerate().filter(|(l, _)| *l != k);
            let products: f64 = others.map(|(_, (entry, h))| entry.abs() * h).sum();
            half[k] * (self.excess[k] * half[k] + products)
        };
        let mut loosest = (0, f64::NEG_INFINITY);
        for k in 0..half.len() {
            if weight(k) > loosest.1 {
                loosest = (k, weight(k));
            }
        }
        loosest.0
    }
}

/// `max { −gd + ½rd² − μ|c + d| : |d| ≤ h }`: at an end, at the kink, or where a concave piece is level.
fn kinked_loss(g: f64, r: f64, h: f64, c: f64, μ: f64) -> f64 {
    let value = |d: f64| {
        let d = d.clamp(-h, h);
        -g * d + 0.5 * r * d * d - μ * (c + d).abs()
    };
    let mut most = value(-h).max(value(h)).max(value(-c));
    if r < 0.0 {
        most = most.max(value((g + μ) / r)).max(value((g - μ) / r));
    }
    most
}

/// `a/b`, and 0 for 0/0: an axis without width has no part in any product.
fn ratio(a: f64, b: f64) -> f64 {
    if a == 0.0 { 0.0 } else { a / b }
}

/// The least of the values of a convex function met by golden sections of [0, `most`], and where.
fn golden_minimum(f: impl Fn(f64) -> f64, most: f64) -> (f64, f64) {
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut low, mut high) = (0.0, most);
    let (mut left, mut right) = (high - golden * (high - low), low + golden * (high - low));
    let (mut at_left, mut at_right) = (f(left), f(right));
    for _ in 0..SECTIONS {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - golden * (high - low);
            at_left = f(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + golden * (high - low);
            at_right = f(right);
        }
    }
    if at_left < at_right {
        (at_left, left)
    } else {
        (at_right, right)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Around, Cell, Kernels, Waves};
    use ndarray::{Array1, Array2};
    use proptest::prelude::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha20Rng;
    use rand_distr::{Distribution, StandardNormal};
    use robust_svm_core::kernel::{GaussianKernel, distance};
    use robust_svm_core::model::RadialModel;
    use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};

    fn normal(rows: usize, columns: usize, rng: &mut ChaCha20Rng) -> Array2<f64> {
        Array2::from_shape_simple_fn((rows, columns), || StandardNormal.sample(rng))
    }

    fn waves(n: usize, rng: &mut ChaCha20Rng) -> Around {
        Around::Waves(Waves {
            amplitudes: normal(1, 7, rng).row(0).mapv(f64::abs),
            frequencies: normal(7, n, rng),
            phases: normal(1, 7, rng).row(0).mapv(|p| 2.0 * p),
            constant: 0.3,
            error: 0.0,
        })
    }

    /// A set on `x = 0` whose factor is full.
    fn kernels(p: Norm, n: usize, rng: &mut ChaCha20Rng) -> Around {
        let kernel = GaussianKernel::new(rng.gen_range(0.5..2.0)).unwrap();
        let (centres, beta) = (normal(6, n, rng), normal(1, 6, rng).row(0).to_owned());
        // Some of the widths are σ itself.
        let variances = Array1::from_shape_simple_fn(6, || rng.gen_range(-0.5..1.0_f64).max(0.0));
        let model = RadialModel::new(kernel, centres.view(), variances.view(), beta.view(), 0.0);
        let model = model.unwrap();
        let wider = |v: &f64| GaussianKernel::new((kernel.sigma().powi(2) + v).sqrt()).unwrap();
        let factor = normal(n, n, rng);
        let set = UncertaintySet::new(p, Factor::Full(factor.clone())).unwrap();
        let origin = Array1::<f64>::zeros(n);
        Around::Kernels(Kernels {
            kernel,
            functions: variances.iter().map(wider).collect(),
            norm: model.norm(),
            weights: model.coefficients().to_owned(),
            squares: centres
                .outer_iter()
                .map(|z| distance(z, origin.view()).powi(2))
                .collect(),
            offsets: -centres.dot(&factor),
            gram: factor.t().dot(&factor),
            longest: set.longest(n),
            constant: -0.2,
            error: 0.0,
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]

        /// On every cell: the quadratic and the floor are below the model, and the bound below both.
        #[test]
        fn models_stay_above_their_minorants(
            seed in any::<u64>(), n in 1..5_usize, size in -2.0..1.0_f64, splits in 0..8_usize,
        ) {
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let gamma = 10.0_f64.powf(size);
            for p in [Norm::One, Norm::Two, Norm::Infinity] {
                let set = UncertaintySet::new(p, Factor::Identity).unwrap();
                for around in [waves(n, &mut rng), kernels(p, n, &mut rng)] {
                    let mut cell = Cell::whole(p, gamma, n);
                    for _ in 0..splits {
                        let parts: Vec<Cell> = cell.split(rng.gen_range(0..n)).collect();
                        cell = parts[rng.gen_range(0..parts.len())].clone();
                    }
                    let below = around.minorant(&cell);
                    let (bound, guess) = below.lower_bound(&cell);
                    let corner = || cell.half.mapv(|h| h * rng.r#gen_range(-1.0..=1.0_f64).signum());
                    let mut tried: Vec<Array1<f64>> = std::iter::repeat_with(corner).take(8).collect();
                    tried.push(guess);
                    for _ in 0..20 {
                        tried.push(cell.half.mapv(|h| h * rng.gen_range(-1.0..=1.0)));
                    }
                    for mut d in tried {
                        let mut u = &d + &cell.centre;
                        set.project(u.view_mut(), gamma);
                        d = &u - &cell.centre;
                        if d.iter().zip(&cell.half).any(|(d, h)| d.abs() > *h) {
                            continue;
                        }
                        let value = around.value(u.view());
                        let quadratic = below.gradient.dot(&d) - 0.5 * d.dot(&below.curvature.dot(&d));
                        let rounding = 1e-12 * (1.0 + quadratic.abs());
                        prop_assert!(value >= below.value - below.slack + quadratic - rounding);
                        prop_assert!(value >= below.floor - rounding);
                        prop_assert!(value >= bound - rounding, "{p:?} {value} {bound}");
                    }
                }
            }
        }
    }
}
