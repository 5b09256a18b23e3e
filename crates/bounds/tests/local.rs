//! The local certificate, when each certificate is the best, and certified radii.

mod support;

use ndarray::{Array1, Array2, array};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_bounds::certify::{Certifier, PointCertificates};
use robust_svm_bounds::{MapKind, find};
use robust_svm_core::features::{FeatureMap, Features, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::{DecisionFunction, FeatureModel, KernelModel, Model};
use robust_svm_core::uncertainty::{Norm, UncertaintySet};
use std::sync::Arc;
use support::{GAMMAS, models, normal_matrix, normal_vector, sets};

fn points(
    model: &Model,
    set: &UncertaintySet,
    x: &Array2<f64>,
    y: &Array1<f64>,
) -> PointCertificates {
    Certifier::new(model, set)
        .unwrap()
        .points(x.view(), y.view())
        .unwrap()
}

/// Norm, quadratic and local loss of the first point.
fn losses(points: &PointCertificates, gamma: f64) -> [f64; 3] {
    [
        points.norm_loss(gamma)[0],
        points.quadratic_loss(gamma)[0],
        points.local_loss(gamma)[0],
    ]
}

/// Which of three losses is the smallest by a clear distance.
fn best(losses: [f64; 3]) -> Option<usize> {
    (0..3).find(|&k| (0..3).all(|other| other == k || 1.1 * losses[k] < losses[other]))
}

/// `f = k(·, e₁) − k(·, e₂) + k(·, e₃) − …` at the origin, σ = 1, n = 20. No δ moves away from all centres
/// of one sign and towards the others: the local certificate, of order n, is far above the norm, √n.
#[test]
fn each_certificate_is_the_best_of_a_kernel_model_somewhere() {
    let kernel = GaussianKernel::new(1.0).unwrap();
    let signs: Array1<f64> = (0..20)
        .map(|k| if k % 2 == 0 { 1.0 } else { -1.0 })
        .collect();
    let crowd = KernelModel::new(kernel, Array2::eye(20).view(), signs.view(), 0.0);
    let single = KernelModel::new(kernel, array![[0.0]].view(), array![1.0].view(), 0.0);
    let (crowd, single) = (Model::Kernel(crowd), Model::Kernel(single));
    let sphere = UncertaintySet::sphere();
    let y = array![1.0];
    let crowd = points(&crowd, &sphere, &Array2::zeros((1, 20)), &y);
    let single = points(&single, &sphere, &array![[1.5]], &y);
    assert_eq!(
        best(losses(&crowd, 1.2)),
        Some(0),
        "{:?}",
        losses(&crowd, 1.2)
    );
    assert_eq!(
        best(losses(&crowd, 0.1)),
        Some(1),
        "{:?}",
        losses(&crowd, 0.1)
    );
    assert_eq!(
        best(losses(&single, 0.5)),
        Some(2),
        "{:?}",
        losses(&single, 0.5)
    );
}

/// Weights along a movement of the features meet the norm certificate; random weights have small
/// gradients and curvatures, so the quadratic is best; in one dimension the waves move together, and far.
#[test]
fn each_certificate_is_the_best_of_a_fourier_model_somewhere() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let sphere = UncertaintySet::sphere();
    let y = array![1.0];
    let model = |map: &Features, zeta: Array1<f64>| {
        Model::Feature(FeatureModel {
            features: map.clone(),
            zeta,
            intercept: 0.0,
        })
    };
    let map = |n, dim, sigma, rng: &mut ChaCha20Rng| {
        let kernel = GaussianKernel::new(sigma).unwrap();
        Features::Rff(Arc::new(Rff::draw(kernel, n, dim, rng).unwrap()))
    };
    let wide = map(30, 512, 1.0, &mut rng);
    let x = normal_matrix(1, 30, &mut rng);
    let mut moved = x.clone();
    moved[(0, 0)] += 0.8;
    let along = wide.transform(x.view()) - wide.transform(moved.view());
    let along = points(&model(&wide, along.row(0).to_owned()), &sphere, &x, &y);
    let random = points(&model(&wide, normal_vector(512, &mut rng)), &sphere, &x, &y);
    let narrow = map(1, 8, 1.0, &mut rng);
    let narrow = points(
        &model(&narrow, normal_vector(8, &mut rng)),
        &sphere,
        &array![[0.4]],
        &y,
    );
    assert_eq!(
        best(losses(&along, 0.8)),
        Some(0),
        "{:?}",
        losses(&along, 0.8)
    );
    assert_eq!(
        best(losses(&random, 0.2)),
        Some(1),
        "{:?}",
        losses(&random, 0.2)
    );
    assert_eq!(
        best(losses(&narrow, 4.0)),
        Some(2),
        "{:?}",
        losses(&narrow, 4.0)
    );
}

/// `f(x) = a cos(ωx − s)`: one wave in one dimension, where the certificate is exact.
#[test]
fn one_wave_worked_by_hand() {
    let mut rng = ChaCha20Rng::seed_from_u64(8);
    let map = Rff::draw(GaussianKernel::new(1.0).unwrap(), 1, 2, &mut rng).unwrap();
    let omega = map.frequencies()[(0, 0)];
    let model = Model::Feature(FeatureModel {
        features: Features::Rff(Arc::new(map)),
        zeta: array![3.0, 4.0],
        intercept: 0.5,
    });
    let shift = 4.0_f64.atan2(3.0);
    // Phases 0.7 and, ten turns on, −0.7 + 20π; labels of both signs.
    let x = array![
        [(0.7 + shift) / omega],
        [(20.0 * std::f64::consts::PI - 0.7 + shift) / omega]
    ];
    let sphere = UncertaintySet::sphere();
    for (gamma, of_plus, of_minus) in [
        (1e-9, 5e-9 * 0.7_f64.sin(), 5e-9 * 0.7_f64.sin()),
        (
            1.0,
            5.0 * (0.7_f64.cos() - 1.7_f64.cos()),
            5.0 * (1.0 - 0.7_f64.cos()),
        ),
        (
            4.0,
            5.0 * (0.7_f64.cos() + 1.0),
            5.0 * (1.0 - 0.7_f64.cos()),
        ),
    ] {
        for (label, expected) in [(1.0, of_plus), (-1.0, of_minus)] {
            let loss =
                points(&model, &sphere, &x, &array![label, label]).local_loss(gamma / omega.abs());
            for loss in &loss {
                approx::assert_relative_eq!(*loss, expected, max_relative = 1e-8, epsilon = 1e-13);
            }
        }
    }
}

/// Far from the origin squared distances by products have no digits left at 1e−6; the certificate does.
#[test]
fn distances_keep_their_digits_near_a_centre() {
    let kernel = GaussianKernel::new(1e-5).unwrap();
    let centre = array![[1e3, 1e3]];
    let model = Model::Kernel(KernelModel::new(
        kernel,
        centre.view(),
        array![1.0].view(),
        0.0,
    ));
    let x = array![[1e3 + 2.0_f64.powi(-17), 1e3]];
    let d = 2.0_f64.powi(-17) / 1e-5;
    let loss = points(&model, &UncertaintySet::sphere(), &x, &array![1.0]).local_loss(5e-6)[0];
    let exact = (-0.5 * d * d).exp() - (-0.5 * (d + 0.5) * (d + 0.5)).exp();
    approx::assert_relative_eq!(loss, exact, max_relative = 1e-9);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    /// The local certificate is never above Cauchy–Schwarz with the bound made from the same terms, and
    /// the norm certificate never above the bounds it is made from.
    #[test]
    fn local_losses_are_within_the_bounds_of_the_same_terms(
        seed in any::<u64>(), n in 1..6_usize, size in 0..GAMMAS.len(),
    ) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let gamma = GAMMAS[size];
        let x = normal_matrix(1, n, &mut rng);
        for model in models(n, 1.0, 0.1, &mut rng) {
            let Model::Feature(FeatureModel { features, zeta, .. }) = &model else { continue };
            let (by_terms, by_all) = match features {
                Features::Identity(_) => continue,
                Features::Rff(_) => ("arcs", "geodesic"),
                Features::Nystrom(_) => ("landmark", "projection"),
            };
            for norm in [Norm::One, Norm::Two, Norm::Infinity] {
                for set in sets(norm, n, &mut rng) {
                    let points = points(&model, &set, &x, &array![1.0]);
                    let sets = set.clone().into();
                    let of = |bound| {
                        let bound = find(bound, MapKind::of(features)).unwrap();
                        let penalty = bound.penalty(features, &sets, x.view(), gamma).unwrap();
                        penalty.radii[0] * penalty.matrix.common_norm(zeta.view()).unwrap()
                    };
                    let rounding = 1e-9 * (1.0 + of(by_terms));
                    prop_assert!(points.local_loss(gamma)[0] <= of(by_terms) + rounding);
                    prop_assert!(points.norm_loss(gamma)[0] <= of(by_terms).min(of(by_all)) + rounding);
                }
            }
        }
    }

    /// Certified at its radius, not certified a tolerance further, and so in agreement with `error`.
    #[test]
    fn certified_radii_agree_with_certified_errors(seed in any::<u64>(), n in 1..6_usize) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let x = normal_matrix(6, n, &mut rng);
        let y = array![1.0, -1.0, 1.0, -1.0, 1.0, -1.0];
        let tolerance = 1e-6;
        for model in models(n, 1.0, 0.1, &mut rng) {
            let margins = model.decision(x.view()) * &y;
            for norm in [Norm::One, Norm::Two, Norm::Infinity] {
                for set in sets(norm, n, &mut rng) {
                    let points = points(&model, &set, &x, &y);
                    let radii = points.certified_radius(tolerance).unwrap();
                    for (i, &radius) in radii.iter().enumerate() {
                        prop_assert!(margins[i] > 0.0 || radius == 0.0);
                        if radius > 0.0 {
                            prop_assert!(points.worst_margin(radius)[i] > 0.0);
                        }
                        if radius < PointCertificates::LARGEST_RADIUS {
                            prop_assert!(points.worst_margin(radius + tolerance)[i] <= 0.0);
                        }
                    }
                    for gamma in GAMMAS {
                        if radii.iter().any(|r| (r - gamma).abs() <= tolerance) {
                            continue;
                        }
                        let outside = radii.iter().filter(|r| **r < gamma).count();
                        prop_assert!((points.error(gamma) - outside as f64 / 6.0).abs() < 1e-12);
                    }
                }
            }
        }
    }
}

/// A linear model's radius is its distance to the boundary; a constant's has no end.
#[test]
fn certified_radii_worked_by_hand() {
    let features = Features::Identity(robust_svm_core::features::Identity::new(2));
    let model = |zeta| {
        let features = features.clone();
        Model::Feature(FeatureModel {
            features,
            zeta,
            intercept: 5.0,
        })
    };
    let (x, y) = (
        array![[1.0, 0.5], [-4.0, 0.0], [300.0, 400.0]],
        array![1.0, 1.0, 1.0],
    );
    let sphere = UncertaintySet::sphere();
    let tilted = points(&model(array![3.0, 4.0]), &sphere, &x, &y);
    let radii = tilted.certified_radius(1e-9).unwrap();
    approx::assert_abs_diff_eq!(radii, array![2.0, 0.0, 501.0], epsilon = 2e-9);
    let constant = points(&model(array![0.0, 0.0]), &sphere, &x, &y);
    let cap = PointCertificates::LARGEST_RADIUS;
    assert_eq!(
        constant.certified_radius(1e-9).unwrap(),
        array![cap, cap, cap]
    );
    for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(tilted.certified_radius(tolerance).is_err());
    }
}
