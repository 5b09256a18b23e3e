//! Sizes from chance constraints: noise keeps to them as often as promised, and not much more often where they are exact.

mod support;

use ndarray::{Array1, Array2, array};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_bounds::chance::{Noise, linear_size, set_size};
use robust_svm_core::uncertainty::{Norm, UncertaintySet};
use support::normal_matrix;

const DRAWS: usize = 40_000;
const EPSILONS: [f64; 4] = [0.5, 0.2, 0.05, 0.01];

/// Four standard deviations of a share of about `p` of the draws.
fn rounding(p: f64) -> f64 {
    4.0 * (p * (1.0 - p) / DRAWS as f64).sqrt()
}

fn share(values: &Array1<f64>, above: f64) -> f64 {
    values.iter().filter(|v| **v > above).count() as f64 / values.len() as f64
}

/// An ellipsoid in three dimensions.
fn ellipsoid() -> UncertaintySet {
    let sigma = array![[2.0, 1.0, 0.0], [1.0, 2.0, 0.3], [0.0, 0.3, 0.1]];
    UncertaintySet::from_covariance(Norm::Two, sigma.view()).unwrap()
}

/// A margin of `γ‖Σ^{⊤/2}w‖` is lost with probability ε.
#[test]
fn a_linear_margin_survives_normal_noise_as_often_as_promised() {
    let (set, w) = (ellipsoid(), array![[0.3, -1.0, 2.0]]);
    let mut noise = normal_matrix(DRAWS, 3, &mut ChaCha20Rng::seed_from_u64(1));
    for row in noise.outer_iter_mut() {
        set.scale(row);
    }
    let losses = -noise.dot(&w.row(0));
    let support = set.support(w.view())[0];
    for epsilon in EPSILONS {
        let margin = |law| linear_size(epsilon, law).unwrap() * support;
        let lost = share(&losses, margin(Noise::Gaussian));
        assert!(
            (lost - epsilon).abs() <= rounding(epsilon),
            "{epsilon}: {lost}"
        );
        assert!(share(&losses, margin(Noise::Any)) <= epsilon);
    }
}

/// The law that reaches Cantelli's inequality: −γ with probability ε and 1/γ else, of mean 0 and variance 1. A size a
/// little smaller fails it, and the printed one, `sqrt(ε/(1−ε))`, much.
#[test]
fn the_size_without_a_law_is_the_least_there_is() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    for epsilon in [0.2, 0.05, 0.01] {
        let size = linear_size(epsilon, Noise::Any).unwrap();
        let (mean, square) = (
            epsilon * size - (1.0 - epsilon) / size,
            epsilon * size * size,
        );
        assert!(mean.abs() < 1e-12 && (square + (1.0 - epsilon) / size / size - 1.0).abs() < 1e-12);
        let draw = || {
            if rng.gen_bool(epsilon) {
                size
            } else {
                -1.0 / size
            }
        };
        let losses: Array1<f64> = std::iter::repeat_with(draw).take(DRAWS).collect();
        assert_eq!(share(&losses, size), 0.0);
        let lost = share(&losses, 0.999 * size);
        assert!((lost - epsilon).abs() <= rounding(epsilon), "{lost}");
        let printed = (epsilon / (1.0 - epsilon)).sqrt();
        assert!(share(&losses, printed) >= epsilon - rounding(epsilon));
    }
}

#[test]
fn a_set_holds_normal_noise_as_often_as_promised() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    for n in [1, 2, 7, 40] {
        let noise: Array2<f64> = normal_matrix(DRAWS, n, &mut rng);
        let lengths: Array1<f64> = noise.outer_iter().map(|z| Norm::Two.of(z)).collect();
        for epsilon in EPSILONS {
            let outside = |law| share(&lengths, set_size(n, epsilon, law).unwrap());
            let left = outside(Noise::Gaussian);
            assert!(
                (left - epsilon).abs() <= rounding(epsilon),
                "{n}, {epsilon}: {left}"
            );
            assert!(outside(Noise::Any) <= epsilon);
        }
    }
}

/// A law that reaches Markov's inequality: length `sqrt(n/ε)` with probability ε and 0 else.
#[test]
fn the_set_without_a_law_is_the_least_there_is() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let (n, epsilon) = (6, 0.1);
    let size = set_size(n, epsilon, Noise::Any).unwrap();
    let draw = || if rng.gen_bool(epsilon) { size } else { 0.0 };
    let lengths: Array1<f64> = std::iter::repeat_with(draw).take(DRAWS).collect();
    let mean_square = lengths.dot(&lengths) / DRAWS as f64;
    assert!((mean_square / n as f64 - 1.0).abs() <= rounding(epsilon) / epsilon);
    assert_eq!(share(&lengths, size), 0.0);
    assert!((share(&lengths, 0.999 * size) - epsilon).abs() <= rounding(epsilon));
}

/// A linear model needs less than a set of the whole noise, in one dimension half of ε on each side.
#[test]
fn a_set_is_larger_than_a_linear_model_needs() {
    for epsilon in EPSILONS {
        let linear = linear_size(epsilon, Noise::Gaussian).unwrap();
        assert!(linear < set_size(1, epsilon, Noise::Gaussian).unwrap());
        let half = linear_size(0.5 * epsilon, Noise::Gaussian).unwrap();
        let set = set_size(1, epsilon, Noise::Gaussian).unwrap();
        assert!((half - set).abs() <= 1e-9 * set);
        let free = linear_size(epsilon, Noise::Any).unwrap();
        assert!(linear < free && free < set_size(1, epsilon, Noise::Any).unwrap());
    }
}
