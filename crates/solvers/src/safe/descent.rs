//! One descent: steps along the shortest convex combination of gradients near the current point.

use super::bundle::{Bundle, distance};
use super::evaluate::{differentiate, solve_lower};
use super::point::{Point, is_solved, project, projected_length};
use super::{Descent, SafeProblem, SafeSettings, SafeStatus, Step};
use crate::SolverError;
use ndarray::{Array1, ArrayView1};

/// The share of the decrease that the direction promises which a step must reach.
const ARMIJO: f64 = 1e-2;
/// By what a step that is refused is shortened, and what share of the box's width is the least.
const SHORTEN: f64 = 0.3;
const SHORTEST: f64 = 1e-9;
/// A gradient is of use if it promises less than this share of what the direction promises along it.
const AGREEMENT: f64 = 0.5;
/// The first step moves the scale with the largest gradient by this share of the box.
const FIRST_MOVE: f64 = 0.1;
/// Over so many steps the progress is measured.
const PATIENCE: usize = 5;
/// Within what share of the box's width gradients count as those of the current point: first, and by what it falls where
/// they show nothing more.
const FIRST_RADIUS: f64 = 0.05;
const NARROW: f64 = 0.1;

/// A descent under way.
pub(super) struct Descending<'a, 'p> {
    problem: &'a SafeProblem<'p>,
    settings: &'a SafeSettings,
    point: Point,
    bundle: Bundle,
    /// η of the next step.
    length: f64,
    radius: f64,
    steps: Vec<Step>,
    lower_solves: usize,
}

/// How a line search ended.
enum Searched {
    /// At a point with lower F.
    Lower(Point, f64),
    /// Near the current point, and F is not lower there: its gradient is another one.
    Null(Point, f64),
    /// With neither, at the shortest step.
    Nothing,
}

impl<'a, 'p> Descending<'a, 'p> {
    /// At `start`, projected onto the box.
    pub(super) fn begin(
        problem: &'a SafeProblem<'p>,
        start: ArrayView1<'_, f64>,
        settings: &'a SafeSettings,
    ) -> Result<Self, SolverError> {
        let s = project(start.to_owned(), settings);
        let (lower, upper) = solve_lower(problem, s.view(), &settings.lower)?;
        let evaluation = differentiate(problem, s.view(), lower, &upper)?;
        let point = Point { s, evaluation };
        let gradient = &point.evaluation.gradient;
        let largest = gradient
            .iter()
            .fold(f64::MIN_POSITIVE, |m, g| m.max(g.abs()));
        let width = settings.s_max - settings.s_min;
        let mut bundle = Bundle::default();
        bundle.move_to(&point.s, gradient, 0.0);
        Ok(Self {
            length: FIRST_MOVE * width / largest,
            radius: FIRST_RADIUS * width,
            steps: vec![point.step(settings)],
            lower_solves: 1,
            problem,
            settings,
            point,
            bundle,
        })
    }

    /// To its end: the last point, which is the best, the length of the shortest combination there, and the trace.
    pub(super) fn finish(mut self) -> Result<(Point, Descent), SolverError> {
        let smallest = self.settings.radius * (self.settings.s_max - self.settings.s_min);
        let (status, combined) = loop {
            let ends = (self.settings.s_min, self.settings.s_max);
            let direction = self.bundle.steepest(&self.point.s, ends);
            let combined = projected_length(&self.point.s, &direction, self.settings);
            if let Some(status) = self.ended() {
                break (status, combined);
            }
            if combined <= self.settings.tolerance * self.point.upper().max(1.0) {
                if self.radius <= smallest {
                    break (SafeStatus::Stationary, combined);
                }
                self.narrow(smallest);
                continue;
            }
            match self.search(&direction)? {
                Searched::Lower(next, length) => self.advance(next, length),
                Searched::Null(near, length) => {
                    self.bundle.add(&near.s, &near.evaluation.gradient);
                    // The next direction is shorter, and may be followed farther.
                    self.length = length / SHORTEN;
                }
                Searched::Nothing => break (SafeStatus::Stalled, combined),
            }
        };
        let descent = Descent {
            steps: self.steps,
            status,
            combined_gradient: combined,
            lower_solves: self.lower_solves,
        };
        Ok((self.point, descent))
    }

    /// Whether it ends here whatever the direction.
    fn ended(&self) -> Option<SafeStatus> {
        let now = self.point.upper();
        if !self.point.is_solved() {
            return Some(SafeStatus::Unsolved);
        }
        if self.point.evaluation.constant {
            return Some(SafeStatus::Constant);
        }
        if self.lower_solves >= self.settings.max_solves {
            return Some(SafeStatus::SolveLimit);
        }
        let before = self.steps.len().checked_sub(1 + PATIENCE)?;
        let before = self.steps[before].upper_objective;
        (before - now < self.settings.progress * before).then_some(SafeStatus::Stalled)
    }

    fn narrow(&mut self, smallest: f64) {
        self.radius = (NARROW * self.radius).max(smallest);
        self.bundle.keep_near(&self.point.s, self.radius);
    }

    fn advance(&mut self, next: Point, length: f64) {
        self.length = next_length(&self.point, &next, length);
        self.point = next;
        self.steps.push(self.point.step(self.settings));
        let Point { s, evaluation } = &self.point;
        self.bundle.move_to(s, &evaluation.gradient, self.radius);
    }

    /// Follows −`direction` from the current point, projected, ever shorter, to a point that Armijo's rule accepts, or one
    /// within the radius whose gradient speaks against the direction.
    fn search(&mut self, direction: &Array1<f64>) -> Result<Searched, SolverError> {
        let (problem, settings) = (self.problem, self.settings);
        let least = SHORTEST * (settings.s_max - settings.s_min);
        let agreed = AGREEMENT * direction.dot(direction);
        let mut length = self.length;
        loop {
            let s = project(&self.point.s - &(direction * length), settings);
            let moved = distance(&s, &self.point.s);
            if moved < least {
                return Ok(Searched::Nothing);
            }
            let (lower, upper) = solve_lower(problem, s.view(), &settings.lower)?;
            self.lower_solves += 1;
            let promised = ARMIJO * moved * moved / length;
            let accepted = is_solved(&lower) && upper.value <= self.point.upper() - promised;
            if accepted || (moved <= self.radius && is_solved(&lower)) {
                let evaluation = differentiate(problem, s.view(), lower, &upper)?;
                let found = Point { s, evaluation };
                if accepted {
                    return Ok(Searched::Lower(found, length));
                }
                // F may rise towards a point whose gradient says that it falls, because it is not convex: the kink
                // is nearer.
                if found.evaluation.gradient.dot(direction) <= agreed {
                    return Ok(Searched::Null(found, length));
                }
            }
            length *= SHORTEN;
        }
    }
}

/// The Barzilai–Borwein length `⟨Δs, Δs⟩/⟨Δs, Δ∇F⟩`; twice the last one where F is not convex along the step.
fn next_length(from: &Point, to: &Point, last: f64) -> f64 {
    let moved = &to.s - &from.s;
    let turned = &to.evaluation.gradient - &from.evaluation.gradient;
    let curvature = moved.dot(&turned);
    if curvature > 0.0 {
        (moved.dot(&moved) / curvature).clamp(0.01 * last, 100.0 * last)
    } else {
        2.0 * last
    }
}
