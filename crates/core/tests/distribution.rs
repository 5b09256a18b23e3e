//! Kernels of distributions against draws from them, against each other, and in many dimensions.

mod support;

use approx::assert_relative_eq;
use ndarray::{Array1, Array2, array};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_core::CoreError;
use robust_svm_core::distribution::{
    Covariances, GaussianInputs, InputKernel, KernelEstimate, NoiseDistribution,
};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::linalg::symmetric_eigen;
use support::{Kind, inputs, points};

fn gaussian(sigma: f64) -> InputKernel {
    InputKernel::Gaussian(GaussianKernel::new(sigma).unwrap())
}

fn kernels(sigma: f64) -> [InputKernel; 3] {
    [gaussian(sigma), InputKernel::Linear, InputKernel::Quadratic]
}

/// That the estimate is within 5 standard errors: less than one in a million of normal errors is beyond.
fn assert_estimated(estimate: &KernelEstimate, exact: &Array2<f64>, what: &str) {
    let errors = estimate.values.iter().zip(&estimate.standard_errors);
    for ((value, error), exact) in errors.zip(exact) {
        let apart = (value - exact).abs();
        assert!(
            apart <= 5.0 * error + 1e-12 * (1.0 + exact.abs()),
            "{what}: {value} ± {error} against {exact}"
        );
    }
}

/// By scipy.stats.multivariate_normal: `(2πσ²)^{3/2} N(m − z; 0, σ²I + A + B)`, and by numpy the quadratic kernel.
#[test]
fn values_by_another_program() {
    let one = |mean: Array2<f64>, covariance: Covariances| GaussianInputs::new(mean, covariance);
    let left = array![[2.0, 0.5, 0.0], [0.5, 1.0, 0.3], [0.0, 0.3, 0.8]];
    let right = array![[0.4, -0.2, 0.1], [-0.2, 0.9, 0.25], [0.1, 0.25, 1.5]];
    let a = one(array![[0.3, -1.2, 0.7]], Covariances::Full(vec![left])).unwrap();
    let b = one(array![[-0.4, 0.5, 1.1]], Covariances::Full(vec![right])).unwrap();
    let point = GaussianInputs::points(b.means().to_owned()).unwrap();
    let value = |kernel: InputKernel, b| kernel.matrix(&a, b).unwrap()[(0, 0)];
    assert_relative_eq!(
        value(gaussian(1.3), &b),
        0.177_826_420_799_160_64,
        max_relative = 1e-13
    );
    assert_relative_eq!(
        value(gaussian(1.3), &point),
        0.226_432_169_428_194_22,
        max_relative = 1e-13
    );
    assert_relative_eq!(
        value(InputKernel::Quadratic, &b),
        7.453_5,
        max_relative = 1e-13
    );
}

/// Every kernel of inputs with covariances of every two kinds is the mean of the kernel over draws.
#[test]
fn closed_forms_are_the_means_over_draws() {
    for (seed, (left, right)) in Kind::pairs().into_iter().enumerate() {
        let mut rng = ChaCha20Rng::seed_from_u64(seed as u64);
        let (a, b) = (inputs(left, 2, 3, &mut rng), inputs(right, 3, 3, &mut rng));
        let mut draw = |inputs: &GaussianInputs| {
            let noise = NoiseDistribution::Normal(inputs.covariances().clone());
            noise.draw(inputs.means(), 300, &mut rng).unwrap()
        };
        let (of_a, of_b) = (draw(&a), draw(&b));
        for kernel in kernels(1.2) {
            let what = format!("{kernel:?} {left:?} {right:?}");
            let estimate = of_a.matrix(kernel, &of_b).unwrap();
            let exact = kernel.matrix(&a, &b).unwrap();
            assert_estimated(&estimate, &exact, &what);
            let turned = kernel.matrix(&b, &a).unwrap();
            assert_relative_eq!(turned.t(), exact, max_relative = 1e-11, epsilon = 1e-13);
            let at_points = of_a.at_points(kernel, b.means()).unwrap();
            let points = GaussianInputs::points(b.means().to_owned()).unwrap();
            assert_estimated(&at_points, &kernel.matrix(&a, &points).unwrap(), &what);
            if kernel != InputKernel::Linear {
                let estimate = of_a.gram(kernel).unwrap();
                assert_estimated(&estimate, &kernel.gram(&a).unwrap(), &what);
            }
        }
    }
}

/// In a ball, in a box and with Laplace noise the quadratic kernel is that of normal noise with their covariance. The Gaussian
/// kernel is not, and that of Laplace noise is far enough from it to be told apart.
#[test]
fn two_moments_are_all_that_the_quadratic_kernel_sees() {
    let mut rng = ChaCha20Rng::seed_from_u64(9);
    let means = points(2, 3, &mut rng);
    let (wide, scales) = (array![3.0, 2.5], array![[3.0, 0.0, 1.0], [2.0, 4.0, 3.0]]);
    for noise in [
        NoiseDistribution::UniformBall(wide),
        NoiseDistribution::UniformBox(scales.clone()),
        NoiseDistribution::Laplace(scales),
    ] {
        let normal = noise.matched_normal(means.clone()).unwrap();
        let drawn = noise.draw(means.view(), 800, &mut rng).unwrap();
        let estimate = drawn.gram(InputKernel::Quadratic).unwrap();
        let exact = InputKernel::Quadratic.gram(&normal).unwrap();
        assert_estimated(&estimate, &exact, &format!("{noise:?}"));
        if matches!(noise, NoiseDistribution::Laplace(_)) {
            let kernel = gaussian(0.4);
            let estimate = drawn.gram(kernel).unwrap();
            let apart = (&estimate.values - &kernel.gram(&normal).unwrap()).mapv(f64::abs);
            assert!(
                apart[(0, 0)] > 5.0 * estimate.standard_errors[(0, 0)],
                "{apart}"
            );
        }
    }
}

/// Over 600 samples the variance of each estimate is the mean of its squared standard errors, but for a third of it.
#[test]
fn standard_errors_are_those_of_the_estimates() {
    let mut rng = ChaCha20Rng::seed_from_u64(12);
    let means = points(2, 2, &mut rng);
    let noise = NoiseDistribution::UniformBox(array![[1.0, 0.5], [0.7, 1.5]]);
    for kernel in kernels(0.8) {
        let mut estimates = [const { Vec::<KernelEstimate>::new() }; 3];
        for _ in 0..600 {
            let drawn = noise.draw(means.view(), 30, &mut rng).unwrap();
            let other = noise.draw(means.view(), 15, &mut rng).unwrap();
            estimates[0].push(drawn.matrix(kernel, &other).unwrap());
            estimates[1].push(drawn.at_points(kernel, means.view()).unwrap());
            estimates[2].push(drawn.gram(kernel).unwrap());
        }
        for (which, estimates) in estimates.iter().enumerate() {
            for i in 0..4 {
                let at = (i / 2, i % 2);
                let values: Array1<f64> = estimates.iter().map(|e| e.values[at]).collect();
                let squares = estimates.iter().map(|e| e.standard_errors[at].powi(2));
                let ratio = squares.sum::<f64>() / 600.0 / values.var(1.0);
                assert!(
                    (0.75..1.35).contains(&ratio),
                    "{kernel:?} {which} {at:?}: {ratio}"
                );
            }
        }
    }
}

/// The mean over all pairs of draws is that over different ones and, in one of r cases, k(x, x).
#[test]
fn a_draw_paired_with_itself_is_the_bias_of_the_samples() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let noise = NoiseDistribution::Laplace(Array2::ones((3, 2)));
    let drawn = noise
        .draw(points(3, 2, &mut rng).view(), 5, &mut rng)
        .unwrap();
    for kernel in kernels(0.8) {
        let (of_samples, unbiased) = (drawn.gram_of_samples(kernel), drawn.gram(kernel).unwrap());
        for (i, draws) in drawn.draws().iter().enumerate() {
            let own = kernel.at_points(draws.view(), draws.view()).diag().sum() / 5.0;
            let expected = 0.8 * unbiased.values[(i, i)] + 0.2 * own;
            assert_relative_eq!(of_samples[(i, i)], expected, max_relative = 1e-12);
            for j in 0..i {
                let value = unbiased.values[(i, j)];
                assert_relative_eq!(
                    of_samples[(i, j)],
                    value,
                    epsilon = 1e-12,
                    max_relative = 1e-12
                );
            }
        }
        let (eigenvalues, _) = symmetric_eigen(of_samples.view()).unwrap();
        assert!(eigenvalues[0] >= -1e-12 * eigenvalues[2], "{eigenvalues}");
    }
}

/// 784 features of variance 0.01 to 4: determinants from 1e3 to 1e240 times and beyond, none of which may overflow or vanish before the
/// logarithm.
#[test]
fn determinants_of_hundreds_of_features_stay_in_range() {
    let n = 784;
    let kernel = gaussian(1.0);
    let means = Array2::from_shape_fn((3, n), |(i, k)| 0.02 * ((i * 7 + k * 3) % 11) as f64);
    for v in [0.01, 1.0, 1.5, 4.0, 1e6] {
        let of = |covariances| GaussianInputs::new(means.clone(), covariances).unwrap();
        let isotropic = kernel.gram(&of(Covariances::Isotropic(Array1::from_elem(3, v))));
        let isotropic = isotropic.unwrap();
        let diagonal = of(Covariances::Diagonal(Array2::from_elem((3, n), v)));
        let diagonal = kernel.gram(&diagonal).unwrap();
        let logarithm = -0.5 * n as f64 * (2.0 * v).ln_1p();
        for i in 0..3 {
            let expected = logarithm.exp();
            assert_relative_eq!(isotropic[(i, i)], expected, max_relative = 1e-11);
        }
        assert_relative_eq!(isotropic, diagonal, max_relative = 1e-10, epsilon = 1e-300);
        assert!(isotropic.iter().all(|k| k.is_finite()));
    }
    // A point is near what is uncertain by one part in a hundred.
    let far = GaussianInputs::new(
        means.clone(),
        Covariances::Isotropic(array![0.01, 0.01, 0.01]),
    );
    let at = kernel
        .matrix(&GaussianInputs::points(means).unwrap(), &far.unwrap())
        .unwrap();
    assert!(at.diag().iter().all(|k| (0.01..0.03).contains(k)), "{at}");
}

#[test]
fn inputs_of_other_spaces_are_refused() {
    let one = GaussianInputs::points(array![[1.0]]).unwrap();
    let two = GaussianInputs::points(array![[1.0, 2.0]]).unwrap();
    for kernel in kernels(1.0) {
        assert!(matches!(
            kernel.matrix(&one, &two),
            Err(CoreError::Shape { .. })
        ));
    }
    let indefinite = Covariances::Full(vec![array![[1.0, 40.0], [40.0, 1.0]]]);
    let indefinite = GaussianInputs::new(array![[1.0, 2.0]], indefinite).unwrap();
    let refused = gaussian(1.0).gram(&indefinite);
    assert!(matches!(refused, Err(CoreError::Numerical(_))));
    let noise = NoiseDistribution::UniformBall(array![-1.0]);
    let mut rng = ChaCha20Rng::seed_from_u64(0);
    let refused = noise.draw(array![[1.0]].view(), 3, &mut rng);
    assert!(matches!(refused, Err(CoreError::Parameter { .. })));
    let refused = noise.matched_normal(array![[1.0]]);
    assert!(matches!(refused, Err(CoreError::Parameter { .. })));
    let single = NoiseDistribution::UniformBall(array![1.0]);
    let single = single.draw(array![[1.0]].view(), 1, &mut rng).unwrap();
    assert!(single.gram(InputKernel::Linear).is_err());
}

proptest! {
    /// Without covariance, whichever way it is written, the kernels are those of points.
    #[test]
    fn points_are_distributions_without_covariance(seed in any::<u64>(), n in 1..7_usize, sigma in 0.3..3.0_f64) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let (x, z) = (points(4, n, &mut rng), points(3, n, &mut rng));
        let zero = [
            Covariances::Zero,
            Covariances::Isotropic(Array1::zeros(4)),
            Covariances::Diagonal(Array2::zeros((4, n))),
            Covariances::Full(vec![Array2::zeros((n, n)); 4]),
        ];
        let other = GaussianInputs::points(z.clone()).unwrap();
        for kernel in kernels(sigma) {
            let plain = kernel.at_points(x.view(), z.view());
            for covariances in zero.clone() {
                let inputs = GaussianInputs::new(x.clone(), covariances).unwrap();
                let values = kernel.matrix(&inputs, &other).unwrap();
                assert_relative_eq!(values, plain, epsilon = 1e-12, max_relative = 1e-12);
            }
        }
    }

    /// The same covariances in every form they can be written in give the same kernels, in every combination.
    #[test]
    fn the_form_of_a_covariance_does_not_matter(seed in any::<u64>(), n in 1..10_usize, sigma in 0.3..3.0_f64) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let (a, b) = (inputs(Kind::Isotropic, 4, n, &mut rng), inputs(Kind::Isotropic, 3, n, &mut rng));
        let (c, d) = (inputs(Kind::Diagonal, 4, n, &mut rng), inputs(Kind::Diagonal, 3, n, &mut rng));
        for kernel in kernels(sigma) {
            for (left, right) in [(&a, &b), (&c, &d), (&a, &d)] {
                let plain = kernel.matrix(left, right).unwrap();
                for left in support::forms(left) {
                    for right in support::forms(right) {
                        let values = kernel.matrix(&left, &right).unwrap();
                        assert_relative_eq!(values, plain, epsilon = 1e-12, max_relative = 1e-11);
                    }
                }
                for form in support::forms(left) {
                    let (gram, other) = (kernel.gram(&form).unwrap(), kernel.gram(left).unwrap());
                    assert_relative_eq!(gram, other, epsilon = 1e-12, max_relative = 1e-11);
                }
            }
        }
    }

    /// Training matrices are symmetric to the last bit, without negative eigenvalues, and but for the linear kernel's diagonal
    /// those of `matrix`.
    #[test]
    fn training_matrices_are_positive_semi_definite(seed in any::<u64>(), n in 1..5_usize, sigma in 0.3..3.0_f64) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        for kind in Kind::ALL {
            let a = inputs(kind, 8, n, &mut rng);
            for kernel in kernels(sigma) {
                let gram = kernel.gram(&a).unwrap();
                prop_assert_eq!(&gram, &gram.t());
                let mut plain = kernel.matrix(&a, &a).unwrap();
                if kernel == InputKernel::Linear {
                    let mut diagonal = plain.diag_mut();
                    diagonal += &a.traces();
                }
                assert_relative_eq!(gram, plain, epsilon = 1e-12, max_relative = 1e-11);
                let (values, _) = symmetric_eigen(gram.view()).unwrap();
                prop_assert!(values[0] >= -1e-12 * values[7], "{kernel:?} {kind:?}: {values}");
            }
        }
    }
}
