//! `U = { Σ^{1/2} u : ‖u‖_p ≤ γ }` [Couellan & Jan §3].
//!
//! One [`UncertaintySet`] is the set's shape (p and the factor Σ^{1/2}); its size γ is given with each
//! question, because it differs from sample to sample. γ is in units of the scaled features.

use super::Norm;
use crate::CoreError;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, Axis};
use rand::Rng;
use rand_distr::{Distribution, Exp1, StandardNormal};

/// The factor Σ^{1/2} of an uncertainty set on `R^n`.
#[derive(Debug, Clone, PartialEq)]
pub enum Factor {
    /// Σ = I: a ball.
    Identity,
    /// Σ^{1/2} = diag(s): axes along the features. Entries ≥ 0; 0 means that a feature is certain.
    Diagonal(Array1<f64>),
}

/// The shape of an uncertainty set.
#[derive(Debug, Clone, PartialEq)]
pub struct UncertaintySet {
    norm: Norm,
    factor: Factor,
}

impl UncertaintySet {
    /// The set with norm `norm` of u and factor `factor`.
    ///
    /// # Errors
    /// [`CoreError::Parameter`] if an entry of the factor is negative or not finite.
    pub fn new(norm: Norm, factor: Factor) -> Result<Self, CoreError> {
        if let Factor::Diagonal(scales) = &factor
            && let Some(bad) = scales.iter().find(|s| !(s.is_finite() && **s >= 0.0))
        {
            return Err(CoreError::parameter("scales", "finite and ≥ 0", bad));
        }
        Ok(Self { norm, factor })
    }

    /// The Euclidean ball: p = 2, Σ = I.
    pub fn sphere() -> Self {
        Self {
            norm: Norm::Two,
            factor: Factor::Identity,
        }
    }

    /// The norm p of the coordinates u.
    pub fn norm(&self) -> Norm {
        self.norm
    }

    /// The factor Σ^{1/2}.
    pub fn factor(&self) -> &Factor {
        &self.factor
    }

    /// `Σ^{1/2} u` in place: from coordinates to a perturbation of the inputs.
    pub fn scale(&self, mut u: ArrayViewMut1<'_, f64>) {
        if let Factor::Diagonal(s) = &self.factor {
            u *= s;
        }
    }

    /// `Σ^{⊤/2} w` for each row of `w` (p × n): from gradients by the inputs to gradients by u. Of the
    /// rows of a frequency matrix W it makes `W Σ^{1/2}`.
    pub fn pull_back(&self, w: ArrayView2<'_, f64>) -> Array2<f64> {
        match &self.factor {
            Factor::Identity => w.to_owned(),
            Factor::Diagonal(s) => &w * s,
        }
    }

    /// The support function at γ = 1 of each row of `w` (p × n): `max_{δ∈U} ⟨w, δ⟩ = ‖Σ^{⊤/2} w‖_q`.
    pub fn support(&self, w: ArrayView2<'_, f64>) -> Array1<f64> {
        let q = self.norm.dual();
        self.pull_back(w).map_axis(Axis(1), |row| q.of(row))
    }

    /// `‖Σ^{1/2}‖_{p→2}`: the length ρ of the longest vector of the set in `R^n` at γ = 1.
    pub fn longest(&self, n: usize) -> f64 {
        match (&self.factor, self.norm) {
            (Factor::Identity, Norm::One | Norm::Two) => 1.0,
            (Factor::Identity, Norm::Infinity) => (n as f64).sqrt(),
            (Factor::Diagonal(s), Norm::One | Norm::Two) => Norm::Infinity.of(s.view()),
            (Factor::Diagonal(s), Norm::Infinity) => Norm::Two.of(s.view()),
        }
    }

    /// A perturbation drawn uniformly from the set of size `gamma` in `R^n`.
    pub fn sample(&self, gamma: f64, n: usize, rng: &mut impl Rng) -> Array1<f64> {
        let mut u = self.sample_coordinates(gamma, n, rng);
        self.scale(u.view_mut());
        u
    }

    /// Coordinates u drawn uniformly from `‖u‖_p ≤ gamma` in `R^n`.
    pub fn sample_coordinates(&self, gamma: f64, n: usize, rng: &mut impl Rng) -> Array1<f64> {
        match self.norm {
            Norm::One => {
                // Laplace coordinates over (their norm + one more exponential) fill the ball evenly.
                let mut u: Array1<f64> = (0..n)
                    .map(|_| {
                        let size: f64 = Exp1.sample(rng);
                        if rng.r#gen() { size } else { -size }
                    })
                    .collect();
                let extra: f64 = Exp1.sample(rng);
                u *= gamma / (Norm::One.of(u.view()) + extra);
                u
            }
            Norm::Two => {
                let mut u: Array1<f64> = (0..n).map(|_| StandardNormal.sample(rng)).collect();
                let length = Norm::Two.of(u.view());
                let radius = gamma * rng.r#gen::<f64>().powf(1.0 / n as f64);
                u *= if length > 0.0 { radius / length } else { 0.0 };
                u
            }
            Norm::Infinity => (0..n).map(|_| gamma * rng.gen_range(-1.0..=1.0)).collect(),
        }
    }

    /// The nearest point to `u` with `‖u‖_p ≤ gamma`, in place (coordinates, not perturbations).
    pub fn project(&self, mut u: ArrayViewMut1<'_, f64>, gamma: f64) {
        match self.norm {
            Norm::One => project_on_cross_polytope(u, gamma),
            Norm::Two => {
                let length = Norm::Two.of(u.view());
                if length > gamma {
                    u *= gamma / length;
                }
            }
            Norm::Infinity => u.mapv_inplace(|v| v.clamp(-gamma, gamma)),
        }
    }

    /// The coordinates that maximise `⟨g, u⟩` over `‖u‖_p ≤ gamma`, `g = Σ^{⊤/2} ∇f` the gradient by u:
    /// the worst case for a linear function. 0 where `g` is 0; for p = 1 the first of equal entries.
    pub fn maximiser(&self, g: ArrayView1<'_, f64>, gamma: f64) -> Array1<f64> {
        let mut u = Array1::zeros(g.len());
        let size = self.norm.dual().of(g);
        if size == 0.0 {
            return u;
        }
        match self.norm {
            Norm::One => {
                if let Some(k) = g.iter().position(|v| v.abs() == size) {
                    u[k] = gamma * g[k].signum();
                }
            }
            Norm::Two => u.assign(&(&g * (gamma / size))),
            Norm::Infinity => u.zip_mut_with(&g, |u, &v| {
                *u = if v == 0.0 { 0.0 } else { gamma * v.signum() };
            }),
        }
        u
    }
}

/// Euclidean projection on `‖u‖₁ ≤ gamma`: soft thresholding at the level that meets the norm.
fn project_on_cross_polytope(mut u: ArrayViewMut1<'_, f64>, gamma: f64) {
    if Norm::One.of(u.view()) <= gamma {
        return;
    }
    let mut sizes: Vec<f64> = u.iter().map(|v| v.abs()).collect();
    sizes.sort_unstable_by(|a, b| b.total_cmp(a));
    let mut sum = 0.0;
    let mut threshold = 0.0;
    for (k, &size) in sizes.iter().enumerate() {
        sum += size;
        let candidate = (sum - gamma) / (k + 1) as f64;
        if size > candidate {
            threshold = candidate;
        }
    }
    u.mapv_inplace(|v| v.signum() * (v.abs() - threshold).max(0.0));
}

#[cfg(test)]
mod tests {
    use super::{Factor, Norm, UncertaintySet};
    use approx::assert_relative_eq;
    use ndarray::{Array1, Array2, Axis, array};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    const NORMS: [Norm; 3] = [Norm::One, Norm::Two, Norm::Infinity];

    fn sets(n: usize) -> Vec<UncertaintySet> {
        let scales: Array1<f64> = (0..n).map(|k| 0.3 * k as f64).collect();
        NORMS
            .iter()
            .flat_map(|&norm| {
                [Factor::Identity, Factor::Diagonal(scales.clone())]
                    .map(|factor| UncertaintySet::new(norm, factor).unwrap())
            })
            .collect()
    }

    proptest! {
        #[test]
        fn support_and_longest_are_never_exceeded_and_are_attained(
            w in prop::collection::vec(-5.0..5.0_f64, 1..8),
            gamma in 0.0..3.0_f64,
            seed in any::<u64>(),
        ) {
            let w = Array1::from(w);
            let n = w.len();
            let row: Array2<f64> = w.view().insert_axis(Axis(0)).to_owned();
            for set in sets(n) {
                let support = gamma * set.support(row.view())[0];
                let mut rng = ChaCha20Rng::seed_from_u64(seed);
                for _ in 0..20 {
                    let delta = set.sample(gamma, n, &mut rng);
                    prop_assert!(w.dot(&delta) <= support + 1e-12 * (1.0 + support));
                    let length = Norm::Two.of(delta.view());
                    prop_assert!(length <= gamma * set.longest(n) * (1.0 + 1e-12));
                }
                let mut best = set.maximiser(set.pull_back(row.view()).row(0), gamma);
                prop_assert!(set.norm().of(best.view()) <= gamma * (1.0 + 1e-12));
                set.scale(best.view_mut());
                assert_relative_eq!(w.dot(&best), support, epsilon = 1e-12, max_relative = 1e-12);
            }
        }

        /// The projection is in the set, and the variational inequality `⟨u − Pu, z − Pu⟩ ≤ 0` holds
        /// against points z of the set: together they characterise the nearest point.
        #[test]
        fn projection_is_the_nearest_point(
            u in prop::collection::vec(-5.0..5.0_f64, 1..8),
            gamma in 0.01..3.0_f64,
            seed in any::<u64>(),
        ) {
            let u = Array1::from(u);
            for set in sets(u.len()) {
                let mut p = u.clone();
                set.project(p.view_mut(), gamma);
                prop_assert!(set.norm().of(p.view()) <= gamma * (1.0 + 1e-12));
                let mut rng = ChaCha20Rng::seed_from_u64(seed);
                for _ in 0..20 {
                    let z = set.sample_coordinates(gamma, u.len(), &mut rng);
                    prop_assert!((&u - &p).dot(&(&z - &p)) <= 1e-10);
                }
            }
        }
    }

    #[test]
    fn longest_vectors_worked_by_hand() {
        let scales = Factor::Diagonal(array![3.0, 4.0]);
        let longest = |norm| {
            UncertaintySet::new(norm, scales.clone())
                .unwrap()
                .longest(2)
        };
        assert_eq!(longest(Norm::One), 4.0);
        assert_eq!(longest(Norm::Two), 4.0);
        assert_eq!(longest(Norm::Infinity), 5.0);
        let cube = UncertaintySet::new(Norm::Infinity, Factor::Identity).unwrap();
        assert_eq!(cube.longest(9), 3.0);
    }

    /// Uniform in the ball means that the share inside radius r is r^n: the second moment of the
    /// length is γ² n/(n+2).
    #[test]
    fn samples_fill_the_ball_evenly() {
        let mut rng = ChaCha20Rng::seed_from_u64(7);
        let set = UncertaintySet::sphere();
        let (n, draws) = (3, 20_000);
        let mean = (0..draws)
            .map(|_| set.sample(2.0, n, &mut rng).mapv(|v| v * v).sum())
            .sum::<f64>()
            / f64::from(draws);
        assert_relative_eq!(mean, 4.0 * 3.0 / 5.0, max_relative = 0.02);
    }

    #[test]
    fn negative_scales_are_refused() {
        let factor = Factor::Diagonal(array![1.0, -0.5]);
        assert!(UncertaintySet::new(Norm::Two, factor).is_err());
    }
}
