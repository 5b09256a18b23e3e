//! Projected gradient descent in the coordinates u, many points and starts at a time.

use ndarray::{Array1, Array2, ArrayView2, s};
use rand::Rng;
use robust_svm_core::uncertainty::{Norm, UncertaintySets};
use std::f64::consts::PI;

use super::AttackOptions;
use super::objective::Objective;
use super::rows::Rows;

/// About as many searches run side by side: enough for fast products, few enough for the caches.
const ROWS: usize = 1024;

/// The perturbation of each row of `x` that makes `objective` smallest among those found, as rows (p × n); 0
/// where nothing lowers it.
pub(super) fn perturbations(
    objective: &impl Objective,
    sets: &UncertaintySets,
    gamma: f64,
    x: ArrayView2<'_, f64>,
    options: AttackOptions,
    rng: &mut impl Rng,
) -> Array2<f64> {
    let mut found = Array2::zeros(x.raw_dim());
    let block = block(options);
    for first in (0..x.nrows()).step_by(block) {
        let points: Vec<usize> = (first..(first + block).min(x.nrows())).collect();
        let last = first + points.len();
        let search = Search {
            sets,
            gamma,
            x: x.view(),
            first,
        };
        let best = search.run(objective, &points, options, rng);
        sets.scale_rows(&points, best.view(), found.slice_mut(s![first..last, ..]));
    }
    found
}

/// Points that are searched side by side.
pub(super) fn block(options: AttackOptions) -> usize {
    (ROWS / options.restarts()).max(1)
}

/// The starts of a point in `n` dimensions that are not drawn, if there are so many.
pub(super) fn guided<O: Objective>(norm: Norm, n: usize) -> usize {
    let vertices = if norm == Norm::One { n } else { 1 };
    if O::GUIDED { 1 + vertices } else { 0 }
}

/// One block of points.
struct Search<'a> {
    sets: &'a UncertaintySets,
    gamma: f64,
    x: ArrayView2<'a, f64>,
    /// The block's first point.
    first: usize,
}

/// The smallest value found around each point of a block, and where.
struct Best {
    first: usize,
    values: Array1<f64>,
    u: Array2<f64>,
}

impl Search<'_> {
    /// The best coordinates u found for each of `points`.
    fn run<O: Objective>(
        &self,
        objective: &O,
        points: &[usize],
        options: AttackOptions,
        rng: &mut impl Rng,
    ) -> Array2<f64> {
        let at_rest = Array2::zeros((points.len(), self.x.ncols()));
        let mut still = self.rows(points.to_vec(), at_rest);
        let mut best = Best {
            first: self.first,
            values: still.evaluate(objective),
            u: still.u().to_owned(),
        };
        let starts = self.starts::<O>(&still, options.restarts(), rng);
        let repeated = points.repeat(options.restarts());
        let mut rows = self.rows(repeated, starts);
        let is_open = |best: &Best, point: usize| best.values[point - self.first] > O::FLOOR;
        rows.keep(|point| is_open(&best, point));
        let linearised = O::linearised_steps(options.steps());
        let projected = options.steps() - linearised;
        for k in 0..=options.steps() {
            if rows.points.is_empty() {
                break;
            }
            let values = rows.evaluate(objective);
            best.improve(&rows, &values);
            rows.keep(|point| is_open(&best, point));
            if k < linearised {
                rows.linearise();
            } else if k < options.steps() {
                let settle = 2 * (k - linearised) >= projected;
                rows.descend(|size| step(size, k - linearised, projected), settle);
            }
        }
        best.u
    }

    fn rows(&self, points: Vec<usize>, u: Array2<f64>) -> Rows<'_> {
        Rows::new(self.sets, self.gamma, self.x, points, u)
    }

    /// The starts of every point, restart by restart. Where the objective is guided the first is u = 0; the
    /// second the worst case of the objective linearised at the point, and at p = 1 the next n−1 the other
    /// vertices down the gradient, the steepest first. What is left is drawn from the set, at p = ∞ from its
    /// corners.
    fn starts<O: Objective>(
        &self,
        still: &Rows<'_>,
        restarts: usize,
        rng: &mut impl Rng,
    ) -> Array2<f64> {
        let (points, n, norm) = (still.points.len(), self.x.ncols(), self.sets.norm());
        let mut starts = Array2::zeros((restarts * points, n));
        let guided = guided::<O>(norm, n);
        let mut steepest: Vec<usize> = Vec::with_capacity(n);
        for (place, &point) in still.points.iter().enumerate() {
            let (set, size) = (self.sets.shape(point), self.gamma * self.sets.size(point));
            let gradient = still.gradients().row(place).to_owned();
            if norm == Norm::One {
                steepest.clear();
                steepest.extend(0..n);
                steepest.sort_by(|&a, &b| gradient[b].abs().total_cmp(&gradient[a].abs()));
            }
            for restart in 1..guided.min(restarts) {
                let mut start = starts.row_mut(restart * points + place);
                match steepest.get(restart - 1) {
                    Some(&k) => start[k] = -size * gradient[k].signum(),
                    None => start -= &set.maximiser(gradient.view(), size),
                }
            }
        }
        for restart in guided..restarts {
            for (place, &point) in still.points.iter().enumerate() {
                let (set, size) = (self.sets.shape(point), self.gamma * self.sets.size(point));
                let mut drawn = set.sample_coordinates(size, n, rng);
                if norm == Norm::Infinity {
                    drawn.mapv_inplace(|v| size * v.signum());
                }
                starts.row_mut(restart * points + place).assign(&drawn);
            }
        }
        starts
    }
}

impl Best {
    fn improve(&mut self, rows: &Rows<'_>, values: &Array1<f64>) {
        for ((&point, &value), u) in rows.points.iter().zip(values).zip(rows.u().outer_iter()) {
            let place = point - self.first;
            if value < self.values[place] {
                self.values[place] = value;
                self.u.row_mut(place).assign(&u);
            }
        }
    }
}

/// Length of step k of `steps` in a set of size `size`: from half of it, which leaves each start in reach of
/// the minimum it is nearest to, down towards 0 along a squared cosine, so that the last steps settle
/// minima inside the set.
fn step(size: f64, k: usize, steps: usize) -> f64 {
    let cosine = 1.0 + (PI * k as f64 / steps as f64).cos();
    0.125 * size * cosine * cosine
}
