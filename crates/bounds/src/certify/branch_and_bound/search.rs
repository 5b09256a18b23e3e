//! The search around one point.

use super::BranchAndBound;
use super::node::Node;
use crate::certify::PointCertificates;
use crate::certify::around::{Around, Cell};
use crate::{BoundError, check};
use ndarray::{Array1, Array2, ArrayView1};
use robust_svm_core::linalg::symmetric_eigen;
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
use std::collections::BinaryHeap;

/// Where the worst margin of a point lies.
#[derive(Debug, Clone, PartialEq)]
pub struct MarginBracket {
    /// Certified: no perturbation of the set leads to less. It keeps the reserve for rounding of
    /// [`PointCertificates::worst_margin`].
    pub lower: f64,
    /// Reached by `perturbation`, or by what was known before.
    pub upper: f64,
    /// The perturbation δ (n) of the set that leads to `upper`; `None` if nothing better than what was known
    /// before was found.
    pub perturbation: Option<Array1<f64>>,
    /// Cells evaluated.
    pub cells: usize,
}

impl PointCertificates {
    /// Brackets `min { y f(x+δ) : δ ∈ U }` of each point at γ, from the margins `reached` (p) that an attack
    /// found, by splitting the set: at p = 2 along the principal axes of the model's curvature at the point,
    /// else along the coordinates. Every cell is bounded by a quadratic below the model on it, and never
    /// below the cell it was split from. Linear models need no search.
    ///
    /// In up to three dimensions cells enough close the bracket, unless the set dwarfs the bandwidth; in more
    /// the number of cells is what limits it. The lower end is certified wherever the search stops.
    ///
    /// # Errors
    /// [`BoundError::Core`] if `reached` has another length or γ is negative or not finite.
    pub fn worst_margins(
        &self,
        gamma: f64,
        reached: ArrayView1<'_, f64>,
        options: BranchAndBound,
    ) -> Result<Vec<MarginBracket>, BoundError> {
        check::length("margins reached", self.margins().len(), reached.len())?;
        check::size(gamma)?;
        let brackets = reached.iter().enumerate();
        Ok(brackets
            .map(|(point, &upper)| self.bracket(point, gamma, upper, options))
            .collect())
    }

    fn bracket(
        &self,
        point: usize,
        gamma: f64,
        reached: f64,
        options: BranchAndBound,
    ) -> MarginBracket {
        let gamma = gamma * self.sets.size(point);
        let loss = self.loss_at(point, gamma);
        let mut bracket = MarginBracket {
            lower: self.margin_after(point, loss),
            upper: reached.min(self.margins[point]),
            perturbation: None,
            cells: 0,
        };
        if gamma == 0.0 || options.is_settled(bracket.lower, bracket.upper) {
            return bracket;
        }
        let set = self.sets.shape(point);
        let Some(around) = self.around(point) else {
            // Linear: the closed form, as an attack has it.
            bracket.upper = bracket.upper.min(self.margins[point] - loss);
            return bracket;
        };
        let n = self.inputs.ncols();
        let frame = frame(&around, set.norm(), gamma, n);
        let p = set.norm();
        let mut search = Search {
            ball: UncertaintySet::new(p, Factor::Identity).expect("the identity is a factor"),
            around: around.turned(frame.view()),
            // What the least bound loses to rounding: the reserve of the verdict at the root.
            reserve: self.margins[point] - loss - bracket.lower,
            best: None,
            lower: self.margins[point] - loss,
            upper: bracket.upper,
            evaluated: 0,
        };
        search.run(Cell::whole(set.norm(), gamma, n), options);
        bracket.lower = bracket.lower.max(search.lower - search.reserve);
        bracket.upper = search.upper;
        bracket.cells = search.evaluated;
        bracket.perturbation = search.best.map(|v| {
            let mut δ = frame.dot(&v);
            set.project(δ.view_mut(), gamma);
            set.scale(δ.view_mut());
            δ
        });
        bracket
    }
}

/// The axes of the cells as columns: the principal axes of the model's curvature at p = 2, whose ball is the
/// same in every frame, else the coordinates.
fn frame(around: &Around, p: Norm, gamma: f64, n: usize) -> Array2<f64> {
    if p == Norm::Two {
        let below = around.minorant(&Cell::whole(p, gamma, n));
        if let Ok((_, axes)) = symmetric_eigen(below.curvature.view()) {
            return axes;
        }
    }
    Array2::eye(n)
}

struct Search {
    /// The set in its own coordinates, at size 1.
    ball: UncertaintySet,
    around: Around,
    reserve: f64,
    /// The coordinates, in the frame, that lead to `upper`.
    best: Option<Array1<f64>>,
    /// No margin is less, but for rounding.
    lower: f64,
    upper: f64,
    evaluated: usize,
}

impl Search {
    fn run(&mut self, root: Cell, options: BranchAndBound) {
        let mut waiting = BinaryHeap::new();
        // Bounds of the cells that need no more splitting.
        let mut settled = f64::INFINITY;
        let first = self.node(root, self.lower);
        waiting.push(first);
        while let Some(node) = waiting.pop() {
            self.lower = node.lower.min(settled).min(self.upper).max(self.lower);
            if options.is_settled(self.lower - self.reserve, self.upper)
                || self.evaluated + 2 > options.cells()
            {
                return;
            }
            for cell in node.cell.split(node.axis) {
                let part = self.node(cell, node.lower);
                if options.is_settled(part.lower - self.reserve, self.upper) {
                    settled = settled.min(part.lower);
                } else {
                    waiting.push(part);
                }
            }
        }
        self.lower = settled.min(self.upper).max(self.lower);
    }

    /// `cell` with its bound, at least `inherited`.
    fn node(&mut self, cell: Cell, inherited: f64) -> Node {
        let below = self.around.minorant(&cell);
        let (bound, worst) = below.lower_bound(&cell);
        self.try_point(&cell.centre + &worst, cell.gamma);
        self.evaluated += 1;
        Node {
            // A bound that is not a number bounds nothing.
            lower: if bound > inherited { bound } else { inherited },
            order: self.evaluated,
            axis: below.loosest_axis(&cell),
            cell,
        }
    }

    /// The point of the set nearest to `v` as a perturbation.
    fn try_point(&mut self, mut v: Array1<f64>, gamma: f64) {
        self.ball.project(v.view_mut(), gamma);
        let margin = self.around.value(v.view());
        if margin < self.upper {
            self.upper = margin;
            self.best = Some(v);
        }
    }
}
