//! The worst of a quadratic on a cell by Lagrangian duality, all axes together.

use super::{Cell, Minorant};
use ndarray::{Array1, ArrayView1, Axis};
use robust_svm_core::linalg::positive_definite_solve;
use robust_svm_core::uncertainty::Norm;

/// Rounds of better multipliers.
const ROUNDS: usize = 10;

/// Share of the largest curvature that keeps the solved systems far from singular.
const REGULAR: f64 = 1e-9;

impl Minorant {
    /// `max { −g·d + ½dᵀMd }` over `cell`, or more: with multipliers `τ_k ≥ 0` of `d_k² ≤ h_k²` and, at p = 2,
    /// `μ ≥ 0` of `‖c + d‖² ≤ γ²`,
    ///
    /// ```text
    /// ½ qᵀS⁻¹q + ½μ(γ² − ‖c‖²) + ½ Σ τ_k h_k²,   q = −(g + μc),   S = μI + diag(τ) − M ≻ 0.
    /// ```
    ///
    /// At p = 1 the set is `⟨s, c + d⟩ ≤ γ` with s the signs of the cell on the axes where it has one, 0
    /// elsewhere: `q = −(g + μs)`, `S = diag(τ) − M` and the term `μ(γ − ⟨s, c⟩)`.
    ///
    /// Rounding: a solution by Cholesky is one of a matrix that is off by a few units in the last place of
    /// `sqrt(S_kkS_ll)`, so the first term by as much of `Σ S_kkd_k²`; the others by as much of their parts.
    ///
    /// Every choice gives a bound; where M has no positive eigenvalue the best is exact. From `start` = (μ, τ)
    /// each multiplier is scaled by how far `d = S⁻¹q` is past its constraint.
    ///
    /// Returns the bound and, where there is one, the last d, cut to the box: near the worst of the cell.
    pub(super) fn lagrangian_loss(
        &self,
        cell: &Cell,
        start: (f64, Array1<f64>),
    ) -> (f64, Option<Array1<f64>>) {
        let largest = Norm::Infinity.of(self.curvature.diag());
        let (mut μ, mut τ) = start;
        let signs = || {
            let axes = cell.centre.iter().zip(&cell.half);
            axes.map(|(c, h)| if c.abs() >= *h { c.signum() } else { 0.0 })
        };
        // Of the set's constraint: how it grows along d, and what is left of it at c.
        let (normal, room): (Array1<f64>, f64) = match cell.p {
            Norm::One => {
                let normal: Array1<f64> = signs().collect();
                let room = cell.gamma - normal.dot(&cell.centre);
                (normal, room)
            }
            Norm::Two => {
                let square = cell.centre.dot(&cell.centre);
                (
                    cell.centre.clone(),
                    0.5 * (cell.gamma * cell.gamma - square),
                )
            }
            Norm::Infinity => (Array1::zeros(cell.centre.len()), 0.0),
        };
        let n = cell.centre.len() as f64;
        let rounding = 2.0 * (n + 4.0) * (n + 4.0) * f64::EPSILON;
        // The size of what `room` is a difference of.
        let of_set = room.abs() + 2.0 * normal.mapv(f64::abs).dot(&cell.centre.mapv(f64::abs));
        let (mut best, mut worst) = (f64::INFINITY, None);
        for _ in 0..ROUNDS {
            let mut s = -&self.curvature;
            let ridge = if cell.p == Norm::Two { μ } else { 0.0 };
            for (entry, τ) in s.diag_mut().iter_mut().zip(&τ) {
                *entry += ridge + τ - REGULAR * largest;
            }
            let diagonal = s.diag().to_owned();
            let q = -(&self.gradient + &(&normal * μ));
            let Ok(d) = positive_definite_solve(s, q.clone().insert_axis(Axis(1))) else {
                return (best, worst);
            };
            let d = d.index_axis_move(Axis(1), 0);
            let boxes: f64 = τ.iter().zip(&cell.half).map(|(τ, h)| τ * h * h).sum();
            let loss = 0.5 * (q.dot(&d) + boxes) + μ * room;
            let loss = loss + rounding * (terms(&q, d.view(), &diagonal) + boxes + μ * of_set);
            if !loss.is_finite() {
                return (best, worst);
            }
            if loss > best * (1.0 - 1e-6) {
                return (best.min(loss), worst);
            }
            best = loss;
            let mut cut = d.to_owned();
            cut.zip_mut_with(&cell.half, |d, h| *d = d.clamp(-h, *h));
            worst = Some(cut);
            for ((τ, d), h) in τ.iter_mut().zip(&d).zip(&cell.half) {
                *τ *= if *h > 0.0 { d.abs() / h } else { 1.0 };
            }
            if cell.p == Norm::Two {
                μ *= Norm::Two.of((&d + &cell.centre).view()) / cell.gamma;
            }
        }
        (best, worst)
    }
}

/// `Σ_k |q_kd_k| + S_kkd_k²`.
fn terms(q: &Array1<f64>, d: ArrayView1<'_, f64>, diagonal: &Array1<f64>) -> f64 {
    let axes = q.iter().zip(d).zip(diagonal);
    axes.map(|((q, d), s)| (q * d).abs() + s * d * d).sum()
}
