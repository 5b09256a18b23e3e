//! Trimmed robust principal components, TRPCA [A. Podosinnikova, S. Setzer, M. Hein, *Robust PCA: optimization of the robust
//! reconstruction error over the Stiefel manifold*, GCPR 2014].
//!
//! ```text
//! min_{m, U}  R(m, U) = Σ of the t smallest of r_i(m, U) = ‖(I − UUᵀ)(x_i − m)‖²,   UᵀU = I (n × d)
//! ```
//!
//! Rows far from the subspace of the others do not count, however far they are.
//!
//! A step keeps the t rows S of smallest r_i, moves m to their mean and U to the polar factor of `CU`,
//! `C = Σ_{i∈S}(x_i − m)(x_i − m)ᵀ`, of which only the span matters here, so that an orthonormal basis of `CU` will do. R never
//! rises (derived): m is a minimiser over m for S and U fixed; `tr UᵀCU` is convex, so with V the polar factor
//! `tr VᵀCV ≥ 2 tr VᵀCU − tr UᵀCU ≥ tr UᵀCU`; and the t smallest of the new r_i have no larger a sum than those of S.
//!
//! The objective, the default t = ⌈N/2⌉ and the descent by polar factors are the paper's; the starts here are principal components
//! of all rows and random subspaces around the median, and the descent with the smallest R is taken. At the end U is turned to the principal
//! axes of the rows kept.

use super::orthonormal::orthonormalise;
use super::projection::{Projection, centred, check_setting, check_training_rows};
use crate::SolverError;
use crate::signs::fix_signs;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};
use robust_svm_core::linalg::{matmul, symmetric_eigen};

/// Settings of TRPCA.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrpcaSettings {
    /// d, from 1 to n.
    pub dimension: usize,
    /// t, from 1 to N; `None` for ⌈N/2⌉.
    pub kept: Option<usize>,
    /// Descents from random subspaces beside that from the principal components. Default 10.
    pub random_starts: usize,
    /// Steps of a descent at most, at least 1. Default 200.
    pub max_iterations: usize,
    /// A descent ends when a step lowers R by no more than this share of it; ≥ 0. Default 1e−6.
    pub tolerance: f64,
}

impl TrpcaSettings {
    /// The defaults, with d.
    pub fn new(dimension: usize) -> Self {
        Self {
            dimension,
            kept: None,
            random_starts: 10,
            max_iterations: 200,
            tolerance: 1e-6,
        }
    }
}

/// A robust subspace.
#[derive(Debug, Clone, PartialEq)]
pub struct TrpcaSolution {
    /// m and U.
    pub projection: Projection,
    /// `R(m, U)`.
    pub objective: f64,
    /// R before each step of the best descent and at its end: it never rises.
    pub objectives: Vec<f64>,
    /// The t rows that count, in order.
    pub kept: Vec<usize>,
}

/// The robust principal components of the rows of `x` (N × n). `rng` draws the random starts.
///
/// # Errors
/// [`SolverError`] if `x` has no rows or columns or is not finite, or a setting is out of its range.
pub fn fit_trpca(
    x: ArrayView2<'_, f64>,
    settings: &TrpcaSettings,
    rng: &mut impl Rng,
) -> Result<TrpcaSolution, SolverError> {
    check_training_rows(x, settings.dimension)?;
    let kept = settings.kept.unwrap_or(x.nrows().div_ceil(2));
    check_setting(
        "kept",
        "at least 1 and at most the number of rows",
        (1..=x.nrows()).contains(&kept),
        &kept,
    )?;
    let (iterations, tolerance) = (settings.max_iterations, settings.tolerance);
    check_setting("max_iterations", "at least 1", iterations > 0, &iterations)?;
    check_setting("tolerance", "at least 0", tolerance >= 0.0, &tolerance)?;

    let mut descent = Descent::new(x, kept, settings.dimension);
    let mut best = descent.run(principal_start(x, settings.dimension)?, settings);
    let median = medians(x);
    for _ in 0..settings.random_starts {
        let shape = (x.ncols(), settings.dimension);
        let mut u = Array2::from_shape_simple_fn(shape, || StandardNormal.sample(rng));
        orthonormalise(&mut u);
        let found = descent.run((median.clone(), u), settings);
        if found.objective < best.objective {
            best = found;
        }
    }
    principal_axes(x, best)
}

/// The mean and the principal components of all rows.
fn principal_start(
    x: ArrayView2<'_, f64>,
    d: usize,
) -> Result<(Array1<f64>, Array2<f64>), SolverError> {
    let (mean, rows) = centred(x);
    let (_, vectors) = symmetric_eigen(matmul(rows.t(), rows.view()).view())?;
    Ok((
        mean,
        vectors.slice(s![.., ..;-1]).slice(s![.., ..d]).to_owned(),
    ))
}

/// The median of each column, the lower of two middle values.
fn medians(x: ArrayView2<'_, f64>) -> Array1<f64> {
    let middle = (x.nrows() - 1) / 2;
    x.map_axis(Axis(0), |column| {
        let mut values = column.to_vec();
        *values.select_nth_unstable_by(middle, f64::total_cmp).1
    })
}

/// The memory of descents.
struct Descent<'a> {
    x: ArrayView2<'a, f64>,
    d: usize,
    /// Rows less m (N × n), and their coordinates in U (N × d).
    rows: Array2<f64>,
    coordinates: Array2<f64>,
    /// `(r_i, i)`.
    residuals: Vec<(f64, usize)>,
    kept: Vec<usize>,
    /// The rows kept less their mean (t × n), and their coordinates in U (t × d).
    kept_rows: Array2<f64>,
    kept_coordinates: Array2<f64>,
}

impl<'a> Descent<'a> {
    fn new(x: ArrayView2<'a, f64>, kept: usize, d: usize) -> Self {
        let (rows, n) = x.dim();
        Self {
            x,
            d,
            rows: Array2::zeros((rows, n)),
            coordinates: Array2::zeros((rows, d)),
            residuals: vec![(0.0, 0); rows],
            kept: vec![0; kept],
            kept_rows: Array2::zeros((kept, n)),
            kept_coordinates: Array2::zeros((kept, d)),
        }
    }

    /// Steps until R hardly falls.
    fn run(
        &mut self,
        (mut m, mut u): (Array1<f64>, Array2<f64>),
        settings: &TrpcaSettings,
    ) -> TrpcaSolution {
        let mut objective = self.select(&m, &u);
        let mut objectives = vec![objective];
        let mut next = Array2::zeros((self.x.ncols(), self.d));
        let mut next_mean = m.clone();
        let mut kept = self.kept.clone();
        for _ in 0..settings.max_iterations {
            self.step(&u, (&mut next_mean, &mut next));
            let lower = self.select(&next_mean, &next);
            // At the limit of the arithmetic R may rise: then the point before is the result.
            if lower > objective {
                break;
            }
            std::mem::swap(&mut m, &mut next_mean);
            std::mem::swap(&mut u, &mut next);
            kept.copy_from_slice(&self.kept);
            let fall = objective - lower;
            objective = lower;
            objectives.push(objective);
            if fall <= settings.tolerance * objective {
                break;
            }
        }
        TrpcaSolution {
            projection: Projection {
                mean: m,
                components: u,
            },
            objective,
            objectives,
            kept,
        }
    }

    /// Finds the t rows of smallest residual, the first of equal ones; returns R.
    fn select(&mut self, m: &Array1<f64>, u: &Array2<f64>) -> f64 {
        self.rows.assign(&self.x);
        self.rows -= m;
        general_mat_mul(1.0, &self.rows, u, 0.0, &mut self.coordinates);
        let rows = self.rows.outer_iter().zip(self.coordinates.outer_iter());
        for (i, (residual, (row, inside))) in self.residuals.iter_mut().zip(rows).enumerate() {
            *residual = ((row.dot(&row) - inside.dot(&inside)).max(0.0), i);
        }
        let smaller = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        let t = self.kept.len();
        self.residuals.select_nth_unstable_by(t - 1, smaller);
        // In the order of the rows, as sums depend on it.
        self.residuals[..t].sort_unstable_by_key(|(_, i)| *i);
        for (kept, (_, i)) in self.kept.iter_mut().zip(&self.residuals) {
            *kept = *i;
        }
        self.residuals[..t]
            .iter()
            .map(|(residual, _)| residual)
            .sum()
    }

    /// The next m and U.
    fn step(&mut self, u: &Array2<f64>, (m, next): (&mut Array1<f64>, &mut Array2<f64>)) {
        m.fill(0.0);
        for &i in &self.kept {
            *m += &self.x.row(i);
        }
        *m /= self.kept.len() as f64;
        for (mut row, &i) in self.kept_rows.outer_iter_mut().zip(&self.kept) {
            row.assign(&self.x.row(i));
            row -= &*m;
        }
        general_mat_mul(1.0, &self.kept_rows, u, 0.0, &mut self.kept_coordinates);
        general_mat_mul(1.0, &self.kept_rows.t(), &self.kept_coordinates, 0.0, next);
        orthonormalise(next);
    }
}

/// The same subspace, its basis turned to the principal axes of the rows kept, those of largest variance first.
fn principal_axes(
    x: ArrayView2<'_, f64>,
    mut solution: TrpcaSolution,
) -> Result<TrpcaSolution, SolverError> {
    let projection = &mut solution.projection;
    let kept = x.select(Axis(0), &solution.kept);
    let (_, kept) = centred(kept.view());
    let coordinates = matmul(kept.view(), projection.components.view());
    let (_, turn) = symmetric_eigen(matmul(coordinates.t(), coordinates.view()).view())?;
    projection.components = matmul(projection.components.view(), turn.slice(s![.., ..;-1]));
    fix_signs(&mut projection.components);
    Ok(solution)
}
