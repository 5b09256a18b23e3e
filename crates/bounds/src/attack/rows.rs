//! The searches that run side by side: one row for each start of each point that is not done yet.

use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut1, Zip, s};
use robust_svm_core::uncertainty::{Norm, UncertaintySets};

use super::objective::Objective;

/// Weight of the projected step; the rest goes to the previous movement [Croce & Hein 2020].
const MOMENTUM: f64 = 0.75;

/// Where each search stands, in coordinates u with δ = Σ_i^{1/2} u. The first `points.len()` rows of each
/// matrix are in use: rows that are done are overwritten by later ones.
pub(super) struct Rows<'a> {
    sets: &'a UncertaintySets,
    gamma: f64,
    /// The point that each row searches around.
    pub(super) points: Vec<usize>,
    /// u (rows × n).
    u: Array2<f64>,
    previous: Array2<f64>,
    /// The points' inputs, repeated (rows × n).
    x: Array2<f64>,
    /// x + Σ^{1/2} u, then where a step leads to (rows × n).
    target: Array2<f64>,
    /// Gradients by u (rows × n).
    gradients: Array2<f64>,
}

impl<'a> Rows<'a> {
    /// Searches around `points`, rows of `x`, from the rows of `u`.
    pub(super) fn new(
        sets: &'a UncertaintySets,
        gamma: f64,
        x: ArrayView2<'_, f64>,
        points: Vec<usize>,
        u: Array2<f64>,
    ) -> Self {
        Self {
            sets,
            gamma,
            x: x.select(ndarray::Axis(0), &points),
            previous: u.clone(),
            target: Array2::zeros(u.raw_dim()),
            gradients: Array2::zeros(u.raw_dim()),
            points,
            u,
        }
    }

    /// u of the rows in use.
    pub(super) fn u(&self) -> ArrayView2<'_, f64> {
        self.u.slice(s![..self.points.len(), ..])
    }

    /// Gradients by u of the rows in use, where they were last evaluated.
    pub(super) fn gradients(&self) -> ArrayView2<'_, f64> {
        self.gradients.slice(s![..self.points.len(), ..])
    }

    /// The values of `objective`; leaves its gradients by u in `gradients`.
    pub(super) fn evaluate(&mut self, objective: &impl Objective) -> Array1<f64> {
        let used = s![..self.points.len(), ..];
        let mut inputs = self.target.slice_mut(used);
        let u = self.u.slice(used);
        self.sets.scale_rows(&self.points, u, inputs.view_mut());
        inputs += &self.x.slice(used);
        let (values, gradients) = objective.evaluate(&self.points, inputs.view());
        let by_u = self.gradients.slice_mut(used);
        self.sets
            .pull_back_rows(&self.points, gradients.view(), by_u);
        values
    }

    /// Keeps the rows whose point `is_open`.
    pub(super) fn keep(&mut self, is_open: impl Fn(usize) -> bool) {
        let mut kept = 0;
        for row in 0..self.points.len() {
            if !is_open(self.points[row]) {
                continue;
            }
            if kept < row {
                self.points[kept] = self.points[row];
                for matrix in [
                    &mut self.u,
                    &mut self.previous,
                    &mut self.x,
                    &mut self.gradients,
                ] {
                    let (mut to, from) = matrix.multi_slice_mut((s![kept, ..], s![row, ..]));
                    to.assign(&from);
                }
            }
            kept += 1;
        }
        self.points.truncate(kept);
    }

    /// Each row to the worst case of its function linearised where it stands.
    pub(super) fn linearise(&mut self) {
        let used = s![..self.points.len(), ..];
        self.previous.slice_mut(used).assign(&self.u.slice(used));
        let mut u = self.u.slice_mut(used);
        Zip::from(&mut u)
            .and(self.gradients.slice(used))
            .for_each(|u, g| *u = -g);
        self.sets.maximise_rows(&self.points, u, self.gamma);
    }

    /// One step down the normalised gradients, of length `step` of the size of the set, with momentum, within
    /// the sets. At p = ∞ a step moves every coordinate alike until the search is to `settle`: where the
    /// minimum is inside the set along some axis, signs would go on jumping over it.
    pub(super) fn descend(&mut self, step: impl Fn(f64) -> f64, settle: bool) {
        let used = s![..self.points.len(), ..];
        let (sets, gamma) = (self.sets, self.gamma);
        let mut u = self.u.slice_mut(used);
        let mut target = self.target.slice_mut(used);
        let mut gradients = self.gradients.slice_mut(used);
        for (&point, g) in self.points.iter().zip(gradients.outer_iter_mut()) {
            let step = step(gamma * sets.size(point));
            if sets.norm() == Norm::Infinity && !settle {
                signs(g, step);
            } else {
                normalise(g, step);
            }
        }
        Zip::from(&mut target)
            .and(&u)
            .and(&gradients)
            .for_each(|target, u, g| *target = u - g);
        sets.project_rows(&self.points, target.view_mut(), gamma);
        Zip::from(&mut u)
            .and(self.previous.slice_mut(used))
            .and(&target)
            .for_each(|u, previous, target| {
                let next = *u + MOMENTUM * (target - *u) + (1.0 - MOMENTUM) * (*u - *previous);
                *previous = std::mem::replace(u, next);
            });
        sets.project_rows(&self.points, u, gamma);
    }
}

/// `step` times the signs of the gradient `g`, in place; 0 for 0.
fn signs(mut g: ArrayViewMut1<'_, f64>, step: f64) {
    g.mapv_inplace(|v| if v == 0.0 { 0.0 } else { step * v.signum() });
}

/// The gradient `g` at length `step`, in place; 0 for 0.
fn normalise(mut g: ArrayViewMut1<'_, f64>, step: f64) {
    let length = Norm::Two.of(g.view());
    if length > 0.0 {
        g.mapv_inplace(|v| v / length * step);
    }
}
