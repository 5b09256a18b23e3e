//! Certificates and attacks of trained models: each side holds by itself, and they bracket.

mod support;

use ndarray::{Array1, Array2, ArrayView1, Axis, array, s};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_bounds::attack::{AttackOptions, attack};
use robust_svm_bounds::certify::{BranchAndBound, Certifier, Goal, PointCertificates};
use robust_svm_bounds::{BoundError, FeatureBound};
use robust_svm_core::features::{Features, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::linalg::symmetric_eigen;
use robust_svm_core::model::{DecisionFunction, FeatureModel, KernelModel, Model, RadialModel};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet, UncertaintySets};
use std::sync::Arc;
use support::{ExpansionError, GAMMAS, models, normal_matrix, sets};

const NORMS: [Norm; 3] = [Norm::One, Norm::Two, Norm::Infinity];

/// An intercept that no perturbation outweighs: margins with labels +1 stay positive, so that attacks
/// search to their end.
const FAR: f64 = 1e3;

/// How exactly a random model's margin is computed.
fn evaluation_error(model: &Model) -> f64 {
    match model {
        Model::Feature(model) => model.features.evaluation_error(&model.zeta),
        Model::Kernel(model) => 1e-14 * model.coefficients().mapv(f64::abs).sum(),
        Model::Radial(model) => 1e-14 * model.coefficients().mapv(f64::abs).sum(),
    }
}

fn is_linear(model: &Model) -> bool {
    matches!(
        model,
        Model::Feature(FeatureModel {
            features: Features::Identity(_),
            ..
        })
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    /// Norm, second order, local and their minimum against samples and attacks, for every kind of model, norm
    /// and shape. Rounding: 1e−12 (1 + |f| + B) and the evaluation error of the model.
    #[test]
    fn no_perturbation_loses_more_margin_than_certified(
        seed in any::<u64>(), n in 1..6_usize, sigma in 0.4..3.0_f64, size in 0..GAMMAS.len(),
        far in any::<bool>(),
    ) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let gamma = GAMMAS[size];
        let x = normal_matrix(4, n, &mut rng);
        let intercept = if far { FAR } else { 0.2 };
        for model in models(n, sigma, intercept, &mut rng) {
            let labels = if far { Array1::ones(4) } else { array![1.0, -1.0, 1.0, -1.0] };
            let clean = model.decision(x.view()) * &labels;
            for norm in NORMS {
                for set in sets(norm, n, &mut rng) {
                    let certifier = Certifier::new(&model, &set).unwrap();
                    let points = certifier.points(x.view(), labels.view()).unwrap();
                    let options = AttackOptions::new(12, 3).unwrap();
                    let found = attack(&model, &set.clone().into(), gamma, x.view(), labels.view(), options, &mut rng,
                    ).unwrap();
                    let drawn = Array2::from_shape_fn((4, n), |_| 0.0)
                        .outer_iter()
                        .flat_map(|_: ArrayView1<f64>| set.sample(gamma, n, &mut rng))
                        .collect::<Array1<f64>>()
                        .into_shape_with_order((4, n))
                        .unwrap();
                    for delta in [&found.perturbations, &drawn] {
                        let margins = model.decision((&x + delta).view()) * &labels;
                        for loss in [
                            points.norm_loss(gamma),
                            points.second_order_loss(gamma),
                            points.local_loss(gamma),
                            points.quadratic_loss(gamma),
                            points.margin_loss(gamma),
                        ] {
                            for i in 0..4 {
                                let rounding = 1e-12 * (1.0 + clean[i].abs() + loss[i])
                                    + 4.0 * evaluation_error(&model);
                                prop_assert!(clean[i] - margins[i] <= loss[i] + rounding);
                            }
                        }
                    }
                    prop_assert!(found.error() <= points.error(gamma));
                    let worst = points.worst_margin(gamma);
                    for i in 0..4 {
                        prop_assert!(worst[i] <= found.margins[i]);
                    }
                    if is_linear(&model) {
                        prop_assert_eq!(&worst, &found.margins);
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(250) })]

    /// Expansions with a bandwidth for each centre, from σ to 30σ, whose Gaussians are all of a height of the order of 1, in up to
    /// 24 dimensions: no certificate is below an attack.
    #[test]
    fn wide_and_narrow_gaussians_together_are_certified(
        seed in any::<u64>(), n in 1..25_usize, sigma in 0.3..3.0_f64, size in -2.0..1.0_f64, spread in 0.0..3.0_f64,
    ) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let gamma = 10.0_f64.powf(size);
        let kernel = GaussianKernel::new(sigma).unwrap();
        let (centres, x) = (normal_matrix(8, n, &mut rng), normal_matrix(3, n, &mut rng));
        let heights = normal_matrix(1, 8, &mut rng).row(0).to_owned();
        let variances = normal_matrix(1, 8, &mut rng).row(0).mapv(|z| {
            // Half of them are points.
            if z < 0.0 { 0.0 } else { sigma * sigma * 10.0_f64.powf(spread * z.min(1.0)) }
        });
        let falls = variances.mapv(|v| (1.0 + v / (sigma * sigma)).powf(-0.5 * n as f64));
        let beta = &heights / &falls;
        let model = RadialModel::new(kernel, centres.view(), variances.view(), beta.view(), 0.1).unwrap();
        let model = Model::Radial(model);
        let y = array![1.0, -1.0, 1.0];
        let clean = model.decision(x.view()) * &y;
        for norm in NORMS {
            let set = UncertaintySet::new(norm, Factor::Identity).unwrap();
            let certifier = Certifier::new(&model, &set).unwrap();
            let points = certifier.points(x.view(), y.view()).unwrap();
            let options = AttackOptions::new(20, 2).unwrap();
            let found = attack(&model, &set.clone().into(), gamma, x.view(), y.view(), options, &mut rng).unwrap();
            for loss in [
                points.norm_loss(gamma),
                points.second_order_loss(gamma),
                points.local_loss(gamma),
                points.quadratic_loss(gamma),
                points.margin_loss(gamma),
            ] {
                for i in 0..3 {
                    let rounding = 1e-12 * (1.0 + clean[i].abs() + loss[i]) + 4.0 * evaluation_error(&model);
                    prop_assert!(clean[i] - found.margins[i] <= loss[i] + rounding);
                }
            }
        }
    }

    /// What an attack returns lies in the set, has the margin it says, and is no worse than δ = 0.
    #[test]
    fn attacks_do_what_they_say(
        seed in any::<u64>(), n in 1..6_usize, size in 0..GAMMAS.len(), restarts in 1..4_usize,
    ) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let gamma = GAMMAS[size];
        let x = normal_matrix(5, n, &mut rng);
        let y = array![1.0, -1.0, -1.0, 1.0, 1.0];
        for model in models(n, 1.0, 0.1, &mut rng) {
            for norm in NORMS {
                for set in sets(norm, n, &mut rng) {
                    let options = AttackOptions::new(6, restarts).unwrap();
                    let found = attack(&model, &set.clone().into(), gamma, x.view(), y.view(), options, &mut rng).unwrap();
                    let margins = model.decision((&x + &found.perturbations).view()) * &y;
                    let clean = model.decision(x.view()) * &y;
                    for i in 0..5 {
                        let reserve = 1e-11 * (1.0 + clean[i].abs() + margins[i].abs());
                        prop_assert!((found.margins[i] - margins[i]).abs() <= reserve);
                        prop_assert!(found.margins[i] <= clean[i]);
                        prop_assert!(inside(&set, gamma, found.perturbations.row(i)));
                    }
                }
            }
        }
    }

    /// At γ = 0 nothing is lost; with γ the loss grows.
    #[test]
    fn certified_loss_starts_at_zero_and_grows(seed in any::<u64>(), n in 1..6_usize) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let x = normal_matrix(3, n, &mut rng);
        let y = array![1.0, -1.0, 1.0];
        for model in models(n, 1.0, 0.1, &mut rng) {
            for norm in NORMS {
                for set in sets(norm, n, &mut rng) {
                    let points = Certifier::new(&model, &set).unwrap().points(x.view(), y.view()).unwrap();
                    prop_assert_eq!(points.margin_loss(0.0), Array1::<f64>::zeros(3));
                    for pair in GAMMAS.windows(2) {
                        let (less, more) = (points.margin_loss(pair[0]), points.margin_loss(pair[1]));
                        prop_assert!(less.iter().zip(&more).all(|(a, b)| a <= b));
                    }
                }
            }
        }
    }
}

/// Whether δ is in the set of size γ, to rounding: by the smallest u with Σ^{1/2} u = δ.
fn inside(set: &UncertaintySet, gamma: f64, delta: ArrayView1<'_, f64>) -> bool {
    let (u, reached, rounding) = match set.factor() {
        Factor::Identity => (delta.to_owned(), delta.to_owned(), 1e-12),
        Factor::Diagonal(scales) => {
            let u = ndarray::Zip::from(delta)
                .and(scales)
                .map_collect(|d, s| if *s > 0.0 { d / s } else { 0.0 });
            let reached = &u * scales;
            (u, reached, 1e-12)
        }
        Factor::Full(f) => {
            // The least-squares solution. A factor of these tests has its null space along the first
            // coordinate, so what is smallest in the Euclidean norm is smallest in every p-norm.
            let (values, vectors) = symmetric_eigen(f.t().dot(f).view()).unwrap();
            let largest = values[values.len() - 1];
            let inverses = values.mapv(|λ| if λ > 1e-10 * largest { 1.0 / λ } else { 0.0 });
            let u = vectors.dot(&(inverses * vectors.t().dot(&f.t().dot(&delta))));
            let reached = f.dot(&u);
            (u, reached, 1e-11)
        }
    };
    let reached = (&reached - &delta)
        .iter()
        .all(|d| d.abs() <= rounding * gamma);
    reached && set.norm().of(u.view()) <= gamma * (1.0 + rounding)
}

/// Sets of each point's own shape and size are those of one point at a time.
#[test]
fn points_with_sets_of_their_own_are_certified_as_by_themselves() {
    let mut rng = ChaCha20Rng::seed_from_u64(21);
    let (points, n, gamma) = (9, 3, 0.6);
    let x = normal_matrix(points, n, &mut rng);
    let y = Array1::from_shape_fn(points, |i| if i % 2 == 0 { 1.0 } else { -1.0 });
    for model in models(n, 1.0, 0.1, &mut rng) {
        for norm in NORMS {
            let shapes: Vec<UncertaintySet> =
                (0..3).flat_map(|_| sets(norm, n, &mut rng)).collect();
            let sizes = Array1::from_shape_fn(points, |i| 0.3 * i as f64);
            let each = UncertaintySets::each(shapes.clone()).unwrap();
            let each = each.with_sizes(sizes.clone()).unwrap();
            let together = Certifier::new(&model, &each).unwrap();
            let together = together.points(x.view(), y.view()).unwrap();
            let radii = together.certified_radius(1e-9).unwrap();
            for i in 0..points {
                let alone = Certifier::new(&model, &shapes[i]).unwrap();
                let row = (x.slice(s![i..=i, ..]), y.slice(s![i..=i]));
                let alone = alone.points(row.0, row.1).unwrap();
                let size = gamma * sizes[i];
                for (all, one) in [
                    (together.norm_loss(gamma), alone.norm_loss(size)),
                    (together.local_loss(gamma), alone.local_loss(size)),
                    (
                        together.second_order_loss(gamma),
                        alone.second_order_loss(size),
                    ),
                    (together.quadratic_loss(gamma), alone.quadratic_loss(size)),
                    (together.worst_margin(gamma), alone.worst_margin(size)),
                ] {
                    approx::assert_relative_eq!(
                        all[i],
                        one[0],
                        epsilon = 1e-12,
                        max_relative = 1e-9
                    );
                }
                let brackets = |points: &PointCertificates, gamma| {
                    let options = BranchAndBound::new(30, 1e-6, Goal::Value).unwrap();
                    points
                        .worst_margins(gamma, points.margins(), options)
                        .unwrap()
                };
                let (all, one) = (&brackets(&together, gamma)[i], &brackets(&alone, size)[0]);
                for (all, one) in [(all.lower, one.lower), (all.upper, one.upper)] {
                    approx::assert_relative_eq!(all, one, epsilon = 1e-9, max_relative = 1e-9);
                }
                let radius = alone.certified_radius(1e-9).unwrap()[0];
                if sizes[i] > 0.0 && radius > 0.0 {
                    approx::assert_relative_eq!(sizes[i] * radii[i], radius, epsilon = 1e-6);
                }
            }
            let options = AttackOptions::new(10, 2).unwrap();
            let found =
                attack(&model, &each, gamma, x.view(), y.view(), options, &mut rng).unwrap();
            let worst = together.worst_margin(gamma);
            assert!((0..points).all(|i| worst[i] <= found.margins[i]));
        }
    }
    let wrong = UncertaintySets::each(vec![UncertaintySet::sphere(); 4]).unwrap();
    let model = &models(n, 1.0, 0.1, &mut rng)[1];
    let certifier = Certifier::new(model, &wrong).unwrap();
    assert!(certifier.points(x.view(), y.view()).is_err());
}

/// In one and two dimensions a fine grid finds the global minimum; so must the attack, on functions with
/// several local ones.
#[test]
fn attacks_find_the_minimum_that_a_grid_finds() {
    let mut rng = ChaCha20Rng::seed_from_u64(11);
    let (mut searches, mut misses) = (0, 0);
    for case in 0..24 {
        let n = 1 + case % 2;
        let mut own = ChaCha20Rng::seed_from_u64(100 + case as u64);
        for model in models(n, 0.8, FAR, &mut rng) {
            // Of a stream of its own, as the others' draws came before it was there.
            let rng = match model {
                Model::Radial(_) => &mut own,
                _ => &mut rng,
            };
            for norm in NORMS {
                for set in sets(norm, n, rng) {
                    let x = normal_matrix(1, n, rng);
                    let options = AttackOptions::new(100, 96).unwrap();
                    let y = array![1.0];
                    let found = attack(
                        &model,
                        &set.clone().into(),
                        1.2,
                        x.view(),
                        y.view(),
                        options,
                        rng,
                    )
                    .unwrap();
                    let grid = grid_of(&set, 1.2, n);
                    let values = model.decision((&grid + &x).view());
                    let lowest = values.iter().fold(f64::INFINITY, |low, v| low.min(*v));
                    let spread = values.iter().fold(0.0_f64, |most, v| most.max(v - lowest));
                    let missed = (found.margins[0] - lowest) / spread;
                    searches += 1;
                    misses += usize::from(missed > 1e-4);
                    assert!(
                        missed <= 0.01,
                        "case {case}, {norm:?}: {} against {lowest}, spread {spread}",
                        found.margins[0]
                    );
                }
            }
        }
    }
    // No number of starts is sure to meet every minimum.
    assert!(200 * misses <= searches, "{misses} of {searches}");
}

/// A grid of the set of size γ in one or two dimensions, as rows, boundary included.
fn grid_of(set: &UncertaintySet, gamma: f64, n: usize) -> Array2<f64> {
    let ticks = 60;
    let mut rows = Vec::new();
    for i in 0..=2 * ticks {
        for j in 0..=2 * ticks {
            let mut u = array![f64::from(i - ticks), f64::from(j - ticks)];
            u *= gamma / f64::from(ticks);
            let mut u = u.slice(ndarray::s![..n]).to_owned();
            set.project(u.view_mut(), gamma);
            set.scale(u.view_mut());
            rows.extend(u);
        }
    }
    Array2::from_shape_vec((rows.len() / n, n), rows).unwrap()
}

/// `f(x) = k(x, 0) + ½`, p = 2, by hand: at x = (1, 0), σ = 1 the gradient is −e^{−½} along x,
/// `‖f‖_H = 1`, the worst δ points away from 0.
#[test]
fn one_kernel_function_worked_by_hand() {
    let kernel = GaussianKernel::new(1.0).unwrap();
    let beta = array![1.0];
    let model = Model::Kernel(KernelModel::new(
        kernel,
        Array2::zeros((1, 2)).view(),
        beta.view(),
        0.5,
    ));
    let set = UncertaintySet::sphere();
    let (x, y) = (array![[1.0, 0.0]], array![1.0]);
    let points = Certifier::new(&model, &set)
        .unwrap()
        .points(x.view(), y.view())
        .unwrap();
    let gamma = 0.3;
    // The landmark bound: the one kernel value falls by more than it can rise.
    let norm = (-0.5_f64).exp() - (-0.845_f64).exp();
    let second = gamma * (-0.5_f64).exp() + 0.5 * gamma * gamma * 3.0_f64.sqrt();
    approx::assert_relative_eq!(points.norm_loss(gamma)[0], norm, max_relative = 1e-12);
    approx::assert_relative_eq!(
        points.second_order_loss(gamma)[0],
        second,
        max_relative = 1e-12
    );
    // One kernel function by itself: the certificate by landmarks is exact.
    let local = (-0.5_f64).exp() - (-0.845_f64).exp();
    approx::assert_relative_eq!(points.local_loss(gamma)[0], local, max_relative = 1e-12);
    assert_eq!(points.margin_loss(gamma)[0], points.local_loss(gamma)[0]);
    let options = AttackOptions::new(20, 2).unwrap();
    let mut rng = ChaCha20Rng::seed_from_u64(0);
    let found = attack(
        &model,
        &set.clone().into(),
        gamma,
        x.view(),
        y.view(),
        options,
        &mut rng,
    )
    .unwrap();
    approx::assert_relative_eq!(
        found.margins[0],
        0.5 + (-0.845_f64).exp(),
        max_relative = 1e-12
    );
    approx::assert_abs_diff_eq!(found.perturbations, array![[0.3, 0.0]], epsilon = 1e-6);
}

/// One uncertain point, n = 4, v = 2σ², β = 9: `f = βμ` has the norm `β 5^{−1}`, the height `β 3^{−2} = 1`, and from the centre
/// falls by `1 − exp(−γ²/6σ²)`; σ = 1.5.
#[test]
fn one_uncertain_point_worked_by_hand() {
    let kernel = GaussianKernel::new(1.5).unwrap();
    let (centre, variance) = (Array2::from_elem((1, 4), 0.1), array![4.5]);
    let model = RadialModel::new(
        kernel,
        centre.view(),
        variance.view(),
        array![9.0].view(),
        0.0,
    );
    let model = Model::Radial(model.unwrap());
    let set = UncertaintySet::new(Norm::Two, Factor::Identity).unwrap();
    let certifier = Certifier::new(&model, &set).unwrap();
    let points = certifier.points(centre.view(), array![1.0].view()).unwrap();
    for gamma in [0.01, 0.5, 3.0] {
        let fall = -(-gamma * gamma / 13.5_f64).exp_m1();
        let second = 0.5 * gamma * gamma * 3.0_f64.sqrt() * 1.8 / 2.25;
        for (found, expected) in [
            (points.local_loss(gamma)[0], fall),
            (points.norm_loss(gamma)[0], fall),
            (points.second_order_loss(gamma)[0], second),
        ] {
            approx::assert_relative_eq!(found, expected, max_relative = 1e-10);
        }
    }
}

/// The second start is the worst case of the model linearised at the point: where the model is nearly linear
/// a single step does.
#[test]
fn one_step_does_for_a_model_that_is_nearly_linear() {
    let kernel = GaussianKernel::new(50.0).unwrap();
    let (centres, beta) = (array![[10.0, 0.0], [0.0, 20.0]], array![1.0, -0.5]);
    let model = Model::Kernel(KernelModel::new(kernel, centres.view(), beta.view(), 0.0));
    let set = UncertaintySet::sphere();
    let (x, y, gamma) = (array![[0.5, -0.5]], array![1.0], 0.2);
    let (clean, gradient) = model.decision_and_gradient(x.view());
    let options = AttackOptions::new(1, 2).unwrap();
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let found = attack(
        &model,
        &set.clone().into(),
        gamma,
        x.view(),
        y.view(),
        options,
        &mut rng,
    )
    .unwrap();
    let linear = gamma * Norm::Two.of(gradient.row(0));
    assert!(clean[0] - found.margins[0] >= 0.98 * linear);
}

/// One phased wave can fall from `√2 |ζ|` to its negative, further than a curve on the unit sphere: `2√2 |ζ|` and
/// not `2 |ζ|` is the norm certificate of large sets, and is reached.
#[test]
fn one_phased_wave_falls_by_its_norm_certificate() {
    let mut rng = ChaCha20Rng::seed_from_u64(7);
    let map = Rff::draw_phased(GaussianKernel::new(1.0).unwrap(), 1, 1, &mut rng).unwrap();
    let (omega, phase) = (map.frequencies()[(0, 0)], map.phases().unwrap()[0]);
    let model = Model::Feature(FeatureModel {
        features: Features::Rff(Arc::new(map)),
        zeta: array![3.0],
        intercept: 0.0,
    });
    let (x, gamma) = (array![[-phase / omega]], std::f64::consts::PI / omega.abs());
    let fall = model.decision(x.view())[0] - model.decision((&x + gamma).view())[0];
    approx::assert_relative_eq!(fall, 6.0 * 2.0_f64.sqrt(), max_relative = 1e-12);
    let points = Certifier::new(&model, UncertaintySet::sphere()).unwrap();
    let points = points.points(x.view(), array![1.0].view()).unwrap();
    for gamma in [gamma, 3.0 * gamma] {
        let loss = points.norm_loss(gamma)[0];
        assert!(loss >= fall * (1.0 - 1e-12), "{loss} of {fall}");
    }
    approx::assert_relative_eq!(points.norm_loss(3.0 * gamma)[0], fall, max_relative = 1e-9);
}

/// The Nyström certificate by the norm is `Γ ‖ζ‖` with the projection bound.
#[test]
fn the_nystrom_norm_certificate_is_the_projection_bound() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let [_, _, _, model, ..] = models(3, 1.0, 0.0, &mut rng);
    let Model::Feature(nystrom) = &model else {
        panic!("a feature model")
    };
    let (x, y, set) = (
        normal_matrix(1, 3, &mut rng),
        array![1.0],
        UncertaintySet::sphere(),
    );
    let projection = robust_svm_bounds::nystrom::Projection;
    let sets = set.clone().into();
    let penalty = projection.penalty(&nystrom.features, &sets, x.view(), 0.7);
    let penalty = penalty.unwrap();
    let points = Certifier::new(&model, &set)
        .unwrap()
        .points(x.view(), y.view())
        .unwrap();
    let expected = penalty.radii[0] * penalty.matrix.common_norm(nystrom.zeta.view()).unwrap();
    approx::assert_relative_eq!(points.norm_loss(0.7)[0], expected, max_relative = 1e-9);
}

#[test]
fn the_same_stream_gives_the_same_attack() {
    let run = || {
        let mut rng = ChaCha20Rng::seed_from_u64(9);
        let x = normal_matrix(30, 3, &mut rng);
        let y = Array1::from_shape_fn(30, |i| if i % 2 == 0 { 1.0 } else { -1.0 });
        let models = models(3, 1.0, 0.1, &mut rng);
        let options = AttackOptions::new(10, 4).unwrap();
        let set = UncertaintySet::sphere();
        models.map(|m| {
            attack(
                &m,
                &set.clone().into(),
                0.4,
                x.view(),
                y.view(),
                options,
                &mut rng,
            )
            .unwrap()
        })
    };
    assert_eq!(run(), run());
}

#[test]
fn wrong_input_is_an_error_and_a_wrong_size_certifies_nothing() {
    let mut rng = ChaCha20Rng::seed_from_u64(6);
    let set = UncertaintySet::sphere();
    let narrow = UncertaintySet::new(Norm::Two, Factor::Diagonal(array![1.0])).unwrap();
    let full = Factor::Full(Array2::eye(3));
    let full = UncertaintySet::new(Norm::Two, full).unwrap();
    let options = AttackOptions::new(2, 1).unwrap();
    assert!(AttackOptions::new(0, 1).is_err() && AttackOptions::new(1, 0).is_err());
    let (x, y) = (array![[0.1, 0.2]], array![1.0]);
    let nan = array![[0.1, f64::NAN]];
    let zero = array![0.0];
    for mut model in models(2, 1.0, FAR, &mut rng) {
        let is_core = |e: Option<BoundError>| matches!(e, Some(BoundError::Core(_)));
        let mut try_attack = |set: &UncertaintySet, gamma, x: &Array2<f64>, y: &Array1<f64>| {
            attack(
                &model,
                &set.clone().into(),
                gamma,
                x.view(),
                y.view(),
                options,
                &mut rng,
            )
            .err()
        };
        assert!(is_core(try_attack(&narrow, 0.1, &x, &y)));
        assert!(is_core(try_attack(&set, -0.1, &x, &y)));
        assert!(is_core(try_attack(&set, 0.1, &nan, &y)));
        assert!(is_core(try_attack(&set, 0.1, &x, &zero)));
        assert!(is_core(Certifier::new(&model, &narrow).err()));
        assert!(is_core(try_attack(&full, 0.1, &x, &y)));
        assert!(is_core(Certifier::new(&model, &full).err()));
        let certifier = Certifier::new(&model, &set).unwrap();
        assert!(is_core(certifier.points(nan.view(), y.view()).err()));
        assert!(is_core(certifier.points(x.view(), zero.view()).err()));
        assert!(is_core(
            certifier
                .points(x.select(Axis(1), &[0]).view(), y.view())
                .err()
        ));
        let points = certifier.points(x.view(), y.view()).unwrap();
        assert_eq!(points.error(0.1), 0.0);
        assert_eq!(points.error(-0.1), 1.0);
        assert_eq!(points.error(f64::NAN), 1.0);
        if let Model::Feature(model) = &mut model {
            model.zeta = array![1.0, 2.0, 3.0];
            assert!(is_core(
                Certifier::new(&Model::Feature(model.clone()), &set).err()
            ));
        }
    }
}

/// Far from the origin squared distances lose digits: 1e−14 ‖z‖²/σ² of each coefficient is kept in reserve.
#[test]
fn certificates_allow_for_the_error_of_evaluation() {
    let kernel = GaussianKernel::new(1.0).unwrap();
    let (centres, beta) = (array![[1e3, 0.0]], array![2.0]);
    let model = Model::Kernel(KernelModel::new(kernel, centres.view(), beta.view(), 0.0));
    let set = UncertaintySet::sphere();
    let certifier = Certifier::new(&model, &set).unwrap();
    let points = certifier
        .points(centres.view(), array![1.0].view())
        .unwrap();
    let reserve = points.margins()[0] - points.worst_margin(0.0)[0];
    approx::assert_relative_eq!(reserve, 2e-8, max_relative = 1e-3);
}

/// A kernel model without support points is a constant: nothing is lost.
#[test]
fn a_constant_model_is_certified_everywhere() {
    let kernel = GaussianKernel::new(1.0).unwrap();
    let beta = Array1::zeros(3);
    let model = Model::Kernel(KernelModel::new(
        kernel,
        Array2::zeros((3, 2)).view(),
        beta.view(),
        0.5,
    ));
    let set = UncertaintySet::sphere();
    let (x, y) = (array![[1.0, 0.0], [0.0, 1.0]], array![1.0, -1.0]);
    let points = Certifier::new(&model, &set)
        .unwrap()
        .points(x.view(), y.view())
        .unwrap();
    assert_eq!(points.error(10.0), 0.5);
    let options = AttackOptions::new(3, 3).unwrap();
    let mut rng = ChaCha20Rng::seed_from_u64(0);
    let found = attack(
        &model,
        &set.clone().into(),
        10.0,
        x.view(),
        y.view(),
        options,
        &mut rng,
    )
    .unwrap();
    assert_eq!(found.error(), 0.5);
}
