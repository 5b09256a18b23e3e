//! What a certificate and an attack cost beside the products they are made of.

use divan::{Bencher, black_box};
use ndarray::{Array1, Array2};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal};
use robust_svm_bounds::attack::{AttackOptions, attack};
use robust_svm_bounds::certify::Certifier;
use robust_svm_core::features::{FeatureMap, Features, Nystrom, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::{DecisionFunction, FeatureModel, Model};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet, UncertaintySets};
use std::sync::Arc;

const N: usize = 30;
const MAPS: [&str; 2] = ["rff-512", "nystrom-256"];

fn main() {
    divan::main();
}

struct Problem {
    model: Model,
    x: Array2<f64>,
    y: Array1<f64>,
}

/// A model on `points` points whose margins stay positive, so that no attack ends early.
fn problem(map: &str, points: usize) -> Problem {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let kernel = GaussianKernel::new((N as f64).sqrt()).unwrap();
    let mut normal = |rows: usize| -> Array2<f64> {
        Array2::from_shape_simple_fn((rows, N), || StandardNormal.sample(&mut rng))
    };
    let (x, centres) = (normal(points), normal(256));
    let features = if map == MAPS[0] {
        Features::Rff(Arc::new(Rff::draw(kernel, N, 512, &mut rng).unwrap()))
    } else {
        Features::Nystrom(Arc::new(Nystrom::new(kernel, centres).unwrap()))
    };
    let zeta = Array1::from_shape_simple_fn(features.dim(), || StandardNormal.sample(&mut rng));
    Problem {
        model: Model::Feature(FeatureModel {
            features,
            zeta,
            intercept: 1e3,
        }),
        x,
        y: Array1::ones(points),
    }
}

/// The floor of a certificate: one prediction and gradient of 2,000 points.
#[divan::bench(args = MAPS, max_time = 3)]
fn prediction_and_gradient(bencher: Bencher<'_, '_>, map: &str) {
    let Problem { model, x, .. } = problem(map, 2000);
    bencher.bench_local(|| black_box(model.decision_and_gradient(x.view())));
}

/// The certified error of 2,000 points at five sizes, from the trained model on.
#[divan::bench(args = MAPS, max_time = 3)]
fn certificate(bencher: Bencher<'_, '_>, map: &str) {
    let Problem { model, x, y } = problem(map, 2000);
    let set = UncertaintySet::sphere();
    bencher.bench_local(|| {
        let certifier = Certifier::new(&model, &set).unwrap();
        let points = certifier.points(x.view(), y.view()).unwrap();
        black_box([0.05, 0.1, 0.2, 0.5, 1.0].map(|gamma| points.error(gamma)))
    });
}

/// The floor of an attack: 200 points × 4 starts, 20 steps and their last evaluation.
#[divan::bench(args = MAPS, max_time = 3)]
fn attack_products(bencher: Bencher<'_, '_>, map: &str) {
    let Problem { model, x, .. } = problem(map, 800);
    bencher.bench_local(|| {
        for _ in 0..21 {
            black_box(model.decision_and_gradient(x.view()));
        }
    });
}

/// As `attack_200_points`, each point with a full Σ^{1/2} of its own and p = 1.
#[divan::bench(args = MAPS, max_time = 3)]
fn attack_200_ellipsoids(bencher: Bencher<'_, '_>, map: &str) {
    let Problem { model, x, y } = problem(map, 200);
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let mut shape = || {
        let factor = Array2::from_shape_simple_fn((N, N), || StandardNormal.sample(&mut rng));
        UncertaintySet::new(Norm::One, Factor::Full(factor)).unwrap()
    };
    let sets = UncertaintySets::each((0..200).map(|_| shape()).collect()).unwrap();
    let options = AttackOptions::new(20, 4).unwrap();
    bencher.bench_local(|| {
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        black_box(attack(&model, &sets, 0.5, x.view(), y.view(), options, &mut rng).unwrap())
    });
}

/// The attack on 200 points with 4 starts and 20 steps.
#[divan::bench(args = MAPS, max_time = 3)]
fn attack_200_points(bencher: Bencher<'_, '_>, map: &str) {
    let Problem { model, x, y } = problem(map, 200);
    let sets = UncertaintySet::sphere().into();
    let options = AttackOptions::new(20, 4).unwrap();
    bencher.bench_local(|| {
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        black_box(attack(&model, &sets, 0.5, x.view(), y.view(), options, &mut rng).unwrap())
    });
}
