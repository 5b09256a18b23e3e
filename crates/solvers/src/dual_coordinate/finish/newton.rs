//! Newton's steps on the smoothed problem.

use super::super::rows::{Rows, weighted_sum};
use super::super::state::{State, norm};
use super::smooth::{Point, Smooth};
use crate::linear_system::{LinearSystem, NotFactorisable};
use pulp::{Simd, WithSimd};
use robust_svm_core::vector_math::dispatch_narrow;

/// The memory of a step.
pub(super) struct Newton {
    system: LinearSystem,
    /// The samples strictly between the bounds.
    between: Vec<u32>,
    weights: Vec<f64>,
    /// ∇ψ (width).
    pub(super) gradient: Vec<f64>,
    /// The step (width).
    pub(super) step: Vec<f64>,
    /// `ζ/‖ζ‖`, and 0 for b.
    unit: Vec<f64>,
    sum: Vec<f64>,
}

impl Newton {
    pub(super) fn new(samples: usize, width: usize) -> Self {
        Self {
            system: LinearSystem::new(width),
            between: Vec::with_capacity(samples),
            weights: vec![0.0; samples],
            gradient: vec![0.0; width],
            step: vec![0.0; width],
            unit: vec![0.0; width],
            sum: vec![0.0; width],
        }
    }

    /// `∇ψ = λ(ζ, b) − (v − Gu, β)` of the multipliers `a`, and its squared length.
    pub(super) fn update_gradient<R: Rows>(
        &mut self,
        rows: &R,
        state: &State,
        point: &Point,
        a: &[f64],
    ) -> f64 {
        let dim = state.v.len();
        for ((w, a), c) in self.weights.iter_mut().zip(a).zip(&state.coordinates) {
            *w = a * c.label;
        }
        let g = g_of(state, a);
        let length = norm(&point.x[..dim]);
        weighted_sum(rows, &self.weights, &mut self.gradient[..dim]);
        if let Some(b) = self.gradient.get_mut(dim) {
            *b = self.weights.iter().sum();
        }
        for (k, r) in self.gradient.iter_mut().enumerate() {
            self.unit[k] = if k < dim && length > 0.0 {
                point.x[k] / length
            } else {
                0.0
            };
            *r = state.lambda * point.x[k] - (*r - g * self.unit[k]);
        }
        self.gradient.iter().map(|g| g * g).sum()
    }

    /// The step `−H⁻¹∇ψ`, with u = ζ/‖ζ‖ and J the samples strictly between the bounds,
    ///
    /// ```text
    /// H = λI + (1/ε) Σ_J (z_i − Γu)(z_i − Γu)ᵀ + (G/‖ζ‖)(I − uuᵀ),   z_i = y_i(φ_i, 1).
    /// ```
    pub(super) fn update_step<R: Rows>(
        &mut self,
        rows: &R,
        state: &State,
        smooth: &Smooth,
        point: &Point,
        a: &[f64],
    ) -> Result<(), NotFactorisable> {
        let of_cone = self.assemble(rows, state, smooth, point, a);
        self.system.factorise()?;
        let Self {
            system,
            between,
            gradient,
            step,
            unit,
            ..
        } = self;
        let hessian = Hessian {
            rows,
            state,
            between,
            unit,
            scale: 1.0 / smooth.epsilon,
            of_cone,
        };
        for g in gradient.iter_mut() {
            *g = -*g;
        }
        system.solve(
            |x: &[f64], out: &mut [f64]| dispatch_narrow(hessian.product(x, out)),
            gradient,
            step,
        );
        for g in gradient.iter_mut() {
            *g = -*g;
        }
        Ok(())
    }

    /// The lower half of H; returns `G/‖ζ‖`.
    fn assemble<R: Rows>(
        &mut self,
        rows: &R,
        state: &State,
        smooth: &Smooth,
        point: &Point,
        a: &[f64],
    ) -> f64 {
        let dim = state.v.len();
        let width = self.gradient.len();
        smooth.between(state, point, &mut self.between);
        let has_intercept = width > dim;
        rows.assign_gram(&self.between, has_intercept, &mut self.system);

        // Σ_J z_i.
        self.weights.fill(0.0);
        for &i in &self.between {
            self.weights[i as usize] = state.coordinates[i as usize].label;
        }
        weighted_sum(rows, &self.weights, &mut self.sum[..dim]);
        if let Some(b) = self.sum.get_mut(dim) {
            *b = self.weights.iter().sum();
        }
        let scale = 1.0 / smooth.epsilon;
        let Γ = state.radius;
        let of_cone = if state.has_cone() {
            g_of(state, a) / norm(&point.x[..dim])
        } else {
            0.0
        };
        let count = self.between.len() as f64;
        for column in 0..width {
            let uc = self.unit[column];
            for row in column..width {
                let h = &mut self.system.matrix[column * width + row];
                let ur = self.unit[row];
                let shift =
                    Γ * (self.sum[row] * uc + self.sum[column] * ur) - Γ * Γ * count * ur * uc;
                *h = scale * (*h - shift) - of_cone * ur * uc;
                if row == column {
                    *h += state.lambda + if row < dim { of_cone } else { 0.0 };
                }
            }
        }
        of_cone
    }
}

/// `G = c + ΓΣa_i`.
fn g_of(state: &State, a: &[f64]) -> f64 {
    if state.has_cone() {
        state.budget + state.radius * a.iter().sum::<f64>()
    } else {
        0.0
    }
}

/// H as an operator.
struct Hessian<'a, R> {
    rows: &'a R,
    state: &'a State,
    between: &'a [u32],
    unit: &'a [f64],
    scale: f64,
    of_cone: f64,
}

impl<'a, R> Hessian<'a, R> {
    fn product<'b>(&'b self, x: &'b [f64], out: &'b mut [f64]) -> Product<'a, 'b, R> {
        Product {
            hessian: self,
            x,
            out,
        }
    }
}

struct Product<'a, 'b, R> {
    hessian: &'b Hessian<'a, R>,
    x: &'b [f64],
    out: &'b mut [f64],
}

impl<R: Rows> WithSimd for Product<'_, '_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { hessian, x, out } = self;
        let state = hessian.state;
        let dim = state.v.len();
        let along: f64 = hessian.unit.iter().zip(x).map(|(u, x)| u * x).sum();
        let b = x.get(dim).copied().unwrap_or(0.0);
        out.fill(0.0);
        let (mut of_b, mut total) = (0.0, 0.0);
        for &i in hessian.between {
            let i = i as usize;
            let label = state.coordinates[i].label;
            let score = label * (hessian.rows.dot(simd, i, &x[..dim]) + b) - state.radius * along;
            let weight = hessian.scale * score;
            hessian.rows.add(simd, weight * label, i, &mut out[..dim]);
            of_b += weight * label;
            total += weight;
        }
        for (k, out) in out.iter_mut().enumerate() {
            let of_cone = if k < dim { hessian.of_cone } else { 0.0 };
            let u = hessian.unit[k];
            *out += (state.lambda + of_cone) * x[k]
                - (state.radius * total + hessian.of_cone * along) * u;
            if k == dim {
                *out += of_b;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::smooth::signed_scores;
    use super::{Hessian, Newton, Point, Smooth, State, dispatch_narrow};
    use crate::dual_coordinate::dense::DenseRows;
    use crate::{Intercept, Problem};
    use ndarray::{Array1, Array2};
    use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};

    /// H as a matrix, as an operator, and as differences of the gradient, with and without cone and intercept.
    #[test]
    fn the_hessian_is_that_of_differences() {
        const N: usize = 20;
        let phi = Array2::from_shape_fn((N, 3), |(i, k)| ((5 * i + 3 * k) as f64).sin());
        let y = Array1::from_shape_fn(N, |i| if i % 3 == 0 { 1.0 } else { -1.0 });
        for (radius, budget, rule) in [
            (0.0, 0.0, Intercept::None),
            (0.0, 0.0, Intercept::Penalised),
            (0.3, 0.0, Intercept::Penalised),
            (0.2, 0.7, Intercept::None),
            (0.2, 0.7, Intercept::Penalised),
        ] {
            let penalty = FeaturePenalty {
                radii: Array1::from_elem(N, radius),
                matrix: PenaltyMatrix::Orthogonal,
            };
            let problem = Problem::new(phi.view(), y.view(), &penalty, 0.4).unwrap();
            let problem = problem.with_intercept(rule).with_budget(budget).unwrap();
            let rows = DenseRows::new(phi.as_slice().unwrap(), (N, 3));
            let state = State::new(&problem, &rows);
            let width = if rule == Intercept::None { 3 } else { 4 };
            let smooth = Smooth {
                centres: (0..N).map(|i| i as f64 / N as f64).collect(),
                epsilon: 3.0,
            };
            let at = |x: Vec<f64>| {
                let mut point = Point {
                    x,
                    margins: vec![0.0; N],
                };
                signed_scores(&rows, &state, &point.x, &mut point.margins);
                let none = (0.0, &vec![0.0; width][..], &[0.0; N][..]);
                let mut a = vec![0.0; N];
                smooth.values(&state, &point, none, &mut a);
                let mut newton = Newton::new(N, width);
                newton.update_gradient(&rows, &state, &point, &a);
                (newton, point, a)
            };
            let x = [0.5, -0.3, 0.8, 0.1][..width].to_vec();
            let (mut newton, point, a) = at(x.clone());
            let of_cone = newton.assemble(&rows, &state, &smooth, &point, &a);
            assert!((4..N).contains(&newton.between.len()));
            let hessian = Hessian {
                rows: &rows,
                state: &state,
                between: &newton.between,
                unit: &newton.unit,
                scale: 1.0 / smooth.epsilon,
                of_cone,
            };
            for k in 0..width {
                let (mut unit, mut product) = (vec![0.0; width], vec![0.0; width]);
                unit[k] = 1.0;
                dispatch_narrow(hessian.product(&unit, &mut product));
                let moved = |h: f64| {
                    let mut x = x.clone();
                    x[k] += h;
                    at(x).0.gradient
                };
                let (above, below) = (moved(1e-5), moved(-1e-5));
                for l in 0..width {
                    let difference = (above[l] - below[l]) / 2e-5;
                    assert!((product[l] - difference).abs() < 1e-7, "({l}, {k})");
                    let entry = newton.system.matrix[k * width + l];
                    assert!(l < k || (entry - product[l]).abs() < 1e-12, "({l}, {k})");
                }
            }
        }
    }
}
