//! The safe SVM: its hypergradient against differences, and its descents.

mod common;

use approx::assert_relative_eq;
use common::{Data, gaussians};
use ndarray::{Array1, Array2, Axis, array, concatenate};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_core::linalg::positive_definite_solve;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_solvers::certificate::{objective, optimal_intercept};
use robust_svm_solvers::safe::{Evaluation, evaluate};
use robust_svm_solvers::{
    InteriorPointSettings, Problem, SafeProblem, SafeSettings, SafeSolution, SafeStatus,
    SolverError, solve_safe,
};

const EXACT: InteriorPointSettings = InteriorPointSettings {
    tolerance: 1e-13,
    max_iterations: 100,
    parallel: false,
};

/// Rows for training and for validation, from one distribution.
struct Fold {
    train: Data,
    validation: Data,
}

impl Fold {
    fn new(seed: u64, rows: usize, dim: usize, separation: f64) -> Self {
        let both = gaussians(seed, (2 * rows, dim), separation, 0.5, 0.0);
        let part = |from: usize| {
            let indices: Vec<usize> = (from..2 * rows).step_by(2).collect();
            let mut y = both.y.select(Axis(0), &indices);
            (y[0], y[1]) = (1.0, -1.0);
            Data {
                phi: both.phi.select(Axis(0), &indices),
                y,
                penalty: FeaturePenalty::none(rows),
            }
        };
        Self {
            train: part(0),
            validation: part(1),
        }
    }

    fn problem(&self, lambda: f64) -> SafeProblem<'_> {
        let train = (self.train.phi.view(), self.train.y.view());
        let validation = (self.validation.phi.view(), self.validation.y.view());
        SafeProblem::new(train, validation, lambda).unwrap()
    }
}

fn scales(seed: u64, dim: usize) -> Array1<f64> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    Array1::from_shape_simple_fn(dim, || rng.gen_range(0.05..0.6))
}

/// The sets of samples, training and validation, that must stay the same for F to be smooth.
fn sets(fold: &Fold, s: &Array1<f64>, at: &Evaluation) -> (Vec<usize>, Vec<bool>, Vec<bool>) {
    let losses = |data: &Data, norm: f64| -> Vec<bool> {
        let f = data.phi.dot(&at.lower.zeta) + at.lower.intercept;
        let losses = f.iter().zip(&data.y).map(|(f, y)| 1.0 - y * f + norm > 0.0);
        losses.collect()
    };
    let mut train = losses(&fold.train, norm(s, &at.lower.zeta));
    at.edge.iter().for_each(|&i| train[i] = true);
    (at.edge.clone(), train, losses(&fold.validation, 0.0))
}

fn norm(s: &Array1<f64>, w: &Array1<f64>) -> f64 {
    let scaled = s * w;
    scaled.dot(&scaled).sqrt()
}

/// The upper objective at the lower solution of `s`, brought from the solver's accuracy to that of the arithmetic by
/// Newton steps on the optimality conditions (1)–(3), with a Jacobian by differences.
fn refined_upper(fold: &Fold, lambda: f64, s: &Array1<f64>, at: &Evaluation) -> f64 {
    let n = s.len();
    let (x, y) = (&fold.train.phi, &fold.train.y);
    let mut unknowns: Vec<f64> = at.lower.zeta.to_vec();
    if !at.edge.is_empty() {
        unknowns.push(at.lower.intercept);
        unknowns.extend(at.edge.iter().map(|&i| at.lower.alpha[i]));
    }
    let mut unknowns = Array1::from_vec(unknowns);
    let conditions = |unknowns: &Array1<f64>| -> Array1<f64> {
        let w = unknowns.iter().copied().take(n).collect::<Array1<f64>>();
        let mut alpha = at.lower.alpha.mapv(f64::round);
        for (k, &i) in at.edge.iter().enumerate() {
            alpha[i] = unknowns[n + 1 + k];
        }
        let norm = norm(s, &w);
        let mut left = &w * lambda + s * s * &w * (alpha.sum() / norm) - x.t().dot(&(&alpha * y));
        if !at.edge.is_empty() {
            let f = x.dot(&w) + unknowns[n];
            let margins = at.edge.iter().map(|&i| 1.0 - y[i] * f[i] + norm);
            left = left
                .iter()
                .copied()
                .chain([alpha.dot(y)])
                .chain(margins)
                .collect();
        }
        left
    };
    for _ in 0..4 {
        let left = conditions(&unknowns);
        let size = unknowns.len();
        let mut jacobian = Array2::zeros((size, size));
        for k in 0..size {
            let moved = |by: f64| {
                let mut moved = unknowns.clone();
                moved[k] += by;
                conditions(&moved)
            };
            jacobian
                .column_mut(k)
                .assign(&((moved(1e-6) - moved(-1e-6)) / 2e-6));
        }
        let right = jacobian.t().dot(&left).insert_axis(Axis(1));
        let mut normal = jacobian.t().dot(&jacobian);
        let ridge = 1e-13 * normal.diag().iter().fold(0.0_f64, |m, d| m.max(*d));
        normal.diag_mut().iter_mut().for_each(|d| *d += ridge);
        let step = positive_definite_solve(normal, right).unwrap();
        unknowns -= &step.column(0);
    }
    let w = unknowns.iter().copied().take(n).collect::<Array1<f64>>();
    assert!(conditions(&unknowns).iter().all(|c| c.abs() < 1e-9));
    let penalty = penalty(s, y.len());
    let lower = Problem::new(x.view(), y.view(), &penalty, lambda).unwrap();
    let b = if at.edge.is_empty() {
        optimal_intercept(&lower, w.view())
    } else {
        unknowns[n]
    };
    hinges(&fold.validation, &w, b)
}

fn hinges(data: &Data, w: &Array1<f64>, b: f64) -> f64 {
    let f = data.phi.dot(w) + b;
    f.iter()
        .zip(&data.y)
        .map(|(f, y)| (1.0 - y * f).max(0.0))
        .sum()
}

fn penalty(s: &Array1<f64>, rows: usize) -> FeaturePenalty {
    FeaturePenalty {
        radii: Array1::ones(rows),
        matrix: PenaltyMatrix::Diagonal(s.clone()),
    }
}

/// Components compared, and left out because a sample changed its set between the ends.
#[derive(Default)]
struct Compared {
    count: usize,
    left_out: usize,
    worst: f64,
}

/// The gradient at `s` against central differences of the lower problem solved again.
fn compare(fold: &Fold, lambda: f64, s: &Array1<f64>, compared: &mut Compared) -> Evaluation {
    const H: f64 = 1e-4;
    let problem = fold.problem(lambda);
    let here = evaluate(&problem, s.view(), &EXACT).unwrap();
    if here.constant {
        assert!(here.gradient.iter().all(|g| *g == 0.0));
        return here;
    }
    let all = sets(fold, s, &here);
    let size = here.gradient.iter().fold(0.0_f64, |m, g| m.max(g.abs()));
    for t in 0..s.len() {
        let at = |by: f64| {
            let mut moved = s.clone();
            moved[t] += by;
            let evaluation = evaluate(&problem, moved.view(), &EXACT).unwrap();
            let same = sets(fold, &moved, &evaluation) == all;
            same.then(|| refined_upper(fold, lambda, &moved, &evaluation))
        };
        let (Some(high), Some(low)) = (at(H), at(-H)) else {
            compared.left_out += 1;
            continue;
        };
        let difference = (high - low) / (2.0 * H);
        let error = (difference - here.gradient[t]).abs() / size.max(1e-3);
        compared.worst = compared.worst.max(error);
        compared.count += 1;
    }
    here
}

#[test]
fn the_hypergradient_is_that_of_differences() {
    let mut compared = Compared::default();
    let (mut edges, mut without_edge) = (0, 0);
    for seed in 0..60 {
        let dim = 1 + seed as usize % 8;
        let rows = [12, 25, 60][seed as usize % 3];
        let fold = Fold::new(seed, rows, dim, 2.0);
        for lambda in [0.05, 1.0, 20.0] {
            let here = compare(&fold, lambda, &scales(seed, dim), &mut compared);
            edges += here.edge.len();
            without_edge += usize::from(here.edge.is_empty() && !here.constant);
        }
    }
    assert!(compared.worst <= 1e-4, "{}", compared.worst);
    assert!(compared.count >= 500, "{}", compared.count);
    assert!(edges > 300 && without_edge >= 10, "{edges} {without_edge}");
}

/// Equal samples at the edge make the multipliers ambiguous, and the matrix singular, but not the classifier.
#[test]
fn the_hypergradient_of_equal_samples() {
    let mut compared = Compared::default();
    let mut singular = 0;
    for seed in 0..20 {
        let mut fold = Fold::new(seed, 20, 3, 2.0);
        let train = &mut fold.train;
        train.phi = concatenate![Axis(0), train.phi, train.phi];
        train.y = concatenate![Axis(0), train.y, train.y];
        let here = compare(&fold, 1.0, &scales(seed, 3), &mut compared);
        singular += usize::from(here.singular);
    }
    assert!(compared.worst <= 1e-4, "{}", compared.worst);
    assert!(compared.count >= 50, "{}", compared.count);
    assert!(singular >= 15, "{singular}");
}

/// Two points at ±2 and scale s: w = min(1/(2 − s), 2(2 − s)/λ), b = 0, as in the tests of the interior-point
/// method; a validation point at ±1 has the loss 1 − w, and dw/ds = 1/(2 − s)² or −2/λ.
#[test]
fn a_hand_worked_case() {
    let (x, v, y) = (
        array![[2.0], [-2.0]],
        array![[1.0], [-1.0]],
        array![1.0, -1.0],
    );
    for (lambda, s, on_edge) in [(0.5, 0.5, true), (0.5, 0.9, true), (40.0, 0.5, false)] {
        let problem = SafeProblem::new((x.view(), y.view()), (v.view(), y.view()), lambda).unwrap();
        let here = evaluate(&problem, array![s].view(), &EXACT).unwrap();
        let reach: f64 = 2.0 - s;
        let (weight, slope) = if on_edge {
            (1.0 / reach, 1.0 / (reach * reach))
        } else {
            (2.0 * reach / lambda, -2.0 / lambda)
        };
        assert_eq!(here.edge.len(), if on_edge { 2 } else { 0 });
        assert_relative_eq!(here.upper_objective, 2.0 * (1.0 - weight), epsilon = 1e-6);
        assert_relative_eq!(here.gradient[0], -2.0 * slope, max_relative = 1e-5);
    }
}

/// Scales far beyond the distance of the classes: nothing is learnt, and the descent says so.
#[test]
fn where_nothing_is_learnt() {
    let fold = Fold::new(3, 30, 4, 2.0);
    let problem = fold.problem(1.0);
    let settings = SafeSettings {
        s_max: 100.0,
        ..SafeSettings::default()
    };
    let far = Array2::from_elem((1, 4), 50.0);
    let solution = solve_safe(&problem, far.view(), &settings).unwrap();
    assert_eq!(solution.status, SafeStatus::Constant);
    assert_eq!((solution.projected_gradient, solution.s[0]), (0.0, 50.0));
    // A second start that learns is better.
    let starts = concatenate![Axis(0), far, Array2::from_elem((1, 4), 0.1)];
    let solution = solve_safe(&problem, starts.view(), &settings).unwrap();
    assert_eq!((solution.start, solution.descents.len()), (1, 2));
}

fn learnt(fold: &Fold, lambda: f64, settings: &SafeSettings) -> SafeSolution {
    let dim = fold.train.phi.ncols();
    let starts = concatenate![
        Axis(0),
        Array2::from_elem((1, dim), 0.1),
        Array2::from_elem((1, dim), 0.4)
    ];
    solve_safe(&fold.problem(lambda), starts.view(), settings).unwrap()
}

#[test]
fn descents_are_monotone_and_told_in_full() {
    let settings = SafeSettings::default();
    let mut stationary = 0;
    for seed in 0..25 {
        let dim = 2 + seed as usize % 6;
        let fold = Fold::new(seed, 40, dim, 1.5);
        let lambda = [0.1, 1.0, 5.0][seed as usize % 3];
        let found = learnt(&fold, lambda, &settings);
        assert_eq!(found, learnt(&fold, lambda, &settings));
        for descent in &found.descents {
            let values = || descent.steps.iter().map(|step| step.upper_objective);
            assert!(
                values()
                    .zip(values().skip(1))
                    .all(|(one, next)| next <= one)
            );
            assert!(found.upper_objective <= values().next_back().unwrap());
            assert!(descent.lower_solves >= descent.steps.len());
        }
        assert!(
            found
                .s
                .iter()
                .all(|s| (settings.s_min..=settings.s_max).contains(s))
        );
        // Objective and gap by the certificate alone, the upper objective by its definition.
        let penalty = penalty(&found.s, 40);
        let (x, y) = (fold.train.phi.view(), fold.train.y.view());
        let lower = Problem::new(x, y, &penalty, lambda).unwrap();
        let (w, b) = (&found.lower.zeta, found.lower.intercept);
        assert_relative_eq!(objective(&lower, w.view(), b), found.lower.objective);
        assert!(found.lower.relative_gap.value() <= 1e-8);
        let upper = hinges(&fold.validation, w, b);
        assert_relative_eq!(upper, found.upper_objective, max_relative = 1e-12);
        let log_volume: f64 = found.s.iter().map(|s| s.ln()).sum();
        assert_relative_eq!(log_volume, found.log_volume);
        // The gradient made anew.
        let again = evaluate(&fold.problem(lambda), found.s.view(), &settings.lower).unwrap();
        let moved = (&found.s - &again.gradient).mapv(|s| s.clamp(0.01, 3.0)) - &found.s;
        assert_relative_eq!(moved.dot(&moved).sqrt(), found.projected_gradient);
        stationary += usize::from(found.status == SafeStatus::Stationary);
    }
    assert!(stationary >= 8, "{stationary}");
}

/// Two features, the second one noise in training and validation: no point of a grid is much better than what the
/// descents find.
#[test]
fn the_best_of_a_grid_is_found() {
    let settings = SafeSettings {
        s_max: 1.5,
        progress: 1e-6,
        ..SafeSettings::default()
    };
    let mut worst = 0.0_f64;
    for seed in 0..6 {
        let fold = Fold::new(100 + seed, 60, 2, 1.5);
        let problem = fold.problem(1.0);
        let start = |a: f64, b: f64| array![[a, b]];
        let starts = concatenate![
            Axis(0),
            start(0.1, 0.1),
            start(0.8, 0.1),
            start(0.1, 0.8),
            start(0.4, 0.4)
        ];
        let found = solve_safe(&problem, starts.view(), &settings).unwrap();
        let mut least = f64::INFINITY;
        for i in 0..=30 {
            for j in 0..=30 {
                let at = |k: i32| 0.01 + 1.49 * f64::from(k) / 30.0;
                let s = array![at(i), at(j)];
                least = least.min(
                    evaluate(&problem, s.view(), &settings.lower)
                        .unwrap()
                        .upper_objective,
                );
            }
        }
        worst = worst.max(found.upper_objective / least - 1.0);
    }
    assert!(worst <= 0.01, "{worst}");
}

#[test]
fn faults_are_named() {
    let fold = Fold::new(1, 10, 2, 1.0);
    let (train, validation) = (&fold.train, &fold.validation);
    let new = |x: &Array2<f64>, y: &Array1<f64>, lambda: f64| {
        let train = (train.phi.view(), train.y.view());
        SafeProblem::new(train, (x.view(), y.view()), lambda)
            .map(|_| ())
            .unwrap_err()
    };
    let (x, y) = (&validation.phi, &validation.y);
    assert!(matches!(new(x, y, 0.0), SolverError::Lambda(_)));
    assert!(matches!(
        new(&Array2::zeros((10, 3)), y, 1.0),
        SolverError::Shape {
            what: "width of the validation inputs",
            expected: 2,
            found: 3
        }
    ));
    assert!(matches!(
        new(x, &Array1::ones(10), 1.0),
        SolverError::OneClass { rows: 10 }
    ));
    let problem = fold.problem(1.0);
    let started = |starts: Array2<f64>| {
        solve_safe(&problem, starts.view(), &SafeSettings::default()).unwrap_err()
    };
    assert!(matches!(
        started(Array2::zeros((0, 2))),
        SolverError::Setting { name: "starts", .. }
    ));
    assert!(matches!(
        started(Array2::zeros((1, 3))),
        SolverError::Shape {
            expected: 2,
            found: 3,
            ..
        }
    ));
    assert!(matches!(
        started(array![[1.0, f64::NAN]]),
        SolverError::NotFinite {
            what: "starts",
            row: 0,
            column: 1
        }
    ));
}
