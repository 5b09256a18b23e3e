//! `U = { Σ^{1/2} u : ‖u‖_p ≤ γ }` [Couellan & Jan §3].
//!
//! One [`UncertaintySet`] is the set's shape (p and the factor Σ^{1/2}); its size γ is given with each
//! question, because it differs from sample to sample. γ is in units of the scaled features.

use super::factor::square_root;
use super::{Factor, Norm};
use crate::CoreError;
use crate::linalg::matmul;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, Axis};
use rand::Rng;
use rand_distr::{Distribution, Exp1, StandardNormal};

/// The shape of an uncertainty set.
#[derive(Debug, Clone, PartialEq)]
pub struct UncertaintySet {
    norm: Norm,
    factor: Factor,
    /// `‖F‖_{p→2}` of a full factor: it takes a decomposition, and bounds ask at every point.
    full_norm: Option<f64>,
}

impl UncertaintySet {
    /// The set with norm `norm` of u and factor `factor`.
    ///
    /// # Errors
    /// [`CoreError::Parameter`] if an entry of a diagonal factor is negative or not finite;
    /// [`CoreError::Shape`] if a full factor is not square, [`CoreError::NotFinite`] if an entry of it
    /// is not finite, [`CoreError::Numerical`] if its norm overflows.
    pub fn new(norm: Norm, factor: Factor) -> Result<Self, CoreError> {
        factor.check()?;
        let full_norm = factor.full_norm(norm)?;
        Ok(Self {
            norm,
            factor,
            full_norm,
        })
    }

    /// The set with norm `norm` of u and the symmetric positive semi-definite square root of the
    /// covariance matrix `sigma` = Σ (n × n, symmetric positive semi-definite; singular allowed) as a
    /// full factor: at p = 2 the ellipsoid `δᵀΣ⁻¹δ ≤ γ²`. The root of an eigenvalue that is 0 comes out as
    /// up to 1e−8 of the largest root, because the eigenvalue itself is known to rounding only.
    ///
    /// # Errors
    /// [`CoreError::Parameter`] if Σ is not symmetric or has an eigenvalue below −1e−12 of the largest in
    /// size; [`CoreError::Shape`] and [`CoreError::NotFinite`] as [`UncertaintySet::new`].
    pub fn from_covariance(norm: Norm, sigma: ArrayView2<'_, f64>) -> Result<Self, CoreError> {
        Self::new(norm, Factor::Full(square_root(sigma)?))
    }

    /// The Euclidean ball: p = 2, Σ = I.
    pub fn sphere() -> Self {
        Self {
            norm: Norm::Two,
            factor: Factor::Identity,
            full_norm: None,
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
    ///
    /// # Panics
    /// If `u` is not as long as the factor is wide.
    pub fn scale(&self, mut u: ArrayViewMut1<'_, f64>) {
        match &self.factor {
            Factor::Identity => (),
            Factor::Diagonal(s) => u *= s,
            Factor::Full(f) => {
                let moved = f.dot(&u);
                u.assign(&moved);
            }
        }
    }

    /// `Σ^{⊤/2} w` for each row of `w` (p × n): from gradients by the inputs to gradients by u. Of the
    /// rows of a frequency matrix W it makes `W Σ^{1/2}`.
    ///
    /// # Panics
    /// If `w` is not as wide as the factor.
    pub fn pull_back(&self, w: ArrayView2<'_, f64>) -> Array2<f64> {
        match &self.factor {
            Factor::Identity => w.to_owned(),
            Factor::Diagonal(s) => &w * s,
            Factor::Full(f) => matmul(w, f.view()),
        }
    }

    /// The support function at γ = 1 of each row of `w` (p × n): `max_{δ∈U} ⟨w, δ⟩ = ‖Σ^{⊤/2} w‖_q`.
    pub fn support(&self, w: ArrayView2<'_, f64>) -> Array1<f64> {
        let q = self.norm.dual();
        self.pull_back(w).map_axis(Axis(1), |row| q.of(row))
    }

    /// `‖Σ^{1/2}‖_{p→2}`: the length ρ of the longest vector of the set in `R^n` at γ = 1. For a full
    /// factor never below the true length, and at p = ∞, where that is NP-hard, an upper bound: see
    /// [`operator_norm`](super::operator_norm()).
    pub fn longest(&self, n: usize) -> f64 {
        match (&self.factor, self.norm) {
            (Factor::Identity, Norm::One | Norm::Two) => 1.0,
            (Factor::Identity, Norm::Infinity) => (n as f64).sqrt(),
            (Factor::Diagonal(s), Norm::One | Norm::Two) => Norm::Infinity.of(s.view()),
            (Factor::Diagonal(s), Norm::Infinity) => Norm::Two.of(s.view()),
            (Factor::Full(_), _) => self.full_norm.expect("computed with the set"),
        }
    }

    /// A perturbation `Σ^{1/2} u` with u drawn uniformly from `‖u‖_p ≤ gamma` in `R^n`: uniform in the set
    /// of size `gamma` unless Σ is singular.
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
            Norm::One => project_on_cross_polytope(u, gamma, &mut Vec::new()),
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
        let mut u = g.to_owned();
        maximise(self.norm, u.view_mut(), gamma);
        u
    }
}

/// From the gradient `g` to the `‖u‖_p ≤ gamma` that maximises `⟨g, u⟩`, in place.
pub(super) fn maximise(p: Norm, mut g: ArrayViewMut1<'_, f64>, gamma: f64) {
    let size = p.dual().of(g.view());
    if size == 0.0 {
        g.fill(0.0);
        return;
    }
    match p {
        Norm::One => {
            let largest = g.iter().position(|v| v.abs() == size);
            let vertex = largest.map(|k| (k, gamma * g[k].signum()));
            g.fill(0.0);
            if let Some((k, value)) = vertex {
                g[k] = value;
            }
        }
        Norm::Two => g *= gamma / size,
        Norm::Infinity => g.mapv_inplace(|v| if v == 0.0 { 0.0 } else { gamma * v.signum() }),
    }
}

/// Euclidean projection on `‖u‖₁ ≤ gamma`: soft thresholding at the level that meets the norm; `sizes` is
/// memory to sort in.
pub(super) fn project_on_cross_polytope(
    mut u: ArrayViewMut1<'_, f64>,
    gamma: f64,
    sizes: &mut Vec<f64>,
) {
    if Norm::One.of(u.view()) <= gamma {
        return;
    }
    sizes.clear();
    sizes.extend(u.iter().map(|v| v.abs()));
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
                [
                    Factor::Identity,
                    Factor::Diagonal(scales.clone()),
                    Factor::Full(full(n)),
                    Factor::Full(singular(n)),
                ]
                .map(|factor| UncertaintySet::new(norm, factor).unwrap())
            })
            .collect()
    }

    /// Neither symmetric nor well scaled.
    fn full(n: usize) -> Array2<f64> {
        Array2::from_shape_fn((n, n), |(i, j)| {
            ((1 + 3 * i + 5 * j) as f64).sin() * (1 + i) as f64
        })
    }

    /// Of rank 1.
    fn singular(n: usize) -> Array2<f64> {
        Array2::from_shape_fn((n, n), |(i, j)| (0.5 + i as f64) * (j as f64 - 1.3))
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
    fn a_full_factor_worked_by_hand() {
        // F takes (u, v) to (u + v, v): the columns are (1, 0) and (1, 1), FᵀF = [[1, 1], [1, 2]].
        let f = array![[1.0, 1.0], [0.0, 1.0]];
        let set = |norm| UncertaintySet::new(norm, Factor::Full(f.clone())).unwrap();
        let golden = f64::midpoint(1.0, 5.0_f64.sqrt());
        for (norm, longest) in [
            (Norm::One, 2.0_f64.sqrt()),
            (Norm::Two, golden),
            (Norm::Infinity, 5.0_f64.sqrt()),
        ] {
            let found = set(norm).longest(2);
            assert!(found >= longest * (1.0 - 1e-15));
            assert_relative_eq!(found, longest, max_relative = 1e-11);
        }
        let mut u = array![2.0, 3.0];
        set(Norm::Two).scale(u.view_mut());
        assert_eq!(u, array![5.0, 3.0]);
        let w = array![[2.0, 3.0], [1.0, -1.0]];
        assert_eq!(
            set(Norm::Two).pull_back(w.view()),
            array![[2.0, 5.0], [1.0, 0.0]]
        );
        assert_eq!(set(Norm::One).support(w.view()), array![5.0, 1.0]);
        assert_eq!(set(Norm::Infinity).support(w.view()), array![7.0, 1.0]);
    }

    /// A full factor that is diagonal is the diagonal factor.
    #[test]
    fn full_and_diagonal_factors_agree() {
        let scales = array![0.0, 1.5, 0.25];
        let w = array![[1.0, -2.0, 3.0], [0.3, 0.1, -8.0]];
        for norm in NORMS {
            let diagonal = UncertaintySet::new(norm, Factor::Diagonal(scales.clone())).unwrap();
            let full = Factor::Full(Array2::from_diag(&scales));
            let full = UncertaintySet::new(norm, full).unwrap();
            assert_relative_eq!(full.longest(3), diagonal.longest(3), max_relative = 1e-11);
            assert_relative_eq!(full.support(w.view()), diagonal.support(w.view()));
            let mut rng = ChaCha20Rng::seed_from_u64(1);
            let one = full.sample(0.7, 3, &mut rng);
            let mut rng = ChaCha20Rng::seed_from_u64(1);
            assert_relative_eq!(one, diagonal.sample(0.7, 3, &mut rng));
        }
    }

    #[test]
    fn negative_scales_are_refused() {
        let factor = Factor::Diagonal(array![1.0, -0.5]);
        assert!(UncertaintySet::new(Norm::Two, factor).is_err());
    }
}
