//! The certificate, by one pass in double precision.
//!
//! The pass gives `Σ_{i of a class} count_i y_iφ_i`, of which D(α) is made, and the objective of two points: the average ζ of
//! the tail, and the ζ of the dual point, which the steps have summed up to single precision.

use super::intercept_grid::InterceptGrid;
use super::pieces::{Piece, Pieces};
use super::state::{Best, StreamState};
use super::sums::Sums;
use super::{Block, StreamError, StreamProblem};
use crate::Intercept;
use crate::certificate::{DualSums, DualTerms};
use crate::stochastic::Iterate;
use crate::workers::Workers;
use ndarray::Array1;

/// A feasible dual point and its value.
pub(super) struct DualPoint {
    /// α is these factors times the counts.
    pub(super) factors: [f64; 2],
    /// `D(α)`.
    pub(super) value: f64,
    /// The ζ that belongs to it (D).
    zeta: Array1<f64>,
}

/// Certifies the tail of `state`: keeps the better of its points in `state.best`, and gives the dual point.
pub(super) fn certify(
    problem: &StreamProblem<'_>,
    state: &mut StreamState,
    workers: Workers,
) -> Result<DualPoint, StreamError> {
    let tail = &state.sums.current;
    let share = 1.0 / tail.epochs.max(1.0);
    let average = &tail.point.zeta * share;
    let of_dual = dual_point(problem, tail, state.counts.largest[0]).zeta;
    let centre = match problem.intercept() {
        Intercept::None => 0.0,
        Intercept::Free | Intercept::Penalised => tail.point.intercept * share,
    };
    let mut found = Pass::new(problem, [average, of_dual], centre);
    found.run(problem, &state.counts.tail, workers)?;
    for best in found.points(problem) {
        let better = |old: &Best| best.objective < old.objective;
        if state.best.as_ref().is_none_or(better) {
            state.best = Some(best);
        }
    }
    found.sums.epochs = tail.epochs;
    Ok(dual_point(problem, &found.sums, state.counts.largest[0]))
}

/// The best multiple of the mean α of `sums`, in which the class with the larger sum is scaled down if b is free, and
/// `largest` counts of the classes.
fn dual_point(problem: &StreamProblem<'_>, sums: &Sums, largest: [u16; 2]) -> DualPoint {
    let share = 1.0 / sums.epochs.max(1.0);
    let smaller = sums.active[0].min(sums.active[1]);
    let factors = sums.active.map(|active| match problem.intercept() {
        Intercept::Free if active > smaller => share * smaller / active,
        _ => share,
    });
    let mut zeta = &sums.weighted[0] * factors[0] + &sums.weighted[1] * factors[1];
    let of = |pair: [f64; 2]| factors[0] * pair[0] + factors[1] * pair[1];
    let dual = DualSums {
        multipliers: of(sums.active),
        balance: of([-sums.active[0], sums.active[1]]),
        radius: of(sums.radius),
    };
    let rule = (problem.intercept(), problem.lambda());
    let v = zeta.as_slice_mut().expect("a fresh array");
    let terms: DualTerms = dual.terms(rule, (problem.matrix(), 0.0), v);
    let largest = of_largest(factors, largest);
    // Without an active loss α = 0.
    let factor = if largest > 0.0 {
        terms.best_factor(1.0 / largest)
    } else {
        0.0
    };
    zeta *= factor;
    DualPoint {
        factors: factors.map(|f| factor * f),
        value: terms.scaled_value(factor),
        zeta,
    }
}

/// The largest α.
fn of_largest(factors: [f64; 2], largest: [u16; 2]) -> f64 {
    let [negative, positive] = largest.map(f64::from);
    (factors[0] * negative).max(factors[1] * positive)
}

/// What a pass sums.
struct Pass {
    zetas: [Array1<f64>; 2],
    /// `‖Aζ‖₂` of each.
    norms: [f64; 2],
    grids: [InterceptGrid; 2],
    /// Of the counts, in double precision.
    sums: Sums,
    /// Rows of each class.
    rows: [f64; 2],
}

impl Pass {
    fn new(problem: &StreamProblem<'_>, zetas: [Array1<f64>; 2], centre: f64) -> Self {
        let norms = [0, 1].map(|k| problem.penalty_norm(zetas[k].view()));
        Self {
            norms,
            grids: [centre; 2].map(InterceptGrid::around),
            sums: Sums::zeros(problem.dim()),
            rows: [0.0; 2],
            zetas,
        }
    }

    fn run(
        &mut self,
        problem: &StreamProblem<'_>,
        counts: &[u16],
        workers: Workers,
    ) -> Result<(), StreamError> {
        let columns: Vec<f64> = self.zetas.iter().flatten().copied().collect();
        let mut pieces = Pieces::new(problem.features(), workers);
        let order: Vec<usize> = (0..problem.source().blocks()).collect();
        problem.read(&order, &mut |block| {
            let counts = &counts[block.first_row..block.first_row + block.y.len()];
            let weights = |row: usize, _: [f64; 2]| {
                let (y, count) = (block.y[row], f64::from(counts[row]));
                if y > 0.0 { [0.0, count] } else { [-count, 0.0] }
            };
            for piece in pieces.products(&block, Some(&columns), Some(&weights)) {
                self.add(problem, &block, counts, piece);
            }
            Ok(())
        })
    }

    /// Adds the products of a piece of a block.
    fn add(
        &mut self,
        problem: &StreamProblem<'_>,
        block: &Block<'_>,
        counts: &[u16],
        piece: &Piece<2>,
    ) {
        for (sum, part) in self.sums.weighted.iter_mut().zip(piece.sums()) {
            for (sum, part) in sum.iter_mut().zip(part) {
                *sum += part;
            }
        }
        for (row, scores) in piece.scores() {
            let positive = block.y[row] > 0.0;
            let class = usize::from(positive);
            let y = if positive { 1.0 } else { -1.0 };
            let radius = problem.radii().of(block.first_row + row);
            self.rows[class] += 1.0;
            self.sums.active[class] += f64::from(counts[row]);
            self.sums.radius[class] += f64::from(counts[row]) * radius;
            for ((grid, norm), score) in self.grids.iter_mut().zip(self.norms).zip(scores) {
                grid.add(positive, y * score - radius * norm);
            }
        }
    }

    /// The points judged: both ζ with the best intercepts found, and ζ = 0.
    fn points(&self, problem: &StreamProblem<'_>) -> Vec<Best> {
        let (rule, λ) = (problem.intercept(), problem.lambda());
        let of_grid = |k: usize| {
            let zeta = &self.zetas[k];
            let (b, losses) = self.grids[k].best(rule, λ);
            let objective = 0.5 * λ * zeta.dot(zeta) + rule.regularisation(λ, b) + losses;
            let zeta = zeta.clone();
            let x = Iterate { zeta, intercept: b };
            Best { x, objective }
        };
        let mut points = vec![of_grid(0), of_grid(1), self.constant(problem)];
        points.retain(|point| point.objective.is_finite());
        points
    }

    /// The best constant: `n₊(1 − b)_+ + n₋(1 + b)_+`, and `λ/2 b²` where b is penalised, is least in [−1, 1], where it is
    /// linear but for the latter.
    fn constant(&self, problem: &StreamProblem<'_>) -> Best {
        let (rule, λ) = (problem.intercept(), problem.lambda());
        let [negative, positive] = self.rows;
        let b = match rule {
            Intercept::Free if positive >= negative => 1.0,
            Intercept::Free => -1.0,
            Intercept::Penalised => ((positive - negative) / λ).clamp(-1.0, 1.0),
            Intercept::None => 0.0,
        };
        let losses = positive * (1.0 - b) + negative * (1.0 + b);
        let mut x = Iterate::zeros(problem.dim());
        x.intercept = b;
        Best {
            x,
            objective: losses + rule.regularisation(λ, b),
        }
    }
}
