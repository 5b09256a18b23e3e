//! Attack and certificate on real data: the robust error of a nonlinear model is known almost exactly.

mod support;

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_bounds::attack::{AttackOptions, attack};
use robust_svm_bounds::certify::Certifier;
use robust_svm_core::features::{FeatureMap, Features, Nystrom, Rff, uniform_landmarks};
use robust_svm_core::kernel::{GaussianKernel, median_distance};
use robust_svm_core::model::{DecisionFunction, FeatureModel, Model};
use robust_svm_core::uncertainty::UncertaintySet;
use std::sync::Arc;

/// Ridge regression on the labels, `(ΦᵀΦ + λI) ζ = Φᵀ y`, by conjugate gradients.
fn ridge(phi: ArrayView2<'_, f64>, y: ArrayView1<'_, f64>, lambda: f64) -> Array1<f64> {
    let apply = |v: &Array1<f64>| phi.t().dot(&phi.dot(v)) + lambda * v;
    let mut zeta = Array1::zeros(phi.ncols());
    let mut residual = phi.t().dot(&y);
    let mut direction = residual.clone();
    let mut size = residual.dot(&residual);
    for _ in 0..200 {
        let image = apply(&direction);
        let step = size / direction.dot(&image);
        zeta.scaled_add(step, &direction);
        residual.scaled_add(-step, &image);
        let next = residual.dot(&residual);
        if next < 1e-20 {
            break;
        }
        direction = &residual + (next / size) * &direction;
        size = next;
    }
    zeta
}

fn trained(features: Features, x: &Array2<f64>, y: &Array1<f64>) -> Model {
    let phi = features.transform(x.view());
    Model::Feature(FeatureModel {
        zeta: ridge(phi.view(), y.view(), 1.0),
        features,
        intercept: 0.0,
    })
}

#[test]
fn certified_and_attacked_error_nearly_meet_on_breast_cancer() {
    let Some(data) = support::wdbc() else { return };
    let (train, test): (Vec<usize>, Vec<usize>) = (0..data.rows()).partition(|i| i % 3 != 0);
    let (train, test) = (data.select(&train), data.select(&test));
    let mut rng = ChaCha20Rng::seed_from_u64(2018);
    let kernel = GaussianKernel::new(median_distance(train.x().view()).unwrap()).unwrap();
    let rff = Rff::draw(kernel, data.features(), 512, &mut rng).unwrap();
    let landmarks = uniform_landmarks(train.x().view(), 128, &mut rng).unwrap();
    let maps = [
        ("rff", Features::Rff(Arc::new(rff))),
        (
            "nystrom",
            Features::Nystrom(Arc::new(Nystrom::new(kernel, landmarks).unwrap())),
        ),
    ];
    let set = UncertaintySet::sphere();
    for (name, features) in maps {
        let model = trained(features, train.x(), train.y());
        let clean = model.decision(test.x().view()) * test.y();
        let wrong = clean.iter().filter(|m| **m <= 0.0).count() as f64 / clean.len() as f64;
        assert!(
            wrong < 0.08,
            "the {name} model must be worth attacking: {wrong}"
        );
        let points = Certifier::new(&model, &set)
            .unwrap()
            .points(test.x().view(), test.y().view())
            .unwrap();
        for (gamma, width) in [(0.1, 0.006), (0.3, 0.016), (0.5, 0.03)] {
            let options = AttackOptions::new(40, 5).unwrap();
            let found = attack(
                &model,
                &set.clone().into(),
                gamma,
                test.x().view(),
                test.y().view(),
                options,
                &mut rng,
            )
            .unwrap();
            // The share of the certified margin loss that the attack realises, where it ran to its end.
            let loss = points.margin_loss(gamma);
            let shares: Vec<f64> = (0..clean.len())
                .filter(|&i| found.margins[i] > 0.0)
                .map(|i| (clean[i] - found.margins[i]) / loss[i])
                .collect();
            let mean = shares.iter().sum::<f64>() / shares.len() as f64;
            let (attacked, certified) = (found.error(), points.error(gamma));
            eprintln!(
                "{name} γ = {gamma}: error {wrong:.4} clean, {attacked:.4} attacked, {certified:.4} certified; \
                 realised loss {mean:.4} of the certified"
            );
            assert!(attacked <= certified);
            assert!(mean >= 0.85);
            assert!(certified - attacked <= width);
        }
    }
}
