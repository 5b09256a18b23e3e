//! Parts of an uncertainty set: boxes in a frame of its coordinates, cut with the set.

use ndarray::{Array1, ArrayView1};
use robust_svm_core::uncertainty::Norm;

/// `{ c + d : |d_i| ≤ h_i, ‖c + d‖_p ≤ γ }`. Axes that no box was cut along have c_i = 0.
#[derive(Debug, Clone)]
pub(in crate::certify) struct Cell {
    pub(in crate::certify) p: Norm,
    pub(in crate::certify) gamma: f64,
    /// c (n).
    pub(in crate::certify) centre: Array1<f64>,
    /// h (n).
    pub(in crate::certify) half: Array1<f64>,
    /// Whether a box was cut along the axis.
    cut: Vec<bool>,
    /// Bound on `‖d‖_p` along the axes that are not cut.
    rest: f64,
}

impl Cell {
    /// The whole set of size γ in n dimensions.
    pub(in crate::certify) fn whole(p: Norm, gamma: f64, n: usize) -> Self {
        Self {
            p,
            gamma,
            centre: Array1::zeros(n),
            half: Array1::from_elem(n, gamma),
            cut: vec![false; n],
            rest: gamma,
        }
    }

    /// The halves along `axis`; a half that misses the set is left out.
    pub(in crate::certify) fn split(&self, axis: usize) -> impl Iterator<Item = Self> + '_ {
        [-0.5, 0.5].into_iter().filter_map(move |side| {
            let mut part = self.clone();
            part.centre[axis] += side * self.half[axis];
            part.half[axis] *= 0.5;
            part.cut[axis] = true;
            part.shrink().then_some(part)
        })
    }

    /// Tightens the axes that are not cut to what the set leaves them; whether the cell meets the set.
    fn shrink(&mut self) -> bool {
        let nearest: Array1<f64> = self
            .centre
            .iter()
            .zip(&self.half)
            .zip(&self.cut)
            .map(|((c, h), &cut)| if cut { (c.abs() - h).max(0.0) } else { 0.0 })
            .collect();
        // Rounding must not cut the cell short: near the set's edge a share e of the size is sqrt(2e) of what is left.
        let rounding = (nearest.len() as f64 + 8.0) * f64::EPSILON;
        let size = self.p.of(nearest.view()) * (1.0 - rounding);
        if size > self.gamma {
            return false;
        }
        let left = match self.p {
            Norm::One => self.gamma - size,
            Norm::Two => ((self.gamma - size) * (self.gamma + size)).sqrt(),
            Norm::Infinity => self.gamma,
        };
        self.rest = (left * (1.0 + rounding)).min(self.gamma);
        for (half, &cut) in self.half.iter_mut().zip(&self.cut) {
            if !cut {
                *half = self.rest;
            }
        }
        true
    }

    /// `max |⟨w, d⟩|` over the cell, or more: axis by axis along the cuts and by the dual norm along the
    /// rest, or by the dual norm at once.
    pub(in crate::certify) fn support(&self, w: ArrayView1<'_, f64>) -> f64 {
        let q = self.p.dual();
        if !self.cut.contains(&true) {
            return q.of(w) * self.gamma;
        }
        let (mut along, mut of_rest, mut of_all) = (0.0, Dual::new(q), Dual::new(q));
        for (k, &w) in w.iter().enumerate() {
            of_all.add(w);
            if self.cut[k] {
                along += w.abs() * self.half[k];
            } else {
                of_rest.add(w);
            }
        }
        (along + of_rest.norm() * self.rest).min(of_all.norm() * self.longest())
    }

    /// A bound on `‖d‖_p` over the cell.
    pub(in crate::certify) fn longest(&self) -> f64 {
        let cut = self.half.iter().zip(&self.cut).filter(|(_, cut)| **cut);
        let along: Array1<f64> = cut.map(|(half, _)| *half).collect();
        let along = self.p.of(along.view());
        match self.p {
            Norm::One => along + self.rest,
            Norm::Two => along.hypot(self.rest),
            Norm::Infinity => along.max(self.rest),
        }
    }
}

/// A q-norm, entry by entry.
struct Dual {
    q: Norm,
    sum: f64,
}

impl Dual {
    fn new(q: Norm) -> Self {
        Self { q, sum: 0.0 }
    }

    fn add(&mut self, w: f64) {
        match self.q {
            Norm::One => self.sum += w.abs(),
            Norm::Two => self.sum += w * w,
            Norm::Infinity => self.sum = self.sum.max(w.abs()),
        }
    }

    fn norm(&self) -> f64 {
        match self.q {
            Norm::Two => self.sum.sqrt(),
            Norm::One | Norm::Infinity => self.sum,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cell;
    use ndarray::Array1;
    use proptest::prelude::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha20Rng;
    use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Every point of the set is in one of the cells it was split into, and no linear function moves
        /// further in that cell than its support.
        #[test]
        fn cells_cover_the_set_and_supports_hold(
            seed in any::<u64>(), n in 1..6_usize, gamma in 0.1..4.0_f64, splits in 0..12_usize,
        ) {
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            for p in [Norm::One, Norm::Two, Norm::Infinity] {
                let set = UncertaintySet::new(p, Factor::Identity).unwrap();
                let mut cells = vec![Cell::whole(p, gamma, n)];
                for _ in 0..splits {
                    let which = rng.gen_range(0..cells.len());
                    let cell = cells.swap_remove(which);
                    cells.extend(cell.split(rng.gen_range(0..n)));
                }
                for _ in 0..10 {
                    let u = set.sample_coordinates(gamma, n, &mut rng);
                    let holds = |cell: &&Cell| {
                        let inside = |k: usize| (u[k] - cell.centre[k]).abs() <= cell.half[k] * (1.0 + 1e-12);
                        (0..n).all(inside)
                    };
                    let Some(cell) = cells.iter().find(holds) else {
                        return Err(TestCaseError::fail(format!("{u} is in no cell")));
                    };
                    let d = &u - &cell.centre;
                    prop_assert!(p.of(d.view()) <= cell.longest() * (1.0 + 1e-12));
                    let w = Array1::from_shape_simple_fn(n, || rng.gen_range(-1.0..1.0));
                    prop_assert!(w.dot(&d).abs() <= cell.support(w.view()) * (1.0 + 1e-12));
                }
            }
        }
    }
}
