//! The searches that run side by side: one row for each start of each point that is not broken yet.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, Axis};
use robust_svm_core::model::{DecisionFunction, Model};
use robust_svm_core::uncertainty::{Norm, UncertaintySet};

/// Weight of the projected step; the rest goes to the previous movement [Croce & Hein 2020].
const MOMENTUM: f64 = 0.75;

/// Where each search stands, in coordinates u with δ = Σ^{1/2} u.
pub(super) struct Rows {
    /// The point that each row searches around.
    pub(super) points: Vec<usize>,
    /// u (rows × n).
    pub(super) u: Array2<f64>,
    previous: Array2<f64>,
    /// The points' inputs, repeated (rows × n).
    x: Array2<f64>,
    /// The points' labels, repeated.
    y: Array1<f64>,
}

impl Rows {
    /// Searches around `points` of `x` and `y`, from the rows of `u`.
    pub(super) fn new(
        points: Vec<usize>,
        u: Array2<f64>,
        x: ArrayView2<'_, f64>,
        y: ArrayView1<'_, f64>,
    ) -> Self {
        Self {
            x: x.select(Axis(0), &points),
            y: y.select(Axis(0), &points),
            previous: u.clone(),
            points,
            u,
        }
    }

    /// `y f(x+δ)` of each row and its gradient by u.
    pub(super) fn margins_and_gradients(
        &self,
        model: &Model,
        set: &UncertaintySet,
    ) -> (Array1<f64>, Array2<f64>) {
        let mut inputs = self.u.clone();
        for row in inputs.outer_iter_mut() {
            set.scale(row);
        }
        inputs += &self.x;
        let (values, gradients) = model.decision_and_gradient(inputs.view());
        let mut gradients = set.pull_back(gradients.view());
        gradients *= &self.y.view().insert_axis(Axis(1));
        (values * &self.y, gradients)
    }

    /// Keeps the rows at `kept`, and of `gradients` too.
    pub(super) fn keep(&mut self, kept: &[usize], gradients: &mut Array2<f64>) {
        if kept.len() == self.points.len() {
            return;
        }
        self.points = kept.iter().map(|&row| self.points[row]).collect();
        self.y = self.y.select(Axis(0), kept);
        for matrix in [&mut self.u, &mut self.previous, &mut self.x, gradients] {
            *matrix = matrix.select(Axis(0), kept);
        }
    }

    /// One step of length `step` down the normalised `gradients` (overwritten), with momentum, within
    /// the set of size `gamma`.
    pub(super) fn descend(
        &mut self,
        set: &UncertaintySet,
        gamma: f64,
        step: f64,
        mut gradients: Array2<f64>,
    ) {
        for ((mut target, mut u), mut previous) in gradients
            .outer_iter_mut()
            .zip(self.u.outer_iter_mut())
            .zip(self.previous.outer_iter_mut())
        {
            steepest(target.view_mut(), set.norm());
            target.zip_mut_with(&u, |g, u| *g = u - step * *g);
            set.project(target.view_mut(), gamma);
            ndarray::Zip::from(&mut u)
                .and(&mut previous)
                .and(&target)
                .for_each(|u, previous, target| {
                    let next = *u + MOMENTUM * (target - *u) + (1.0 - MOMENTUM) * (*u - *previous);
                    *previous = std::mem::replace(u, next);
                });
            set.project(u, gamma);
        }
    }
}

/// The direction of steepest ascent of length 1 in the norm, for the gradient `g`, in place; 0 for 0.
fn steepest(mut g: ArrayViewMut1<'_, f64>, norm: Norm) {
    match norm {
        Norm::Infinity => g.mapv_inplace(|v| if v == 0.0 { 0.0 } else { v.signum() }),
        Norm::One | Norm::Two => {
            let length = Norm::Two.of(g.view());
            if length > 0.0 {
                g /= length;
            }
        }
    }
}
