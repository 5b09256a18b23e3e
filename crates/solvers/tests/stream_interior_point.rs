//! The interior-point method on blocks of rows that stops and goes on: the same bits wherever it was stopped, and states that
//! are damaged or belong elsewhere.

mod common;

use common::INTERCEPTS;
use common::stream::{Data, Faulty};
use ndarray::Array1;
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_core::penalty::PenaltyMatrix;
use robust_svm_solvers::certificate::{dual_value, objective};
use robust_svm_solvers::stream::{
    InteriorPointState, Radii, StateError, StreamError, StreamProblem, StreamSettings, StreamState,
    solve_stream,
};
use robust_svm_solvers::{
    Intercept, InteriorPointSettings, Problem, Solution, SolverError, Status,
};
use std::ops::ControlFlow;

fn to(tolerance: f64) -> InteriorPointSettings {
    InteriorPointSettings {
        tolerance,
        ..InteriorPointSettings::default()
    }
}

fn go_on(
    problem: &StreamProblem<'_>,
    settings: &InteriorPointSettings,
    state: &mut InteriorPointState,
) -> Result<Solution, StreamError> {
    solve_stream(problem, settings, state, &mut |_| ControlFlow::Continue(()))
}

/// Solves with a stop after every so many iterations; what is found, the last state, and how often it stopped.
fn in_parts(
    problem: &StreamProblem<'_>,
    settings: &InteriorPointSettings,
    every: usize,
) -> (Solution, InteriorPointState, usize) {
    let mut bytes = InteriorPointState::new(problem).to_bytes();
    let mut stops = 0;
    loop {
        let mut state = InteriorPointState::from_bytes(&bytes).unwrap();
        let until = state.iterations() + every;
        // Threads may change from call to call.
        let settings = InteriorPointSettings {
            parallel: stops % 2 == 1,
            ..*settings
        };
        let ended = solve_stream(problem, &settings, &mut state, &mut |progress| {
            assert_eq!(progress.iterations, progress.state.iterations());
            assert!(progress.blocks_read >= problem.source().blocks());
            if progress.iterations < until {
                return ControlFlow::Continue(());
            }
            bytes = progress.state.to_bytes();
            ControlFlow::Break(())
        });
        match ended {
            Ok(found) => return (found, state, stops),
            Err(StreamError::Stopped) => stops += 1,
            Err(error) => panic!("{error}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// ζ, b, α, both objectives, gap, iterations, status and trace, where the tolerance is reached and where it is not.
    #[test]
    fn a_solve_that_stops_and_goes_on_has_the_bits_of_one_that_does_not(
        seed in any::<u64>(), rows in 20..200_usize, n in 1..5_usize, map in 0..3_usize,
        gamma in prop_oneof![Just(0.0), 0.01..0.5_f32], log_lambda in -6.0..3.0_f64, block_rows in 5..220_usize,
        tolerance in prop::sample::select(vec![1e-2, 1e-8, 1e-16]), rule in prop::sample::select(INTERCEPTS.to_vec()),
        every in 1..4_usize,
    ) {
        let data = Data::draw(seed, (rows, n), map, gamma);
        let source = data.source(block_rows);
        let problem = data.problem(&source, 10.0_f64.powf(log_lambda), rule);
        let mut whole = InteriorPointState::new(&problem);
        let expected = go_on(&problem, &to(tolerance), &mut whole).unwrap();
        let (found, state, stops) = in_parts(&problem, &to(tolerance), every);
        prop_assert_eq!(&found, &expected);
        prop_assert_eq!(&state, &whole);
        prop_assert_eq!(stops, expected.iterations / every);
        // Over, it stays as it is.
        prop_assert_eq!(go_on(&problem, &to(tolerance), &mut whole).unwrap(), expected);
        prop_assert_eq!(state, whole);
    }
}

#[test]
fn tolerance_and_limit_may_change_on_the_way() {
    let data = Data::draw(3, (150, 3), 1, 0.1);
    let source = data.source(40);
    let problem = data.problem(&source, 1.0, Intercept::Free);
    let expected = in_parts(&problem, &to(1e-9), 1).0;
    assert_eq!(expected.status, Status::Solved);
    for (rough, status) in [
        (to(1e-2), Status::Solved),
        (
            InteriorPointSettings {
                max_iterations: 3,
                ..to(1e-9)
            },
            Status::IterationLimit,
        ),
    ] {
        let mut state = InteriorPointState::new(&problem);
        let first = go_on(&problem, &rough, &mut state).unwrap();
        assert_eq!(first.status, status);
        assert!(first.iterations < expected.iterations);
        let found = go_on(&problem, &to(1e-9), &mut state).unwrap();
        assert_eq!(found, expected);
        // A limit below what was done ends it at once.
        let over = InteriorPointSettings {
            max_iterations: 1,
            ..to(1e-16)
        };
        let ended = go_on(&problem, &over, &mut state).unwrap();
        assert_eq!(
            (ended.status, ended.iterations),
            (Status::IterationLimit, expected.iterations)
        );
    }
}

/// A pass fails, each of them in turn, and the solve goes on as if it had not.
#[test]
fn a_pass_that_could_not_be_read_is_made_up_for() {
    for matrix in 0..2 {
        let data = Data::draw(4 + matrix, (90, 2), 1, 0.1);
        let source = data.source(40);
        let problem = data.problem(&source, 1.0, Intercept::Free);
        let mut whole = InteriorPointState::new(&problem);
        let expected = go_on(&problem, &to(1e-6), &mut whole).unwrap();
        let mut good = 0;
        loop {
            let faulty = Faulty {
                source: data.source(40),
                reads: 0.into(),
                good,
                fault: |_, _| Err(StreamError::source("gone")),
            };
            let failing = data.problem(&faulty, 1.0, Intercept::Free);
            let mut state = InteriorPointState::new(&problem);
            match go_on(&failing, &to(1e-6), &mut state) {
                Ok(found) => {
                    assert_eq!(found, expected);
                    break;
                }
                Err(StreamError::Source(_)) => {}
                Err(other) => panic!("{other}"),
            }
            let found = go_on(&problem, &to(1e-6), &mut state).unwrap();
            assert!(found == expected && state == whole, "{good} good passes");
            good += 1;
        }
        assert!(good > 8 * expected.iterations, "{good}");
    }
}

#[test]
fn bytes_that_are_no_state_are_refused() {
    for rule in INTERCEPTS {
        let data = Data::draw(2, (50, 2), 1, 0.1);
        let source = data.source(20);
        let problem = data.problem(&source, 1.0, *rule);
        let mut state = InteriorPointState::new(&problem);
        let begun = InteriorPointState::from_bytes(&state.to_bytes());
        assert_eq!(begun.as_ref(), Ok(&state));
        go_on(&problem, &to(1e-2), &mut state).unwrap();
        let bytes = state.to_bytes();
        assert_eq!(InteriorPointState::from_bytes(&bytes).unwrap(), state);
        for length in 0..bytes.len() {
            assert!(
                InteriorPointState::from_bytes(&bytes[..length]).is_err(),
                "{length} of {}",
                bytes.len()
            );
        }
        let damaged = Err(StateError::Damaged);
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(InteriorPointState::from_bytes(&longer), damaged);
        // Rows and features that no file holds are not asked memory for.
        for at in [8, 16] {
            let mut huge = bytes.clone();
            huge[at..at + 8].fill(0xff);
            assert_eq!(InteriorPointState::from_bytes(&huge), damaged);
        }
        let mut newer = bytes;
        newer[7] += 1;
        assert_eq!(
            InteriorPointState::from_bytes(&newer),
            Err(StateError::Format)
        );
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let other = StreamState::new(&problem, &StreamSettings::default(), &mut rng).unwrap();
        let other = other.to_bytes();
        assert_eq!(
            InteriorPointState::from_bytes(&other),
            Err(StateError::Format)
        );
        assert_eq!(
            StreamState::from_bytes(&state.to_bytes()),
            Err(StateError::Format)
        );
    }
}

/// That `state` is refused, and as what.
fn refused(problem: &StreamProblem<'_>, state: &InteriorPointState, why: &str) {
    let mut own = state.clone();
    match go_on(problem, &to(1e-6), &mut own) {
        Err(StreamError::Solver(SolverError::Setting {
            name: "state",
            expected,
            ..
        })) => assert!(expected.contains(why), "{expected}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(own, *state);
}

#[test]
fn a_state_belongs_to_its_problem() {
    let mut data = Data::draw(3, (60, 2), 1, 0.1);
    let other = Data::draw(5, (60, 2), 1, 0.1);
    let orthogonal = PenaltyMatrix::Orthogonal;
    let mut radii = data.radii.clone();
    radii[59] += 0.5;
    let state = {
        let (source, coarse) = (data.source(20), data.source(30));
        let problem = data.problem(&source, 1.0, Intercept::Free);
        let mut state = InteriorPointState::new(&problem);
        go_on(&problem, &to(1e-3), &mut state).unwrap();
        let another_map = StreamProblem::new(&source, &other.map, 1.0).unwrap();
        for changed in [
            problem.with_penalty(Radii::Each(&radii), &data.matrix),
            problem.with_penalty(Radii::Equal(0.0), &data.matrix),
            problem.with_penalty(Radii::Each(&data.radii), &orthogonal),
            another_map.with_penalty(Radii::Each(&data.radii), &data.matrix),
            Ok(data.problem(&source, 2.0, Intercept::Free)),
            Ok(data.problem(&source, 1.0, Intercept::Penalised)),
            Ok(data.problem(&coarse, 1.0, Intercept::Free)),
        ] {
            refused(&changed.unwrap(), &state, "penalty, lambda and intercept");
        }
        go_on(&problem, &to(1e-6), &mut state.clone()).unwrap();
        state
    };
    // Multipliers of other labels prove nothing.
    data.y[0] = -data.y[0];
    let source = data.source(20);
    let problem = data.problem(&source, 1.0, Intercept::Free);
    refused(&problem, &state, "feasible for the labels");
}

/// Rows are not in the state's key, but what is returned is proved of the rows at hand.
#[test]
fn a_state_of_other_rows_proves_nothing_false() {
    for rule in INTERCEPTS {
        for tolerance in [1e-2, 1e-8] {
            let mut data = Data::draw(3, (200, 3), 1, 0.01);
            let state = {
                let source = data.source(60);
                let problem = data.problem(&source, 0.1, *rule);
                let mut state = InteriorPointState::new(&problem);
                go_on(&problem, &to(tolerance), &mut state).unwrap();
                state
            };
            data.x.mapv_inplace(|x| -0.5 * x);
            let source = data.source(60);
            let problem = data.problem(&source, 0.1, *rule);
            let found = go_on(&problem, &to(1e-8), &mut state.clone()).unwrap();
            let (phi, y, penalty) = data.in_memory();
            let in_memory = Problem::new(phi.view(), y.view(), &penalty, 0.1).unwrap();
            let in_memory = in_memory.with_intercept(*rule);
            let primal = objective(&in_memory, found.zeta.view(), found.intercept);
            assert!((found.objective - primal).abs() <= 1e-10 * primal);
            let dual = dual_value(&in_memory, found.alpha.view()).value;
            assert!((found.dual_objective - dual).abs() <= 1e-10 * primal);
            assert!(found.alpha.iter().all(|a| (0.0..=1.0).contains(a)));
            if *rule == Intercept::Free {
                let balance: Array1<f64> = &found.alpha * &y;
                assert!(balance.sum().abs() <= 1e-12 * found.alpha.sum());
            }
        }
    }
}
