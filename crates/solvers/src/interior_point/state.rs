//! Where a solve stands at the head of an iteration: all that it needs to go on.
//!
//! These are the variables, the best points certified so far and how the solve is going. All else an iteration makes anew:
//! the products at the iterate, residuals, scaling, Gram matrix and factor follow from the variables, and the objectives of the best points
//! are kept, so that they need not be judged again. As bytes it takes five numbers a row, 40 bytes: s, ξ, α, μ, and the best α.

use super::best::Best;
use super::data::ConicData;
use super::progress::Progress;
use super::settings::InteriorPointSettings;
use super::solution::{Solution, Status};
use super::variables::Variables;
use crate::encoding::{Reader, floats, trace, words};
use crate::{Intercept, Problem, RelativeGap, SolverError};
use ndarray::Array1;

/// The state at the head of an iteration.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct State {
    pub(super) v: Variables,
    pub(super) best: Best,
    pub(super) progress: Progress,
    /// Whether no step leads on: it was tried, and the variables are no longer what they were, to rounding.
    pub(super) is_stuck: bool,
}

impl State {
    /// Iterations made.
    pub(crate) fn iterations(&self) -> usize {
        self.progress.iteration
    }

    /// The gap between the best points so far.
    pub(crate) fn relative_gap(&self) -> RelativeGap {
        RelativeGap::new(self.best.objective, self.best.dual)
    }

    /// The solution of a solve that ended here, its values computed afresh from the problem alone.
    pub(crate) fn solution(
        &self,
        problem: &Problem<'_>,
        settings: &InteriorPointSettings,
        status: Status,
    ) -> Solution {
        let best = self.best.clone();
        best.into_solution(problem, self.progress.iteration, status)
            .judged(settings.tolerance)
    }

    /// That it is one of as many variables, and its multipliers are feasible for the labels: the bound of these is proved by
    /// the rows at hand then, wherever the state comes from.
    ///
    /// # Errors
    /// [`SolverError::Setting`]
    pub(super) fn check(
        &self,
        problem: &Problem<'_>,
        data: &ConicData<'_>,
    ) -> Result<(), SolverError> {
        let sizes = [
            self.v.x.len(),
            self.v.s_cone.len(),
            self.v.s.len(),
            self.best.zeta.len(),
        ];
        if sizes != [data.width, data.cone_dim(), data.rows, data.dim] {
            return refused("with as many variables", format!("{sizes:?}"));
        }
        let alpha = &self.best.alpha;
        let total = alpha.sum();
        let balance = alpha.dot(&problem.y());
        // What sums of as many numbers round to.
        let rounding = 4.0 * data.rows as f64 * f64::EPSILON * total;
        let balanced = problem.intercept() != Intercept::Free || balance.abs() <= rounding;
        if alpha.iter().all(|a| (0.0..=1.0).contains(a)) && balanced {
            return Ok(());
        }
        let found = format!("a sum of α of {total} and of yα of {balance}");
        refused("with multipliers that are feasible for the labels", found)
    }

    /// As bytes, behind others.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let Self {
            v, best, progress, ..
        } = self;
        let flags = [!v.s_cone.is_empty(), self.is_stuck];
        words(out, &flags.map(u64::from));
        for part in [&v.x, &v.s, &v.xi, &v.alpha, &v.mu, &v.s_cone, &v.z_cone] {
            floats(out, part);
        }
        floats(out, &best.zeta);
        floats(out, &best.alpha);
        floats(out, &[best.intercept, best.objective, best.dual]);
        let places = [progress.iteration, progress.last_better, progress.last_move];
        words(out, &places.map(|place| place as u64));
        floats(out, &[progress.step, progress.gap, progress.smallest_gap]);
        trace(out, &best.trace);
    }

    /// The state that [`State::write`] wrote, of L rows and D features; `None` for bytes that are none.
    pub(crate) fn read(
        reader: &mut Reader<'_>,
        (rows, dim): (usize, usize),
        intercept: Intercept,
    ) -> Option<Self> {
        let (cone, is_stuck) = (reader.flag()?, reader.flag()?);
        let width = dim
            .checked_add(usize::from(intercept != Intercept::None))?
            .checked_add(usize::from(cone))?;
        let cone_dim = if cone { dim.checked_add(1)? } else { 0 };
        let v = Variables {
            x: reader.floats(width)?,
            s: reader.floats(rows)?,
            xi: reader.floats(rows)?,
            alpha: reader.floats(rows)?,
            mu: reader.floats(rows)?,
            s_cone: reader.floats(cone_dim)?,
            z_cone: reader.floats(cone_dim)?,
        };
        let mut best = Best {
            zeta: Array1::from_vec(reader.floats(dim)?),
            alpha: Array1::from_vec(reader.floats(rows)?),
            intercept: reader.float()?,
            objective: reader.float()?,
            dual: reader.float()?,
            trace: Vec::new(),
        };
        let progress = Progress {
            iteration: reader.size()?,
            last_better: reader.size()?,
            last_move: reader.size()?,
            step: reader.float()?,
            gap: reader.float()?,
            smallest_gap: reader.float()?,
        };
        best.trace = reader.trace()?;
        let earlier = progress.last_better.max(progress.last_move);
        let is_whole = earlier <= progress.iteration;
        is_whole.then_some(Self {
            v,
            best,
            progress,
            is_stuck,
        })
    }
}

fn refused(expected: &'static str, found: String) -> Result<(), SolverError> {
    Err(SolverError::Setting {
        name: "state",
        expected,
        found,
    })
}
