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
const MAPS: [&str; 2] = ["rff-1024", "nystrom-512"];
const POINTS: usize = 10_000;
/// The centre of the second class, on each axis; that of the first is 0.
const APART: f64 = 0.6;

fn main() {
    divan::main();
}

struct Problem {
    model: Model,
    x: Array2<f64>,
    y: Array1<f64>,
}

/// Two Gaussian classes that overlap (some 5 % of errors) and the difference of their kernel means as model,
/// at the median bandwidth. `intercept` moves every margin.
fn problem(map: &str, points: usize, intercept: f64) -> Problem {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let kernel = GaussianKernel::new((2.0 * N as f64).sqrt()).unwrap();
    let mut draw = |rows: usize| {
        let y = Array1::from_shape_fn(rows, |i| if i % 2 == 0 { 1.0 } else { -1.0 });
        let x: Array2<f64> = Array2::from_shape_fn((rows, N), |(i, _)| {
            let noise: f64 = StandardNormal.sample(&mut rng);
            noise + if y[i] > 0.0 { 0.0 } else { APART }
        });
        (x, y)
    };
    let ((train, labels), (x, y)) = (draw(1000), draw(points));
    let features = if map == MAPS[0] {
        Features::Rff(Arc::new(Rff::draw(kernel, N, 1024, &mut rng).unwrap()))
    } else {
        let landmarks = train.slice(ndarray::s![..512, ..]).to_owned();
        Features::Nystrom(Arc::new(Nystrom::new(kernel, landmarks).unwrap()))
    };
    let zeta = features.transform(train.view()).t().dot(&labels) / 1000.0;
    Problem {
        model: Model::Feature(FeatureModel {
            features,
            zeta,
            intercept,
        }),
        x,
        y,
    }
}

/// The first part of a certificate's floor: one prediction of 10,000 points.
#[divan::bench(args = MAPS, max_time = 3)]
fn a_prediction(bencher: Bencher<'_, '_>, map: &str) {
    let Problem { model, x, .. } = problem(map, POINTS, 0.0);
    bencher.bench_local(|| black_box(model.decision(x.view())));
}

/// The second part: one pass for the gradients of 10,000 points.
#[divan::bench(args = MAPS, max_time = 3)]
fn b_gradient(bencher: Bencher<'_, '_>, map: &str) {
    let Problem { model, x, .. } = problem(map, POINTS, 0.0);
    bencher.bench_local(|| black_box(model.decision_and_gradient(x.view())));
}

/// The certified error of 10,000 points at one size, from the trained model on.
#[divan::bench(args = MAPS, consts = [1, 3, 5], max_time = 3)]
fn c_certificate_at_tenths<const TENTHS: usize>(bencher: Bencher<'_, '_>, map: &str) {
    let Problem { model, x, y } = problem(map, POINTS, 0.0);
    let set = UncertaintySet::sphere();
    bencher.bench_local(|| {
        let certifier = Certifier::new(&model, &set).unwrap();
        let points = certifier.points(x.view(), y.view()).unwrap();
        black_box(points.error(TENTHS as f64 / 10.0))
    });
}

/// An attack's products: 1,000 points × 5 starts, 40 steps and their last evaluation.
#[divan::bench(args = MAPS, max_time = 5)]
fn d_products_of_an_attack(bencher: Bencher<'_, '_>, map: &str) {
    let Problem { model, x, .. } = problem(map, 1000, 0.0);
    bencher.bench_local(|| {
        for _ in 0..5 * 41 {
            black_box(model.decision_and_gradient(x.view()));
        }
    });
}

/// The attack on 1,000 points with 5 starts and 40 steps, on margins that stay positive, so that no search
/// ends early.
#[divan::bench(args = MAPS, max_time = 5)]
fn e_attack(bencher: Bencher<'_, '_>, map: &str) {
    let Problem { model, x, y } = problem(map, 1000, 1e3);
    let (x, y) = (x, y.mapv(f64::abs));
    let sets = UncertaintySets::from(UncertaintySet::sphere());
    let options = AttackOptions::new(40, 5).unwrap();
    bencher.bench_local(|| {
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        black_box(attack(&model, &sets, 0.5, x.view(), y.view(), options, &mut rng).unwrap())
    });
}

/// The same, each point with a full Σ^{1/2} of its own and p = 1.
#[divan::bench(args = MAPS, max_time = 5)]
fn f_attack_on_ellipsoids(bencher: Bencher<'_, '_>, map: &str) {
    let Problem { model, x, y } = problem(map, 1000, 1e3);
    let (x, y) = (x, y.mapv(f64::abs));
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let mut shape = || {
        let factor = Array2::from_shape_simple_fn((N, N), || StandardNormal.sample(&mut rng));
        UncertaintySet::new(Norm::One, Factor::Full(factor)).unwrap()
    };
    let sets = UncertaintySets::each((0..1000).map(|_| shape()).collect()).unwrap();
    let options = AttackOptions::new(40, 5).unwrap();
    bencher.bench_local(|| {
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        black_box(attack(&model, &sets, 0.5, x.view(), y.view(), options, &mut rng).unwrap())
    });
}
