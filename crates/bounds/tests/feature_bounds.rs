//! Feature-uncertainty bounds: never exceeded, and what they are at special values.

mod support;

use ndarray::{Array1, Array2, ArrayView1, Axis, array};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_bounds::attack::{AttackOptions, attack};
use robust_svm_bounds::rff::{FeatureNorm, Geodesic};
use robust_svm_bounds::{BoundError, FeatureBound, MapKind, bounds_for, find, linear, nystrom};
use robust_svm_core::features::{FeatureMap, Features, Identity, Nystrom, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::{FeatureModel, Model};
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::uncertainty::{Norm, UncertaintySet, UncertaintySets};
use std::sync::Arc;
use support::{ExpansionError, GAMMAS, normal_matrix, normal_vector, sets};

fn maps(n: usize, sigma: f64, rng: &mut ChaCha20Rng) -> [Features; 3] {
    let kernel = GaussianKernel::new(sigma).unwrap();
    [
        Features::Identity(Identity::new(n)),
        Features::Rff(Arc::new(Rff::draw(kernel, n, 12, rng).unwrap())),
        Features::Nystrom(Arc::new(
            Nystrom::new(kernel, normal_matrix(7, n, rng)).unwrap(),
        )),
    ]
}

/// The bound's penalty at one point.
fn penalty(
    bound: &dyn FeatureBound,
    features: &Features,
    set: &UncertaintySet,
    x: ArrayView1<'_, f64>,
    gamma: f64,
) -> Result<FeaturePenalty, BoundError> {
    let sets = set.clone().into();
    bound.penalty(features, &sets, x.insert_axis(Axis(0)), gamma)
}

/// `φ(x+δ) − φ(x)`.
fn movement(
    features: &Features,
    x: ArrayView1<'_, f64>,
    delta: ArrayView1<'_, f64>,
) -> Array1<f64> {
    let moved = &x + &delta;
    let image =
        |x: ArrayView1<'_, f64>| features.transform(x.insert_axis(Axis(0))).row(0).to_owned();
    image(moved.view()) - image(x)
}

/// The δ that an attack finds to raise `⟨ζ, φ(x+δ)⟩`.
fn attacked(
    features: &Features,
    set: &UncertaintySet,
    x: ArrayView1<'_, f64>,
    gamma: f64,
    zeta: &Array1<f64>,
    rng: &mut ChaCha20Rng,
) -> Array1<f64> {
    // With this intercept the margin cannot reach 0, where an attack would stop.
    let size = zeta.dot(zeta).sqrt() * (1.0 + x.dot(&x).sqrt() + 20.0 * gamma);
    let model = Model::Feature(FeatureModel {
        features: features.clone(),
        zeta: zeta.clone(),
        intercept: -size,
    });
    let (x, y) = (x.insert_axis(Axis(0)), array![-1.0]);
    let options = AttackOptions::new(12, 3).unwrap();
    let found = attack(
        &model,
        &set.clone().into(),
        gamma,
        x,
        y.view(),
        options,
        rng,
    )
    .unwrap();
    found.perturbations.row(0).to_owned()
}

/// `‖A^{−⊤} Δφ‖`, the largest `⟨ζ, Δφ⟩ / ‖Aζ‖` over all ζ; where A is singular (certain inputs of a
/// linear model) Δφ has no part there.
fn dual_length(matrix: &PenaltyMatrix, change: &Array1<f64>) -> f64 {
    let divided = match matrix {
        PenaltyMatrix::Diagonal(a) => ndarray::Zip::from(change)
            .and(a)
            .map_collect(|c, a| if *a == 0.0 { *c } else { c / a }),
        _ => change.clone(),
    };
    divided.dot(&divided).sqrt()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    /// Every bound, map, norm and shape; every ζ at once by [`dual_length`], and attacks on a ζ that is
    /// turned towards the movement it allows. Rounding: 1e−9 relative for the features themselves, plus
    /// the evaluation error of `⟨ζ, φ⟩`.
    #[test]
    fn no_perturbation_moves_the_features_further(
        seed in any::<u64>(), n in 1..6_usize, sigma in 0.4..3.0_f64, size in 0..GAMMAS.len(),
    ) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let gamma = GAMMAS[size];
        let x = normal_vector(n, &mut rng);
        for features in maps(n, sigma, &mut rng) {
            for norm in [Norm::One, Norm::Two, Norm::Infinity] {
                for set in sets(norm, n, &mut rng) {
                    let penalties: Vec<_> = bounds_for(MapKind::of(&features))
                        .filter(|b| b.norm() == FeatureNorm::Two)
                        .filter_map(|b| penalty(b, &features, &set, x.view(), gamma).ok())
                        .collect();
                    let mut zeta = normal_vector(features.dim(), &mut rng);
                    for attempt in 0..6 {
                        let delta = match attempt {
                            0 | 1 => set.sample(gamma, n, &mut rng),
                            _ => attacked(&features, &set, x.view(), gamma, &zeta, &mut rng),
                        };
                        let change = movement(&features, x.view(), delta.view());
                        for FeaturePenalty { radii, matrix } in &penalties {
                            // ⟨ζ, Δφ⟩ for the ζ at hand …
                            let allowed = radii[0] * matrix.common_norm(zeta.view()).unwrap();
                            let rounding = features.evaluation_error(&zeta) * 4.0 + 1e-9 * allowed
                                + 1e-14 * (zeta.dot(&zeta) * (1.0 + x.dot(&x))).sqrt();
                            prop_assert!(zeta.dot(&change) <= allowed + rounding);
                            // … and for the ζ it is worst for; a dense A may be singular in any direction.
                            if matches!(matrix, PenaltyMatrix::Dense(_)) {
                                continue;
                            }
                            let worst = &change / change.dot(&change).sqrt().max(1e-300);
                            let rounding = features.evaluation_error(&worst) * 4.0
                                + 1e-9 * radii[0] + 1e-14 * (1.0 + x.dot(&x).sqrt());
                            let weight = match matrix {
                                PenaltyMatrix::Diagonal(a) => a.iter().fold(0.0_f64, |m, a| {
                                    if *a > 0.0 { m.max(1.0 / a) } else { m }
                                }),
                                _ => 1.0,
                            };
                            prop_assert!(dual_length(matrix, &change) <= radii[0] + rounding * weight.max(1.0));
                        }
                        if change.iter().any(|c| *c != 0.0) {
                            zeta = &change / change.dot(&change).sqrt();
                        }
                    }
                }
            }
        }
    }

    /// 4.3 ≤ 2, 4.6 ≤ √2; both grow with γ, are 0 at 0 and of the order of γ near it.
    #[test]
    fn the_derived_bounds_are_monotone_and_capped(
        seed in any::<u64>(), n in 1..6_usize, sigma in 0.4..3.0_f64,
    ) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut gamma: Array1<f64> = (0..40).map(|k| 1e-9 * 2.0_f64.powi(k)).collect();
        gamma[0] = 0.0;
        let x = normal_matrix(gamma.len(), n, &mut rng);
        let [_, rff, nystrom] = maps(n, sigma, &mut rng);
        for norm in [Norm::One, Norm::Two, Norm::Infinity] {
            for set in sets(norm, n, &mut rng) {
                let sets = UncertaintySets::from(set).with_sizes(gamma.clone()).unwrap();
                for (name, map, cap) in [
                    ("geodesic", &rff, 2.0),
                    ("projection", &nystrom, 2.0_f64.sqrt()),
                ] {
                    let bound = find(name, MapKind::of(map)).unwrap();
                    let radii = bound.penalty(map, &sets, x.view(), 1.0).unwrap().radii;
                    prop_assert_eq!(radii[0], 0.0);
                    prop_assert!(radii.iter().all(|r| *r <= cap));
                    for k in 1..radii.len() {
                        prop_assert!(radii[k] >= radii[k - 1]);
                    }
                    prop_assert!(radii[1] > 0.0 || n == 1);
                    approx::assert_relative_eq!(radii[2], 2.0 * radii[1], max_relative = 1e-9);
                }
            }
        }
    }
}

/// One and two pairs: `Γ = sqrt((2/J) Σ_j min(2, γ²ω_j²/2))` for J pairs in one dimension.
#[test]
fn the_papers_rff_bound_worked_by_hand() {
    let kernel = GaussianKernel::new(1.0).unwrap();
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let one = Rff::draw(kernel, 1, 2, &mut rng).unwrap();
    let omega = one.frequencies()[(0, 0)].abs();
    let two = Rff::draw(kernel, 1, 4, &mut rng).unwrap();
    let (first, second) = (two.frequencies()[(0, 0)], two.frequencies()[(1, 0)]);
    let (one, two) = (Features::Rff(Arc::new(one)), Features::Rff(Arc::new(two)));
    let radius = |map: &Features, gamma: f64| {
        let sphere = UncertaintySet::sphere();
        let paper = find("paper", MapKind::Rff).unwrap();
        penalty(paper, map, &sphere, array![0.3].view(), gamma)
            .unwrap()
            .radii[0]
    };
    approx::assert_relative_eq!(radius(&one, 1e-9), 1e-9 * omega, max_relative = 1e-14);
    approx::assert_relative_eq!(radius(&one, 1.5 / omega), 1.5, max_relative = 1e-14);
    approx::assert_relative_eq!(radius(&one, 3.0 / omega), 2.0, max_relative = 1e-14);
    let by_hand = 0.2 * (0.5 * (first * first + second * second)).sqrt();
    approx::assert_relative_eq!(radius(&two, 0.2), by_hand, max_relative = 1e-14);
}

/// One frequency: φ runs along the circle, so its chord is the bound. Two frequencies in one dimension: a
/// small movement has the speed of the bound. Nyström: the kernel's own movement.
#[test]
fn the_derived_bounds_worked_by_hand() {
    let kernel = GaussianKernel::new(1.5).unwrap();
    let mut rng = ChaCha20Rng::seed_from_u64(8);
    let one = Rff::draw(kernel, 1, 2, &mut rng).unwrap();
    let omega = one.frequencies()[(0, 0)].abs();
    let two = Rff::draw(kernel, 1, 4, &mut rng).unwrap();
    let nystrom = Nystrom::new(kernel, array![[0.0], [1.0]]).unwrap();
    let sphere = UncertaintySet::sphere();
    let radius = |bound: &str, features: &Features, gamma: f64| {
        let x = array![0.3];
        let bound = find(bound, MapKind::of(features)).unwrap();
        penalty(bound, features, &sphere, x.view(), gamma)
            .unwrap()
            .radii[0]
    };
    let one = Features::Rff(Arc::new(one));
    for arc in [1e-6, 0.4, 2.0] {
        let found = radius("geodesic", &one, arc / omega);
        approx::assert_relative_eq!(found, 2.0 * (0.5 * arc).sin(), max_relative = 1e-11);
    }
    assert_eq!(radius("geodesic", &one, 4.0 / omega), 2.0);
    let two = Features::Rff(Arc::new(two));
    let change = movement(&two, array![0.3].view(), array![1e-5].view());
    approx::assert_relative_eq!(
        radius("geodesic", &two, 1e-5),
        change.dot(&change).sqrt(),
        max_relative = 1e-8
    );
    let nystrom = Features::Nystrom(Arc::new(nystrom));
    approx::assert_relative_eq!(
        radius("projection", &nystrom, 0.6),
        (2.0 - 2.0 * (-0.36_f64 / 4.5).exp()).sqrt(),
        max_relative = 1e-12
    );
}

/// Landmarks (0,0) and (0.01,0) span two directions with eigenvalues near 2 and 5e−5. The weights along
/// the second move by 0.247, and the printed `Γ‖R^⊤ζ‖ = Γ‖Λ^{1/2}ζ‖` says 0.0105.
#[test]
fn the_papers_nystrom_bound_holds_with_the_inverse_matrix_only() {
    let kernel = GaussianKernel::new(1.0).unwrap();
    let map = Nystrom::new(kernel, array![[0.0, 0.0], [0.01, 0.0]]).unwrap();
    let smaller = map.eigenvalues()[1];
    let features = Features::Nystrom(Arc::new(map));
    let (x, gamma, zeta) = (array![0.5, 0.0], 0.3, array![0.0, 1.0]);
    let sphere = UncertaintySet::sphere();
    let paper = find("paper", MapKind::Nystrom).unwrap();
    let FeaturePenalty { radii, matrix } =
        penalty(paper, &features, &sphere, x.view(), gamma).unwrap();

    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let reached = [1.0, -1.0]
        .map(|sign| {
            let zeta = sign * &zeta;
            let delta = attacked(&features, &sphere, x.view(), gamma, &zeta, &mut rng);
            zeta.dot(&movement(&features, x.view(), delta.view()))
        })
        .into_iter()
        .fold(0.0, f64::max);
    approx::assert_abs_diff_eq!(reached, 0.247, epsilon = 5e-4);
    let printed = radii[0] * smaller.sqrt();
    approx::assert_abs_diff_eq!(printed, 0.0105, epsilon = 5e-5);
    assert!(reached > 20.0 * printed);
    assert!(reached <= radii[0] * matrix.common_norm(zeta.view()).unwrap());
}

/// The rewritten radius is the printed expression where that has digits, and keeps them below.
#[test]
fn the_papers_nystrom_radius_is_the_printed_expression() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let kernel = GaussianKernel::new(1.3).unwrap();
    let map = Nystrom::new(kernel, normal_matrix(5, 3, &mut rng)).unwrap();
    let (r, landmarks) = (map.dim() as f64, map.landmarks().to_owned());
    let features = Features::Nystrom(Arc::new(map));
    for set in sets(Norm::Two, 3, &mut rng) {
        let x = normal_vector(3, &mut rng);
        let radius = |gamma| {
            let paper = find("paper", MapKind::Nystrom).unwrap();
            penalty(paper, &features, &set, x.view(), gamma)
                .unwrap()
                .radii[0]
        };
        let gamma = 0.7;
        let spread = (-(gamma * set.longest(3)).powi(2) / (2.0 * 1.69)).exp();
        let sum: f64 = landmarks
            .outer_iter()
            .map(|z| {
                let difference = (&x - &z).insert_axis(Axis(0));
                let k = (-difference.mapv(|d| d * d).sum() / (2.0 * 1.69)).exp();
                let tau = (-gamma * set.support(difference.view())[0] / 1.69).exp();
                k * k * (1.0 / (tau * tau) + 1.0) - 2.0 * spread * k * k * tau
            })
            .sum();
        approx::assert_relative_eq!(radius(gamma), (r * sum).sqrt(), max_relative = 1e-12);
        // The radicand is of order γ: halving γ leaves the ratio √2.
        approx::assert_relative_eq!(
            radius(2e-12) / radius(1e-12),
            2.0_f64.sqrt(),
            max_relative = 1e-9
        );
        assert_eq!(radius(0.0), 0.0);
    }
}

#[test]
fn what_does_not_hold_is_refused() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let [identity, rff, nystrom] = maps(2, 1.0, &mut rng);
    let x = array![0.1, 0.2];
    let [cube, _, _] = sets(Norm::Infinity, 2, &mut rng);
    let [sphere, _, _] = sets(Norm::Two, 2, &mut rng);
    let paper: &dyn FeatureBound = &nystrom::Paper(nystrom::Rank::Factor);
    let cases: [(&dyn FeatureBound, _, _); 5] = [
        (&linear::Exact, &identity, &cube),
        (paper, &nystrom, &cube),
        (&Geodesic, &nystrom, &sphere),
        (&nystrom::Projection, &rff, &sphere),
        (&linear::Exact, &rff, &sphere),
    ];
    for (bound, map, set) in cases {
        let error = penalty(bound, map, set, x.view(), 0.1).unwrap_err();
        assert!(matches!(error, BoundError::NotValid { bound: name, .. } if name == bound.name()));
    }
    // A radius beyond floating point is an error too, not ∞ or NaN.
    assert!(penalty(paper, &nystrom, &sphere, x.view(), 1e3).is_err());
    for gamma in [-0.1, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            penalty(&Geodesic, &rff, &sphere, x.view(), gamma),
            Err(BoundError::Core(_))
        ));
    }
    let sets = UncertaintySets::from(sphere);
    let wide = Geodesic.penalty(&rff, &sets, Array2::zeros((2, 3)).view(), 0.1);
    assert!(wide.is_err());
    let sets = sets.with_sizes(array![0.1, 0.1]).unwrap();
    let few = Geodesic.penalty(&rff, &sets, Array2::zeros((1, 2)).view(), 0.1);
    assert!(few.is_err());
}
