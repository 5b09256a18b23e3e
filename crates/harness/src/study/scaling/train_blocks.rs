//! Training on rows that are drawn block by block, however many they are.

use super::row::Trained;
use super::solver::TrainerName;
use super::train::{Task, fixed_epochs};
use crate::run::failure::Failure;
use crate::run::stopwatch::Stopwatch;
use robust_svm_solvers::stream::{
    BlockFeatures, InteriorPointProgress, InteriorPointState, Radii, StreamError, StreamProblem,
    StreamSettings, StreamState, solve_stream, train_stream,
};
use std::ops::ControlFlow;

/// Trains on the blocks of the task's source. The source draws rows in every pass: that is no work of the solver, and is
/// counted as preparing.
pub(super) fn train(task: &Task<'_>, watch: &mut Stopwatch) -> Result<Trained, Failure> {
    let features = watch.time(|s| &mut s.features, || task.features());
    watch.set_apart(|s| &mut s.features, &task.source.take_watch());
    let features = features?;
    let trained = watch.time(
        |s| &mut s.solve,
        || {
            // Sets are equal, and so are their radii: those of one row say all.
            let penalty = task.penalty(&features, task.source.first_rows(1).view())?;
            let features = BlockFeatures::new(features)?;
            let problem = StreamProblem::new(&task.source, &features, task.lambda)?;
            let radii = Radii::Equal(penalty.radii[0]);
            solve(task, &problem.with_penalty(radii, &penalty.matrix)?)
        },
    );
    watch.set_apart(|s| &mut s.solve, &task.source.take_watch());
    trained
}

fn solve(task: &Task<'_>, problem: &StreamProblem<'_>) -> Result<Trained, Failure> {
    if task.solver == TrainerName::StreamInteriorPoint {
        let mut state = InteriorPointState::new(problem);
        let go_on = &mut |_: InteriorPointProgress<'_>| ControlFlow::Continue(());
        let found = solve_stream(problem, &task.interior_point(), &mut state, go_on);
        let found = found.map_err(failure)?;
        let values = (found.objective, found.dual_objective);
        return task.trained(Some(found.iterations), values, found.relative_gap);
    }
    let default = StreamSettings::default();
    let settings = StreamSettings {
        steps: fixed_epochs(task.plan.epochs, default.steps),
        ..default
    };
    let mut rng = task.plan.seeds(task.cell).stream("stream");
    let mut state = StreamState::new(problem, &settings, &mut rng)?;
    let go_on = &mut |_: robust_svm_solvers::stream::Progress<'_>| ControlFlow::Continue(());
    let found = train_stream(problem, &settings, &mut state, go_on).map_err(failure)?;
    let values = (found.objective, found.dual_objective);
    task.trained(Some(found.epochs), values, found.relative_gap)
}

fn failure(error: StreamError) -> Failure {
    match error {
        StreamError::Solver(error) => error.into(),
        other => Failure::failed(other),
    }
}
