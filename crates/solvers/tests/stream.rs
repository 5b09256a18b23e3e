//! Training on blocks of rows: bounds that enclose the optimum of the interior-point method, the same bits however it is cut
//! by threads and stops, and errors that name what is wrong.

mod common;

use common::INTERCEPTS;
use common::stream::{Data, Fault, Faulty};
use ndarray::{Array1, Array2, ArrayView1, s};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_core::features::{Features, Identity, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::penalty::PenaltyMatrix;
use robust_svm_solvers::certificate::{dual_value, objective};
use robust_svm_solvers::stream::{
    Block, BlockFeatures, InteriorPointState, Radii, StateError, StreamError, StreamProblem,
    StreamSettings, StreamSolution, StreamState, solve_stream, train_stream,
};
use robust_svm_solvers::{
    Intercept, InteriorPointSettings, Problem, Solution, SolverError, Status, StepRule,
    StochasticMethod, StochasticSettings, solve,
};
use std::ops::ControlFlow;
use std::sync::Arc;

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

fn interior_point(
    problem: &StreamProblem<'_>,
    settings: &InteriorPointSettings,
) -> Result<Solution, StreamError> {
    let mut state = InteriorPointState::new(problem);
    solve_stream(problem, settings, &mut state, &mut |_| {
        ControlFlow::Continue(())
    })
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
        tolerance in prop::sample::select(vec![1e-6, 0.01, 0.2]), rule in prop::sample::select(INTERCEPTS.to_vec()),
        step in prop::sample::select(vec![
            StepRule::Pegasos, StepRule::AdaGrad { rate: 1.0 }, StepRule::Constant { rate: 0.02 },
        ]),
    ) {
        let data = Data::draw(seed, (rows, n), map, gamma);
        let lambda = 10.0_f64.powf(log_lambda);
        let source = data.source(block_rows);
        let problem = data.problem(&source, lambda, rule);
        let mut settings = quick(epochs, step);
        settings.steps.tolerance = tolerance;
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
    assert_same_on_threads(&problem, &sequential, &expected);
    let other = train(&problem, &sequential, 3);
    assert_ne!(
        other.zeta, expected.zeta,
        "another stream gives another order"
    );
}

/// Batches of several pieces, and a block with more pieces in training and in its certificate than are made ahead.
#[test]
fn the_bits_of_long_blocks_do_not_depend_on_threads() {
    let data = Data::draw(5, (9000, 4), 1, 0.1);
    let source = data.source(9000);
    let problem = data.problem(&source, 1.0, Intercept::Free);
    let mut sequential = quick(2, StepRule::AdaGrad { rate: 1.0 });
    sequential.steps.batch = 200;
    let expected = train(&problem, &sequential, 2);
    assert_same_on_threads(&problem, &sequential, &expected);
}

/// In pools of several sizes, and in that of the process from a thread outside of it.
fn assert_same_on_threads(
    problem: &StreamProblem<'_>,
    sequential: &StreamSettings,
    expected: &StreamSolution,
) {
    let settings = StreamSettings {
        parallel: true,
        ..*sequential
    };
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let found = pool
            .build()
            .unwrap()
            .install(|| train(problem, &settings, 2));
        assert_eq!(found, *expected, "{threads} threads");
    }
    assert_eq!(train(problem, &settings, 2), *expected);
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// The interior-point method on blocks has the optimum of the one in memory, to the gaps of both.
    #[test]
    fn the_interior_point_on_blocks_has_the_solution_of_that_in_memory(
        seed in any::<u64>(), rows in 20..200_usize, n in 1..5_usize, map in 0..3_usize, gamma in 0.0..0.5_f32,
        log_lambda in -2.0..2.0_f64, block_rows in 5..220_usize, rule in prop::sample::select(INTERCEPTS.to_vec()),
    ) {
        let data = Data::draw(seed, (rows, n), map, gamma);
        let lambda = 10.0_f64.powf(log_lambda);
        let source = data.source(block_rows);
        let settings = InteriorPointSettings { tolerance: 1e-8, ..InteriorPointSettings::default() };
        let found = interior_point(&data.problem(&source, lambda, rule), &settings).unwrap();
        let (phi, y, penalty) = data.in_memory();
        let problem = Problem::new(phi.view(), y.view(), &penalty, lambda).unwrap().with_intercept(rule);
        let expected = solve(&problem, &settings).unwrap();
        prop_assert_eq!(found.status, Status::Solved);
        prop_assert!(found.relative_gap.value() <= 1e-8);
        let slack = 1e-12 * (1.0 + expected.objective);
        prop_assert!(found.dual_objective <= expected.objective + slack);
        prop_assert!(expected.dual_objective <= found.objective + slack);
        // The certificate is that of the features in memory.
        let primal = objective(&problem, found.zeta.view(), found.intercept);
        let dual = dual_value(&problem, found.alpha.view()).value;
        prop_assert!((found.objective - primal).abs() <= slack);
        prop_assert!((found.dual_objective - dual).abs() <= slack);
    }
}

/// Wide enough for tiles of columns, and several blocks of several pieces.
#[test]
fn the_interior_point_on_blocks_has_the_same_bits_on_any_number_of_threads() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let (rows, n, dim) = (3000, 4, 200);
    let mut data = Data::draw(4, (rows, n), 0, 0.1);
    let kernel = GaussianKernel::new(2.0).unwrap();
    let rff = Rff::draw(kernel, n, dim, &mut rng).unwrap();
    data.map = BlockFeatures::new(Features::Rff(Arc::new(rff))).unwrap();
    let source = data.source(1300);
    let problem = data.problem(&source, 1.0, Intercept::Free);
    let settings = InteriorPointSettings {
        tolerance: 1e-7,
        ..InteriorPointSettings::default()
    };
    let expected = interior_point(&problem, &settings).unwrap();
    assert_eq!(expected.status, Status::Solved);
    let settings = InteriorPointSettings {
        parallel: true,
        ..settings
    };
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let found = pool
            .install(|| interior_point(&problem, &settings))
            .unwrap();
        assert_eq!(found, expected, "{threads} threads");
    }
    let (phi, y, penalty) = data.in_memory();
    let in_memory = Problem::new(phi.view(), y.view(), &penalty, 1.0).unwrap();
    let in_memory = solve(&in_memory, &InteriorPointSettings::default()).unwrap();
    assert!((expected.objective / in_memory.objective - 1.0).abs() <= 1e-7);
}

/// The errors of training and of the interior point where the block 1 goes wrong after some good passes.
fn faults(good: usize, fault: Fault) -> [StreamError; 2] {
    let data = Data::draw(2, (50, 2), 1, 0.1);
    let faulty = || Faulty {
        source: data.source(20),
        reads: 0.into(),
        good,
        fault,
    };
    let (first, second) = (faulty(), faulty());
    let settings = quick(20, StepRule::Pegasos);
    let problem = data.problem(&first, 1.0, Intercept::Free);
    let mut state = state(&problem, &settings, 1);
    let trained = train_stream(&problem, &settings, &mut state, &mut |_| {
        ControlFlow::Continue(())
    });
    let problem = data.problem(&second, 1.0, Intercept::Free);
    let solved = interior_point(&problem, &InteriorPointSettings::default());
    [trained.unwrap_err(), solved.unwrap_err()]
}

#[test]
fn what_a_source_does_wrong_is_an_error_whenever_it_does_it() {
    for good in [0, 1, 2, 5, 9] {
        for error in faults(good, |_, _| Err(StreamError::source("the disk is gone"))) {
            assert!(
                matches!(&error, StreamError::Source(cause) if cause.to_string() == "the disk is gone"),
                "{error}"
            );
        }
        for error in faults(good, |block, visit| {
            let mut x = block.x.to_owned();
            x[(3, 1)] = f32::NAN;
            visit(Block {
                index: block.index,
                first_row: block.first_row,
                x: x.view(),
                y: block.y.reborrow(),
            })
        }) {
            let expected = SolverError::NotFinite {
                what: "inputs",
                row: 23,
                column: 1,
            };
            assert!(
                matches!(&error, StreamError::Solver(found) if *found == expected),
                "{error}"
            );
        }
        for error in faults(good, |block, visit| {
            let mut y = block.y.to_owned();
            y[4] = 0.0;
            visit(Block {
                index: block.index,
                first_row: block.first_row,
                x: block.x.reborrow(),
                y: y.view(),
            })
        }) {
            let expected = SolverError::Label {
                row: 24,
                found: 0.0,
            };
            assert!(
                matches!(&error, StreamError::Solver(found) if *found == expected),
                "{error}"
            );
        }
        let wrong: [(&str, Fault); 6] = [
            ("blocks of a pass, or number of a block", |_, _| Ok(())),
            ("number of a block", |mut block, visit| {
                block.index = 0;
                visit(block)
            }),
            (
                "rows of a block, or first row of a block",
                |mut block, visit| {
                    block.x = block.x.slice_move(s![1.., ..]);
                    block.y = block.y.slice_move(s![1..]);
                    visit(block)
                },
            ),
            ("width of a block", |mut block, visit| {
                block.x = block.x.slice_move(s![.., 1..]);
                visit(block)
            }),
            ("first row of a block", |mut block, visit| {
                block.first_row = 10;
                visit(block)
            }),
            ("last row of a block", |mut block, visit| {
                block.first_row = 31;
                visit(block)
            }),
        ];
        for (expected, fault) in wrong {
            for error in faults(good, fault) {
                assert!(
                    matches!(&error, StreamError::Contract { what, .. } if expected.contains(what)),
                    "{error}"
                );
            }
        }
    }
}

#[test]
fn one_radius_is_as_good_as_equal_ones() {
    let mut data = Data::draw(2, (200, 2), 1, 0.0);
    data.radii.fill(0.125);
    let source = data.source(60);
    let settings = quick(5, StepRule::AdaGrad { rate: 1.0 });
    let each = data.problem(&source, 1.0, Intercept::Free);
    let equal = each
        .with_penalty(Radii::Equal(0.125), &data.matrix)
        .unwrap();
    let nominal = each.with_penalty(Radii::Equal(0.0), &data.matrix).unwrap();
    let found = train(&equal, &settings, 1);
    assert_eq!(train(&each, &settings, 1), found);
    assert!(train(&nominal, &settings, 1).objective < found.objective);
    let interior = InteriorPointSettings::default();
    let found = interior_point(&equal, &interior).unwrap();
    assert_eq!(interior_point(&each, &interior).unwrap(), found);
}

#[test]
fn one_class_is_refused() {
    let mut data = Data::draw(2, (50, 2), 1, 0.0);
    data.y.fill(1.0);
    let source = data.source(20);
    let problem = data.problem(&source, 1.0, Intercept::Free);
    let settings = quick(3, StepRule::Pegasos);
    let mut state = state(&problem, &settings, 1);
    let trained = train_stream(&problem, &settings, &mut state, &mut |_| {
        ControlFlow::Continue(())
    });
    let solved = interior_point(&problem, &InteriorPointSettings::default());
    for error in [trained.unwrap_err(), solved.unwrap_err()] {
        assert!(
            matches!(
                error,
                StreamError::Solver(SolverError::OneClass { rows: 50 })
            ),
            "{error}"
        );
    }
}

#[test]
fn what_is_wrong_with_problem_settings_or_state_is_named() {
    let data = Data::draw(2, (50, 2), 1, 0.0);
    let source = data.source(20);
    let nominal = |lambda| StreamProblem::new(&source, &data.map, lambda);
    assert!(matches!(nominal(0.0), Err(SolverError::Lambda(_))));
    let problem = nominal(1.0).unwrap();
    let three = BlockFeatures::new(Features::Identity(Identity::new(3))).unwrap();
    let wide = StreamProblem::new(&source, &three, 1.0);
    assert!(matches!(
        wide,
        Err(SolverError::Shape {
            expected: 3,
            found: 2,
            ..
        })
    ));
    let orthogonal = PenaltyMatrix::Orthogonal;
    let radius = problem.with_penalty(Radii::Equal(-1.0), &orthogonal);
    assert!(matches!(radius, Err(SolverError::Radius { .. })));
    let short = problem.with_penalty(Radii::Each(&data.radii[..49]), &orthogonal);
    assert!(matches!(
        short,
        Err(SolverError::Shape {
            expected: 50,
            found: 49,
            ..
        })
    ));
    let dense = PenaltyMatrix::Dense(Array2::eye(10));
    let refused = problem.with_penalty(Radii::Equal(0.1), &dense);
    assert!(matches!(refused, Err(SolverError::Penalty)));

    let settings = quick(3, StepRule::Pegasos);
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    for bad in [
        StreamSettings {
            observe_every: 0,
            ..settings
        },
        StreamSettings {
            steps: StochasticSettings {
                epochs: 65_536,
                ..settings.steps
            },
            ..settings
        },
        StreamSettings {
            steps: StochasticSettings {
                batch: 0,
                ..settings.steps
            },
            ..settings
        },
    ] {
        assert!(matches!(
            StreamState::new(&problem, &bad, &mut rng),
            Err(SolverError::Setting { .. })
        ));
    }
    let mut state = StreamState::new(&problem, &settings, &mut rng).unwrap();
    let other = StreamProblem::new(&source, &data.map, 2.0).unwrap();
    let refused = train_stream(&other, &settings, &mut state, &mut |_| {
        ControlFlow::Continue(())
    });
    assert!(matches!(
        refused,
        Err(StreamError::Solver(SolverError::Setting {
            name: "state",
            ..
        }))
    ));
}

#[test]
fn bytes_that_are_no_state_are_refused() {
    let data = Data::draw(2, (50, 2), 1, 0.1);
    let source = data.source(20);
    let problem = data.problem(&source, 1.0, Intercept::Penalised);
    let settings = quick(8, StepRule::Constant { rate: 0.1 });
    let mut state = state(&problem, &settings, 1);
    assert_eq!(StreamState::from_bytes(&state.to_bytes()).unwrap(), state);
    train_stream(&problem, &settings, &mut state, &mut |_| {
        ControlFlow::Continue(())
    })
    .unwrap();
    let bytes = state.to_bytes();
    assert_eq!(StreamState::from_bytes(&bytes).unwrap(), state);
    for length in 0..bytes.len() {
        assert!(
            StreamState::from_bytes(&bytes[..length]).is_err(),
            "{length} of {}",
            bytes.len()
        );
    }
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(StreamState::from_bytes(&longer), Err(StateError::Damaged));
    let mut newer = bytes.clone();
    newer[7] = 1;
    assert_eq!(StreamState::from_bytes(&newer), Err(StateError::Format));
    // Sizes that no file holds are not asked memory for.
    let mut huge = bytes;
    huge[8..16].fill(0xff);
    assert_eq!(StreamState::from_bytes(&huge), Err(StateError::Damaged));
}

#[test]
fn the_observer_is_told_how_far_training_is() {
    let data = Data::draw(2, (90, 2), 1, 0.1);
    let source = data.source(20);
    let problem = data.problem(&source, 1.0, Intercept::Free);
    let settings = StreamSettings {
        observe_every: 2,
        ..quick(2, StepRule::Pegasos)
    };
    let mut state = state(&problem, &settings, 1);
    let mut seen = Vec::new();
    train_stream(&problem, &settings, &mut state, &mut |progress| {
        assert_eq!(
            (progress.state.epochs(), progress.state.blocks_done()),
            (progress.epoch, progress.blocks_done)
        );
        assert!(progress.mean_loss > 0.0 && progress.mean_loss < 100.0);
        seen.push((progress.epoch, progress.blocks_done, progress.rows_done));
        ControlFlow::Continue(())
    })
    .unwrap();
    let blocks: Vec<_> = seen.iter().map(|s| (s.0, s.1)).collect();
    assert_eq!(blocks, [(0, 2), (0, 4), (0, 5), (1, 2), (1, 4), (1, 5)]);
    assert_eq!((seen[2].2, seen[5].2), (90, 90));
    assert!(
        seen[1].2 == 80 || seen[1].2 == 70,
        "four blocks, the short one among them or not"
    );
    assert_eq!((state.epochs(), state.blocks_done()), (2, 0));
}

/// The last block has one row, whose step has the weight of that row: a step of full length would give it half of all.
#[test]
fn a_short_block_has_the_weight_of_its_rows() {
    let data = Data::draw(3, (401, 3), 1, 0.1);
    let source = data.source(200);
    for rule in INTERCEPTS {
        let problem = data.problem(&source, 1.0, *rule);
        for step in [
            StepRule::AdaGrad { rate: 1.0 },
            StepRule::Constant { rate: 0.2 },
            StepRule::Pegasos,
        ] {
            let mut settings = quick(512, step);
            settings.steps.batch = 200;
            settings.steps.tolerance = 1e-2;
            let found = train(&problem, &settings, 1);
            let gap = found.relative_gap.value();
            assert!(gap <= 1e-2, "{rule:?} {step:?}: {gap}");
        }
    }
}

fn go_on(
    problem: &StreamProblem<'_>,
    settings: &StreamSettings,
    state: &mut StreamState,
) -> Result<StreamSolution, StreamError> {
    train_stream(problem, settings, state, &mut |_| ControlFlow::Continue(()))
}

#[test]
fn a_state_belongs_to_its_penalty_and_map() {
    let data = Data::draw(3, (60, 2), 1, 0.1);
    let source = data.source(20);
    let problem = data.problem(&source, 1.0, Intercept::Free);
    let settings = quick(2, StepRule::AdaGrad { rate: 1.0 });
    let mut own = state(&problem, &settings, 1);
    go_on(&problem, &settings, &mut own).unwrap();
    let mut radii = data.radii.clone();
    radii[59] += 0.5;
    let orthogonal = PenaltyMatrix::Orthogonal;
    let other = Data::draw(5, (60, 2), 1, 0.1);
    let another_map = StreamProblem::new(&source, &other.map, 1.0).unwrap();
    let same_penalty = another_map.with_penalty(Radii::Each(&data.radii), &data.matrix);
    for changed in [
        problem.with_penalty(Radii::Each(&radii), &data.matrix),
        problem.with_penalty(Radii::Equal(0.1), &data.matrix),
        problem.with_penalty(Radii::Each(&data.radii), &orthogonal),
        same_penalty,
    ] {
        let mut state = StreamState::from_bytes(&own.to_bytes()).unwrap();
        let refused = go_on(&changed.unwrap(), &settings, &mut state);
        assert!(matches!(
            refused,
            Err(StreamError::Solver(SolverError::Setting {
                name: "state",
                ..
            }))
        ));
    }
    go_on(&problem, &settings, &mut own).unwrap();
}

/// Rows are not in the state's key, but what is returned is proved of the rows at hand: here of the other labels.
#[test]
fn a_state_of_other_rows_proves_nothing_false() {
    let mut data = Data::draw(3, (200, 3), 1, 0.01);
    // Few rows of one class, which nearly always have a loss.
    let y = |i| if i % 10 == 0 { 1.0 } else { -1.0 };
    data.y = Array1::from_shape_fn(200, y);
    for (mut x, y) in data.x.outer_iter_mut().zip(&data.y) {
        x[0] += 3.0 * y;
    }
    for rule in INTERCEPTS {
        for more in 0..2 {
            let mut data = Data {
                x: data.x.clone(),
                y: data.y.clone(),
                radii: data.radii.clone(),
                map: data.map.clone(),
                matrix: data.matrix.clone(),
            };
            let settings = quick(9, StepRule::AdaGrad { rate: 1.0 });
            let mut state = {
                let source = data.source(60);
                let problem = data.problem(&source, 0.1, *rule);
                let mut state = state(&problem, &settings, 1);
                go_on(&problem, &settings, &mut state).unwrap();
                state
            };
            data.y.mapv_inplace(|y| -y);
            let source = data.source(60);
            let problem = data.problem(&source, 0.1, *rule);
            let settings = quick(9 + more, StepRule::AdaGrad { rate: 1.0 });
            let found = go_on(&problem, &settings, &mut state).unwrap();
            let (phi, y, penalty) = data.in_memory();
            let in_memory = Problem::new(phi.view(), y.view(), &penalty, 0.1).unwrap();
            let in_memory = in_memory.with_intercept(*rule);
            let primal = objective(&in_memory, found.zeta.view(), found.intercept);
            let error = (found.objective - primal).abs();
            assert!(error <= 1e-10 * primal, "{} {primal}", found.objective);
            let alpha = alphas(&found, data.y.view());
            assert!(alpha.iter().all(|a| (0.0..=1.0).contains(a)));
            let dual = dual_value(&in_memory, alpha.view()).value;
            assert!((found.dual_objective - dual).abs() <= 1e-10 * primal);
        }
    }
}

/// The pass of a certificate fails after each number of epochs, and the run goes on as if it had not.
#[test]
fn a_certificate_that_could_not_be_read_is_made_up_for() {
    let data = Data::draw(3, (90, 2), 1, 0.1);
    let source = data.source(40);
    let problem = data.problem(&source, 1.0, Intercept::Free);
    let mut settings = quick(7, StepRule::AdaGrad { rate: 1.0 });
    settings.steps.certify_every = 2;
    settings.steps.tolerance = 0.03;
    let mut whole = state(&problem, &settings, 1);
    let expected = go_on(&problem, &settings, &mut whole).unwrap();
    // Two epochs and a certificate, four more and a certificate, and the same once more: after four epochs the tolerance is too far off.
    for (good, epochs) in [0, 1, 2, 2, 3, 4, 5, 6, 6, 7].into_iter().enumerate() {
        let faulty = Faulty {
            source: data.source(40),
            reads: 0.into(),
            good,
            fault: |_, _| Err(StreamError::source("gone")),
        };
        let failing = data.problem(&faulty, 1.0, Intercept::Free);
        let mut state = state(&problem, &settings, 1);
        assert!(go_on(&failing, &settings, &mut state).is_err(), "{good}");
        assert_eq!(state.epochs(), epochs, "{good}");
        let found = go_on(&problem, &settings, &mut state).unwrap();
        assert_eq!((found, &state), (expected.clone(), &whole), "{good}");
    }
}

/// Where a gap falls as the inverse square of the epochs, 0.3 of that after two epochs is there after four, and 0.2 of it after six; where
/// the losses on the way tell more than ten times the tolerance, the gap is not looked at before the end.
#[test]
fn a_gap_is_looked_at_where_it_may_be_the_tolerance() {
    let data = Data::draw(3, (90, 2), 1, 0.1);
    let source = data.source(40);
    let problem = data.problem(&source, 1.0, Intercept::Free);
    let mut settings = quick(7, StepRule::AdaGrad { rate: 1.0 });
    settings.steps.certify_every = 2;
    let mut looks = |tolerance: f64| {
        settings.steps.tolerance = tolerance;
        let found = go_on(&problem, &settings, &mut state(&problem, &settings, 1)).unwrap();
        let trace = found.trace.into_iter();
        trace
            .map(|point| (point.iteration, point.relative_gap.value()))
            .collect::<Vec<_>>()
    };
    let first = looks(0.05)[0];
    assert_eq!(first.0, 2);
    for (share, epoch) in [(0.3, 4), (0.2, 6)] {
        let looks = looks(share * first.1);
        assert_eq!(looks.iter().find(|look| look.0 > 2).unwrap().0, epoch);
    }
    let epochs = looks(1e-9).into_iter().map(|look| look.0);
    assert_eq!(epochs.collect::<Vec<_>>(), [7]);
}

/// Where the losses tell more than a hundred times the tolerance, the first look is after sixteen times the two epochs.
#[test]
fn a_gap_that_seems_far_off_is_looked_at_in_the_end() {
    let data = Data::draw(3, (90, 2), 1, 0.1);
    let source = data.source(40);
    let problem = data.problem(&source, 1.0, Intercept::Free);
    let mut settings = quick(35, StepRule::AdaGrad { rate: 1.0 });
    settings.steps.certify_every = 2;
    settings.steps.tolerance = 1e-9;
    let found = train(&problem, &settings, 1);
    let epochs: Vec<usize> = found.trace.iter().map(|point| point.iteration).collect();
    assert_eq!(epochs, [32, 35]);
}

/// Steps of one length leave the losses on the way where they are, far above those of the average: the gap is looked at all the same.
#[test]
fn a_gap_far_below_what_the_steps_tell_is_found() {
    let data = Data::draw(3, (90, 2), 1, 0.1);
    let source = data.source(40);
    let problem = data.problem(&source, 1e4, Intercept::Free);
    let mut settings = quick(400, StepRule::Constant { rate: 0.009 });
    settings.steps.method = StochasticMethod::Subgradient;
    settings.steps.certify_every = 2;
    settings.steps.tolerance = 0.02;
    let found = train(&problem, &settings, 1);
    // Four times the two after which it might have been looked at first.
    assert_eq!((found.status, found.epochs), (Status::Solved, 8));
}

#[test]
fn a_run_that_is_over_stays_as_it_is() {
    let data = Data::draw(3, (400, 2), 1, 0.1);
    let source = data.source(128);
    let problem = data.problem(&source, 1.0, Intercept::Free);
    for (epochs, tolerance, status) in [
        (200, 0.1, Status::Solved),
        (5, 1e-6, Status::IterationLimit),
        (14, 1e-6, Status::IterationLimit),
    ] {
        let mut settings = quick(epochs, StepRule::AdaGrad { rate: 1.0 });
        settings.steps.tolerance = tolerance;
        let mut state = state(&problem, &settings, 1);
        let expected = go_on(&problem, &settings, &mut state).unwrap();
        assert_eq!(expected.status, status);
        let over = state.clone();
        assert_eq!(go_on(&problem, &settings, &mut state).unwrap(), expected);
        assert_eq!(state, over);
    }
}

/// The block 1, alone in its pass, is shorter than the others and where it belongs if all were so short: its pass is in order,
/// but its epoch is not.
#[test]
fn an_epoch_without_all_rows_is_an_error() {
    let data = Data::draw(3, (50, 2), 1, 0.1);
    let good = data.source(20);
    let faulty = Faulty {
        source: data.source(20),
        reads: 0.into(),
        good: 0,
        fault: |block, visit| {
            visit(Block {
                index: 1,
                first_row: block.first_row - 1,
                x: block.x.slice(s![1.., ..]),
                y: block.y.slice(s![1..]),
            })
        },
    };
    let settings = quick(1, StepRule::AdaGrad { rate: 1.0 });
    let (good, faulty) = (
        data.problem(&good, 1.0, Intercept::Free),
        data.problem(&faulty, 1.0, Intercept::Free),
    );
    let mut found = 0;
    for seed in 0..20 {
        let mut state = state(&good, &settings, seed);
        let ended = train_stream(&good, &settings, &mut state, &mut |progress| {
            if progress.blocks_done == 2 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert!(matches!(ended, Err(StreamError::Stopped)));
        // The other block is left, and the fault shows when the certificate reads all.
        let ended = go_on(&faulty, &settings, &mut state).unwrap_err();
        match ended {
            StreamError::Contract {
                what: "rows of an epoch",
                expected: 50,
                found: 49,
            } => found += 1,
            StreamError::Contract { what, .. } => assert!(what.contains("of a block"), "{what}"),
            other => panic!("{other}"),
        }
    }
    assert!((1..20).contains(&found), "{found}");
}

/// Scores beyond the range of f32, where weights are within that of f64.
#[test]
fn scores_that_are_not_finite_are_told() {
    let mut data = Data::draw(3, (50, 2), 0, 0.0);
    data.x *= 1e25;
    let source = data.source(20);
    let problem = data.problem(&source, 1.0, Intercept::Free);
    let settings = quick(4, StepRule::Constant { rate: 1e-10 });
    let found = train(&problem, &settings, 1);
    assert_eq!(found.status, Status::NumericalError);
    assert!(found.objective.is_finite() && found.dual_objective >= 0.0);
}
