//! Feature-uncertainty bounds: never exceeded, and what they are at special values.

mod support;

use ndarray::{Array1, Array2, ArrayView1, Axis, array};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_bounds::attack::{self, AttackOptions, attack};
use robust_svm_bounds::rff::FeatureNorm;
use robust_svm_bounds::{
    BoundError, FeatureBound, MapKind, bounds_for, find, linear, nystrom, rff,
};
use robust_svm_core::features::{FeatureMap, Features, Identity, Nystrom, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::{FeatureModel, Model};
use robust_svm_core::penalty::FeaturePenalty;
use robust_svm_core::uncertainty::{Norm, UncertaintySet, UncertaintySets};
use std::sync::Arc;
use support::{GAMMAS, normal_matrix, normal_vector, sets};

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

const NORMS: [Norm; 3] = [Norm::One, Norm::Two, Norm::Infinity];

/// A map of each kind and form on `R^n`.
fn every_map(n: usize, sigma: f64, rng: &mut ChaCha20Rng) -> [Features; 6] {
    let kernel = GaussianKernel::new(sigma).unwrap();
    let [identity, rff, nystrom] = maps(n, sigma, rng);
    let phased = Rff::draw_phased(kernel, n, 9, rng).unwrap();
    let orthogonal = Rff::draw_orthogonal(kernel, n, 12, rng).unwrap();
    let [phased, orthogonal] = [phased, orthogonal].map(|map| Features::Rff(Arc::new(map)));
    let triangular = Nystrom::triangular(kernel, normal_matrix(7, n, rng)).unwrap();
    let triangular = Features::Nystrom(Arc::new(triangular));
    [identity, rff, nystrom, phased, orthogonal, triangular]
}

/// Sets of `points` points: of one shape or one a point, of one size or one a point.
fn many_sets(norm: Norm, n: usize, points: usize, rng: &mut ChaCha20Rng) -> UncertaintySets {
    let mut shape = || sets(norm, n, rng)[rng.gen_range(0..3)].clone();
    let shared = UncertaintySets::from(shape());
    let each = UncertaintySets::each((0..points).map(|_| shape()).collect()).unwrap();
    let of_one_size = if rng.r#gen() { shared } else { each };
    if rng.r#gen() {
        return of_one_size;
    }
    let sizes = Array1::from_shape_simple_fn(points, || rng.gen_range(0.0..2.0));
    of_one_size.with_sizes(sizes).unwrap()
}

/// How exactly a movement of features is computed, for ζ of length 1.
fn movement_error(features: &Features) -> f64 {
    match features {
        Features::Nystrom(map) => {
            let features = map.projection().nrows() as f64;
            1e-13 * (features.sqrt() * map.projection_norm()).max(1.0)
        }
        Features::Rff(_) | Features::Identity(_) => 1e-11,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2500) })]

    /// Every bound of a map for sets of every norm, shapes and sizes of each point's own: neither samples nor
    /// the movement attack exceed Γ_i, and `Γ_i ‖A_iζ‖` is never below `⟨ζ, Δφ_i⟩`, for ζ at random and
    /// along the movement.
    #[test]
    fn no_perturbation_moves_the_features_further(
        seed in any::<u64>(), n in 1..6_usize, sigma in 0.4..3.0_f64, size in 0..GAMMAS.len(),
        map in 0..6_usize, p in 0..3_usize,
    ) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let (gamma, points) = (GAMMAS[size], 3);
        let features = &every_map(n, sigma, &mut rng)[map];
        let x = normal_matrix(points, n, &mut rng);
        let sets = many_sets(NORMS[p], n, points, &mut rng);
        let options = AttackOptions::new(6, 2).unwrap();
        let rounding = movement_error(features);
        for bound in bounds_for(MapKind::of(features)) {
            let penalty = match bound.penalty(features, &sets, x.view(), gamma) {
                Ok(penalty) => penalty,
                Err(BoundError::NotValid { .. }) => continue,
                Err(other) => return Err(TestCaseError::fail(other.to_string())),
            };
            let FeaturePenalty { radii, matrix } = &penalty;
            let found = attack::movement(features, matrix, &sets, x.view(), gamma, options, &mut rng);
            for (found, radius) in found.unwrap().iter().zip(radii) {
                prop_assert!(*found <= radius * (1.0 + 1e-9) + rounding, "{bound:?}: {found} > {radius}");
            }
            for point in 0..points {
                let at = x.row(point);
                let delta = sets.shape(point).sample(gamma * sets.size(point), n, &mut rng);
                let change = movement(features, at, delta.view());
                let random = normal_vector(features.dim(), &mut rng);
                for zeta in [&random, &change] {
                    let allowed = penalty.losses(zeta.view())[point];
                    let slack = 1e-9 * allowed + rounding * zeta.dot(zeta).sqrt();
                    prop_assert!(zeta.dot(&change) <= allowed + slack, "{bound:?}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    /// A point's bound is the one of its own set, whatever stands around it; and in their order: arcs ≤ paper
    /// at each p̄, best = min(arcs, geodesic) ≤ paper, geodesic ≤ 2 (2√2 phased), projection ≤ √2.
    #[test]
    fn points_are_bounded_by_themselves_and_bounds_are_in_order(
        seed in any::<u64>(), n in 1..6_usize, sigma in 0.4..3.0_f64, size in 0..GAMMAS.len(),
        map in 0..6_usize, p in 0..3_usize,
    ) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let (gamma, points) = (GAMMAS[size], 4);
        let features = &every_map(n, sigma, &mut rng)[map];
        let mut x = normal_matrix(points, n, &mut rng);
        let first = x.row(0).to_owned();
        x.row_mut(1).assign(&first);
        let sets = many_sets(NORMS[p], n, points, &mut rng);
        let kind = MapKind::of(features);
        let of = |name: &str| {
            let bound = find(name, kind).unwrap();
            bound.penalty(features, &sets, x.view(), gamma).map(|penalty| penalty.radii)
        };
        for bound in bounds_for(kind) {
            let Ok(all) = of(bound.name()) else { continue };
            for point in 0..points {
                let own = penalty(
                    bound, features, sets.shape(point), x.row(point), gamma * sets.size(point),
                );
                prop_assert_eq!(own.unwrap().radii[0], all[point]);
            }
        }
        let below = |less: &Array1<f64>, more: &Array1<f64>| {
            less.iter().zip(more).all(|(a, b)| *a <= b * (1.0 + 1e-12))
        };
        if let Features::Rff(map) = features {
            let (arcs, geodesic) = (of("arcs").unwrap(), of("geodesic").unwrap());
            let cap = if map.phases().is_some() { 8.0_f64.sqrt() } else { 2.0 };
            prop_assert!(geodesic.iter().all(|r| *r <= cap * (1.0 + 1e-12)));
            let least = ndarray::Zip::from(&arcs).and(&geodesic).map_collect(|a, g| a.min(*g));
            prop_assert_eq!(&of("best").unwrap(), &least);
            if map.phases().is_none() {
                prop_assert!(below(&least, &of("paper").unwrap()));
                for (arcs, paper) in [("arcs", "paper"), ("arcs-1", "paper-1"), ("arcs-inf", "paper-inf")] {
                    prop_assert!(below(&of(arcs).unwrap(), &of(paper).unwrap()));
                }
            }
        }
        if let Features::Nystrom(_) = features {
            let projection = of("projection").unwrap();
            prop_assert!(projection.iter().all(|r| *r <= 2.0_f64.sqrt()));
            prop_assert_eq!(of("best").unwrap(), projection);
            if let (Ok(with), Ok(without)) = (of("paper"), of("paper-without-rank")) {
                prop_assert!(below(&without, &with));
            }
        }
    }

    /// Every bound vanishes with γ: 0 at 0, and small at a small size.
    #[test]
    fn bounds_vanish_with_the_sets(
        seed in any::<u64>(), n in 1..6_usize, map in 0..6_usize, p in 0..3_usize,
    ) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let features = &every_map(n, 1.0, &mut rng)[map];
        let x = normal_matrix(2, n, &mut rng);
        let sets = many_sets(NORMS[p], n, 2, &mut rng);
        for bound in bounds_for(MapKind::of(features)) {
            let of = |gamma| bound.penalty(features, &sets, x.view(), gamma).map(|p| p.radii);
            let Ok(none) = of(0.0) else { continue };
            prop_assert_eq!(none, Array1::zeros(2));
            // The paper's Nyström radius is of the order of √γ.
            prop_assert!(of(1e-12).unwrap().iter().all(|r| *r < 1e-4));
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
    let smaller = map.eigenvalues().unwrap()[1];
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

/// What rules a bound out is named, with what to use in its place.
#[test]
fn what_does_not_hold_is_refused() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let [identity, rff, nystrom, phased, ..] = every_map(2, 1.0, &mut rng);
    let x = normal_matrix(2, 2, &mut rng);
    let [cube, _, box_of_any_axes] = sets(Norm::Infinity, 2, &mut rng).map(UncertaintySets::from);
    let [octahedron, ..] = sets(Norm::One, 2, &mut rng).map(UncertaintySets::from);
    let [sphere, ellipsoid, _] = sets(Norm::Two, 2, &mut rng);
    let different = UncertaintySets::each(vec![sphere.clone(), ellipsoid.clone()]).unwrap();
    let equal = UncertaintySets::each(vec![ellipsoid.clone(), ellipsoid]).unwrap();
    let sphere = UncertaintySets::from(sphere);
    let paper: &dyn FeatureBound = &nystrom::Paper(nystrom::Rank::Factor);
    let without: &dyn FeatureBound = &nystrom::Paper(nystrom::Rank::Dropped);
    let cases: [(&dyn FeatureBound, _, _, &str); 16] = [
        (&linear::Exact, &identity, &cube, "p = 2"),
        (&linear::Exact, &identity, &octahedron, "p = 2"),
        (&linear::Exact, &identity, &different, "one shape"),
        (paper, &nystrom, &cube, "projection"),
        (paper, &nystrom, &octahedron, "projection"),
        (without, &nystrom, &box_of_any_axes, "projection"),
        (&rff::Paper(FeatureNorm::Two), &phased, &sphere, "paired"),
        (&rff::Paper(FeatureNorm::One), &phased, &sphere, "paired"),
        (
            &rff::Paper(FeatureNorm::Infinity),
            &phased,
            &sphere,
            "paired",
        ),
        (&rff::Arcs(FeatureNorm::One), &phased, &sphere, "paired"),
        (
            &rff::Arcs(FeatureNorm::Infinity),
            &phased,
            &sphere,
            "paired",
        ),
        (
            &rff::Geodesic,
            &nystrom,
            &sphere,
            "landmark, projection, best",
        ),
        (&rff::Best, &identity, &sphere, "exact"),
        (&nystrom::Projection, &rff, &sphere, "geodesic, best"),
        (&nystrom::Best, &rff, &sphere, "geodesic, best"),
        (&linear::Exact, &rff, &sphere, "geodesic, best"),
    ];
    for (bound, map, sets, instead) in cases {
        let error = bound.penalty(map, sets, x.view(), 0.1).unwrap_err();
        let BoundError::NotValid {
            bound: name,
            reason,
        } = error
        else {
            panic!("{bound:?}: {error}");
        };
        assert_eq!(name, bound.name());
        assert!(reason.contains(instead), "{bound:?}: {reason}");
    }
    assert!(
        linear::Exact
            .penalty(&identity, &equal, x.view(), 0.1)
            .is_ok()
    );
}

/// Wrong shapes and numbers are told apart from bounds that do not hold; a radius beyond floating point is an
/// error, not ∞ or NaN.
#[test]
fn what_is_wrong_in_itself_is_refused() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let [_, rff, nystrom] = maps(2, 1.0, &mut rng);
    let x = normal_matrix(2, 2, &mut rng);
    let [ball, ellipsoid, _] = sets(Norm::Two, 2, &mut rng);
    let different = UncertaintySets::each(vec![ball.clone(), ellipsoid]).unwrap();
    let sphere = UncertaintySets::from(ball);
    let paper = nystrom::Paper(nystrom::Rank::Factor);
    assert!(matches!(
        paper.penalty(&nystrom, &sphere, x.view(), 1e3),
        Err(BoundError::NotValid { .. })
    ));
    let is_core = |found: Result<_, BoundError>| matches!(found, Err(BoundError::Core(_)));
    for gamma in [-0.1, f64::NAN, f64::INFINITY] {
        assert!(is_core(rff::Geodesic.penalty(
            &rff,
            &sphere,
            x.view(),
            gamma
        )));
    }
    let wide = Array2::zeros((2, 3));
    assert!(is_core(rff::Geodesic.penalty(
        &rff,
        &sphere,
        wide.view(),
        0.1
    )));
    let infinite = array![[0.0, f64::INFINITY]];
    assert!(is_core(rff::Geodesic.penalty(
        &rff,
        &sphere,
        infinite.view(),
        0.1
    )));
    let few = Array2::zeros((1, 2));
    assert!(is_core(rff::Geodesic.penalty(
        &rff,
        &different,
        few.view(),
        0.1
    )));
    let sized = sphere.with_sizes(array![1.0, 1e300]).unwrap();
    assert!(is_core(rff::Geodesic.penalty(
        &rff,
        &sized,
        few.view(),
        0.1
    )));
    assert!(is_core(rff::Geodesic.penalty(
        &rff,
        &sized,
        x.view(),
        1e300
    )));
}
