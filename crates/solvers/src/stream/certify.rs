//! The certificate, by one pass in double precision.
//!
//! The pass gives `Σ_{i of a class} count_i y_iφ_i`, of which D(α) is made, and the objective of three points: the average ζ of
//! the tail, the ζ of the dual point, which the steps have summed up to single precision, and the best point so far, whose
//! objective is thus of the rows at hand, too.

use super::intercept_grid::InterceptGrid;
use super::pieces::{Piece, Pieces};
use super::state::StreamState;
use super::sums::Sums;
use super::{Block, StreamError, StreamProblem};
use crate::Intercept;
use crate::certificate::{DualSums, DualTerms};
use crate::stochastic::Iterate;
use crate::workers::Workers;
use ndarray::Array1;

/// By how much more than rounding, as a share, the best point so far must be better than the new ones: a certificate made
/// again meets its own point, summed otherwise, and is to have the same bits.
const ROUNDING: f64 = 1e-10;

/// A feasible dual point and its value.
pub(super) struct DualPoint {
    /// α is these factors times the counts.
    pub(super) factors: [f64; 2],
    /// `D(α)`.
    pub(super) value: f64,
    /// The ζ that belongs to it (D).
    zeta: Array1<f64>,
}

/// What a pass proves.
pub(super) struct Certificate {
    /// `P(ζ, b)` of the best point.
    pub(super) objective: f64,
    /// The dual point of the tail.
    pub(super) dual: DualPoint,
}

/// A point and its objective.
struct Judged {
    x: Iterate,
    objective: f64,
}

/// Certifies the tail of `state`: keeps the best of its points and the one before in `state.best`.
pub(super) fn certify(
    problem: &StreamProblem<'_>,
    state: &mut StreamState,
    workers: Workers,
) -> Result<Certificate, StreamError> {
    let tail = &state.sums.current;
    let share = 1.0 / tail.epochs.max(1.0);
    let average = &tail.point.zeta * share;
    // The steps do not know the largest count of each class.
    let largest = state.counts.tail.iter().copied().max().unwrap_or(0);
    let of_dual = dual_point(problem, tail, [largest; 2]).zeta;
    let centre = match problem.intercept() {
        Intercept::None => 0.0,
        Intercept::Free | Intercept::Penalised => tail.point.intercept * share,
    };
    let before = state.best.clone();
    let mut found = Pass::new(problem, [average, of_dual], centre, before);
    found.run(problem, &state.counts.tail, workers)?;
    found.sums.epochs = tail.epochs;
    let dual = dual_point(problem, &found.sums, found.largest);
    let best = found.best(problem);
    state.best = Some(best.x);
    Ok(Certificate {
        objective: best.objective,
        dual,
    })
}

/// An estimate of the relative gap of the tail of `state` without a look at the rows, of which nothing is certified: the losses of the last
/// epoch, each taken on the way to the average, stand for those of the average, which are mostly less, and what the steps have summed in
/// single precision for the dual point.
pub(super) fn estimated_gap(problem: &StreamProblem<'_>, state: &StreamState) -> f64 {
    let tail = &state.sums.current;
    let share = 1.0 / tail.epochs.max(1.0);
    let largest = state.counts.tail.iter().copied().max().unwrap_or(0);
    let zeta = &tail.point.zeta * share;
    let (rule, λ) = (problem.intercept(), problem.lambda());
    let b = share * tail.point.intercept;
    let objective = state.closed_loss + 0.5 * λ * zeta.dot(&zeta) + rule.regularisation(λ, b);
    let dual = dual_point(problem, tail, [largest; 2]).value;
    (objective - dual) / objective
}

/// The best multiple of the mean α of `sums`, in which the class with the larger sum is scaled down if b is free, and
/// `largest_counts` of the classes.
fn dual_point(problem: &StreamProblem<'_>, sums: &Sums, largest_counts: [u16; 2]) -> DualPoint {
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
    let largest = of_largest(factors, largest_counts);
    // Without an active loss α = 0.
    let factor = if largest > 0.0 {
        terms.best_factor(1.0 / largest)
    } else {
        0.0
    };
    zeta *= factor;
    // Rounding must not carry the largest α past 1: in binary arithmetic n (1/n) rounds to no more.
    let of_class = |c: usize| (factor * factors[c]).min(1.0 / f64::from(largest_counts[c]));
    DualPoint {
        factors: [of_class(0), of_class(1)],
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
    /// The new points.
    zetas: [Array1<f64>; 2],
    /// `‖Aζ‖₂` of each.
    norms: [f64; 2],
    grids: [InterceptGrid; 2],
    /// The best point so far, its `‖Aζ‖₂` and the sum of its losses.
    before: Option<(Iterate, f64)>,
    losses: f64,
    /// Of the counts, in double precision.
    sums: Sums,
    /// The largest count of each class.
    largest: [u16; 2],
    /// Rows of each class.
    rows: [f64; 2],
}

impl Pass {
    fn new(
        problem: &StreamProblem<'_>,
        zetas: [Array1<f64>; 2],
        centre: f64,
        before: Option<Iterate>,
    ) -> Self {
        let norms = [0, 1].map(|k| problem.penalty_norm(zetas[k].view()));
        Self {
            norms,
            grids: [centre; 2].map(InterceptGrid::around),
            before: before.map(|x| {
                let norm = problem.penalty_norm(x.zeta.view());
                (x, norm)
            }),
            losses: 0.0,
            sums: Sums::zeros(problem.dim()),
            largest: [0; 2],
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
        let mut columns: Vec<f64> = self.zetas.iter().flatten().copied().collect();
        match &self.before {
            Some((x, _)) => columns.extend(&x.zeta),
            None => columns.resize(3 * problem.dim(), 0.0),
        }
        let mut pieces = Pieces::new(problem.features(), workers);
        let order: Vec<usize> = (0..problem.source().blocks()).collect();
        problem.read(&order, &mut |block| {
            let counts = &counts[block.first_row..block.first_row + block.y.len()];
            let weights = |row: usize, _: [f64; 3]| {
                let (y, count) = (block.y[row], f64::from(counts[row]));
                if y > 0.0 { [0.0, count] } else { [-count, 0.0] }
            };
            pieces.products(&block, Some(&columns), Some(&weights), |piece| {
                self.add(problem, &block, counts, piece);
            });
            Ok(())
        })
    }

    /// Adds the products of a piece of a block.
    fn add(
        &mut self,
        problem: &StreamProblem<'_>,
        block: &Block<'_>,
        counts: &[u16],
        piece: &Piece<3, 2>,
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
            self.largest[class] = self.largest[class].max(counts[row]);
            let [_, _, of_before] = scores;
            if let Some((x, norm)) = &self.before {
                let hinge = 1.0 - y * (of_before + x.intercept) + radius * norm;
                // NaN stays NaN.
                self.losses += hinge.clamp(0.0, f64::INFINITY);
            }
            for ((grid, norm), score) in self.grids.iter_mut().zip(self.norms).zip(scores) {
                grid.add(positive, y * score - radius * norm);
            }
        }
    }

    /// The best of the points judged: ζ = 0, both new ζ with the best intercepts found, and the best so far as it is.
    fn best(&self, problem: &StreamProblem<'_>) -> Judged {
        let (rule, λ) = (problem.intercept(), problem.lambda());
        let of_losses = |zeta: &Array1<f64>, b: f64, losses: f64| Judged {
            objective: 0.5 * λ * zeta.dot(zeta) + rule.regularisation(λ, b) + losses,
            x: Iterate {
                zeta: zeta.clone(),
                intercept: b,
            },
        };
        let of_grid = |(zeta, grid): (&Array1<f64>, &InterceptGrid)| {
            let (b, losses) = grid.best(rule, λ);
            of_losses(zeta, b, losses)
        };
        let new = self.zetas.iter().zip(&self.grids).map(of_grid);
        let new = new.filter(|point| point.objective.is_finite()).fold(
            self.constant(problem),
            |best, point| {
                if point.objective < best.objective {
                    point
                } else {
                    best
                }
            },
        );
        let before = self.before.as_ref();
        let before = before.map(|(x, _)| of_losses(&x.zeta, x.intercept, self.losses));
        let better = |before: &Judged| before.objective < (1.0 - ROUNDING) * new.objective;
        before.filter(better).unwrap_or(new)
    }

    /// The best constant: `n₊(1 − b)_+ + n₋(1 + b)_+`, and `λ/2 b²` where b is penalised, is least in [−1, 1], where it is
    /// linear but for the latter.
    fn constant(&self, problem: &StreamProblem<'_>) -> Judged {
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
        Judged {
            x,
            objective: losses + rule.regularisation(λ, b),
        }
    }
}
