//! The iterations of the interior-point method.

use super::best::Judge;
use super::cone::is_inside;
use super::data::ConicData;
use super::newton::{Correction, Newton};
use super::products::Products;
use super::progress::Progress;
use super::settings::InteriorPointSettings;
use super::solution::{Solution, Status};
use super::state::State;
use super::step::longest_feasible_step;
use super::variables::Variables;
use crate::linear_system::SMALL_RESIDUAL;
use crate::workers::Workers;
use crate::{Problem, SolverError};
use std::ops::ControlFlow;

/// Steps shorter than this end the solve.
const SHORTEST_STEP: f64 = 1e-8;
/// The relative residual to which the predictor, which only says where to go, is found.
const ROUGH: f64 = 1e-8;

/// Gondzio's correctors an iteration at most; steps longer than this need none; by how much they aim to lengthen a step,
/// and the share of it that must come about [J. Gondzio, Comput. Optim. Appl. 6 (1996)].
const CENTRALITY_CORRECTIONS: usize = 2;
const LONG_STEP: f64 = 0.9;
const AIM: f64 = 0.3;
const WORTHWHILE: f64 = 0.1;

/// A solve under way: the problem in conic form, and the memory of an iteration. What the next one needs is in the [`State`].
pub(crate) struct Iterations<'a, 'p> {
    problem: &'a Problem<'p>,
    settings: &'a InteriorPointSettings,
    data: ConicData<'p>,
    judge: Judge,
    predictor: Variables,
    d: Variables,
    correction: Correction,
    products: Products,
    newton: Newton,
}

impl<'a, 'p> Iterations<'a, 'p> {
    /// For a problem whose A is not dense.
    pub(crate) fn new(problem: &'a Problem<'p>, settings: &'a InteriorPointSettings) -> Self {
        let data = ConicData::new(problem, Workers::parallel(settings.parallel));
        Self {
            problem,
            settings,
            judge: Judge::new(&data),
            predictor: Variables::zeros(&data),
            d: Variables::zeros(&data),
            correction: Correction::zeros(&data),
            products: Products::zeros(&data),
            newton: Newton::new(&data),
            data,
        }
    }

    /// Before the first iteration; near `previous` if there is one.
    pub(crate) fn start(&mut self, previous: Option<&Solution>) -> State {
        let (problem, data) = (self.problem, &self.data);
        State {
            v: match previous {
                Some(previous) => Variables::near(data, problem, previous),
                None => Variables::start(data, problem.y()),
            },
            best: self.judge.start(problem, data),
            progress: Progress::new(),
            is_stuck: false,
        }
    }

    /// That `state` has the variables of this problem, and multipliers that are feasible for it.
    ///
    /// # Errors
    /// [`SolverError::Setting`]
    pub(crate) fn check(&self, state: &State) -> Result<(), SolverError> {
        state.check(self.problem, &self.data)
    }

    /// Forgets what earlier iterations left in memory: the next one has the bits of one that begins with its state.
    pub(crate) fn forget(&mut self) {
        self.newton.forget();
    }

    /// Certifies the iterate, and ends or makes one step: `state` moves from the head of one iteration to that of the next. It
    /// stays as good as it was where rows in blocks cannot be read, which is a numerical error.
    pub(crate) fn next(&mut self, state: &mut State) -> ControlFlow<Status> {
        if state.is_stuck {
            return ControlFlow::Break(Status::Stalled);
        }
        let State {
            v, best, progress, ..
        } = state;
        let (data, newton) = (&self.data, &mut self.newton);
        self.products.update(data, v);
        self.judge
            .update((self.problem, data), (v, &self.products), best);
        if data.b.is_lost() {
            return ControlFlow::Break(Status::NumericalError);
        }
        if let Some(status) = progress.end(best.gap(progress.iteration), self.settings) {
            return ControlFlow::Break(status);
        }
        if newton.factorise(data, v, &self.products).is_err() {
            return ControlFlow::Break(Status::NumericalError);
        }
        let (d, predictor, correction) = (&mut self.d, &mut self.predictor, &mut self.correction);
        correction.clear();
        newton.direction(data, v, (correction, ROUGH), predictor);
        // The further the predictor gets, the less the corrector is drawn to the centre.
        let workers = data.workers;
        let reach = longest_feasible_step(v, predictor, 1.0, workers);
        let σ = (1.0 - reach).powi(3);
        let weight = progress.corrector_weight(reach);
        let centre = σ * v.complementarity();
        correction.set(predictor, newton.scaling(), (weight, centre), workers);
        newton.direction(data, v, (correction, SMALL_RESIDUAL), d);
        if d.x.iter().any(|x| !x.is_finite()) {
            return ControlFlow::Break(Status::NumericalError);
        }
        let longest =
            |d: &Variables| progress.step(longest_feasible_step(v, d, f64::INFINITY, workers));
        let mut step = longest(d);
        for _ in 0..CENTRALITY_CORRECTIONS {
            // Overflow and rounding can leave no centre to aim at.
            if step > LONG_STEP || centre.is_nan() || centre <= 0.0 {
                break;
            }
            correction.centre(v, d, ((step + AIM).min(1.0), centre), workers);
            newton.direction(data, v, (correction, SMALL_RESIDUAL), predictor);
            let corrected = longest(predictor);
            // A direction that is not finite has no step.
            if !(corrected >= step + WORTHWHILE * AIM && predictor.x.iter().all(|x| x.is_finite()))
            {
                break;
            }
            step = corrected;
            std::mem::swap(d, predictor);
        }
        if data.b.is_lost() {
            return ControlFlow::Break(Status::NumericalError);
        }
        if !advance_inside(v, d, step, workers) {
            state.is_stuck = true;
            return ControlFlow::Break(Status::Stalled);
        }
        progress.stepped(step);
        ControlFlow::Continue(())
    }
}

/// Advances by `step`, or less where rounding would leave the cone; false if the step becomes too short.
fn advance_inside(v: &mut Variables, d: &Variables, mut step: f64, workers: Workers) -> bool {
    while step >= SHORTEST_STEP {
        v.advance(step, d, workers);
        if is_inside(&v.s_cone) && is_inside(&v.z_cone) {
            return true;
        }
        v.advance(-step, d, workers);
        step *= 0.5;
    }
    false
}
