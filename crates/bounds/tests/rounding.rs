//! Points so far out, and weights so large, that rounding decides: what is certified is right.

mod support;

use ndarray::{Array1, Array2, array};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_bounds::certify::{BranchAndBound, Certifier, Goal};
use robust_svm_core::features::{Features, Identity, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::{DecisionFunction, FeatureModel, KernelModel, Model};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
use std::sync::Arc;
use support::{normal_matrix, normal_vector};

/// `start + Σ_k a_k b_k` to twice the digits, as a sum of two numbers [Ogita, Rump & Oishi 2005, Dot2].
fn exact_sum<'a>(start: f64, pairs: impl Iterator<Item = (&'a f64, &'a f64)>) -> (f64, f64) {
    pairs.fold((start, 0.0), |(sum, rest), (a, b)| {
        let product = a * b;
        let of_product = a.mul_add(*b, -product);
        let next = sum + product;
        let part = next - sum;
        let of_sum = (sum - (next - part)) + (product - part);
        (next, rest + of_sum + of_product)
    })
}

fn certified(model: &Model, x: &Array2<f64>, gamma: f64) -> bool {
    let points = Certifier::new(model, UncertaintySet::sphere()).unwrap();
    let points = points.points(x.view(), array![1.0].view()).unwrap();
    points.verdicts(gamma)[0]
}

/// Inputs of 1e6 and weights of 1e8: products of 1e14 leave margins of 0.03 without a digit.
#[test]
fn linear_margins_that_are_rounding_are_not_certified() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let mut wrong = 0;
    for _ in 0..500 {
        let zeta = normal_vector(6, &mut rng) * 1e8;
        let x = normal_matrix(1, 6, &mut rng) * 1e6;
        let model = |zeta: Array1<f64>, intercept| {
            let features = Features::Identity(Identity::new(6));
            Model::Feature(FeatureModel {
                features,
                zeta,
                intercept,
            })
        };
        let at_zero = model(zeta.clone(), 0.0).decision(x.view())[0];
        let intercept = -at_zero + rng.gen_range(0.0..0.03);
        let (sum, rest) = exact_sum(intercept, zeta.iter().zip(x.row(0)));
        let model = model(zeta, intercept);
        if model.decision(x.view())[0] > 0.0 && sum + rest <= 0.0 {
            wrong += 1;
            assert!(!certified(&model, &x, 0.0), "{}", sum + rest);
        }
    }
    assert!(wrong > 0, "no case that rounding gets wrong");
}

/// Phases of 1e8 are known to 1e−8.
#[test]
fn phases_that_are_rounding_are_not_certified() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let mut wrong = 0;
    for _ in 0..200 {
        let map = Rff::draw(GaussianKernel::new(0.01).unwrap(), 3, 64, &mut rng).unwrap();
        let zeta = normal_vector(64, &mut rng);
        let x = normal_matrix(1, 3, &mut rng) * 1e6;
        let waves = map.waves(zeta.view());
        let frequencies = map.frequencies();
        let terms = frequencies
            .outer_iter()
            .zip(&waves.amplitudes)
            .zip(&waves.shifts);
        let truth: f64 = terms
            .map(|((ω, a), shift)| {
                let (phase, rest) = exact_sum(0.0, ω.iter().zip(x.row(0)));
                let rest = rest - shift;
                a * (phase.cos() * rest.cos() - phase.sin() * rest.sin())
            })
            .sum();
        let features = Features::Rff(Arc::new(map));
        let mut model = FeatureModel {
            features,
            zeta,
            intercept: 0.0,
        };
        let computed = model.decision(x.view())[0];
        model.intercept = 1e-10 - computed;
        if truth + model.intercept <= 0.0 {
            wrong += 1;
            assert!(!certified(&Model::Feature(model), &x, 1e-18), "{truth}");
        }
    }
    assert!(wrong > 0, "no case that rounding gets wrong");
}

/// `y f = 2 − κ(‖x‖)` is 1 at its only centre, which the set reaches from afar: there squared distances are
/// differences of large numbers, and the lower end must allow for it.
#[test]
fn a_centre_reached_from_afar_is_not_overlooked() {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let kernel = GaussianKernel::new(1.0).unwrap();
    let centre = Array2::zeros((1, 2));
    let hollow = KernelModel::new(kernel, centre.view(), array![-1.0].view(), 2.0);
    let model = Model::Kernel(hollow);
    let options = BranchAndBound::new(2000, 1e-13, Goal::Value).unwrap();
    for case in 0..40 {
        let far = 10.0_f64.powf(rng.gen_range(2.0..6.0));
        let x = array![[far / 3.0, far * 0.217]];
        let factor = array![
            [1.0, rng.gen_range(-0.5..0.5)],
            [rng.gen_range(-0.5..0.5), 1.0]
        ];
        let norm = [Norm::One, Norm::Two, Norm::Infinity][case % 3];
        let set = UncertaintySet::new(norm, Factor::Full(factor)).unwrap();
        let points = Certifier::new(&model, &set).unwrap();
        let points = points.points(x.view(), array![1.0].view()).unwrap();
        let brackets = points.worst_margins(10.0 * far, points.margins(), options);
        let lower = brackets.unwrap()[0].lower;
        assert!(lower <= 1.0, "{norm:?} at {far}: 1 + {:e}", lower - 1.0);
    }
}
