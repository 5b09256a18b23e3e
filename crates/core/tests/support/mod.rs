//! Random inputs with covariances of every kind.

#![allow(dead_code)] // Not every test file uses all.

use ndarray::{Array1, Array2};
use rand::Rng;
use rand_chacha::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal};
use robust_svm_core::distribution::{Covariances, GaussianInputs};

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Zero,
    Isotropic,
    Diagonal,
    Full,
}

impl Kind {
    pub(crate) const ALL: [Self; 4] = [Self::Zero, Self::Isotropic, Self::Diagonal, Self::Full];

    pub(crate) fn pairs() -> Vec<(Self, Self)> {
        let with = |left| Self::ALL.map(move |right| (left, right));
        Self::ALL.into_iter().flat_map(with).collect()
    }
}

/// Standard normal rows.
pub(crate) fn points(rows: usize, n: usize, rng: &mut ChaCha20Rng) -> Array2<f64> {
    Array2::from_shape_simple_fn((rows, n), || StandardNormal.sample(rng))
}

/// `rows` inputs of `R^n`.
pub(crate) fn inputs(kind: Kind, rows: usize, n: usize, rng: &mut ChaCha20Rng) -> GaussianInputs {
    let means = points(rows, n, rng);
    let covariances = match kind {
        Kind::Zero => Covariances::Zero,
        Kind::Isotropic => Covariances::Isotropic(Array1::from_shape_simple_fn(rows, || {
            rng.gen_range(0.0..1.0)
        })),
        Kind::Diagonal => Covariances::Diagonal(Array2::from_shape_simple_fn((rows, n), || {
            rng.gen_range(0.0..1.0)
        })),
        Kind::Full => {
            let mut one = || {
                let half = points(n, n, rng) * 0.6;
                let product = half.dot(&half.t());
                (&product + &product.t()) * 0.5
            };
            Covariances::Full((0..rows).map(|_| one()).collect())
        }
    };
    GaussianInputs::new(means, covariances).unwrap()
}

/// The same inputs with their covariances in all forms that are at least as general.
pub(crate) fn forms(inputs: &GaussianInputs) -> Vec<GaussianInputs> {
    let (rows, n) = inputs.means().dim();
    let diagonals = match inputs.covariances() {
        Covariances::Isotropic(v) => Array2::from_shape_fn((rows, n), |(i, _)| v[i]),
        Covariances::Diagonal(v) => v.clone(),
        other => panic!("{other:?} has no other form"),
    };
    let full = diagonals.outer_iter().map(|row| Array2::from_diag(&row));
    [
        inputs.covariances().clone(),
        Covariances::Full(full.collect()),
        Covariances::Diagonal(diagonals),
    ]
    .map(|covariances| GaussianInputs::new(inputs.means().to_owned(), covariances).unwrap())
    .to_vec()
}
