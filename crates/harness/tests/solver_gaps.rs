//! Certified gaps on every shipped dataset, recomputed here from the formulas by plain loops.

use ndarray::{Array1, Array2, Axis};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
use robust_svm_harness::data::{DataFolders, MissingPolicy, TaskSpec, load_task};
use robust_svm_solvers::{
    BundleSettings, DualCoordinateSettings, Intercept, InteriorPointSettings, Problem,
    SublinearProblem, SupportPenalty, solve, solve_bundle, solve_dual_coordinate,
};
use std::path::Path;

/// The datasets, and the class that is told from the others where there are more than two.
const SHIPPED: [(&str, Option<&str>); 13] = [
    ("adult-onehot", None),
    ("breast-cancer-wisconsin-diagnostic", None),
    ("breast-cancer-wisconsin-original", None),
    ("digits-8x8", Some("8")),
    ("heart-statlog", None),
    ("ionosphere", None),
    ("iris", Some("versicolor")),
    ("magic-gamma", None),
    ("mnist-10k", Some("8")),
    ("shuttle", Some("Rad.Flow")),
    ("spambase", None),
    ("vehicle", Some("bus")),
    ("wine", Some("class_2")),
];

/// The dataset's two classes, or `positive` against the others, standardised; `rows` evenly spaced rows at most.
fn data(name: &str, positive: Option<&str>, rows: usize) -> (Array2<f64>, Array1<f64>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets");
    let spec = TaskSpec {
        positive: positive.map(|class| vec![class.to_owned()]),
        negative: None,
        missing: MissingPolicy::Drop,
    };
    let task = load_task(name, &DataFolders::new([folder]), &spec).unwrap();
    let step = task.data.rows().div_ceil(rows);
    let kept: Vec<usize> = (0..task.data.rows()).step_by(step).collect();
    let y = task.data.y().select(Axis(0), &kept);
    let mut x = task.data.x().select(Axis(0), &kept);
    for mut column in x.columns_mut() {
        let mean = column.mean().unwrap();
        let spread = column.std(0.0);
        column.mapv_inplace(|v| {
            if spread > 0.0 {
                (v - mean) / spread
            } else {
                0.0
            }
        });
    }
    (x, y)
}

/// `λ/2‖w‖² + Σ max{0, 1 − y_i(⟨w, x_i⟩ + b) + h_i}`.
fn primal(
    (x, y): (&Array2<f64>, &Array1<f64>),
    (w, b): (&Array1<f64>, f64),
    lambda: f64,
    h: impl Fn(usize) -> f64,
) -> f64 {
    let mut value = 0.0;
    for k in 0..w.len() {
        value += 0.5 * lambda * w[k] * w[k];
    }
    for i in 0..y.len() {
        let mut score = b;
        for k in 0..w.len() {
            score += w[k] * x[(i, k)];
        }
        value += (1.0 - y[i] * score + h(i)).max(0.0);
    }
    value
}

/// `Σ α_i(y_ix_i − z_i)`.
fn combined(
    (x, y): (&Array2<f64>, &Array1<f64>),
    alpha: &Array1<f64>,
    z: impl Fn(usize, usize) -> f64,
) -> Vec<f64> {
    let mut v = vec![0.0; x.ncols()];
    for i in 0..y.len() {
        assert!((0.0..=1.0).contains(&alpha[i]));
        for (k, v) in v.iter_mut().enumerate() {
            *v += alpha[i] * (y[i] * x[(i, k)] - z(i, k));
        }
    }
    v
}

fn square(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum()
}

fn norm(w: &Array1<f64>) -> f64 {
    square(w.as_slice().unwrap()).sqrt()
}

/// That the gap between the values is at most `limit`, and what the solver said is what they say.
fn certify(name: &str, (p, d): (f64, f64), told: (f64, f64), limit: f64) {
    let gap = (p - d) / p;
    assert!(gap <= limit, "{name}: gap {gap:e}");
    assert!(
        (p - told.0).abs() <= 1e-9 * p,
        "{name}: P = {p}, told {}",
        told.0
    );
    assert!(
        (d - told.1).abs() <= 1e-9 * p,
        "{name}: D = {d}, told {}",
        told.1
    );
}

/// Nominal, and with a radius of each point's own.
#[test]
fn interior_point_to_1e_8() {
    for (name, positive) in SHIPPED {
        let (x, y) = data(name, positive, usize::MAX);
        for size in [0.0, 0.1] {
            let penalty = FeaturePenalty {
                radii: (0..y.len())
                    .map(|i| size * (1.0 + (i % 3) as f64))
                    .collect(),
                matrix: PenaltyMatrix::Orthogonal,
            };
            let problem = Problem::new(x.view(), y.view(), &penalty, 1.0).unwrap();
            let solution = solve(&problem, &InteriorPointSettings::default()).unwrap();
            let length = norm(&solution.zeta);
            let model = (&solution.zeta, solution.intercept);
            let p = primal((&x, &y), model, 1.0, |i| penalty.radii[i] * length);
            let v = combined((&x, &y), &solution.alpha, |_, _| 0.0);
            assert!(solution.alpha.dot(&y).abs() <= 1e-9 * y.len() as f64);
            let distance = (square(&v).sqrt() - solution.alpha.dot(&penalty.radii)).max(0.0);
            let d = solution.alpha.sum() - 0.5 * distance * distance;
            certify(
                name,
                (p, d),
                (solution.objective, solution.dual_objective),
                1e-8,
            );
        }
    }
}

#[test]
fn dual_coordinate_descent_to_1e_4() {
    for (name, positive) in SHIPPED {
        let (x, y) = data(name, positive, usize::MAX);
        let none = FeaturePenalty::none(y.len());
        let problem = Problem::new(x.view(), y.view(), &none, 1.0).unwrap();
        let problem = problem.with_intercept(Intercept::Penalised);
        let settings = DualCoordinateSettings {
            tolerance: 1e-4,
            ..DualCoordinateSettings::new(ChaCha20Rng::seed_from_u64(1))
        };
        let solution = solve_dual_coordinate(&problem, &settings).unwrap();
        let b = solution.intercept;
        let p = primal((&x, &y), (&solution.zeta, b), 1.0, |_| 0.0) + 0.5 * b * b;
        let v = combined((&x, &y), &solution.alpha, |_, _| 0.0);
        let balance = solution.alpha.dot(&y);
        let d = solution.alpha.sum() - 0.5 * (square(&v) + balance * balance);
        certify(
            name,
            (p, d),
            (solution.objective, solution.dual_objective),
            1e-4,
        );
    }
}

/// A box around each point: `h_i(w) = γ‖w‖₁`, whose sub-gradients have entries of at most γ.
#[test]
fn cutting_planes_to_1e_4() {
    let gamma = 0.1;
    for (name, positive) in SHIPPED {
        // Cutting planes for a box need many pieces in many dimensions.
        let (x, y) = data(name, positive, if name == "mnist-10k" { 40 } else { 150 });
        let set = UncertaintySet::new(Norm::Infinity, Factor::Identity).unwrap();
        let sets = set.into();
        let penalty = SupportPenalty { sets, gamma };
        let problem = SublinearProblem::new(x.view(), y.view(), &penalty, 1.0).unwrap();
        let settings = BundleSettings {
            tolerance: 1e-4,
            ..BundleSettings::default()
        };
        let solution = solve_bundle(&problem, &settings).unwrap();
        let length: f64 = solution.zeta.iter().map(|w| w.abs()).sum();
        let model = (&solution.zeta, solution.intercept);
        let p = primal((&x, &y), model, 1.0, |_| gamma * length);
        let z = &solution.subgradients;
        assert!(z.iter().all(|z| z.abs() <= gamma * (1.0 + 1e-12)), "{name}");
        assert!(solution.alpha.dot(&y).abs() <= 1e-9 * y.len() as f64);
        let v = combined((&x, &y), &solution.alpha, |i, k| z[(i, k)]);
        let d = solution.alpha.sum() - 0.5 * square(&v);
        certify(
            name,
            (p, d),
            (solution.objective, solution.dual_objective),
            1e-4,
        );
    }
}
