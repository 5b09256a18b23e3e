//! Random problems for the tests.
#![allow(dead_code, reason = "not every test file needs all of it")]

pub(crate) mod local;
pub(crate) mod stream;

use ndarray::{Array1, Array2};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal};
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet, UncertaintySets};
use robust_svm_solvers::{Intercept, Problem, SupportPenalty};

/// Every norm.
pub(crate) const NORMS: [Norm; 3] = [Norm::One, Norm::Two, Norm::Infinity];

/// Every rule for the intercept.
pub(crate) const INTERCEPTS: &[Intercept] =
    &[Intercept::Free, Intercept::Penalised, Intercept::None];

/// The owned arrays of a problem.
#[derive(Debug, Clone)]
pub(crate) struct Data {
    pub phi: Array2<f64>,
    pub y: Array1<f64>,
    pub penalty: FeaturePenalty,
}

impl Data {
    pub(crate) fn problem(&self, lambda: f64) -> Problem<'_> {
        Problem::new(self.phi.view(), self.y.view(), &self.penalty, lambda).unwrap()
    }

    /// The same data without uncertainty.
    pub(crate) fn nominal(&self) -> Self {
        Self {
            penalty: FeaturePenalty::none(self.y.len()),
            ..self.clone()
        }
    }
}

/// Two Gaussian classes in R^D, `separation` apart, a share `positive` of the `rows` in the first, radii
/// uniform in [0, `gamma`].
pub(crate) fn gaussians(
    seed: u64,
    (rows, dim): (usize, usize),
    separation: f64,
    positive: f64,
    gamma: f64,
) -> Data {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut y = Array1::from_shape_simple_fn(rows, || {
        if rng.r#gen::<f64>() < positive {
            1.0
        } else {
            -1.0
        }
    });
    (y[0], y[1]) = (1.0, -1.0);
    let mut direction = Array1::from_shape_simple_fn(dim, || normal(&mut rng));
    direction /= direction.dot(&direction).sqrt();
    let mut phi = Array2::from_shape_simple_fn((rows, dim), || normal(&mut rng));
    for (mut row, y) in phi.outer_iter_mut().zip(&y) {
        row.scaled_add(0.5 * separation * y, &direction);
    }
    let radii = Array1::from_shape_simple_fn(rows, || gamma * rng.r#gen::<f64>());
    Data {
        phi,
        y,
        penalty: FeaturePenalty {
            radii,
            matrix: PenaltyMatrix::Orthogonal,
        },
    }
}

/// Makes features and A like those of a Nyström map with eigenvalues from 1 down to 1e−12.
pub(crate) fn nystrom_like(data: &mut Data) {
    let last = data.phi.ncols().max(2) - 1;
    let roots: Array1<f64> = (0..data.phi.ncols())
        .map(|k| 10.0_f64.powf(-6.0 * k as f64 / last as f64))
        .collect();
    data.phi *= &roots;
    data.penalty.matrix = PenaltyMatrix::Diagonal(roots.mapv(f64::recip));
}

/// Normal numbers.
pub(crate) fn normals(rng: &mut ChaCha20Rng, shape: (usize, usize)) -> Array2<f64> {
    Array2::from_shape_simple_fn(shape, || rng.sample(StandardNormal))
}

/// Angles of L samples in −3..3, and radii in 0..`gamma`.
pub(crate) fn rotations(seed: u64, data: &Data, norm: Norm, gamma: f64) -> FeaturePenalty {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let (rows, dim) = data.phi.dim();
    FeaturePenalty {
        radii: Array1::from_shape_simple_fn(rows, || gamma * rng.r#gen::<f64>()),
        matrix: PenaltyMatrix::Rotations {
            angles: Array2::from_shape_simple_fn((rows, dim / 2), || rng.gen_range(-3.0..3.0)),
            norm,
        },
    }
}

/// A full, a diagonal or no factor for each sample in turn, and sizes in 0.2..1.
pub(crate) fn shapes(seed: u64, data: &Data, norm: Norm, gamma: f64) -> SupportPenalty {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let (rows, dim) = data.phi.dim();
    let sets = (0..rows).map(|i| {
        let factor = match i % 3 {
            0 => Factor::Full(normals(&mut rng, (dim, dim))),
            1 => Factor::Diagonal(normals(&mut rng, (1, dim)).row(0).mapv(f64::abs)),
            _ => Factor::Identity,
        };
        UncertaintySet::new(norm, factor).unwrap()
    });
    let sets = UncertaintySets::each(sets.collect()).unwrap();
    let sizes = Array1::from_shape_simple_fn(rows, || rng.gen_range(0.2..1.0));
    let sets = sets.with_sizes(sizes).unwrap();
    SupportPenalty { sets, gamma }
}

fn normal(rng: &mut ChaCha20Rng) -> f64 {
    StandardNormal.sample(rng)
}
