//! The bandwidth rule keeps its two promises.

mod support;

use ndarray::{Array2, array};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_bounds::BoundError;
use robust_svm_bounds::bandwidth::{Promise, least_bandwidth};
use robust_svm_core::features::Rff;
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
use support::sets;

const GAMMA: f64 = 0.7;
const THETA: f64 = 0.9;

/// The shares of frequencies, and of maps of `frequencies` each, that keep to the range at bandwidth `sigma`.
fn shares(set: &UncertaintySet, n: usize, sigma: f64, frequencies: usize) -> (f64, f64) {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let kernel = GaussianKernel::new(sigma).unwrap();
    let maps = 4000;
    let (mut single, mut joint) = (0, 0);
    for _ in 0..maps {
        let map = Rff::draw(kernel, n, 2 * frequencies, &mut rng).unwrap();
        let reach = set.support(map.frequencies());
        let kept = reach.iter().filter(|r| GAMMA * **r <= THETA).count();
        single += kept;
        joint += usize::from(kept == frequencies);
    }
    let maps = f64::from(maps);
    (
        single as f64 / (maps * frequencies as f64),
        joint as f64 / maps,
    )
}

/// One dimension, and any Σ of rank one, meets both probabilities; others do better. Standard errors: 5e−5 and
/// 5e−3.
#[test]
fn both_probabilities_hold_and_are_met_in_one_dimension() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let frequencies = 256;
    let promise = Promise::AllFrequencies {
        frequencies,
        failure: 0.1,
    };
    let each = |set: &UncertaintySet, n| {
        least_bandwidth(set, n, GAMMA, THETA, Promise::EachFrequency).unwrap()
    };
    let all = |set: &UncertaintySet, n| least_bandwidth(set, n, GAMMA, THETA, promise).unwrap();

    let line = UncertaintySet::sphere();
    let (single, joint) = shares(&line, 1, each(&line, 1), frequencies);
    approx::assert_abs_diff_eq!(single, 0.9973, epsilon = 3e-4);
    approx::assert_abs_diff_eq!(joint, 0.496, epsilon = 0.03);
    // (1 − 2·tail)^256 with tail = 0.1/512 is 0.9048: the union bound gives little away.
    let (_, joint) = shares(&line, 1, all(&line, 1), frequencies);
    approx::assert_abs_diff_eq!(joint, 0.905, epsilon = 0.02);

    let mut rank_one = Array2::zeros((5, 5));
    rank_one
        .row_mut(2)
        .assign(&array![0.3, -1.0, 0.2, 0.5, 0.1]);
    let rank_one = UncertaintySet::new(Norm::Two, Factor::Full(rank_one)).unwrap();
    let (_, joint) = shares(&rank_one, 5, all(&rank_one, 5), frequencies);
    approx::assert_abs_diff_eq!(joint, 0.905, epsilon = 0.02);
    for set in sets(Norm::Two, 5, &mut rng) {
        let (single, _) = shares(&set, 5, each(&set, 5), 16);
        assert!(single > 0.997, "{single}");
        let (_, joint) = shares(&set, 5, all(&set, 5), frequencies);
        assert!(joint >= 0.9, "{joint}");
    }
}

/// Failures so likely that the quantile is small: one frequency that may fail half of the time, five equal
/// directions.
#[test]
fn likely_failures_keep_their_promise_too() {
    let sphere = UncertaintySet::sphere();
    for failure in [0.3, 0.6, 0.9] {
        let promise = Promise::AllFrequencies {
            frequencies: 1,
            failure,
        };
        let sigma = least_bandwidth(&sphere, 5, GAMMA, THETA, promise).unwrap();
        let (_, joint) = shares(&sphere, 5, sigma, 1);
        assert!(joint >= 1.0 - failure, "{joint}");
    }
}

#[test]
fn numbers_by_hand_and_out_of_range() {
    let diagonal = UncertaintySet::new(Norm::Two, Factor::Diagonal(array![3.0, 4.0])).unwrap();
    let sigma = least_bandwidth(&diagonal, 2, 0.1, 0.5, Promise::EachFrequency).unwrap();
    approx::assert_relative_eq!(sigma, 3.0, max_relative = 1e-14);
    // Φ^{-1}(0.975) = 1.959964: one frequency, η = 5 %.
    let promise = |frequencies, failure| Promise::AllFrequencies {
        frequencies,
        failure,
    };
    let sphere = UncertaintySet::sphere();
    let sigma = least_bandwidth(&sphere, 1, 1.0, 1.0, promise(1, 0.05)).unwrap();
    approx::assert_abs_diff_eq!(sigma, 1.959_964, epsilon = 1e-6);
    let cube = UncertaintySet::new(Norm::Infinity, Factor::Identity).unwrap();
    let refused = least_bandwidth(&cube, 2, 0.1, 0.5, Promise::EachFrequency);
    assert!(matches!(refused, Err(BoundError::NotValid { .. })));
    for (set, gamma, theta, promise) in [
        (&diagonal, -1.0, 0.5, Promise::EachFrequency),
        (&diagonal, 0.1, 0.0, Promise::EachFrequency),
        (&diagonal, 0.1, f64::NAN, Promise::EachFrequency),
        (&sphere, 0.1, 0.5, promise(0, 0.1)),
        (&sphere, 0.1, 0.5, promise(4, 0.0)),
        (&sphere, 0.1, 0.5, promise(4, 1.0)),
    ] {
        let refused = least_bandwidth(set, 2, gamma, theta, promise);
        assert!(matches!(refused, Err(BoundError::Core(_))));
    }
    let narrow = least_bandwidth(&diagonal, 3, 0.1, 0.5, Promise::EachFrequency);
    assert!(narrow.is_err());
}
