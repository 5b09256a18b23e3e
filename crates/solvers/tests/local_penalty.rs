//! The local penalty: an upper bound on the loss of margin over the sets, sublinear, with true sub-gradients.

mod common;

use approx::assert_relative_eq;
use common::local::{Setting, normal, setting};
use ndarray::{Array2, array};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_core::features::{FeatureMap, Features, Identity};
use robust_svm_core::uncertainty::{Norm, UncertaintySet, UncertaintySets};
use robust_svm_solvers::{LocalPenalty, SolverError, SublinearPenalty, SupportPenalty};

const NORMS: [Norm; 3] = [Norm::One, Norm::Two, Norm::Infinity];

fn penalty(case: &Setting) -> LocalPenalty {
    LocalPenalty::new(&case.features, &case.sets, case.x.view(), case.gamma).unwrap()
}

proptest! {
    /// No perturbation of the set takes more margin than h: sampled ones, and the best of an ascent from each.
    #[test]
    fn no_perturbation_takes_more(
        seed in any::<u64>(), map in 0..5_usize, norm in prop::sample::select(NORMS.to_vec()), shared in any::<bool>(),
        gamma in 1e-3..1.5_f64,
    ) {
        let case = setting(seed, (6, 3), map, norm, shared, gamma);
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let zeta = normal(&mut rng, (1, case.features.dim())).row(0).to_owned();
        let values = penalty(&case).values(zeta.view(), 6);
        for (i, x) in case.x.outer_iter().enumerate() {
            let (set, size) = (case.sets.shape(i), case.gamma * case.sets.size(i));
            let at = |u: &ndarray::Array1<f64>| {
                let mut moved = u.clone();
                set.scale(moved.view_mut());
                moved += &x;
                case.features.value_and_gradient(moved.insert_axis(ndarray::Axis(0)).view(), zeta.view())
            };
            let own = at(&ndarray::Array1::zeros(3)).0[0];
            for _ in 0..4 {
                for sign in [1.0, -1.0] {
                    let mut u = set.sample_coordinates(size, 3, &mut rng);
                    for step in 0..12 {
                        let (value, gradient) = at(&u);
                        let loss = sign * (own - value[0]);
                        prop_assert!(loss <= values[i] * (1.0 + 1e-9) + 1e-12, "{loss} {}", values[i]);
                        // Frank–Wolfe steps on the loss.
                        let vertex = set.maximiser((set.pull_back(gradient.view()).row(0).mapv(|g| -sign * g)).view(), size);
                        let rate = 2.0 / (f64::from(step) + 2.0);
                        u = u * (1.0 - rate) + vertex * rate;
                    }
                }
            }
        }
    }

    /// h(sζ) = s h(ζ), h is convex at middles, and sub-gradients support it: `⟨z, ζ⟩ = h(ζ)`, `⟨z, η⟩ ≤ h(η)`.
    #[test]
    fn it_is_sublinear_and_its_subgradients_support_it(
        seed in any::<u64>(), map in 0..5_usize, norm in prop::sample::select(NORMS.to_vec()), shared in any::<bool>(),
        gamma in 0.0..1.5_f64, scale in 1e-3..1e3_f64,
    ) {
        let case = setting(seed, (5, 3), map, norm, shared, gamma);
        let penalty = penalty(&case);
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let points = normal(&mut rng, (4, case.features.dim()));
        let zeta = points.row(0);
        let h = |zeta: ndarray::ArrayView1<'_, f64>| penalty.values(zeta, 5);
        assert_relative_eq!(h((&zeta * scale).view()), h(zeta) * scale, max_relative = 1e-9);
        assert_relative_eq!(h((&zeta * -1.0).view()), h(zeta), max_relative = 1e-9);
        let z = penalty.subgradients(zeta, 5);
        assert_relative_eq!(z.dot(&zeta), h(zeta), max_relative = 1e-8, epsilon = 1e-10);
        for other in points.outer_iter().skip(1) {
            let middle = h(((&zeta + &other) * 0.5).view());
            let ends = (h(zeta) + h(other)) * 0.5;
            for ((below, h), (middle, ends)) in z.dot(&other).iter().zip(&h(other)).zip(middle.iter().zip(&ends)) {
                prop_assert!(*below <= h * (1.0 + 1e-8) + 1e-10, "{below} {h}");
                prop_assert!(*middle <= ends * (1.0 + 1e-9), "{middle} {ends}");
            }
        }
        let zero = ndarray::Array1::zeros(zeta.len());
        prop_assert!(penalty.subgradients(zero.view(), 5).iter().all(|z| *z == 0.0));
        prop_assert!(h(zero.view()).iter().all(|h| *h == 0.0));
    }

    /// The identity has no curvature: h is the support function of the set.
    #[test]
    fn linear_models_have_the_support_function(
        seed in any::<u64>(), norm in prop::sample::select(NORMS.to_vec()), shared in any::<bool>(),
    ) {
        let case = setting(seed, (6, 3), 0, norm, shared, 0.7);
        let support = SupportPenalty { sets: case.sets.clone(), gamma: case.gamma };
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let zeta = normal(&mut rng, (1, 3)).row(0).to_owned();
        assert_relative_eq!(
            penalty(&case).values(zeta.view(), 6), support.values(zeta.view(), 6), max_relative = 1e-12
        );
    }
}

/// One pair of waves of frequency ω in one dimension: h = γ|ω|·|ζ₂cos ωx − ζ₁ sin ωx| + ½γ²ω²‖ζ‖, at every p.
#[test]
fn a_hand_worked_case() {
    let case = setting(3, (4, 1), 1, Norm::Two, true, 0.8);
    let Features::Rff(map) = &case.features else {
        panic!("random Fourier features")
    };
    let (ω, D) = (map.frequencies()[(0, 0)], case.features.dim());
    let mut zeta = ndarray::Array1::zeros(D);
    (zeta[0], zeta[1]) = (3.0, 4.0);
    for norm in NORMS {
        let sets = UncertaintySets::from(
            UncertaintySet::new(norm, robust_svm_core::uncertainty::Factor::Identity).unwrap(),
        );
        let penalty = LocalPenalty::new(&case.features, &sets, case.x.view(), 0.8).unwrap();
        let values = penalty.values(zeta.view(), 4);
        for (x, value) in case.x.column(0).iter().zip(&values) {
            let slope = ω * (4.0 * (ω * x).cos() - 3.0 * (ω * x).sin());
            let expected = map.amplitude() * (0.8 * slope.abs() + 0.5 * 0.64 * ω * ω * 5.0);
            assert_relative_eq!(*value, expected, max_relative = 1e-12);
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let features = Features::Identity(Identity::new(2));
    let sets: UncertaintySets = UncertaintySet::sphere().into();
    let x = array![[1.0, 2.0], [3.0, 4.0]];
    let new =
        |x: &Array2<f64>, gamma| LocalPenalty::new(&features, &sets, x.view(), gamma).unwrap_err();
    assert!(matches!(
        new(&x, -1.0),
        SolverError::Setting { name: "gamma", .. }
    ));
    assert!(matches!(
        new(&x, f64::INFINITY),
        SolverError::Setting { .. }
    ));
    assert!(matches!(
        new(&array![[1.0]], 1.0),
        SolverError::Shape { .. }
    ));
    let nan = array![[1.0, f64::NAN]];
    assert!(matches!(
        new(&nan, 1.0),
        SolverError::NotFinite {
            row: 0,
            column: 1,
            ..
        }
    ));
    let sizes = sets.clone().with_sizes(array![1.0]).unwrap();
    let refused = LocalPenalty::new(&features, &sizes, x.view(), 1.0);
    assert!(matches!(refused, Err(SolverError::Shape { .. })));
    let penalty = LocalPenalty::new(&features, &sets, x.view(), 1.0).unwrap();
    assert!(penalty.check(2, 2).is_ok());
    assert!(penalty.check(3, 2).is_err() && penalty.check(2, 3).is_err());
}
