//! Radii of random Fourier features in every norm p̄, and the order of the bounds.

mod support;

use ndarray::{Array1, Array2, ArrayView1, Axis, array};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_bounds::rff::{Arcs, Best, FeatureNorm, Geodesic, Paper};
use robust_svm_bounds::{BOUNDS, BoundError, FeatureBound, MapKind, nystrom};
use robust_svm_core::features::{FeatureMap, Features, Identity, Nystrom, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::penalty::PenaltyMatrix;
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet, UncertaintySets};
use std::sync::Arc;
use support::{GAMMAS, normal_matrix, normal_vector, sets};

const NORMS: [Norm; 3] = [Norm::One, Norm::Two, Norm::Infinity];

fn arcs(
    map: &Rff,
    set: &UncertaintySet,
    gamma: ArrayView1<'_, f64>,
    norm: FeatureNorm,
) -> Result<Array1<f64>, BoundError> {
    radii(&Arcs(norm), map, set, gamma)
}

fn paper(
    map: &Rff,
    set: &UncertaintySet,
    gamma: ArrayView1<'_, f64>,
    norm: FeatureNorm,
) -> Result<Array1<f64>, BoundError> {
    radii(&Paper(norm), map, set, gamma)
}

fn radii(
    bound: &dyn FeatureBound,
    map: &Rff,
    set: &UncertaintySet,
    gamma: ArrayView1<'_, f64>,
) -> Result<Array1<f64>, BoundError> {
    let sets = UncertaintySets::from(set.clone());
    let x = Array2::zeros((1, map.input_dim()));
    let features = Features::Rff(Arc::new(map.clone()));
    let radius = |gamma| Ok(bound.penalty(&features, &sets, x.view(), gamma)?.radii[0]);
    gamma.iter().map(|&gamma| radius(gamma)).collect()
}

/// `‖R (φ(x+δ) − φ(x))‖_p̄` with R the rotation of each pair by `−ω_jᵀx`.
fn rotated_movement(
    map: &Rff,
    x: ArrayView1<'_, f64>,
    delta: &Array1<f64>,
    norm: FeatureNorm,
) -> f64 {
    let image = |x: ArrayView1<'_, f64>| map.transform(x.insert_axis(Axis(0))).row(0).to_owned();
    let mut change = image((&x + delta).view()) - image(x);
    let angles = map.frequencies().dot(&x);
    for (mut pair, angle) in change.exact_chunks_mut(2).into_iter().zip(&angles) {
        let (sin, cos) = angle.sin_cos();
        let rotated = [cos * pair[0] + sin * pair[1], cos * pair[1] - sin * pair[0]];
        pair.assign(&array![rotated[0], rotated[1]]);
    }
    let norm = match norm {
        FeatureNorm::One => Norm::One,
        FeatureNorm::Two => Norm::Two,
        FeatureNorm::Infinity => Norm::Infinity,
    };
    norm.of(change.view())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    /// Arcs ≤ paper at every p̄, and neither is exceeded by samples or by the δ that moves one pair most.
    #[test]
    fn rotated_features_move_no_further_than_arcs_and_arcs_than_the_paper(
        seed in any::<u64>(), n in 1..6_usize, sigma in 0.4..3.0_f64, size in 0..GAMMAS.len(),
    ) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let gamma = GAMMAS[size];
        let map = Rff::draw(GaussianKernel::new(sigma).unwrap(), n, 12, &mut rng).unwrap();
        let x = normal_vector(n, &mut rng);
        for norm in NORMS {
            for set in sets(norm, n, &mut rng) {
                let frequencies = set.pull_back(map.frequencies());
                let towards = frequencies.outer_iter().map(|ω| {
                    let mut delta = set.maximiser(ω, gamma);
                    set.scale(delta.view_mut());
                    delta
                });
                let sampled: Vec<_> = (0..4).map(|_| set.sample(gamma, n, &mut rng)).collect();
                let deltas: Vec<_> = towards.chain(sampled).collect();
                for p in FeatureNorm::ALL {
                    let radius = arcs(&map, &set, array![gamma].view(), p).unwrap()[0];
                    let papers = paper(&map, &set, array![gamma].view(), p).unwrap()[0];
                    prop_assert!(radius <= papers * (1.0 + 1e-12));
                    for delta in &deltas {
                        let reached = rotated_movement(&map, x.view(), delta, p);
                        prop_assert!(reached <= radius * (1.0 + 1e-9) + 1e-13);
                    }
                }
            }
        }
    }

    /// min(arcs, geodesic) ≤ paper; without the rank ≤ with it; best is the smallest with orthogonal A.
    #[test]
    fn derived_radii_are_never_above_the_papers(
        seed in any::<u64>(), n in 1..6_usize, sigma in 0.4..3.0_f64, size in 0..GAMMAS.len(),
    ) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let kernel = GaussianKernel::new(sigma).unwrap();
        let rff = Features::Rff(Arc::new(Rff::draw(kernel, n, 12, &mut rng).unwrap()));
        let landmarks = normal_matrix(7, n, &mut rng);
        let features = Features::Nystrom(Arc::new(Nystrom::new(kernel, landmarks).unwrap()));
        let x = normal_matrix(1, n, &mut rng);
        let gamma = GAMMAS[size];
        for norm in NORMS {
            for set in sets(norm, n, &mut rng) {
                let set = UncertaintySets::from(set);
                let radius = |bound: &dyn FeatureBound, map| {
                    bound.penalty(map, &set, x.view(), gamma).map(|p| p.radii[0])
                };
                let all: [&dyn FeatureBound; 4] = [&Arcs(FeatureNorm::Two), &Geodesic, &Best, &Paper(FeatureNorm::Two)];
                let [arcs, geodesic, best, papers] = all.map(|bound| radius(bound, &rff).unwrap());
                prop_assert_eq!(best, arcs.min(geodesic));
                prop_assert!(best <= papers * (1.0 + 1e-12) && best <= 2.0);
                prop_assert_eq!(radius(&nystrom::Best, &features), radius(&nystrom::Projection, &features));
                if norm == Norm::Two && let Ok(with_rank) = radius(&nystrom::Paper(nystrom::Rank::Factor), &features) {
                    prop_assert!(radius(&nystrom::Paper(nystrom::Rank::Dropped), &features).unwrap() <= with_rank);
                }
            }
        }
    }

    /// Arcs, best and landmark are 0 at 0, of the order of γ near it, and grow.
    #[test]
    fn new_radii_vanish_with_gamma_and_grow(seed in any::<u64>(), n in 1..6_usize) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let kernel = GaussianKernel::new(1.0).unwrap();
        let rff = Features::Rff(Arc::new(Rff::draw(kernel, n, 12, &mut rng).unwrap()));
        let landmarks = normal_matrix(7, n, &mut rng);
        let features = Features::Nystrom(Arc::new(Nystrom::new(kernel, landmarks).unwrap()));
        let mut gamma: Array1<f64> = (0..40).map(|k| 1e-9 * 2.0_f64.powi(k)).collect();
        gamma[0] = 0.0;
        let point = normal_vector(n, &mut rng);
        let x = point.broadcast((gamma.len(), n)).unwrap();
        let all: [(&dyn FeatureBound, _); 3] = [
            (&Arcs(FeatureNorm::Two), &rff), (&Best, &rff), (&nystrom::Landmark, &features),
        ];
        for norm in NORMS {
            for set in sets(norm, n, &mut rng) {
                let sets = UncertaintySets::from(set).with_sizes(gamma.clone()).unwrap();
                for (bound, map) in all {
                    let radii = bound.penalty(map, &sets, x, 1.0).unwrap().radii;
                    prop_assert_eq!(radii[0], 0.0);
                    prop_assert!(radii[1] > 0.0 && radii[1] < 1e-6);
                    approx::assert_relative_eq!(radii[2], 2.0 * radii[1], max_relative = 1e-6);
                    for pair in radii.windows(2) {
                        prop_assert!(pair[0] <= pair[1] * (1.0 + 1e-12));
                    }
                }
            }
        }
    }
}

/// One pair, θ = γω: Γ at p̄ = 1 is `1 − cos θ + sin θ` up to 3π/4 and `1 + √2` beyond; at p̄ = 2 the chord;
/// at p̄ = ∞ `sin θ` until `1 − cos θ` overtakes it. Several pairs in one dimension: the largest movement.
#[test]
fn arcs_worked_by_hand() {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let kernel = GaussianKernel::new(1.0).unwrap();
    let map = Rff::draw(kernel, 1, 2, &mut rng).unwrap();
    let omega = map.frequencies()[(0, 0)].abs();
    let sphere = UncertaintySet::sphere();
    let radius = |norm, θ: f64| arcs(&map, &sphere, array![θ / omega].view(), norm).unwrap()[0];
    for (norm, θ, expected) in [
        (
            FeatureNorm::One,
            1.0_f64,
            1.0 - 1.0_f64.cos() + 1.0_f64.sin(),
        ),
        (FeatureNorm::One, 3.0, 1.0 + 2.0_f64.sqrt()),
        (FeatureNorm::Two, 1.0, 2.0 * 0.5_f64.sin()),
        (FeatureNorm::Two, 9.0, 2.0),
        (FeatureNorm::Infinity, 1.0, 1.0_f64.sin()),
        (FeatureNorm::Infinity, 2.0, 1.0 - 2.0_f64.cos()),
    ] {
        approx::assert_relative_eq!(radius(norm, θ), expected, max_relative = 1e-12);
    }
    let map = Rff::draw(kernel, 1, 16, &mut rng).unwrap();
    let reached = rotated_movement(&map, array![0.3].view(), &array![0.5], FeatureNorm::Two);
    let bound = arcs(&map, &sphere, array![0.5].view(), FeatureNorm::Two).unwrap()[0];
    approx::assert_relative_eq!(reached, bound, max_relative = 1e-12);
    assert!(arcs(&map, &sphere, array![-0.5].view(), FeatureNorm::Two).is_err());
    let wide = sets(Norm::Two, 3, &mut rng)[1].clone();
    assert!(paper(&map, &wide, array![0.5].view(), FeatureNorm::One).is_err());
}

/// What bounds say of themselves, on points of which no two are as far from the landmarks.
#[test]
fn bounds_that_are_alike_give_every_point_one_radius_and_one_matrix() {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let x = normal_matrix(6, 3, &mut rng);
    let kernel = GaussianKernel::new(1.5).unwrap();
    let rff = Rff::draw(kernel, 3, 16, &mut rng).unwrap();
    let nystrom = Nystrom::new(kernel, x.slice(ndarray::s![..3, ..]).to_owned()).unwrap();
    let set = UncertaintySet::new(Norm::Two, Factor::Identity).unwrap();
    let sets = UncertaintySets::from(set);
    let mut counts = [0, 0];
    for bound in BOUNDS {
        let features = match bound.map() {
            MapKind::Identity => Features::Identity(Identity::new(3)),
            MapKind::Rff => Features::Rff(Arc::new(rff.clone())),
            MapKind::Nystrom => Features::Nystrom(Arc::new(nystrom.clone())),
        };
        let penalty = bound.penalty(&features, &sets, x.view(), 0.3).unwrap();
        let one_radius = penalty
            .radii
            .iter()
            .all(|radius| *radius == penalty.radii[0]);
        let one_matrix = !matches!(penalty.matrix, PenaltyMatrix::Rotations { .. });
        assert_eq!(bound.is_alike(), one_radius && one_matrix, "{bound:?}");
        counts[usize::from(bound.is_alike())] += 1;
    }
    assert!(counts.iter().all(|count| *count > 3), "{counts:?}");
}
