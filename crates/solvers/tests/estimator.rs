//! The estimator: what linfa's users call gives the solvers' own models.

use linfa::prelude::*;
use ndarray::{Array1, Array2};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rand_distr::StandardNormal;
use robust_svm_core::features::FeatureMap;
use robust_svm_core::model::Model;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet, UncertaintySets};
use robust_svm_solvers::{
    Bandwidth, BundleSettings, FeatureChoice, FitError, Intercept, InteriorPointSettings,
    LocalPenalty, Problem, RobustSvm, Robustness, SolverError, SublinearProblem, solve,
    solve_bundle, solve_local,
};

/// Two Gaussian classes in the plane, 2 apart.
fn dataset(rows: usize) -> Dataset<f64, bool, ndarray::Ix1> {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let y = Array1::from_shape_fn(rows, |i| i % 2 == 0);
    let mut x = Array2::from_shape_simple_fn((rows, 2), || rng.sample(StandardNormal));
    for (mut row, y) in x.outer_iter_mut().zip(&y) {
        row[0] += if *y { 1.0 } else { -1.0 };
    }
    Dataset::new(x, y)
}

#[test]
fn the_linear_model_is_the_solver_s() {
    let data = dataset(60);
    for (intercept, budget) in [
        (Intercept::Free, 0.0),
        (Intercept::Penalised, 0.0),
        (Intercept::None, 3.0),
    ] {
        let fitted = RobustSvm::params()
            .uncertainty(UncertaintySet::sphere(), 0.3)
            .lambda(0.5)
            .intercept(intercept)
            .budget(budget)
            .fit(&data)
            .unwrap();
        let penalty = FeaturePenalty {
            radii: Array1::from_elem(60, 0.3),
            matrix: PenaltyMatrix::Orthogonal,
        };
        let y = data.targets().mapv(|t| if t { 1.0 } else { -1.0 });
        let problem = Problem::new(data.records().view(), y.view(), &penalty, 0.5).unwrap();
        let problem = problem
            .with_intercept(intercept)
            .with_budget(budget)
            .unwrap();
        let solution = solve(&problem, &InteriorPointSettings::default()).unwrap();
        let Model::Feature(model) = fitted.model() else {
            panic!("a linear model is one of features");
        };
        assert_eq!(model.zeta, solution.zeta);
        assert_eq!(model.intercept, solution.intercept);
        assert_eq!(fitted.objective(), solution.objective);
    }
}

/// A budget without sets of a size of their own is measured by their shape all the same.
#[test]
fn a_budget_alone_has_the_shape_of_the_sets() {
    let data = dataset(60);
    let scales = ndarray::array![0.2, 3.0];
    let set = UncertaintySet::new(Norm::Two, Factor::Diagonal(scales.clone())).unwrap();
    let fitted = RobustSvm::params()
        .uncertainty(set, 0.0)
        .budget(5.0)
        .fit(&data)
        .unwrap();
    let penalty = FeaturePenalty {
        radii: Array1::zeros(60),
        matrix: PenaltyMatrix::Diagonal(scales),
    };
    let y = data.targets().mapv(|t| if t { 1.0 } else { -1.0 });
    let problem = Problem::new(data.records().view(), y.view(), &penalty, 1.0).unwrap();
    let problem = problem.with_budget(5.0).unwrap();
    let solution = solve(&problem, &InteriorPointSettings::default()).unwrap();
    assert_eq!(fitted.objective(), solution.objective);
    let cube = UncertaintySet::new(Norm::Infinity, Factor::Identity).unwrap();
    let params = RobustSvm::params().uncertainty(cube, 0.0).budget(5.0);
    assert!(params.fit(&data).is_err());
}

/// Every kind of features, set and bound is trained to its gap; what is robust is never better certified than
/// predicted, and the same seed gives the same model.
#[test]
fn every_kind_is_trained_and_predicts() {
    let data = dataset(60);
    let sigma = Bandwidth::TimesMedian(1.0);
    let box_set = UncertaintySet::new(Norm::Infinity, Factor::Identity).unwrap();
    let kinds: [(FeatureChoice, UncertaintySet, &str); 6] = [
        (FeatureChoice::Linear, UncertaintySet::sphere(), "exact"),
        (FeatureChoice::Linear, box_set.clone(), "exact"),
        (
            FeatureChoice::RandomFourier { dim: 40, sigma },
            UncertaintySet::sphere(),
            "best",
        ),
        (
            FeatureChoice::RandomFourier { dim: 40, sigma },
            box_set.clone(),
            "geodesic",
        ),
        (
            FeatureChoice::RandomFourier { dim: 40, sigma },
            UncertaintySet::sphere(),
            "arcs-inf",
        ),
        (
            FeatureChoice::Nystrom {
                landmarks: 20,
                sigma,
            },
            box_set,
            "projection",
        ),
    ];
    for (features, set, bound) in kinds {
        let params = RobustSvm::params()
            .features(features)
            .uncertainty(set, 0.1)
            .bound(bound)
            .seed(3);
        let fitted = params.fit(&data).unwrap();
        assert!(
            fitted.relative_gap().value() <= 1e-4,
            "{features:?} {}",
            fitted.relative_gap()
        );
        let right = fitted
            .predict(&data)
            .iter()
            .zip(data.targets())
            .filter(|(a, b)| a == b)
            .count();
        assert!(right >= 45, "{features:?}: {right} of 60");
        let error = 1.0 - right as f64 / 60.0;
        let certified = fitted.certified_error(&data, 0.1).unwrap();
        assert!(
            certified >= error - 1e-12 && certified < 1.0,
            "{features:?}: {certified}, {error}"
        );
        assert!(fitted.certified_error(&data, 0.2).unwrap() >= certified);
        let again = params.fit(&data).unwrap();
        assert_eq!(
            fitted.decision(data.records().view()),
            again.decision(data.records().view())
        );
    }
}

/// The local bound: balls by the interior-point method and boxes by cutting planes, with every rule for the intercept.
#[test]
fn the_local_bound_is_the_solver_s() {
    let data = dataset(40);
    let x = data.records().view();
    let y = data.targets().mapv(|t| if t { 1.0 } else { -1.0 });
    let sigma = Bandwidth::Sigma(1.5);
    let rff = FeatureChoice::RandomFourier { dim: 20, sigma };
    let landmarks = 10;
    let ball = UncertaintySet::sphere();
    let cube = UncertaintySet::new(Norm::Infinity, Factor::Identity).unwrap();
    for (features, set, rule) in [
        (rff, &ball, Intercept::Free),
        (
            FeatureChoice::Nystrom { landmarks, sigma },
            &ball,
            Intercept::None,
        ),
        (FeatureChoice::Linear, &ball, Intercept::Penalised),
        (rff, &cube, Intercept::Penalised),
    ] {
        let fitted = RobustSvm::params()
            .features(features)
            .uncertainty(set.clone(), 0.2)
            .robustness(Robustness::Local)
            .intercept(rule)
            .fit(&data)
            .unwrap();
        let Model::Feature(model) = fitted.model() else {
            panic!("a model of features");
        };
        let (map, sets) = (&model.features, set.clone().into());
        let penalty = LocalPenalty::new(map, &sets, x, 0.2).unwrap();
        let phi = FeatureMap::transform(map, x);
        let (zeta, intercept) = if set == &ball {
            let settings = InteriorPointSettings::default();
            let solution =
                solve_local(phi.view(), y.view(), &penalty, 1.0, rule, &settings).unwrap();
            (solution.zeta, solution.intercept)
        } else {
            let problem = SublinearProblem::new(phi.view(), y.view(), &penalty, 1.0).unwrap();
            let settings = BundleSettings {
                tolerance: 1e-4,
                ..BundleSettings::default()
            };
            let solution = solve_bundle(&problem.with_intercept(rule), &settings).unwrap();
            (solution.zeta, solution.intercept)
        };
        assert_eq!((&model.zeta, model.intercept), (&zeta, intercept));
        assert!(fitted.relative_gap().value() <= if set == &ball { 1e-9 } else { 1e-4 });
        assert!(fitted.certified_error(&data, 0.2).unwrap() < 0.5);
    }
}

#[test]
fn faults_are_named() {
    let data = dataset(20);
    let error =
        |params: robust_svm_solvers::RobustSvmParams| params.fit(&data).unwrap_err().to_string();
    assert_eq!(
        error(RobustSvm::params().bound("geodesic")),
        "bound must be one of exact for linear models, found geodesic"
    );
    let local = || {
        RobustSvm::params()
            .uncertainty(UncertaintySet::sphere(), 0.1)
            .robustness(Robustness::Local)
    };
    assert_eq!(
        error(local().bound("best")),
        "bound must be left out with Robustness::Local, found best"
    );
    assert_eq!(
        error(local().budget(1.0)),
        "budget must be 0 where the local bound is trained on, found 1"
    );
    assert!(error(RobustSvm::params().lambda(0.0)).starts_with("lambda must be positive"));
    assert!(
        error(RobustSvm::params().uncertainty(UncertaintySet::sphere(), -1.0))
            .starts_with("gamma must be")
    );
    let sigma = Bandwidth::Sigma(1.0);
    let nystrom = FeatureChoice::Nystrom {
        landmarks: 21,
        sigma,
    };
    assert_eq!(
        error(RobustSvm::params().features(nystrom)),
        "landmarks must be between 1 and the 20 training rows, found 21"
    );
    let sizes = UncertaintySets::from(UncertaintySet::sphere())
        .with_sizes(Array1::ones(7))
        .unwrap();
    assert!(matches!(
        RobustSvm::params().uncertainty(sizes, 0.1).fit(&data),
        Err(FitError::Bound(_) | FitError::Core(_))
    ));
    let one_class = Dataset::new(data.records().clone(), Array1::from_elem(20, true));
    assert!(matches!(
        RobustSvm::params().fit(&one_class),
        Err(FitError::Solver(SolverError::OneClass { rows: 20 }))
    ));
}
