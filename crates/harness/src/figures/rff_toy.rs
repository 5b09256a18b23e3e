//! Four points that no line separates, and their images under random Fourier features of one frequency, which a line does
//! [Couellan & Jan, Figure 1].

use ndarray::{Array1, Array2, ArrayView1, Axis, array};
use robust_svm_bounds::rff::Geodesic;
use robust_svm_bounds::{BoundError, FeatureBound as _};
use robust_svm_core::CoreError;
use robust_svm_core::features::{FeatureMap as _, Features, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::seed::CellSeed;
use robust_svm_core::uncertainty::UncertaintySet;
use robust_svm_solvers::{InteriorPointSettings, Problem, RelativeGap, SolverError, solve};
use std::sync::Arc;

/// Chosen: the first seed from 0 on whose frequency separates the sets around the four points.
pub(crate) const SEED: u64 = 17;
/// γ, the radius of the sets.
pub(crate) const GAMMA: f64 = 0.35;
const SIGMA: f64 = 1.0;
/// Noisy observations of each point.
const OBSERVATIONS: usize = 60;
/// Small: the line is to separate the sets if any does.
const LAMBDA: f64 = 1e-3;

/// The points and what becomes of them.
#[derive(Debug)]
pub(crate) struct RffToy {
    /// The points (4 × 2).
    pub(crate) x: Array2<f64>,
    /// Their labels (4), ±1.
    pub(crate) y: Array1<f64>,
    /// Noisy observations of each point, uniform in its set (each `OBSERVATIONS` × 2).
    pub(crate) noisy: Vec<Array2<f64>>,
    /// The frequency ω (2).
    pub(crate) frequency: Array1<f64>,
    /// The images `(cos ω·x, sin ω·x)` of the points (4 × 2).
    pub(crate) images: Array2<f64>,
    /// Those of the noisy observations.
    pub(crate) noisy_images: Vec<Array2<f64>>,
    /// Γ of each point (4): no observation's image is farther from the point's.
    pub(crate) radii: Array1<f64>,
    /// The line `⟨ζ, φ⟩ + b = 0`: ζ (2).
    pub(crate) zeta: Array1<f64>,
    /// b.
    pub(crate) intercept: f64,
    /// The certified gap of the line.
    pub(crate) relative_gap: RelativeGap,
}

/// Why it cannot be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ToyError {
    #[error(transparent)]
    Core(#[from] CoreError),
    #[error(transparent)]
    Bound(#[from] BoundError),
    #[error(transparent)]
    Solver(#[from] SolverError),
}

impl RffToy {
    /// Draws frequency and noise from `seed`, and trains the robust line on the images with the geodesic bound.
    pub(crate) fn new(seed: u64) -> Result<Self, ToyError> {
        let x = array![[1.1, 0.9], [-0.9, -1.1], [-1.05, 1.0], [0.95, -0.9]];
        let y = array![1.0, 1.0, -1.0, -1.0];
        let seeds = CellSeed::new(seed, "rff-toy", 0);
        let kernel = GaussianKernel::new(SIGMA)?;
        let rff = Rff::draw(kernel, 2, 2, &mut seeds.stream("rff"))?;
        let frequency = rff.frequencies().row(0).to_owned();
        let features = Features::Rff(Arc::new(rff));

        let set = UncertaintySet::sphere();
        let mut rng = seeds.stream("noise");
        let mut observe = |point: ArrayView1<'_, f64>| {
            let mut noisy = Array2::zeros((OBSERVATIONS, 2));
            for mut row in noisy.outer_iter_mut() {
                row.assign(&(&point + &set.sample(GAMMA, 2, &mut rng)));
            }
            noisy
        };
        let noisy: Vec<Array2<f64>> = x.axis_iter(Axis(0)).map(&mut observe).collect();

        let images = features.transform(x.view());
        let noisy_images = noisy.iter().map(|x| features.transform(x.view()));
        let noisy_images: Vec<Array2<f64>> = noisy_images.collect();
        let penalty = Geodesic.penalty(&features, &(&set).into(), x.view(), GAMMA)?;
        let problem = Problem::new(images.view(), y.view(), &penalty, LAMBDA)?;
        let solution = solve(&problem, &InteriorPointSettings::default())?;
        Ok(Self {
            radii: penalty.radii.clone(),
            zeta: solution.zeta,
            intercept: solution.intercept,
            relative_gap: solution.relative_gap,
            x,
            y,
            noisy,
            frequency,
            images,
            noisy_images,
        })
    }

    /// The angle on either side of an image that Γ reaches, `2 asin(Γ/2)`, in radians: a chord's arc.
    pub(crate) fn arc(&self, point: usize) -> f64 {
        2.0 * (self.radii[point] / 2.0).min(1.0).asin()
    }

    /// The least margin over the sets around the points, bounded below: `min_i y_i f(x_i) − Γ_i‖ζ‖`.
    pub(crate) fn robust_margin(&self) -> f64 {
        let norm = self.zeta.dot(&self.zeta).sqrt();
        let scores = self.images.dot(&self.zeta) + self.intercept;
        let margins = &scores * &self.y - &self.radii * norm;
        margins.into_iter().fold(f64::INFINITY, f64::min)
    }

    /// The phases u at which the circle `(cos u, sin u)` meets the line; none where it does not.
    pub(crate) fn crossings(&self) -> Option<[f64; 2]> {
        let norm = self.zeta.dot(&self.zeta).sqrt();
        let shift = self.zeta[1].atan2(self.zeta[0]);
        let cosine = -self.intercept / norm;
        (cosine.abs() < 1.0).then(|| [shift - cosine.acos(), shift + cosine.acos()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    fn toy() -> RffToy {
        RffToy::new(SEED).unwrap()
    }

    /// The segments between the two points of each class cross, so no line has the classes on its two sides.
    #[test]
    fn no_line_separates_the_points_themselves() {
        let x = toy().x;
        let side = |a: usize, b: usize, p: usize| {
            let (a, b, p) = (x.row(a), x.row(b), x.row(p));
            (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
        };
        assert!(side(0, 1, 2) * side(0, 1, 3) < 0.0);
        assert!(side(2, 3, 0) * side(2, 3, 1) < 0.0);
    }

    #[test]
    fn images_are_on_the_circle_at_the_phases() {
        let toy = toy();
        let of_points = toy.x.outer_iter().zip(toy.images.outer_iter());
        let noisy = toy.noisy.iter().zip(&toy.noisy_images);
        let of_noisy = noisy.flat_map(|(x, phi)| x.outer_iter().zip(phi.outer_iter()));
        for (x, image) in of_points.chain(of_noisy) {
            let phase = toy.frequency[0] * x[0] + toy.frequency[1] * x[1];
            assert_relative_eq!(image[0], phase.cos(), epsilon = 1e-14);
            assert_relative_eq!(image[1], phase.sin(), epsilon = 1e-14);
        }
    }

    /// Γ is the chord of the arc of γ‖ω‖ radians, which the noise nearly reaches and never exceeds.
    #[test]
    fn the_bound_covers_the_noisy_images_and_is_nearly_reached() {
        let toy = toy();
        let speed = toy.frequency.dot(&toy.frequency).sqrt();
        let mut farthest: f64 = 0.0;
        for (point, noisy) in toy.noisy_images.iter().enumerate() {
            assert_relative_eq!(toy.arc(point), GAMMA * speed, max_relative = 1e-9);
            for image in noisy.outer_iter() {
                let apart = &image - &toy.images.row(point);
                let share = apart.dot(&apart).sqrt() / toy.radii[point];
                assert!(share <= 1.0 + 1e-12);
                farthest = farthest.max(share);
            }
        }
        assert!(farthest > 0.8, "{farthest}");
        for (x, noisy) in toy.x.outer_iter().zip(&toy.noisy) {
            for observed in noisy.outer_iter() {
                let apart = &observed - &x;
                assert!(apart.dot(&apart).sqrt() <= GAMMA * (1.0 + 1e-12));
            }
        }
    }

    #[test]
    fn the_line_separates_the_sets_and_the_seed_is_the_first_where_one_does() {
        let toy = toy();
        assert!(toy.relative_gap.value() <= 1e-9);
        assert!(toy.robust_margin() > 0.0);
        for (label, noisy) in toy.y.iter().zip(&toy.noisy_images) {
            let scores = noisy.dot(&toy.zeta) + toy.intercept;
            assert!(scores.iter().all(|score| label * score > 0.0));
        }
        for seed in 0..SEED {
            assert!(RffToy::new(seed).unwrap().robust_margin() <= 0.0, "{seed}");
        }
    }

    /// The circle meets the line where f is 0.
    #[test]
    fn crossings_are_zeros() {
        let toy = toy();
        for phase in toy.crossings().expect("a line that separates crosses") {
            let score = toy.zeta[0] * phase.cos() + toy.zeta[1] * phase.sin() + toy.intercept;
            assert!(score.abs() <= 1e-10 * (1.0 + toy.intercept.abs()));
        }
    }
}
