//! Newton's steps on the smoothed problem.

use super::super::rows::{Rows, weighted_sum};
use super::super::state::{State, norm};
use super::smooth::{Point, Smooth};
use crate::linear_system::{LinearSystem, NotFactorisable};
use pulp::{Arch, Simd, WithSimd};

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
            scale,
            of_cone,
        };
        for g in gradient.iter_mut() {
            *g = -*g;
        }
        system.solve(
            |x: &[f64], out: &mut [f64]| Arch::new().dispatch(hessian.product(x, out)),
            gradient,
            step,
        );
        for g in gradient.iter_mut() {
            *g = -*g;
        }
        Ok(())
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
