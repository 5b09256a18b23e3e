//! Training on blocks of rows: bounds that enclose the optimum of the interior-point method, the same bits however it is cut
//! by threads and stops, and errors that name what is wrong.

mod common;

use common::{INTERCEPTS, normals};
use ndarray::{Array1, Array2, ArrayView1, s};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_core::features::{FeatureMap, Features, Identity, Nystrom, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_solvers::certificate::{dual_value, objective};
use robust_svm_solvers::stream::{
    Block, BlockFeatures, BlockSource, MemoryBlocks, Radii, StreamError, StreamProblem,
    StreamSettings, StreamSolution, StreamState, train_stream,
};
use robust_svm_solvers::{
    Intercept, InteriorPointSettings, Problem, SolverError, Status, StepRule, StochasticMethod,
    StochasticSettings, solve,
};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Rows, labels, a map and a penalty.
struct Data {
    x: Array2<f32>,
    y: Array1<f32>,
    map: Features,
    radii: Vec<f32>,
    matrix: PenaltyMatrix,
}

impl Data {
    /// Two overlapping classes in R^n and one of the maps: 0 the identity, 1 random Fourier features, 2 Nyström.
    fn draw(seed: u64, (rows, n): (usize, usize), map: usize, gamma: f32) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut y =
            Array1::from_shape_simple_fn(
                rows,
                || if rng.r#gen::<f32>() < 0.4 { 1.0 } else { -1.0 },
            );
        (y[0], y[1]) = (1.0, -1.0);
        let mut x = normals(&mut rng, (rows, n)).mapv(|x| x as f32);
        for (mut x, y) in x.outer_iter_mut().zip(&y) {
            x[0] += y;
        }
        let kernel = GaussianKernel::new(2.0).unwrap();
        let map = match map {
            0 => Features::Identity(Identity::new(n)),
            1 => Features::Rff(Arc::new(Rff::draw(kernel, n, 10, &mut rng).unwrap())),
            _ => {
                let landmarks = x.slice(s![..7.min(rows), ..]).mapv(f64::from);
                Features::Nystrom(Arc::new(Nystrom::new(kernel, landmarks).unwrap()))
            }
        };
        let diagonal = Array1::from_shape_simple_fn(map.dim(), || rng.gen_range(0.0..2.0));
        let matrix = if seed % 2 == 0 {
            PenaltyMatrix::Orthogonal
        } else {
            PenaltyMatrix::Diagonal(diagonal)
        };
        let radii = (0..rows).map(|_| gamma * rng.r#gen::<f32>()).collect();
        Self {
            x,
            y,
            map,
            radii,
            matrix,
        }
    }

    fn source(&self, block_rows: usize) -> MemoryBlocks<'_> {
        let source = MemoryBlocks::new(self.x.view(), self.y.view()).unwrap();
        source.with_block_rows(block_rows).unwrap()
    }

    fn problem<'a>(
        &'a self,
        source: &'a dyn BlockSource,
        lambda: f64,
        intercept: Intercept,
    ) -> StreamProblem<'a> {
        let problem = StreamProblem::new(source, &self.map, lambda).unwrap();
        let problem = problem.with_penalty(Radii::Each(&self.radii), &self.matrix);
        problem.unwrap().with_intercept(intercept)
    }

    /// The same in memory: features, labels and penalty.
    fn in_memory(&self) -> (Array2<f64>, Array1<f64>, FeaturePenalty) {
        let penalty = FeaturePenalty {
            radii: self.radii.iter().map(|r| f64::from(*r)).collect(),
            matrix: self.matrix.clone(),
        };
        let phi = self.map.transform(self.x.mapv(f64::from).view());
        (phi, self.y.mapv(f64::from), penalty)
    }
}

fn quick(epochs: usize, step: StepRule) -> StreamSettings {
    StreamSettings {
        steps: StochasticSettings {
            step,
            batch: 16,
            epochs,
            certify_every: 7,
            tolerance: 1e-6,
            ..StreamSettings::default().steps
        },
        observe_every: 1,
        parallel: false,
    }
}

fn state(problem: &StreamProblem<'_>, settings: &StreamSettings, seed: u64) -> StreamState {
    StreamState::new(problem, settings, &mut ChaCha20Rng::seed_from_u64(seed)).unwrap()
}

fn train(problem: &StreamProblem<'_>, settings: &StreamSettings, seed: u64) -> StreamSolution {
    let mut state = state(problem, settings, seed);
    train_stream(problem, settings, &mut state, &mut |_| {
        ControlFlow::Continue(())
    })
    .unwrap()
}

fn alphas(found: &StreamSolution, y: ArrayView1<'_, f32>) -> Array1<f64> {
    let of = |(i, y): (usize, &f32)| found.multipliers.of(i, *y);
    y.iter().enumerate().map(of).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    /// D ≤ optimum ≤ P of every map, penalty, rule, block and number of epochs; both values are those of the certificate in
    /// memory, and α is feasible.
    #[test]
    fn the_bounds_enclose_the_optimum(
        seed in any::<u64>(), rows in 20..120_usize, n in 1..5_usize, map in 0..3_usize, gamma in 0.0..0.5_f32,
        log_lambda in -2.0..2.0_f64, block_rows in 5..60_usize, epochs in 1..20_usize, subgradient in any::<bool>(),
        rule in prop::sample::select(INTERCEPTS.to_vec()),
        step in prop::sample::select(vec![
            StepRule::Pegasos, StepRule::AdaGrad { rate: 1.0 }, StepRule::Constant { rate: 0.02 },
        ]),
    ) {
        let data = Data::draw(seed, (rows, n), map, gamma);
        let lambda = 10.0_f64.powf(log_lambda);
        let source = data.source(block_rows);
        let problem = data.problem(&source, lambda, rule);
        let mut settings = quick(epochs, step);
        if subgradient {
            settings.steps.method = StochasticMethod::Subgradient;
        }
        let found = train(&problem, &settings, seed);

        let (phi, y, penalty) = data.in_memory();
        let in_memory = Problem::new(phi.view(), y.view(), &penalty, lambda).unwrap();
        let in_memory = in_memory.with_intercept(rule);
        let optimum = solve(&in_memory, &InteriorPointSettings::default()).unwrap();
        let slack = 1e-9 * (1.0 + optimum.objective);
        prop_assert!(found.dual_objective <= optimum.objective + slack);
        prop_assert!(found.objective >= optimum.dual_objective - slack);
        let primal = objective(&in_memory, found.zeta.view(), found.intercept);
        prop_assert!((found.objective - primal).abs() <= 1e-10 * (1.0 + primal), "{} {primal}", found.objective);
        let alpha = alphas(&found, data.y.view());
        let dual = dual_value(&in_memory, alpha.view()).value;
        prop_assert!((found.dual_objective - dual).abs() <= 1e-10 * (1.0 + primal), "{} {dual}", found.dual_objective);
        prop_assert!(alpha.iter().all(|a| (0.0..=1.0).contains(a)));
        if rule == Intercept::Free {
            prop_assert!(alpha.dot(&y).abs() <= 1e-12 * rows as f64);
        }
    }
}

/// Steps and epochs, and the gap they reach on 400 samples with λ = 1.
const RULES: [(StepRule, usize, f64); 3] = [
    (StepRule::Pegasos, 1000, 4e-3),
    (StepRule::AdaGrad { rate: 1.0 }, 400, 4e-3),
    (StepRule::Constant { rate: 0.05 }, 400, 1e-2),
];

#[test]
fn every_step_rule_reaches_the_interior_points_optimum() {
    for map in 0..3 {
        let data = Data::draw(3, (400, 3), map, 0.1);
        let source = data.source(128);
        for &rule in INTERCEPTS {
            let problem = data.problem(&source, 1.0, rule);
            for (step, epochs, tolerance) in RULES {
                let mut settings = quick(epochs, step);
                settings.steps.tolerance = tolerance;
                let found = train(&problem, &settings, 1);
                let what = format!(
                    "{map} {rule:?} {step:?}: {} {}",
                    found.relative_gap, found.epochs
                );
                assert_eq!(found.status, Status::Solved, "{what}");
                assert!(found.relative_gap.value() <= tolerance, "{what}");
                let last = found.trace.last().unwrap();
                assert_eq!(
                    (last.iteration, last.objective),
                    (found.epochs, found.objective)
                );
            }
        }
    }
}

#[test]
fn the_bits_do_not_depend_on_threads() {
    let data = Data::draw(5, (3000, 4), 1, 0.1);
    let source = data.source(700);
    let problem = data.problem(&source, 1.0, Intercept::Free);
    let sequential = quick(4, StepRule::AdaGrad { rate: 1.0 });
    let expected = train(&problem, &sequential, 2);
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let settings = StreamSettings {
            parallel: true,
            ..sequential
        };
        assert_eq!(
            pool.install(|| train(&problem, &settings, 2)),
            expected,
            "{threads} threads"
        );
    }
    let other = train(&problem, &sequential, 3);
    assert_ne!(
        other.zeta, expected.zeta,
        "another stream gives another order"
    );
}

#[test]
fn a_run_that_stops_and_goes_on_has_the_bits_of_one_that_does_not() {
    let data = Data::draw(7, (900, 3), 1, 0.1);
    let source = data.source(100);
    let problem = data.problem(&source, 1.0, Intercept::Free);
    let settings = quick(5, StepRule::AdaGrad { rate: 1.0 });
    let mut whole = state(&problem, &settings, 2);
    let expected = train_stream(&problem, &settings, &mut whole, &mut |_| {
        ControlFlow::Continue(())
    });
    let expected = expected.unwrap();
    for every in 1..12 {
        let mut bytes = state(&problem, &settings, 2).to_bytes();
        let mut stops = 0;
        let found = loop {
            let mut state = StreamState::from_bytes(&bytes).unwrap();
            let mut seen = 0;
            let ended = train_stream(&problem, &settings, &mut state, &mut |progress| {
                seen += 1;
                if seen == every {
                    bytes = progress.state.to_bytes();
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
            match ended {
                Ok(found) => {
                    assert_eq!(state, whole);
                    break found;
                }
                Err(StreamError::Stopped) => stops += 1,
                Err(error) => panic!("{error}"),
            }
        };
        assert_eq!(stops, 45 / every, "stops after every {every} blocks");
        assert_eq!(found, expected);
    }
}
