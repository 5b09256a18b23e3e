//! Robust sparse linear discriminant analysis, RSLDA [J. Wen, X. Fang, J. Cui, L. Fei, K. Yan, Y. Chen, Y. Xu, IEEE TCSVT 29(2),
//! 2018].
//!
//! ```text
//! min_{P, Q, E}  tr Qᵀ(S_w − μS_b)Q + λ₁ ‖Q‖_{2,1} + λ₂ ‖E‖₁   s.t.  X = XQPᵀ + E,  PᵀP = I
//! ```
//!
//! rows X (N × n), P and Q n × d, `‖Q‖_{2,1}` the sum of the lengths of the rows of Q, so that features drop out, and E (N × n) what a few
//! entries of X have that the subspace of P has not. Q is the projection.
//!
//! The augmented Lagrangian with multipliers Y and weight β is minimised over one variable after the other, `M = X − E + Y/β`:
//!
//! - P is the orthonormal matrix of largest `tr PᵀMᵀXQ`, the polar factor (the principal components of X at the start);
//! - Q solves `(2(S_w − μS_b) + λ₁D + βXᵀX) Q = βXᵀMP`, D diagonal with `1/‖q_k‖` of the rows of the Q before, whose
//!   quadratic form is a majorant of `λ₁‖Q‖_{2,1}` [F. Nie et al., NIPS 2010];
//! - E is `X − XQPᵀ + Y/β` with every entry moved by λ₂/β towards 0;
//! - `Y ← Y + β(X − XQPᵀ − E)`, `β ← min(ρβ, β_max)`.
//!
//! The problem is not convex: what is found is a point where the steps have come to rest, and that depends on the start. For μ so large that
//! `S_w − μS_b` is not positive semi-definite it may have no minimum: the default is the μ = 1e−5 of public implementations of the
//! method, as are β = 0.1 at the start and β_max = 1e5, and S_w, the sum of the covariances of the classes, and
//! `S_b = Σ_c N_c (m_c − m)(m_c − m)ᵀ`; rows are centred first, and ρ = 1.05 instead of 1.01, by our choice.

use super::orthonormal::polar_factor;
use super::projection::{Projection, centred, check_setting, check_training_rows};
use crate::SolverError;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayView2, Axis, Zip, s};
use robust_svm_core::data::LabelledDataset;
use robust_svm_core::linalg::{matmul, positive_definite_solve, symmetric_eigen};

/// Rows of Q count as this long at least where their length divides.
const SHORTEST: f64 = 1e-10;

/// Settings of RSLDA.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RsldaSettings {
    /// d, from 1 to n.
    pub dimension: usize,
    /// λ₁ ≥ 0, the price of features.
    pub sparsity: f64,
    /// λ₂ > 0, the price of errors.
    pub error_price: f64,
    /// μ ≥ 0, the weight of the scatter between classes. Default 1e−5.
    pub between: f64,
    /// β at the start, positive. Default 0.1.
    pub weight: f64,
    /// ρ ≥ 1. Default 1.05.
    pub growth: f64,
    /// Rounds at most, at least 1. Default 500.
    pub max_iterations: usize,
    /// The largest entry of `X − XQPᵀ − E`, as a share of that of X, at which the constraint counts as met; positive. Default 1e−7.
    pub tolerance: f64,
}

impl RsldaSettings {
    /// The defaults, with d, λ₁ and λ₂.
    pub fn new(dimension: usize, sparsity: f64, error_price: f64) -> Self {
        Self {
            dimension,
            sparsity,
            error_price,
            between: 1e-5,
            weight: 0.1,
            growth: 1.05,
            max_iterations: 500,
            tolerance: 1e-7,
        }
    }
}

/// The share of the objective by which the last round changes it at most.
const SETTLED: f64 = 1e-5;
/// The largest β.
const LARGEST_WEIGHT: f64 = 1e5;

/// A robust and sparse projection.
#[derive(Debug, Clone, PartialEq)]
pub struct RsldaSolution {
    /// The mean and Q.
    pub projection: Projection,
    /// P (n × d), orthonormal.
    pub basis: Array2<f64>,
    /// E (N × n).
    pub errors: Array2<f64>,
    /// Y (N × n), the multipliers of the constraint: within ±λ₂, and λ₂ with the sign of E where E is not 0.
    pub multipliers: Array2<f64>,
    /// `tr Qᵀ(S_w − μS_b)Q + λ₁ ‖Q‖_{2,1} + λ₂ ‖E‖₁` after each round.
    pub objectives: Vec<f64>,
    /// The largest entry of `X − XQPᵀ − E` as a share of that of X, after each round.
    pub residuals: Vec<f64>,
    /// Whether the last residual is within the tolerance, and the last round changed the objective by no more than 1e−5 of it.
    pub converged: bool,
}

/// The projection of RSLDA.
///
/// # Errors
/// [`SolverError`] if there are no rows or columns, the rows are of one class or all equal, or a setting is out of its range;
/// [`SolverError::Setting`] for `between` if μ is so large that a step has no minimum.
pub fn fit_rslda(
    data: &LabelledDataset,
    settings: &RsldaSettings,
) -> Result<RsldaSolution, SolverError> {
    check(data, settings)?;
    let (mean, x) = centred(data.x().view());
    let largest = largest_entry(&x);
    check_setting("rows", "not all equal", largest > 0.0, &"equal rows")?;
    let scatter = scatter(&x, data, settings.between);
    let mut state = State::new(&x, settings)?;
    let (mut objectives, mut residuals) = (Vec::new(), Vec::new());
    let mut converged = false;
    for round in 0..settings.max_iterations {
        state.round(&x, &scatter, settings, round > 0)?;
        let objective = state.objective(&scatter, settings);
        let before = objectives.last().copied().unwrap_or(f64::INFINITY);
        objectives.push(objective);
        residuals.push(state.residual / largest);
        let settled = (objective - before).abs() <= SETTLED * objective.abs();
        converged = settled && state.residual <= settings.tolerance * largest;
        if converged {
            break;
        }
    }
    Ok(RsldaSolution {
        projection: Projection {
            mean,
            components: state.q,
        },
        basis: state.p,
        errors: state.errors,
        multipliers: state.multipliers * state.weight,
        objectives,
        residuals,
        converged,
    })
}

fn check(data: &LabelledDataset, settings: &RsldaSettings) -> Result<(), SolverError> {
    check_training_rows(data.x().view(), settings.dimension)?;
    if data.class_sizes().iter().filter(|size| **size > 0).count() < 2 {
        return Err(SolverError::OneClass { rows: data.rows() });
    }
    for (name, value) in [
        ("error_price", settings.error_price),
        ("weight", settings.weight),
        ("tolerance", settings.tolerance),
    ] {
        let holds = value > 0.0 && value.is_finite();
        check_setting(name, "positive and finite", holds, &value)?;
    }
    for (name, value) in [
        ("sparsity", settings.sparsity),
        ("between", settings.between),
    ] {
        let holds = value >= 0.0 && value.is_finite();
        check_setting(name, "finite and ≥ 0", holds, &value)?;
    }
    let growth = settings.growth;
    let holds = growth >= 1.0 && growth.is_finite();
    check_setting("growth", "finite and at least 1", holds, &growth)?;
    let iterations = settings.max_iterations;
    check_setting("max_iterations", "at least 1", iterations > 0, &iterations)
}

/// `S_w − μS_b` (n × n) of centred rows.
fn scatter(x: &Array2<f64>, data: &LabelledDataset, between: f64) -> Array2<f64> {
    let n = x.ncols();
    let mut scatter = Array2::zeros((n, n));
    for class in 0..data.classes() {
        let rows: Vec<usize> = (0..data.rows())
            .filter(|&i| data.labels()[i] == class)
            .collect();
        if rows.is_empty() {
            continue;
        }
        let size = rows.len() as f64;
        let (mean, own) = centred(x.select(Axis(0), &rows).view());
        general_mat_mul(1.0 / size, &own.t(), &own, 1.0, &mut scatter);
        let mean = mean.insert_axis(Axis(0));
        general_mat_mul(-between * size, &mean.t(), &mean, 1.0, &mut scatter);
    }
    scatter
}

/// The variables of the method and their memory.
struct State {
    p: Array2<f64>,
    q: Array2<f64>,
    errors: Array2<f64>,
    /// Y/β (N × n).
    multipliers: Array2<f64>,
    /// β.
    weight: f64,
    /// The largest entry of `X − XQPᵀ − E`.
    residual: f64,
    /// XᵀX (n × n).
    gram: Array2<f64>,
    /// M, and then XQPᵀ (N × n).
    wide: Array2<f64>,
    /// XQ or MP (N × d).
    narrow: Array2<f64>,
    /// n × d.
    small: Array2<f64>,
}

impl State {
    fn new(x: &Array2<f64>, settings: &RsldaSettings) -> Result<Self, SolverError> {
        let (rows, n) = x.dim();
        let d = settings.dimension;
        let gram = matmul(x.t(), x.view());
        let (_, vectors) = symmetric_eigen(gram.view())?;
        Ok(Self {
            p: vectors.slice(s![.., ..;-1]).slice(s![.., ..d]).to_owned(),
            q: Array2::ones((n, d)),
            errors: Array2::zeros((rows, n)),
            multipliers: Array2::zeros((rows, n)),
            weight: settings.weight,
            residual: f64::INFINITY,
            gram,
            wide: Array2::zeros((rows, n)),
            narrow: Array2::zeros((rows, d)),
            small: Array2::zeros((n, d)),
        })
    }

    /// One round of the method; `turn` says whether P moves.
    fn round(
        &mut self,
        x: &Array2<f64>,
        scatter: &Array2<f64>,
        settings: &RsldaSettings,
        turn: bool,
    ) -> Result<(), SolverError> {
        Zip::from(&mut self.wide)
            .and(x)
            .and(&self.errors)
            .and(&self.multipliers)
            .for_each(|m, x, e, y| *m = x - e + y);
        if turn {
            general_mat_mul(1.0, x, &self.q, 0.0, &mut self.narrow);
            general_mat_mul(1.0, &self.wide.t(), &self.narrow, 0.0, &mut self.small);
            self.p = polar_factor(self.small.view())?;
        }
        general_mat_mul(1.0, &self.wide, &self.p, 0.0, &mut self.narrow);
        general_mat_mul(self.weight, &x.t(), &self.narrow, 0.0, &mut self.small);
        self.q = self.best_q(scatter, settings.sparsity)?;

        general_mat_mul(1.0, x, &self.q, 0.0, &mut self.narrow);
        general_mat_mul(1.0, &self.narrow, &self.p.t(), 0.0, &mut self.wide);
        let threshold = settings.error_price / self.weight;
        let mut residual = 0.0_f64;
        Zip::from(&mut self.errors)
            .and(&mut self.multipliers)
            .and(x)
            .and(&self.wide)
            .for_each(|e, y, x, fitted| {
                let free = x - fitted + *y;
                *e = free.signum() * (free.abs() - threshold).max(0.0);
                residual = residual.max((x - fitted - *e).abs());
                *y = free - *e;
            });
        self.residual = residual;
        let next = (settings.growth * self.weight).min(LARGEST_WEIGHT.max(settings.weight));
        // Y stays as it is.
        self.multipliers *= self.weight / next;
        self.weight = next;
        Ok(())
    }

    /// The solution Q of `(2(S_w − μS_b) + λ₁D + βXᵀX) Q = βXᵀMP`, whose right side is in `small`.
    fn best_q(&self, scatter: &Array2<f64>, sparsity: f64) -> Result<Array2<f64>, SolverError> {
        let mut system = scatter * 2.0;
        system.scaled_add(self.weight, &self.gram);
        // Features that are 0 in all rows leave a zero row where λ₁ = 0: a trace of the mean keeps the system definite.
        let trace = 1e-12 * self.gram.diag().sum() * self.weight / self.gram.nrows() as f64;
        let lengths = row_lengths(self.q.view());
        for (entry, length) in system.diag_mut().iter_mut().zip(&lengths) {
            *entry += sparsity / length.max(SHORTEST) + trace;
        }
        positive_definite_solve(system, self.small.clone()).map_err(|_| SolverError::Setting {
            name: "between",
            expected: "so small that 2(S_w − mu S_b) + lambda_1 D + beta XᵀX is positive definite",
            found: "a larger value".into(),
        })
    }

    fn objective(&self, scatter: &Array2<f64>, settings: &RsldaSettings) -> f64 {
        let discriminant = (&self.q * &matmul(scatter.view(), self.q.view())).sum();
        let lengths = row_lengths(self.q.view()).sum();
        let errors = self.errors.iter().map(|e| e.abs()).sum::<f64>();
        discriminant + settings.sparsity * lengths + settings.error_price * errors
    }
}

fn row_lengths(q: ArrayView2<'_, f64>) -> Array1<f64> {
    q.map_axis(Axis(1), |row| row.dot(&row).sqrt())
}

fn largest_entry(x: &Array2<f64>) -> f64 {
    x.iter().fold(0.0, |largest, v| v.abs().max(largest))
}
