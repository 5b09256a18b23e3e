//! SVMs of several classes: against the machines for two they are made of, and by hand.

mod common;

use approx::assert_relative_eq;
use common::gaussians;
use ndarray::{Array1, Array2, Axis, array};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rand_distr::StandardNormal;
use robust_svm_core::data::LabelledDataset;
use robust_svm_core::distribution::InputKernel;
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::DecisionFunction;
use robust_svm_solvers::{
    Classifier, GramSettings, KernelSettings, MulticlassSvm, Scheme, SolverError, fit_kernel_svm,
};

const SCHEMES: [Scheme; 2] = [Scheme::OneVsOne, Scheme::OneVsAll];

fn gaussian(sigma: f64) -> InputKernel {
    InputKernel::Gaussian(GaussianKernel::new(sigma).unwrap())
}

fn settings() -> GramSettings {
    GramSettings::default()
}

/// `classes` Gaussian clouds on a circle of radius 3 in the plane.
fn clouds(seed: u64, rows: usize, classes: usize) -> LabelledDataset {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let labels: Vec<usize> = (0..rows).map(|i| i % classes).collect();
    let x = Array2::from_shape_fn((rows, 2), |(i, k)| {
        let angle = std::f64::consts::TAU * labels[i] as f64 / classes as f64;
        let centre = if k == 0 { angle.cos() } else { angle.sin() };
        3.0 * centre + rng.sample::<f64, _>(StandardNormal)
    });
    LabelledDataset::new(x, labels, classes).unwrap()
}

fn accuracy(classifier: &impl Classifier, data: &LabelledDataset) -> f64 {
    let found = classifier.predict(data.x().view()).unwrap();
    let right = found.iter().zip(data.labels()).filter(|(a, b)| a == b);
    right.count() as f64 / data.rows() as f64
}

/// Of two classes both schemes are the exact-kernel SVM that linfa-svm trains.
#[test]
fn two_classes_are_the_binary_machine() {
    let data = gaussians(5, (80, 3), 1.5, 0.4, 0.0);
    let labels = data.y.iter().map(|y| usize::from(*y < 0.0)).collect();
    let labelled = LabelledDataset::new(data.phi.clone(), labels, 2).unwrap();
    let kernel = GaussianKernel::new(1.2).unwrap();
    let binary = fit_kernel_svm(
        kernel,
        data.phi.view(),
        data.y.view(),
        0.2,
        &KernelSettings::default(),
    );
    let expected = binary.unwrap().model.decision(data.phi.view());
    for scheme in SCHEMES {
        let found = MulticlassSvm::fit(gaussian(1.2), &labelled, 0.2, scheme, &settings()).unwrap();
        let decisions = found.decisions(data.phi.view()).unwrap();
        assert_relative_eq!(decisions.column(0).to_owned(), expected, epsilon = 2e-2);
        let predicted = found.predict(data.phi.view()).unwrap();
        for (class, f) in predicted.into_iter().zip(&expected) {
            assert!(f.abs() < 2e-2 || (class == 0) == (*f > 0.0));
        }
    }
}

/// Machines one against one are trained on the rows of their two classes alone: each is that of the dataset of the two.
#[test]
fn machines_of_pairs_see_their_rows_alone() {
    let data = clouds(1, 90, 3);
    for kernel in [InputKernel::Linear, InputKernel::Quadratic, gaussian(1.5)] {
        let whole = MulticlassSvm::fit(kernel, &data, 0.5, Scheme::OneVsOne, &settings()).unwrap();
        assert!(whole.gaps().iter().all(|gap| gap.value() <= 1e-6));
        let decisions = whole.decisions(data.x().view()).unwrap();
        for (machine, (a, b)) in [(0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
            let rows: Vec<usize> = (0..90)
                .filter(|i| [a, b].contains(&data.labels()[*i]))
                .collect();
            let two = data.select(&rows);
            let alone =
                MulticlassSvm::fit(kernel, &two, 0.5, Scheme::OneVsOne, &settings()).unwrap();
            let expected = alone.decisions(data.x().view()).unwrap();
            assert_relative_eq!(
                decisions.column(machine),
                expected.column(0),
                epsilon = 1e-9
            );
        }
    }
}

/// One against all: machine c is that of class c and the rest as two classes.
#[test]
fn machines_against_all_are_those_of_two_classes() {
    let data = clouds(2, 60, 3);
    let whole =
        MulticlassSvm::fit(gaussian(1.0), &data, 0.3, Scheme::OneVsAll, &settings()).unwrap();
    let decisions = whole.decisions(data.x().view()).unwrap();
    for class in 0..3 {
        let sides = data
            .labels()
            .iter()
            .map(|label| usize::from(*label != class));
        let two = LabelledDataset::new(data.x().clone(), sides.collect(), 2).unwrap();
        let alone =
            MulticlassSvm::fit(gaussian(1.0), &two, 0.3, Scheme::OneVsAll, &settings()).unwrap();
        let expected = alone.decisions(data.x().view()).unwrap();
        assert_relative_eq!(decisions.column(class), expected.column(0), epsilon = 1e-12);
    }
}

/// Clouds on a circle: far better than chance on fresh data, near the best possible.
#[test]
fn clouds_are_told_apart() {
    let (train, test) = (clouds(3, 300, 5), clouds(4, 1000, 5));
    // The best classifier: the nearest centre.
    let centres = Array2::from_shape_fn((5, 2), |(c, k)| {
        let angle = std::f64::consts::TAU * c as f64 / 5.0;
        3.0 * if k == 0 { angle.cos() } else { angle.sin() }
    });
    let nearest = |row: ndarray::ArrayView1<'_, f64>| {
        let d = centres.map_axis(Axis(1), |c| (&c - &row).mapv(|v| v * v).sum());
        (0..5).min_by(|a, b| d[*a].total_cmp(&d[*b])).unwrap()
    };
    let rows = test.x().outer_iter().zip(test.labels());
    let best = rows
        .filter(|(row, label)| nearest(row.view()) == **label)
        .count() as f64
        / 1000.0;
    for (kernel, scheme) in [
        (InputKernel::Linear, Scheme::OneVsOne),
        (InputKernel::Quadratic, Scheme::OneVsOne),
        (gaussian(2.0), Scheme::OneVsOne),
        (gaussian(2.0), Scheme::OneVsAll),
    ] {
        let found = MulticlassSvm::fit(kernel, &train, 1.0, scheme, &settings()).unwrap();
        let reached = accuracy(&found, &test);
        assert!(
            reached > best - 0.04,
            "{kernel:?} {scheme:?}: {reached} of {best}"
        );
    }
}

/// A class without rows is never predicted; classes keep their numbers.
#[test]
fn a_class_without_rows_takes_no_part() {
    let data = clouds(6, 60, 2);
    let labels: Vec<usize> = data.labels().iter().map(|label| 2 * label + 1).collect();
    let spread = LabelledDataset::new(data.x().clone(), labels, 5).unwrap();
    for scheme in SCHEMES {
        let two = MulticlassSvm::fit(gaussian(2.0), &data, 1.0, scheme, &settings()).unwrap();
        let five = MulticlassSvm::fit(gaussian(2.0), &spread, 1.0, scheme, &settings()).unwrap();
        let expected = two.predict(data.x().view()).unwrap();
        let expected: Vec<usize> = expected.into_iter().map(|class| 2 * class + 1).collect();
        assert_eq!(five.predict(data.x().view()).unwrap(), expected);
    }
}

#[test]
fn bad_input_is_refused() {
    let fit = |x: Array2<f64>, labels: Vec<usize>, lambda| {
        let data = LabelledDataset::new(x, labels, 3).unwrap();
        MulticlassSvm::fit(
            InputKernel::Quadratic,
            &data,
            lambda,
            Scheme::OneVsOne,
            &settings(),
        )
    };
    let x = || array![[0.0], [1.0]];
    assert!(matches!(
        fit(x(), vec![0, 1], 0.0),
        Err(SolverError::Lambda(_))
    ));
    assert!(matches!(
        fit(x(), vec![1, 1], 1.0),
        Err(SolverError::OneClass { rows: 2 })
    ));
    assert!(matches!(
        fit(Array2::zeros((2, 0)), vec![0, 1], 1.0),
        Err(SolverError::Shape { .. })
    ));
    let huge = fit(array![[1e200], [1.0]], vec![0, 1], 1.0);
    assert!(matches!(
        huge,
        Err(SolverError::NotFinite {
            what: "kernel matrix",
            ..
        })
    ));
    let fitted = fit(x(), vec![0, 1], 1.0).unwrap();
    let overflow = fitted.predict(array![[1e200]].view());
    assert!(matches!(overflow, Err(SolverError::NotFinite { .. })));
    let wide = fitted.predict(Array2::zeros((1, 2)).view());
    assert!(matches!(wide, Err(SolverError::Shape { .. })));
    let nan = Array1::from_elem(1, f64::NAN).insert_axis(Axis(0));
    assert!(matches!(
        fitted.predict(nan.view()),
        Err(SolverError::NotFinite { .. })
    ));
}
