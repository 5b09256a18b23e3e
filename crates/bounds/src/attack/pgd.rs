//! Projected gradient descent on `y f(x+δ)` in the coordinates u, many points and starts at a time.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, s};
use rand::Rng;
use robust_svm_core::model::Model;
use robust_svm_core::uncertainty::UncertaintySet;
use std::f64::consts::PI;

use super::AttackOptions;
use super::rows::Rows;

/// About as many searches run side by side: enough for fast products, few enough for the caches.
const ROWS: usize = 1024;

/// The best perturbation found for each row of `x`, as rows (p × n); 0 where nothing lowers the margin.
pub(super) fn perturbations(
    model: &Model,
    set: &UncertaintySet,
    gamma: f64,
    x: ArrayView2<'_, f64>,
    y: ArrayView1<'_, f64>,
    options: AttackOptions,
    rng: &mut impl Rng,
) -> Array2<f64> {
    let mut found = Array2::zeros(x.raw_dim());
    let block = (ROWS / options.restarts()).max(1);
    for first in (0..x.nrows()).step_by(block) {
        let range = s![first..(first + block).min(x.nrows()), ..];
        let problem = Problem {
            model,
            set,
            gamma,
            x: x.slice(range),
            y: y.slice(s![first..(first + block).min(x.nrows())]),
        };
        let mut best = problem.search(options, rng);
        for u in best.outer_iter_mut() {
            set.scale(u);
        }
        found.slice_mut(range).assign(&best);
    }
    found
}

/// One block of points.
struct Problem<'a> {
    model: &'a Model,
    set: &'a UncertaintySet,
    gamma: f64,
    x: ArrayView2<'a, f64>,
    y: ArrayView1<'a, f64>,
}

/// The smallest margin found around each point, and where.
struct Best {
    margins: Array1<f64>,
    u: Array2<f64>,
}

impl Problem<'_> {
    /// The best coordinates u found for each point.
    fn search(&self, options: AttackOptions, rng: &mut impl Rng) -> Array2<f64> {
        let points = self.x.nrows();
        let still = Rows::new(
            (0..points).collect(),
            Array2::zeros(self.x.raw_dim()),
            self.x,
            self.y,
        );
        let (margins, gradients) = still.margins_and_gradients(self.model, self.set);
        let mut best = Best {
            margins,
            u: still.u,
        };
        let starts = self.starts(&gradients, options.restarts(), rng);
        let repeated = (0..options.restarts()).flat_map(|_| 0..points).collect();
        let mut rows = Rows::new(repeated, starts, self.x, self.y);
        let mut none = Array2::zeros((rows.points.len(), 0));
        rows.keep(&best.unbroken(&rows), &mut none);
        for k in 0..=options.steps() {
            let (margins, mut gradients) = rows.margins_and_gradients(self.model, self.set);
            best.improve(&rows, &margins);
            rows.keep(&best.unbroken(&rows), &mut gradients);
            if k == options.steps() || rows.points.is_empty() {
                break;
            }
            rows.descend(
                self.set,
                self.gamma,
                step(self.gamma, k, options.steps()),
                gradients,
            );
        }
        best.u
    }

    /// The starts of every point, restart by restart: u = 0, the worst case of the model linearised at
    /// the point, and draws from the set.
    fn starts(&self, gradients: &Array2<f64>, restarts: usize, rng: &mut impl Rng) -> Array2<f64> {
        let (points, n) = self.x.dim();
        let mut starts = Array2::zeros((restarts * points, n));
        for (row, mut start) in starts.outer_iter_mut().enumerate().skip(points) {
            let (restart, point) = (row / points, row % points);
            if restart == 1 {
                start -= &self.set.maximiser(gradients.row(point), self.gamma);
            } else {
                start.assign(&self.set.sample_coordinates(self.gamma, n, rng));
            }
        }
        starts
    }
}

impl Best {
    fn improve(&mut self, rows: &Rows, margins: &Array1<f64>) {
        for ((&point, &margin), u) in rows
            .points
            .iter()
            .zip(margins)
            .zip(rows.u.axis_iter(Axis(0)))
        {
            if margin < self.margins[point] {
                self.margins[point] = margin;
                self.u.row_mut(point).assign(&u);
            }
        }
    }

    /// Which of `rows` search around points with a positive margin still.
    fn unbroken(&self, rows: &Rows) -> Vec<usize> {
        (0..rows.points.len())
            .filter(|&row| self.margins[rows.points[row]] > 0.0)
            .collect()
    }
}

/// Length of step k of `steps`: from γ/2, which leaves each start in reach of the minimum it is nearest
/// to, down towards 0 along a squared cosine, so that the last steps settle minima inside the set.
fn step(gamma: f64, k: usize, steps: usize) -> f64 {
    let cosine = 1.0 + (PI * k as f64 / steps as f64).cos();
    0.125 * gamma * cosine * cosine
}
